# What `mostrador chat` prints, in Portuguese. Names of commands stay as they are typed.

help =
    Tudo se pede com palavras: o que procura, “o segundo”, “põe no carrinho”, “sim”, “o que tenho no carrinho?”, “reserve para mim”, “quero fazer o pedido”, “quero falar com uma pessoa”.
    {"  "}/login NOME        entra com esse nome (só no produto local); sem nome, sai
    {"  "}/clear             guarda a conversa e começa outra
    {"  "}/attach DOCUMENTO  traz um documento de texto, Markdown ou PDF; desde então as perguntas valem também para ele
    {"  "}/detach            deixa de perguntar por documentos
    {"  "}/files             os documentos trazidos
    {"  "}/forget NOME       retira um documento para sempre
    {"  "}/db                o que se guarda: mensagens, carrinho, reservas, pedidos e notas
    {"  "}/state             que modelo e que índice respondem
    {"  "}/q                 termina (/quit e Ctrl-D também)
    {"  "}Ctrl-C             interrompe a resposta que está chegando; sem ela, termina
welcome = { $shop }, em { $url }. /help mostra os comandos.
guest = visitante
you = você
person = pessoa da loja
shop = loja
working = Um momento…
nobody-there = Em { $url } não responde ninguém. Inicie o servidor com “mostrador serve”, ou diga com --url onde está.
unreachable = Agora não responde ninguém em { $url }. Quando o servidor voltar, escreva a mensagem outra vez.
late = { $url } não respondeu a tempo. Escreva a mensagem outra vez.
foreign = O que responde em { $url } não é um Mostrador. Veja se o endereço de --url está certo.
broken = O servidor não pode responder neste momento ({ $status }). Tente de novo daqui a pouco.
wait = { $message } Pode continuar em { $seconds } s.
no-such-command = Não há esse comando; /help mostra os que há.
signed-in = Sessão iniciada como { $name }.
signed-out = Sessão terminada.
not-signed-in = Não foi possível entrar: { $error }
no-sign-in = Aqui não se entra com um nome: isso é só para o produto local.
resumed = A conversa continua onde ficou: “{ $title }”. /db mostra as mensagens, /clear começa outra conversa.
new-conversation = Uma conversa nova.
nothing-of-guests = Dos visitantes não se guarda nada: primeiro /login NOME.
state-model = Responde o modelo { $model }.
state-no-model = Sem modelo: a loja responde por si mesma.
state-index = Índice { $build }: { $count ->
    [one] 1 artigo
   *[other] { $count } artigos
}.
state-no-index = Ainda não há índice.
kept-messages = Conversa { $number }: { $count ->
    [one] 1 mensagem
   *[other] { $count } mensagens
}.
no-messages = Esta conversa ainda não tem mensagens.
yes-or-no = Responda “sim” ou “não”.
also = Também:
cut-off = A resposta foi cortada. Pergunte outra vez.
with-person = Quem lhe responde é uma pessoa da loja: o que disser aparecerá aqui. “{ $back }” traz o assistente de volta.
person-reads = A pessoa da loja vai ler a mensagem.
person-says = Pessoa da loja: { $message }
person-lost = O que a pessoa da loja diz já não chega aqui: pergunte mais tarde.
handed-back = Volta a responder o assistente.
stopped = Interrompida.
stopped-too-late = Tarde demais: a resposta está no histórico.
not-stopped = Não foi possível parar: { $error }
cited = “{ $text }” ({ $name })
cited-page = “{ $text }” ({ $name }, { $page })
which-file = diga que documento: /attach DOCUMENTO
not-attached = Não foi possível anexar: { $error }
not-read = não é possível ler { $path }
no-documents = Não há documentos; /attach DOCUMENTO traz um.
document = { $name } ({ $size } kB, { $status ->
    [ready] lido
    [unreadable] sem texto para ler
   *[other] por ler
})
no-such-document = Não há esse documento; /files mostra os que há.
document-gone = { $name } já não está aqui.
document-not-gone = Não foi possível retirar: { $error }
detached = Já não se pergunta por documentos.
