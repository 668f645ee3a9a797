# Sentences for shoppers, in Portuguese, for Brazil and Portugal alike: neither "tu" nor "você", "pedido" for an order.
# $item and $items are the shop's noun ("livro", "livros"), $gender its gender (m or f); $sells is "books" where it sells books.

item-one = artigo
item-many = artigos

## Amounts

# An amount by an example: the sign of a currency and where it stands, the mark of thousands, and the shortest number that has one,
# the mark of decimals. How many decimals there are follows from the currency.
amount = { $currency ->
    [EUR] 12.345,67 €
    [AOA] 12.345,67 Kz
    [BRL] R$ 1.234,56
    [GBP] £ 1.234,56
    [JPY] ¥ 1.234,56
    [MXN] MX$ 1.234,56
    [MZN] 12.345,67 MT
    [USD] US$ 1.234,56
   *[other] { $currency } 1.234,56
}

## What is proposed

propose-cart-several = Coloco tudo isto no carrinho?
propose-cart = { $count ->
    [one] Coloco no carrinho 1 { $sells ->
        [books] exemplar
       *[other] unidade
    } de “{ $title }”, por { $price }?
   *[other] Coloco no carrinho { $count } { $sells ->
        [books] exemplares
       *[other] unidades
    } de “{ $title }”, por { $price } cada { $sells ->
        [books] um
       *[other] uma
    }?
}
propose-reservation = { $count ->
    [one] Reservo 1 { $sells ->
        [books] exemplar
       *[other] unidade
    } de “{ $title }”, por { $price }?
   *[other] Reservo { $count } { $sells ->
        [books] exemplares
       *[other] unidades
    } de “{ $title }”, por { $price } cada { $sells ->
        [books] um
       *[other] uma
    }?
}
propose-removal = { $left ->
    [0] Tiro “{ $title }” do seu carrinho?
   *[other] Tiro { $count } de “{ $title }” do seu carrinho? { $left ->
        [one] Fica { $left }
       *[other] Ficam { $left }
    }.
}
propose-clearing = Esvazio o seu carrinho todo?
propose-order = { $count ->
    [one] Faço o pedido? O total é { $total }:
   *[other] Faço o pedido? São { $count } { $sells ->
        [books] exemplares
       *[other] unidades
    } e o total é { $total }:
}
propose-order-cancellation = Cancelo o seu pedido { $id }, de { $total }?
propose-cart-more = Já tem { $there } de “{ $title }” no carrinho. Coloco mais { $count }, por { $price } a unidade?
propose-reservation-more = Já tem { $there } de “{ $title }” em reserva. Reservo mais { $count }, por { $price } a unidade?
propose-quantity = Deixo no carrinho { $count } de “{ $title }”, por { $price } a unidade?
propose-return = Peço a devolução do seu pedido { $id }, de { $total }?
propose-reservation-cancellation = Cancelo a sua reserva de “{ $title }”?
propose-note = Quer que eu me lembre de “{ $note }”?
propose-forgetting = { $count ->
    [one] Esqueço “{ $note }”?
   *[other] Esqueço as { $count } coisas que sei a seu respeito?
}
one-by-one = Primeiro isto; diga-me o resto a seguir e eu trato.
which-item = { $gender ->
    [f] Qual destas quer?
   *[m] Qual destes quer?
}
which-line = O que tiro do seu carrinho?
which-reservation = Que reserva cancelo?
which-order = Que pedido cancelo?
which-return = Que pedido quer devolver?
which-note = O que quer que eu esqueça?
no-reservation = Não tem reservas ativas.
no-open-order = Não tem pedidos que se possam cancelar.

## An answer without a model

