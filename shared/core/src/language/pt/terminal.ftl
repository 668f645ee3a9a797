# What `mostrador chat` prints, in Portuguese. Names of commands stay as they are typed.

help =
    {"  "}/login NOME        entra com esse nome (só no produto local); sem nome, sai
    {"  "}/clear             guarda a conversa e começa outra
    {"  "}/yes, /no          decide sobre o que acaba de ser proposto
    {"  "}/attach DOCUMENTO  traz um documento de texto, Markdown ou PDF; desde então as perguntas valem também para ele
    {"  "}/detach            deixa de perguntar por documentos
    {"  "}/files             os documentos trazidos
    {"  "}/forget NOME       retira um documento para sempre
    {"  "}/db                o carrinho, as reservas e os pedidos
    {"  "}/state             o que está configurado e em que ponto está a conversa
    {"  "}/quit              termina (Ctrl-D também)
    {"  "}Ctrl-C             interrompe a resposta que está chegando; sem ela, termina
    {"  "}tudo o mais se pergunta no balcão: livro 12 · isbn 978… · categoria: novela, preco_max: 20 · parecidos com Rayuela
welcome = Mostrador em { $url }. /help mostra os comandos.
guest = visitante
no-such-command = Não há esse comando; /help mostra os que há.
signed-in = Sessão iniciada como { $name }.
not-signed-in = Não foi possível entrar: { $error }
new-conversation = Uma conversa nova.
nothing-to-decide = Não há nada para decidir.
state-of-guests = Os visitantes não têm nada guardado: primeiro /login NOME.
state = modelo: { $model }
    índice: { $index }
state-conversation = conversa: { $number }
yes-or-no = Responda “sim” ou “não”.
cut-off = A resposta foi cortada. Pergunte outra vez.
with-person = Quem lhe responde é uma pessoa da loja; o que disser está na página. “{ $back }” traz o assistente de volta.
stopped = Interrompida.
stopped-too-late = Tarde demais: a resposta está no histórico.
not-stopped = Não foi possível parar: { $error }
item = { $id }  { $title } · { $maker } · { $price } · { $count ->
    [0] esgotado
   *[other] { $count } ex.
}
cited = “{ $text }” ({ $name })
cited-page = “{ $text }” ({ $name }, { $page })
which-file = diga que documento: /attach DOCUMENTO
not-attached = Não foi possível anexar: { $error }
not-read = não é possível ler { $path }
no-documents = Não há documentos; /attach DOCUMENTO traz um.
no-such-document = Não há esse documento; /files mostra os que há.
document-gone = { $name } já não está aqui.
document-not-gone = Não foi possível retirar: { $error }
