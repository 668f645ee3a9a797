# The page's strings, in Spanish.
# $item, $items and $gender are the shop's noun, $sells tells whether it sells books. A string's attributes are its forms: by plural category where it has a $count.
# The page itself fills in $count, $seconds, $name and $page.

cart = Carrito
fresh = Nueva conversación
session = Sesión
yourName = Tu nombre
signIn = Entrar
haveToken = Entrar con un token
token = Token
leave = Salir
log = Conversación
ask = Tu mensaje
placeholder = ¿Qué { $item } buscas?
send = Enviar
stop = Parar
retry = Reintentar
earlier = Ver mensajes anteriores
yes = Sí, hazlo
no = No, gracias
add = Añadir al carrito
reserve = Reservar
remove = Quitar
checkout = Hacer el pedido
welcome = Hola. Dime qué { $item } buscas: { $sells ->
    [books] un título, un autor, un ISBN o de qué trata.
   *[other] su nombre, para qué es o cuánto quieres gastar.
}
resumed = Seguimos donde lo dejaste.
signedOut = Has salido.
freshDone = Empezamos de nuevo.
expired = Tu sesión ya no es válida. Vuelve a entrar para seguir.
thinking = Buscando…
working = Un momento…
tools =
    .shop_info = Preguntando a la tienda…
    .view_cart = Mirando tu carrito…
    .list_orders = Mirando tus pedidos…
    .order_status = Mirando tu pedido…
    .list_reservations = Mirando tus reservas…
    .view_profile = Mirando lo que recuerdo de ti…
    .get_services = Mirando los servicios…
    .get_categories = Mirando los servicios…
    .get_service_details = Mirando ese servicio…
    .get_available_slots = Mirando qué hay libre…
    .get_user_info = Mirando a nombre de quién van tus citas…
    .get_user_appointments = Mirando tus citas…
    .search_catalog = Buscando en el catálogo…
    .lookup_book = Buscando { $gender ->
        [f] esa
       *[m] ese
    } { $item }…
    .filter_catalog = Filtrando el catálogo…
    .recommend_similar = Buscando { $items } { $gender ->
        [f] parecidas
       *[m] parecidos
    }…
found =
    .one = { $gender ->
        [f] 1 encontrada
       *[m] 1 encontrado
    }; escribiendo…
    .other = { $gender ->
        [f] { $count } encontradas
       *[m] { $count } encontrados
    }; escribiendo…
stopping = Parando…
stopped = Has parado la respuesta.
reconnecting = Se ha cortado la conexión; la recupero…
cutOff = La respuesta se cortó antes de terminar.
person = Persona de la tienda
withPerson = Te contesta una persona de la tienda.
handedBack = Vuelve a contestarte el asistente.
back = Seguir con el asistente
busy = Todavía estoy con tu mensaje anterior; lo intento de nuevo en { $seconds } s…
wait = Podrás seguir en { $seconds } s.
offline = No he podido conectar. Comprueba la conexión.
broken = Ahora mismo no puedo responder. Prueba de nuevo en un momento.
hello = Hola, { $name }
signedIn = Has entrado
soldOut = Agotado
stock =
    .one = Queda 1 { $sells ->
        [books] ejemplar
       *[other] unidad
    }
    .other = { $count } { $sells ->
        [books] ejemplares
       *[other] unidades
    }
copies =
    .one = 1 { $sells ->
        [books] ejemplar
       *[other] unidad
    }
    .other = { $count } { $sells ->
        [books] ejemplares
       *[other] unidades
    }
states =
    .activa = activa
    .cancelada = cancelada
    .vendida = vendida
    .expirada = expirada
    .Pendiente = Pendiente
    .EnProceso = En preparación
    .Entregado = Entregado
    .Cancelado = Cancelado
    .EnDevolucion = En devolución
    .Devuelto = Devuelto
you = Tú
attach = Adjuntar
brought = Documentos adjuntos
detach = Quitar { $name }
uploading = Leyendo el documento…
notUploaded = El documento no se ha podido subir. Prueba de nuevo.
place = { $name }, página { $page }
needsScript = Esta página necesita JavaScript.