greeting = Olá! O que procura hoje?
greeting-how = { $sells ->
    [books] Pode dizer um título, um autor, um tema, um preço ou um ISBN.
   *[other] Pode dizer um nome, uma marca, uma categoria ou um preço.
}
catalogue-unavailable = Neste momento não consigo consultar o catálogo.
nothing-found = Não encontrei { $items } com essas características.
nothing-found-how = { $sells ->
    [books] Experimente outro título, um autor, uma categoria ou um ISBN.
   *[other] Experimente outro nome, uma marca, uma categoria ou um preço.
}
found-near = Não encontrei exatamente isso, mas talvez lhe interesse:
absent = Não encontro “{ $name }” no catálogo.
absent-near = Não encontro “{ $name }” no catálogo. Talvez lhe interesse:
nothing-said = { $sells ->
    [books] O que gosta de ler? Diga um tema, um autor ou um livro de que tenha gostado, e sugiro algo.
   *[other] Do que gosta? Diga uma categoria, uma marca ou um preço, e sugiro algo.
}
fact-price = { $title } custa { $fact }.
fact-copies = De { $title }: { $fact }.
fact-maker = { $title } é de { $fact }.
fact-year = { $title } foi publicado em { $fact }.
fact-publisher = { $title } é da editora { $fact }.
fact-about = { $title }: { $fact }
fact-attribute = { $title }. { $fact }.
fact-unknown = Não tenho essa informação sobre { $title }.
nothing-more = Não tenho mais nada parecido com isso.
nothing-shown = Ainda não lhe mostrei nada. Diga-me o que procura.
which-of-these = A quais se refere? Diga { $sells ->
    [books] os títulos
   *[other] os nomes
} ou o lugar na lista.
found-by-price = Por preço, do menor para o maior:
found-by-price-down = Por preço, do maior para o menor:
found-most-sold = O que mais se vende:
nothing-sold = Ainda não sei o que mais se vende disso. Enquanto isso, sugiro:
found-sum = No total, são { $total }:
found-newest = Do mais recente para o mais antigo:
found-oldest = Do mais antigo para o mais recente:
found-it = { $count ->
    [one] Aqui está:
   *[other] Aqui estão:
}
found = { $count ->
    [one] Encontrei 1 { $item }:
   *[other] Encontrei { $count } { $items }:
}
found-many = { $gender ->
    [f] { $listed ->
        [one] A mais próxima do que procura:
       *[other] As { $listed } mais próximas do que procura:
    }
   *[m] { $listed ->
        [one] O mais próximo do que procura:
       *[other] Os { $listed } mais próximos do que procura:
    }
}
offer-similar = { $gender ->
    [f] Quer ver { $items } parecidas?
   *[m] Quer ver { $items } parecidos?
}
recommended-picks = { $count ->
    [one] Uma recomendação da casa:
   *[other] Recomendações da casa:
}
recommended-varied = Um pouco de tudo, para escolher:
offer-taste = { $sells ->
    [books] Para acertar mais, diga um tema ou um autor.
   *[other] Para acertar mais, diga uma categoria ou um preço.
}
offer-refining = { $sells ->
    [books] Para escolher melhor, diga um autor, uma categoria ou um preço.
   *[other] Para escolher melhor, diga uma categoria ou um preço.
}
hint-refine = { $sells ->
    [books] Posso filtrar por autor, ISBN ou categoria: é só pedir.
   *[other] Posso filtrar por categoria ou preço: é só pedir.
}
caution-prices = Neste momento não posso garantir que os preços e as quantidades estejam em dia.
caution-filter = Não entendi uma parte do que pediu: talvez nem tudo sirva.
in-documents = Nos seus documentos, o mais parecido está em “{ $name }”.
in-documents-page = Nos seus documentos, o mais parecido está em “{ $name }”, página { $page }.

## Items

item-title = “{ $title }”
item-of = { $title }, de { $maker }
# A clause: "agora está esgotado". What is called a "peça" may be a "vestido", so that nothing agrees with either.
stock = { $count ->
    [0] { $gender ->
        [f] está indisponível
       *[m] está esgotado
    }
    [one] resta 1
   *[other] restam { $count }
}
# Beside a price: "25,99 €, esgotado".
stock-left = { $count ->
    [0] { $gender ->
        [f] indisponível
       *[m] esgotado
    }
    [one] resta 1
   *[other] restam { $count }
}

