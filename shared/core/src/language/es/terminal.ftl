# What `mostrador chat` prints, in Spanish. Names of commands stay as they are typed.

help =
    {"  "}/login NOMBRE    entra con ese nombre (solo en el producto local); sin nombre, sale
    {"  "}/clear           guarda la conversación y empieza otra
    {"  "}/yes, /no        decide sobre lo que se acaba de proponer
    {"  "}/attach FICHERO  trae un documento de texto, Markdown o PDF; desde entonces se pregunta también por él
    {"  "}/detach          deja de preguntar por documentos
    {"  "}/files           tus documentos
    {"  "}/forget NOMBRE   retira un documento para siempre
    {"  "}/db              tu carrito, tus reservas y tus pedidos
    {"  "}/state           qué está configurado y por dónde va la conversación
    {"  "}/quit            termina (Ctrl-D también)
    {"  "}Ctrl-C           para la respuesta que está llegando; sin ella, termina
    {"  "}todo lo demás se pregunta en el mostrador: libro 12 · isbn 978… · categoria: novela, precio_max: 20 · parecidos a Rayuela
welcome = Mostrador en { $url }. /help muestra los comandos.
guest = invitado
no-such-command = No hay tal comando; /help los muestra.
signed-in = Has entrado como { $name }.
not-signed-in = No has podido entrar: { $error }
new-conversation = Una conversación nueva.
nothing-to-decide = No hay nada que decidir.
state-of-guests = Los invitados no tienen nada guardado: primero /login NOMBRE.
state = modelo: { $model }
    índice: { $index }
state-conversation = conversación: { $number }
yes-or-no = Responde «sí» o «no».
cut-off = La respuesta se cortó. Pregunta otra vez.
with-person = Te contesta una persona de la tienda; lo que diga está en la página. «{ $back }» trae de vuelta al asistente.
stopped = Parada.
stopped-too-late = Demasiado tarde: la respuesta está en el historial.
not-stopped = No se ha podido parar: { $error }
item = { $id }  { $title } · { $maker } · { $price } · { $count ->
    [0] agotado
   *[other] { $count } ej.
}
cited = «{ $text }» ({ $name })
cited-page = «{ $text }» ({ $name }, { $page })
which-file = di qué fichero: /attach FICHERO
not-attached = No se ha podido adjuntar: { $error }
not-read = { $path } no se puede leer
no-documents = No hay documentos; /attach FICHERO trae uno.
no-such-document = No hay tal documento; /files los muestra.
document-gone = { $name } ya no está.
document-not-gone = No se ha podido retirar: { $error }
