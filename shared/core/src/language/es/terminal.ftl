# What `mostrador chat` prints, in Spanish. Names of commands stay as they are typed.

help =
    Todo se pide con palabras: lo que buscas, «el segundo», «añádelo», «sí», «¿qué llevo en el carrito?», «resérvamelo», «quiero hacer el pedido», «quiero hablar con una persona».
    {"  "}/login NOMBRE    entra con ese nombre (solo en el producto local); sin nombre, sale
    {"  "}/clear           guarda la conversación y empieza otra
    {"  "}/attach FICHERO  trae un documento de texto, Markdown o PDF; desde entonces se pregunta también por él
    {"  "}/detach          deja de preguntar por documentos
    {"  "}/files           tus documentos
    {"  "}/forget NOMBRE   retira un documento para siempre
    {"  "}/db              lo que se guarda de ti: mensajes, carrito, reservas, pedidos y notas
    {"  "}/state           qué modelo y qué índice contestan
    {"  "}/q               termina (/quit y Ctrl-D también)
    {"  "}Ctrl-C           para la respuesta que está llegando; sin ella, termina
welcome = { $shop }, en { $url }. /help muestra los comandos.
guest = invitado
you = tú
person = persona de la tienda
shop = tienda
working = Un momento…
nobody-there = En { $url } no contesta nadie. Arranca el servidor con «mostrador serve», o di con --url dónde está.
unreachable = Ahora no contesta nadie en { $url }. Cuando vuelva el servidor, escribe el mensaje otra vez.
late = { $url } no ha contestado a tiempo. Escribe el mensaje otra vez.
foreign = Lo que contesta en { $url } no es un Mostrador. Mira si la dirección de --url es la buena.
broken = El servidor no puede contestar ahora mismo ({ $status }). Prueba de nuevo en un momento.
wait = { $message } Podrás seguir en { $seconds } s.
no-such-command = No hay tal comando; /help los muestra.
signed-in = Has entrado como { $name }.
signed-out = Has salido.
not-signed-in = No has podido entrar: { $error }
no-sign-in = Aquí no se entra con un nombre: eso es solo para el producto local.
resumed = Sigues donde lo dejaste: «{ $title }». /db muestra los mensajes, /clear empieza otra conversación.
new-conversation = Una conversación nueva.
nothing-of-guests = De los invitados no se guarda nada: primero /login NOMBRE.
state-model = Contesta el modelo { $model }.
state-no-model = Sin modelo: la tienda contesta por sí misma.
state-index = Índice { $build }: { $count ->
    [one] 1 artículo
   *[other] { $count } artículos
}.
state-no-index = No hay índice todavía.
kept-messages = Conversación { $number }: { $count ->
    [one] 1 mensaje
   *[other] { $count } mensajes
}.
no-messages = Esta conversación no tiene mensajes todavía.
yes-or-no = Responde «sí» o «no».
also = También:
cut-off = La respuesta se cortó. Pregunta otra vez.
with-person = Te contesta una persona de la tienda: lo que diga aparecerá aquí. «{ $back }» trae de vuelta al asistente.
person-reads = Lo leerá la persona de la tienda.
person-says = Persona de la tienda: { $message }
person-lost = Ya no me llega lo que dice la persona de la tienda: pregunta más tarde.
handed-back = Vuelve a contestarte el asistente.
stopped = Parada.
stopped-too-late = Demasiado tarde: la respuesta está en el historial.
not-stopped = No se ha podido parar: { $error }
cited = «{ $text }» ({ $name })
cited-page = «{ $text }» ({ $name }, { $page })
which-file = di qué fichero: /attach FICHERO
not-attached = No se ha podido adjuntar: { $error }
not-read = { $path } no se puede leer
no-documents = No hay documentos; /attach FICHERO trae uno.
document = { $name } ({ $size } kB, { $status ->
    [ready] leído
    [unreadable] sin texto que leer
   *[other] sin leer
})
no-such-document = No hay tal documento; /files los muestra.
document-gone = { $name } ya no está.
document-not-gone = No se ha podido retirar: { $error }
detached = Ya no se pregunta por documentos.