## Documents

file-read = Já li “{ $name }”: pode perguntar sobre ele.
file-without-text = Não encontro texto para ler em “{ $name }”: experimente outro documento.

## Actions; refusals by their codes

book_not_found = Não encontro { $gender ->
    [f] essa
   *[m] esse
} { $item } no catálogo.
insufficient_stock = { $count ->
    [0] “{ $title }” está { $gender ->
        [f] indisponível
       *[m] esgotado
    }.
    [one] De “{ $title }” só há 1 { $sells ->
        [books] exemplar
       *[other] unidade
    } disponível.
   *[other] De “{ $title }” só há { $count } { $sells ->
        [books] exemplares
       *[other] unidades
    } disponíveis.
}
cart_full = O carrinho está cheio (cabem { $most } { $sells ->
    [books] títulos
   *[other] artigos
}): faça o pedido ou retire algum.
cart-added-several = Pronto: está tudo no carrinho.
cart-added = { $count ->
    [one] Pronto: “{ $title }” está no carrinho.
   *[other] Pronto: agora há { $count } de “{ $title }” no carrinho.
}
cart-set = Pronto: o seu carrinho tem { $count } de “{ $title }”.
cart = O carrinho tem { $count } { $sells ->
    [books] { $count ->
        [one] título
       *[other] títulos
    }
   *[other] { $count ->
        [one] artigo
       *[other] artigos
    }
}: { $total } no total.
cart-empty = O carrinho está vazio.
cart-removed = { $left ->
    [0] Pronto: já não está no carrinho.
    [one] Pronto: fica 1 no carrinho.
   *[other] Pronto: ficam { $left } no carrinho.
}
not-in-cart = { $gender ->
    [f] Essa
   *[m] Esse
} { $item } não está no carrinho.
empty_cart = O carrinho está vazio: adicione primeiro { $gender ->
    [f] alguma
   *[m] algum
} { $item }.
order_too_large = O pedido soma { $total } e aqui posso tratar de até { $most }: retire alguma coisa ou fale com a loja.
total_changed = Algo mudou desde que lhe disse: o total do pedido é agora { $total }.
order-placed = Pronto! O seu pedido { $id } está feito: { $total } no total. Agora a loja vai prepará-lo.
order = O seu pedido { $id } está { $status }: { $total } no total.
orders = { $count ->
    [0] Ainda não tem pedidos.
    [one] Tem 1 pedido.
   *[other] Tem { $count } pedidos.
}
order-pending = pendente
order-in-process = em preparação
order-delivered = entregue
order-called-off = cancelado
order-in-return = em devolução
order-returned = devolvido
order_closed = Esse pedido já não pode ser cancelado: está { $status }.
order-not-delivered = Só posso pedir a devolução de um pedido entregue, e esse está { $status }.
order-over = Esse pedido já está fechado.
item-gone = Isso já não se vende.
move_not_allowed = Um pedido nesse estado não pode passar ao que pede.
not_waiting = Essa conversa já não espera por uma pessoa.
order-cancelled = Cancelei o seu pedido { $id }.
return-requested = Pedi a devolução do seu pedido { $id }. A loja avisa aqui quando receber a devolução.
notice-order-in-process = O seu pedido { $id } já está em preparação.
notice-order-delivered = O seu pedido { $id } foi entregue. Esperamos que goste!
notice-order-called-off = A loja cancelou o seu pedido { $id }.
notice-order-in-return = A devolução do seu pedido { $id } está em curso.
notice-order-returned = A loja recebeu de volta o seu pedido { $id }.
notice-return-declined = A loja não aceitou a devolução do seu pedido { $id }.
notice-reservation-collected = Retirou { $count } de “{ $title }”. É o seu pedido { $id }.
notice-reservation-cancelled = A loja cancelou a sua reserva de “{ $title }”.
notes = { $count ->
    [0] Não guardo nada a seu respeito. Se quiser que eu me lembre de algo, diga por exemplo: { $sells ->
        [books] “lembre-se de que leio em inglês”.
       *[other] “lembre-se de que gosto de azul”.
    }
    [one] Isto é o que sei a seu respeito:
   *[other] Sei { $count } coisas a seu respeito:
}
note-kept = Pronto: já anotei. Para ver tudo o que sei, pergunte “o que sabe de mim?”.
note-forgotten = { $count ->
    [0] Pronto: já não guardo nada a seu respeito.
   *[other] Pronto: já esqueci.
}
note_missing = O que quer que eu anote? Diga numa frase.
note_private = Não guardo números de cartão nem dados assim: estão mais seguros fora daqui.
note_too_long = É longo demais para eu lembrar: diga em no máximo { $most } caracteres.
notes_full = Já sei { $most } coisas a seu respeito, e não cabem mais: diga antes o que devo esquecer.
note_not_found = Isso não está entre as coisas que sei a seu respeito.
notice-note = Nota da loja: { $note }
order_not_found = Não encontro esse pedido.
reservation_limit = Pode ter reservados até { $of-title } { $sells ->
    [books] exemplares de um título
   *[other] unidades de um artigo
} e { $in-all } no total.
reservation-crowded = Neste momento há demasiadas reservas deste { $sells ->
    [books] título
   *[other] artigo
}: tente mais tarde ou faça já o pedido.
reserved = Pronto: guardo { $count ->
    [one] “{ $title }”
   *[other] { $count } de “{ $title }”
} por { $hours } horas.
reservations = { $count ->
    [0] Não tem reservas ativas.
    [one] Tem 1 reserva ativa.
   *[other] Tem { $count } reservas ativas.
}
reservation_not_found = Não encontro essa reserva.
reservation_closed = Essa reserva já terminou.
reservation-cancelled = Cancelei a sua reserva de “{ $title }”.
# What a list sums up, a line each.
bought = “{ $title }”: { $count } × { $price }
order-line = Pedido { $id }: { $status }, { $total }
reservation-line = “{ $title }” ({ $count }), { $hours ->
    [0] por menos de uma hora
    [one] por mais 1 hora
   *[other] por mais { $hours } horas
}
and-more = e mais { $count }

