# The page's strings, in Portuguese, for Brazil and Portugal alike.
# $item, $items and $gender are the shop's noun, $sells tells whether it sells books. A string's attributes are its forms: by plural category where it has a $count.
# The page itself fills in $count, $seconds, $name and $page.

cart = Carrinho
fresh = Nova conversa
session = Sessão
yourName = Nome
signIn = Entrar
haveToken = Entrar com um token
token = Token
leave = Sair
log = Conversa
ask = Mensagem
placeholder = Que { $item } procura?
send = Enviar
stop = Parar
retry = Tentar outra vez
earlier = Ver mensagens anteriores
yes = Sim, pode ser
no = Não, não é preciso
add = Adicionar ao carrinho
reserve = Reservar
remove = Retirar
checkout = Fazer o pedido
welcome = Olá. Diga que { $item } procura: { $sells ->
    [books] um título, um autor, um ISBN ou o tema.
   *[other] o nome, para que serve ou quanto quer gastar.
}
resumed = A conversa continua de onde ficou.
signedOut = A sessão foi encerrada.
freshDone = Uma conversa nova.
expired = A sessão já não é válida. Entre outra vez para continuar.
thinking = Procurando…
working = Um momento…
tools =
    .shop_info = Perguntando à loja…
    .view_cart = Vendo o seu carrinho…
    .list_orders = Vendo os seus pedidos…
    .order_status = Vendo o seu pedido…
    .list_reservations = Vendo as suas reservas…
    .view_profile = Vendo o que sei a seu respeito…
    .get_services = Vendo os serviços…
    .get_categories = Vendo os serviços…
    .get_service_details = Vendo esse serviço…
    .get_available_slots = Vendo o que está livre…
    .get_user_info = Vendo em nome de quem ficam as suas marcações…
    .get_user_appointments = Vendo as suas marcações…
    .search_catalog = Procurando no catálogo…
    .lookup_book = Procurando { $gender ->
        [f] essa
       *[m] esse
    } { $item }…
    .filter_catalog = Filtrando o catálogo…
    .recommend_similar = Procurando { $items } { $gender ->
        [f] parecidas
       *[m] parecidos
    }…
found =
    .one = { $gender ->
        [f] 1 encontrada
       *[m] 1 encontrado
    }; escrevendo…
    .other = { $gender ->
        [f] { $count } encontradas
       *[m] { $count } encontrados
    }; escrevendo…
stopping = Parando…
stopped = A resposta foi interrompida a seu pedido.
reconnecting = A conexão caiu; tentando recuperá-la…
cutOff = A resposta foi cortada antes do fim.
person = Pessoa da loja
withPerson = Quem responde agora é uma pessoa da loja.
handedBack = O assistente volta a responder.
back = Continuar com o assistente
busy = Ainda estou com a mensagem anterior; tento outra vez em { $seconds } s…
wait = Pode continuar em { $seconds } s.
offline = Não foi possível conectar. Verifique a conexão.
broken = Neste momento não consigo responder. Tente outra vez daqui a pouco.
hello = Olá, { $name }
signedIn = Sessão iniciada
soldOut = Esgotado
stock =
    .one = Resta 1 { $sells ->
        [books] exemplar
       *[other] unidade
    }
    .other = { $count } { $sells ->
        [books] exemplares
       *[other] unidades
    }
copies =
    .one = 1 { $sells ->
        [books] exemplar
       *[other] unidade
    }
    .other = { $count } { $sells ->
        [books] exemplares
       *[other] unidades
    }
states =
    .activa = ativa
    .cancelada = cancelada
    .vendida = vendida
    .expirada = expirada
    .Pendiente = Pendente
    .EnProceso = Em preparação
    .Entregado = Entregue
    .Cancelado = Cancelado
    .EnDevolucion = Em devolução
    .Devuelto = Devolvido
you = Cliente
attach = Anexar
brought = Documentos anexados
detach = Retirar { $name }
uploading = Lendo o documento…
notUploaded = Não foi possível enviar o documento. Tente outra vez.
place = { $name }, página { $page }
needsScript = Esta página precisa de JavaScript.