## Appointments

appointment-day = { weekday-on } { $day } de { month }
appointment-date = { weekday }, { $day } de { month }
appointment-time = { weekday-on } { $day } de { month }, às { $time }
slot-line = { $when }, com { $calendar }
service-line = { $service }: { $minutes } min, { $price }
services = { $count ->
    [0] Neste momento não há serviços com marcação.
    [one] { $business } tem 1 serviço com marcação:
   *[other] { $business } tem { $count } serviços com marcação:
}
categories = Serviços com marcação: { $list }.
slots = { $count ->
    [0] { $days ->
        [one] Não há nenhum horário livre { $day } para “{ $service }”.
       *[many] Não há nenhum horário livre nesses dias para “{ $service }”.
    }
   *[other] { $days ->
        [one] Há horários livres { $day } para “{ $service }”:
       *[many] Há horários livres para “{ $service }”:
    }
}
slots-next = O primeiro livre é { $when }.
slots-instead = Está livre: { $list }.
appointment-named = { ", em nome de " }{ $name }
propose-appointment = Marco “{ $service }” { $when }, com { $calendar }, em { $branch }{ $named }? São { $price }.
propose-appointment-move = Mudo a sua marcação de “{ $service }”, para ficar { $when }, com { $calendar }, em { $branch }?
propose-appointment-cancellation = Cancelo a sua marcação de “{ $service }”, { $when }, com { $calendar }?
appointment-booked = Marcado: “{ $service }” { $when }, com { $calendar }, em { $branch }. São { $price }.
appointment-moved = Mudada: a sua marcação de “{ $service }” é agora { $when }, com { $calendar }, em { $branch }.
appointment-cancelled = Cancelada: já não tem a marcação de “{ $service }”, { $when }.
appointments = { $count ->
    [0] Não tem nenhuma marcação por vir.
    [one] Tem 1 marcação:
   *[other] Tem { $count } marcações:
}
appointment-line = “{ $service }” { $when }, com { $calendar }, em { $branch }
which-service = Para que serviço?
which-branch = Qual lhe convém mais: { $list }?
time-not-free = Às { $time } não há vaga.
which-day = Que dia e a que horas lhe convém?
which-time = A que horas lhe convém?
which-name = Há vaga { $when }. Em nome de quem fica a marcação?
which-appointment = Qual delas?
help-appointments = Também lhe marco hora em { $business }: { $list }.
sign-in-to-book = Há vaga { $when }. Para a marcar, entre primeiro na sua conta. Depois diga “sim” e eu continuo.
business_not_found = Aqui não se fazem marcações.
branch_not_found = Não temos esse local. Há: { $list }.
service_not_found = Não encontro esse serviço. Há: { $list }.
calendar_not_found = Com essa pessoa não há marcações para isso. Pode ser com: { $list }.
price_changed = O preço de “{ $service }” mudou: agora são { $price }.
slot_taken = Esse horário acaba de ser ocupado ou já não está livre.
slot_unavailable = A essa hora não é possível marcar.
outside_window = Para essa data ainda não se fazem marcações, ou já passou.
invalid_date = Para que dia? Escreva-o como 2026-11-27.
invalid_time = A que horas? Escreva-as como 10:30.
appointment_not_found = Não encontro essa marcação.
appointment_closed = Essa marcação já não está de pé.
appointment-begun = Essa marcação já começou: ligue-nos e vemos isso.
user_not_found = Só posso tratar das suas próprias marcações.
invalid_contact = Esse dado não parece correto: um nome tem letras, um telefone de 6 a 15 algarismos, e nada passa de { $most } caracteres.
contact = { $count ->
    [0] Ainda não sei em nome de quem ficam as suas marcações.
   *[other] As suas marcações ficam em nome de: { $list }.
}
contact-kept = Anotado: as suas marcações ficam em nome de { $list }.
propose-contact = Deixo as suas marcações em nome de { $list }?

## What the shop says of itself

shop-who = Sou { $assistant }, o assistente automático de { $shop }.
shop-who-itself = Sou o assistente automático de { $shop }.
shop-sells = Aqui vendemos { $items }.
shop-hours = Horário: { $list }
shop-exceptions = Outros dias: { $list }
shop-contact = Fale com a loja: { $list }
shop-places = Onde estamos: { $list }
shop-closed = fechado
weekday = { $weekday ->
    [monday] segunda-feira
    [tuesday] terça-feira
    [wednesday] quarta-feira
    [thursday] quinta-feira
    [friday] sexta-feira
    [saturday] sábado
   *[sunday] domingo
}
month = { $month ->
    [1] janeiro
    [2] fevereiro
    [3] março
    [4] abril
    [5] maio
    [6] junho
    [7] julho
    [8] agosto
    [9] setembro
    [10] outubro
    [11] novembro
   *[12] dezembro
}
# A day as it stands in the middle of a sentence.
weekday-on = { $weekday ->
    [monday] na segunda-feira,
    [tuesday] na terça-feira,
    [wednesday] na quarta-feira,
    [thursday] na quinta-feira,
    [friday] na sexta-feira,
    [saturday] no sábado,
   *[sunday] no domingo,
}
day-on = { $near ->
    [today] hoje, { weekday }, { $day } de { month }{ $reason },
    [tomorrow] amanhã, { weekday }, { $day } de { month }{ $reason },
   *[other] { weekday-on } { $day } de { month }{ $reason },
}
day-every = { $weekday ->
    [monday] às segundas-feiras,
    [tuesday] às terças-feiras,
    [wednesday] às quartas-feiras,
    [thursday] às quintas-feiras,
    [friday] às sextas-feiras,
    [saturday] aos sábados,
   *[sunday] aos domingos,
}
open-now = Agora estamos abertos.
open-now-until = Agora estamos abertos, até às { $time }.
closed-now = Agora está fechado.
opens-next = Voltamos a abrir { $day } às { $time }.
open-on = { $day } abrimos { $hours }.
closed-on = { $day } estamos fechados.
hours-between = das { $from } às { $to }
hours-and = { " e " }
# What its texts are about.
topic-delivery = Entregas
topic-returns = Devoluções
topic-payment = Pagamento
topic-wrapping = Embrulho para presente
topic-discount = Descontos
topic-guarantee = Garantia
topic-opening = Horário
topic-place = Endereço
topic-contact = Fale com a loja
shop-at = Estamos em { $place }.
shop-branches = Temos { $count } lojas:
shop-days = de { $first } a { $last }
shop-date = { $day }/{ $month }/{ $year }
shop-dates = de { $first } a { $last }

## What is said to what looks for nothing

thanks = De nada! Estou aqui para o que precisar.
goodbye = Até breve! Obrigado pela visita.
nothing-asked = Não há nada para confirmar agora.
nothing-wanted = Tudo bem. Se precisar de mais alguma coisa, estou aqui.
help = Posso ajudar com isto:
help-find = { $sells ->
    [books] Procurar livros por título, autor, tema ou preço, e dizer quanto custam e quantos restam.
   *[other] Procurar { $items } por nome, marca, categoria ou preço, e dizer quanto custam e quantas unidades restam.
}
help-own = Cuidar do seu carrinho, das suas reservas e dos seus pedidos, depois de entrar na sua conta.
help-shop = Contar o que sei da loja: horário, endereço e como falar com ela.
unclear = Não entendi. Diga o que procura ou o que quer saber da loja.
off-topic = Disso não sei; posso ajudar com a loja e { $gender ->
    [f] as suas
   *[m] os seus
} { $items }.
person = Para falar com uma pessoa, escreva ou ligue para a loja.
person-called = Já avisei a loja: uma pessoa vai responder aqui mesmo assim que puder.
person-signed-in = Se entrar na sua conta, uma pessoa também pode responder aqui mesmo.
person-told = Já avisei a loja, para que alguém veja o que aconteceu.
person-offer = Quer que alguém da loja responda aqui? Diga “sim” e eu aviso.
person-back = Continuar com o assistente
person-no-more = Estou aqui de novo. Em que posso ajudar?
complaint = Sinto muito pelo problema. A loja pode ver o que aconteceu e resolver.
cannot = Isso ainda não consigo fazer pelo chat. Se houver um botão para isso, use-o; se não, a loja pode ajudar.
shop-unknown = Isso eu não sei. Na loja podem dizer.
distress = Sinto muito que este momento seja tão difícil. Não é preciso enfrentar isto sem ajuda: fale agora com alguém de confiança e, se houver perigo, ligue para o número de emergência do seu país.
maybe-distress = Não sei se entendi bem. Se este é um momento difícil ou se há perigo, ligue para o número de emergência do seu país ou fale com alguém de confiança. Se procura algo da loja, diga com outras palavras.
distress-helpline = { $name }: { $phone }
sign-in-first = Para ver isso, entre primeiro na sua conta.
sign-in-for = Para continuar com “{ $title }”, entre primeiro na sua conta. Depois diga “sim” e eu continuo.
sign-in-to-do = Para isso, entre primeiro na sua conta. Depois diga “sim” e eu continuo.
record-unavailable = Neste momento não consigo consultar. Tente de novo daqui a pouco.

## What was proposed, decided

approval_not_found = Não há nada disso para confirmar.
approval_mismatch = O que foi confirmado não é o que foi proposto.
approval_closed = Isso já não pode ser confirmado: peça outra vez.
approval-rejected = Está bem, fica como estava.

## A turn

notice = Quem responde é um assistente automático; os preços e as quantidades são os do catálogo.
turn-cancelled = A resposta foi interrompida a seu pedido.
turn-failed = A resposta não chegou ao fim: pergunte outra vez.

## A customer is forgotten

erased = Pronto: apaguei todos os seus dados desta loja.

## Problems, by their codes

invalid_request = Não entendo o pedido recebido: verifique o formato.
message-empty = Mensagem vazia. Escreva o que procura.
message-too-long = Mensagem longa demais: conte em menos palavras.
invalid_action = Não conheço essa ação.
invalid_role = O papel deve ser user, assistant ou system.
invalid_content = O conteúdo deve ser um texto, nem vazio nem longo demais.
invalid_rating = A avaliação vai de 1 a 5.
invalid_file = Não consigo aceitar esse documento: precisa ser texto, Markdown ou PDF, com nome e tamanho.
file_too_large = Esse documento é grande demais: até 5 MB e umas cem páginas.
too_many_files = Já há 20 documentos: apague algum antes de trazer outro.
not_uploaded = O documento ainda não chegou inteiro: envie e tente outra vez.
auth_required = Entre na sua conta para continuar.
invalid_token = A sessão não é válida ou expirou: entre outra vez.
not_found = Aqui não há nada com esse nome.
method_not_allowed = Este endereço não permite essa operação.
not_acceptable = Só consigo responder em JSON.
payload_too_large = A mensagem é grande demais.
misdirected_request = Este servidor não atende pedidos de outros sites.
request_timeout = O pedido levou tempo demais para chegar: tente outra vez.
unsupported_media_type = Envie o pedido como JSON.
conversation_busy = Ainda estou com a mensagem anterior: espere um momento.
conflict = Chegou outra alteração ao mesmo tempo: tente outra vez.
in_progress = Esse mesmo pedido já está em curso.
idempotency_mismatch = Essa chave já foi usada com outro pedido.
rate_limited = Foram muitas mensagens em pouco tempo: espere um momento e tente outra vez.
unavailable = Neste momento não consigo atender: tente em alguns segundos.

## For models

language-name = português
prompt-sells = { $items }
prompt-example-question = { $sells ->
    [books]
        <resultados>
        {"{"}1{"}"} “O Farol”, de Ana Ruiz: { $dear }, restam 3. id 90001, Romance, 2001. Um faroleiro e a filha aprendem a viver com o mar.
        {"{"}2{"}"} “Marés”, de Luis Gil: { $cheap }, esgotado. id 90002, Poesia, 1998. Poemas breves de um porto.
        </resultados>

        algo sobre o mar por menos de { $budget }
   *[other]
        <resultados>
        {"{"}1{"}"} “Bolsa Porto”, de Ana Ruiz: { $dear }, restam 3. id bolsa-1, Bolsas, preto. Lona encerada com alça de couro, para o dia a dia.
        {"{"}2{"}"} “Bolsa Maré”, de Luis Gil: { $cheap }, esgotado. id bolsa-2, Bolsas, azul. Algodão leve que se dobra dentro do próprio bolso.
        </resultados>

        uma bolsa para o dia a dia por menos de { $budget }
}
prompt-example-answer = { $sells ->
    [books]
        Dois com cheiro a sal, e ambos por menos de { $budget }:
        {"- {"}1{"}"} conta como um faroleiro e a filha aprendem a viver com o mar.
        {"- {"}2{"}"} é mais breve e mais barato, poemas de um porto, mas {"{"}2.stock{"}"}.
        {"- "}Prefere romance ou poesia?
   *[other]
        Duas para o dia a dia, e ambas por menos de { $budget }:
        {"- {"}1{"}"} é de lona encerada, com alça de couro.
        {"- {"}2{"}"} é mais leve e mais barata, e se dobra dentro do próprio bolso, mas {"{"}2.stock{"}"}.
        {"- "}Prefere lona ou algodão?
}
