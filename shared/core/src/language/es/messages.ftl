# Sentences for shoppers, in Spanish.
# $item and $items are the shop's noun ("libro", "libros"), $gender its gender (m or f); $sells is "books" where it sells books.

item-one = artículo
item-many = artículos

## Amounts

# An amount by an example: the sign of a currency and where it stands, the mark of thousands, and the shortest number that has one,
# the mark of decimals. How many decimals there are follows from the currency.
amount = { $currency ->
    [EUR] 12.345,67 €
    [ARS] $ 1.234,56
    [BOB] Bs 1.234,56
    [BRL] R$ 1.234,56
    [CLP] $1.234,56
    [COP] $ 1.234,56
    [CRC] ₡1.234,56
    [CUP] $1,234.56
    [DOP] RD$1,234.56
    [GBP] 12.345,67 £
    [GTQ] Q1,234.56
    [HNL] L 1,234.56
    [JPY] 12.345,67 ¥
    [MXN] $1,234.56
    [NIO] C$1,234.56
    [PAB] B/. 1,234.56
    [PEN] S/ 1,234.56
    [PYG] ₲ 1.234,56
    [USD] $1,234.56
    [UYU] $ 1.234,56
    [VES] Bs. 1.234,56
   *[other] 12.345,67 { $currency }
}

## What is proposed

propose-cart-several = ¿Pongo todo esto en tu carrito?
propose-cart = { $count ->
    [one] ¿Pongo en tu carrito { $sells ->
        [books] 1 ejemplar
       *[other] una unidad
    } de «{ $title }», a { $price }?
   *[other] ¿Pongo en tu carrito { $count } { $sells ->
        [books] ejemplares de «{ $title }», a { $price } cada uno?
       *[other] unidades de «{ $title }», a { $price } cada una?
    }
}
propose-reservation = { $count ->
    [one] ¿Te reservo { $sells ->
        [books] 1 ejemplar
       *[other] una unidad
    } de «{ $title }», a { $price }?
   *[other] ¿Te reservo { $count } { $sells ->
        [books] ejemplares de «{ $title }», a { $price } cada uno?
       *[other] unidades de «{ $title }», a { $price } cada una?
    }
}
propose-removal = { $left ->
    [0] ¿Quito «{ $title }» de tu carrito?
   *[other] ¿Quito { $count } de «{ $title }» de tu carrito? Te { $left ->
        [one] queda { $left }
       *[other] quedan { $left }
    }.
}
propose-clearing = ¿Vacío tu carrito entero?
propose-order = { $count ->
    [one] ¿Hago el pedido? Son { $total }:
   *[other] ¿Hago el pedido? Son { $count } { $sells ->
        [books] ejemplares
       *[other] unidades
    }, { $total } en total:
}
propose-order-cancellation = ¿Cancelo tu pedido { $id }, de { $total }?
propose-cart-more = Ya llevas { $there } de «{ $title }». ¿Pongo { $count } más en tu carrito, a { $price } la unidad?
propose-reservation-more = Ya tienes { $there } de «{ $title }» en reserva. ¿Te reservo { $count } más, a { $price } la unidad?
propose-quantity = ¿Dejo en tu carrito { $count } de «{ $title }», a { $price } la unidad?
propose-return = ¿Pido la devolución de tu pedido { $id }, de { $total }?
propose-reservation-cancellation = ¿Cancelo tu reserva de «{ $title }»?
propose-note = ¿Quieres que recuerde «{ $note }»?
propose-forgetting = { $count ->
    [one] ¿Olvido «{ $note }»?
   *[other] ¿Olvido las { $count } cosas que recuerdo de ti?
}
one-by-one = Primero esto; lo demás dímelo después y lo hago.
which-item = { $gender ->
    [f] ¿Cuál de estas quieres?
   *[m] ¿Cuál de estos quieres?
}
which-line = ¿Qué quito de tu carrito?
which-reservation = ¿Qué reserva cancelo?
which-order = ¿Qué pedido cancelo?
which-return = ¿Qué pedido quieres devolver?
which-note = ¿Qué quieres que olvide?
no-reservation = No tienes reservas activas.
no-open-order = No tienes pedidos que se puedan cancelar.

## An answer without a model

greeting = ¡Hola! ¿Qué buscas hoy?
greeting-how = { $sells ->
    [books] Puedes decirme un título, un autor, un tema, un precio o un ISBN.
   *[other] Puedes decirme un nombre, una marca, una categoría o un precio.
}
catalogue-unavailable = Ahora mismo no puedo consultar el catálogo.
nothing-found = No encontré { $items } que encajen con lo que buscas.
nothing-found-how = { $sells ->
    [books] Prueba con otro título, un autor, una categoría o un ISBN.
   *[other] Prueba con otro nombre, una marca, una categoría o un precio.
}
found-near = No encontré exactamente eso, pero quizá te interese:
absent = No encuentro «{ $name }» en el catálogo.
absent-near = No encuentro «{ $name }» en el catálogo. Quizá te interese:
nothing-said = { $sells ->
    [books] ¿Qué te gusta leer? Dime un género, un autor o un libro que te haya gustado, y te propongo algo.
   *[other] ¿Qué te gusta? Dime una categoría, una marca o un precio, y te propongo algo.
}
fact-price = { $title } cuesta { $fact }.
fact-copies = De { $title }: { $fact }.
fact-maker = { $title } es de { $fact }.
fact-year = { $title } se publicó en { $fact }.
fact-publisher = { $title } es de la editorial { $fact }.
fact-about = { $title }: { $fact }
fact-attribute = { $title }. { $fact }.
fact-unknown = No tengo ese dato de { $title }.
nothing-more = No tengo más que se parezca a eso.
nothing-shown = Todavía no te he enseñado nada. Dime qué buscas.
which-of-these = ¿A cuáles te refieres? Dime { $sells ->
    [books] los títulos
   *[other] los nombres
} o su lugar en la lista.
found-by-price = Por precio, de menos a más:
found-by-price-down = Por precio, de más a menos:
found-most-sold = Lo que más se vende:
nothing-sold = Todavía no sé qué es lo que más se vende de eso. Mientras tanto, te propongo:
found-sum = En total son { $total }:
found-newest = De lo más reciente a lo más antiguo:
found-oldest = De lo más antiguo a lo más reciente:
found-it = { $count ->
    [one] { $gender ->
        [f] Aquí la tienes:
       *[m] Aquí lo tienes:
    }
   *[other] { $gender ->
        [f] Aquí las tienes:
       *[m] Aquí los tienes:
    }
}
found = { $count ->
    [one] Encontré 1 { $item }:
   *[other] Encontré { $count } { $items }:
}
found-many = { $gender ->
    [f] { $listed ->
        [one] La que mejor encaja:
       *[other] Las { $listed } que mejor encajan:
    }
   *[m] { $listed ->
        [one] El que mejor encaja:
       *[other] Los { $listed } que mejor encajan:
    }
}
offer-similar = { $gender ->
    [f] ¿Quieres ver { $items } parecidas?
   *[m] ¿Quieres ver { $items } parecidos?
}
recommended-picks = { $count ->
    [one] Una recomendación de la casa:
   *[other] Recomendaciones de la casa:
}
recommended-varied = Un poco de todo, para que elijas:
offer-taste = { $sells ->
    [books] Para acertar más, dime un género o un autor que te guste.
   *[other] Para acertar más, dime una categoría o un precio.
}
offer-refining = { $sells ->
    [books] Si quieres afinar, dime un autor, una categoría o un precio.
   *[other] Si quieres afinar, dime una categoría o un precio.
}
hint-refine = { $sells ->
    [books] Puedes pedirme filtrar por autor, ISBN o categoría.
   *[other] Puedes pedirme filtrar por categoría o precio.
}
caution-prices = Ahora mismo no puedo asegurar que precios y existencias estén al día.
caution-filter = No entendí una parte de lo que pedías: quizá no todo encaje.
in-documents = En tus documentos, lo más parecido está en «{ $name }».
in-documents-page = En tus documentos, lo más parecido está en «{ $name }», página { $page }.

## Items

item-title = «{ $title }»
item-of = { $title }, de { $maker }
# A clause: "ahora está agotado". What is called a "prenda" may be a "vestido", so that nothing agrees with either.
stock = { $count ->
    [0] { $gender ->
        [f] está sin existencias
       *[m] está agotado
    }
    [one] queda 1
   *[other] quedan { $count }
}
# Beside a price: "25,99 €, agotado".
stock-left = { $count ->
    [0] { $gender ->
        [f] sin existencias
       *[m] agotado
    }
    [one] queda 1
   *[other] quedan { $count }
}

## Documents

file-read = Ya he leído «{ $name }»: puedes preguntarme por él.
file-without-text = No encuentro texto que leer en «{ $name }»: prueba con otro documento.

## Actions; refusals by their codes

book_not_found = No encuentro { $gender ->
    [f] esa
   *[m] ese
} { $item } en el catálogo.
insufficient_stock = { $count ->
    [0] «{ $title }» está { $gender ->
        [f] sin existencias
       *[m] agotado
    }.
    [one] De «{ $title }» solo queda 1 { $sells ->
        [books] ejemplar
       *[other] unidad
    } disponible.
   *[other] De «{ $title }» solo quedan { $count } { $sells ->
        [books] ejemplares
       *[other] unidades
    } disponibles.
}
cart_full = Tu carrito está lleno (caben { $most } { $sells ->
    [books] títulos
   *[other] artículos
}): haz el pedido o quita alguno.
cart-added-several = Hecho: todo está en tu carrito.
cart-added = { $count ->
    [one] Hecho: «{ $title }» está en tu carrito.
   *[other] Hecho: ya llevas { $count } de «{ $title }» en el carrito.
}
cart-set = Hecho: en tu carrito hay { $count } de «{ $title }».
cart = En tu carrito hay { $count } { $sells ->
    [books] { $count ->
        [one] título
       *[other] títulos
    }
   *[other] { $count ->
        [one] artículo
       *[other] artículos
    }
}: { $total } en total.
cart-empty = Tu carrito está vacío.
cart-removed = { $left ->
    [0] Hecho: lo quité del carrito.
    [one] Hecho: te queda 1 en el carrito.
   *[other] Hecho: te quedan { $left } en el carrito.
}
not-in-cart = { $gender ->
    [f] Esa
   *[m] Ese
} { $item } no está en tu carrito.
empty_cart = Tu carrito está vacío: añade { $gender ->
    [f] alguna
   *[m] algún
} { $item } primero.
order_too_large = Tu pedido suma { $total } y aquí puedo tramitar hasta { $most }: quita algo o habla con la tienda.
total_changed = Algo ha cambiado desde que te lo dije: ahora el pedido suma { $total }.
order-placed = ¡Listo! Tu pedido { $id } está hecho: { $total } en total. Ahora la tienda lo prepara.
order = Tu pedido { $id } está { $status }: { $total } en total.
orders = { $count ->
    [0] Todavía no tienes pedidos.
    [one] Tienes 1 pedido.
   *[other] Tienes { $count } pedidos.
}
order-pending = pendiente
order-in-process = en preparación
order-delivered = entregado
order-called-off = cancelado
order-in-return = en devolución
order-returned = devuelto
order_closed = Ese pedido ya no se puede cancelar: está { $status }.
order-not-delivered = Solo puedo pedir la devolución de un pedido entregado, y ese está { $status }.
order-over = Ese pedido ya está cerrado.
item-gone = Eso ya no se vende.
move_not_allowed = Un pedido en ese estado no puede pasar al que pides.
not_waiting = Esa conversación ya no espera a una persona.
order-cancelled = Cancelé tu pedido { $id }.
return-requested = Pedí la devolución de tu pedido { $id }. La tienda te avisará por aquí cuando reciba lo que devuelves.
notice-order-in-process = Tu pedido { $id } ya se está preparando.
notice-order-delivered = Ya se entregó tu pedido { $id }. ¡Que lo disfrutes!
notice-order-called-off = La tienda canceló tu pedido { $id }.
notice-order-in-return = La devolución de tu pedido { $id } está en marcha.
notice-order-returned = La tienda recibió de vuelta tu pedido { $id }.
notice-return-declined = La tienda no aceptó la devolución de tu pedido { $id }.
notice-reservation-collected = Recogiste { $count } de «{ $title }». Es tu pedido { $id }.
notice-reservation-cancelled = La tienda canceló tu reserva de «{ $title }».
notes = { $count ->
    [0] No recuerdo nada de ti. Si quieres que recuerde algo, dime por ejemplo: { $sells ->
        [books] «recuerda que leo en inglés».
       *[other] «recuerda que me gusta el azul».
    }
    [one] Esto es lo que recuerdo de ti:
   *[other] Recuerdo { $count } cosas de ti:
}
note-kept = Hecho: lo recordaré. Para ver todo lo que recuerdo, pregúntame «¿qué sabes de mí?».
note-forgotten = { $count ->
    [0] Hecho: ya no recuerdo nada de ti.
   *[other] Hecho: ya lo he olvidado.
}
note_missing = ¿Qué quieres que recuerde? Dímelo en una frase.
note_private = No guardo números de tarjeta ni otros datos así: están más seguros contigo.
note_too_long = Es demasiado largo para recordarlo: dímelo en { $most } caracteres como mucho.
notes_full = Ya recuerdo { $most } cosas de ti, y no me caben más: dime antes qué olvido.
note_not_found = Eso no está entre lo que recuerdo de ti.
notice-note = Nota de la tienda: { $note }
order_not_found = No encuentro ese pedido.
reservation_limit = Puedes tener reservados hasta { $of-title } { $sells ->
    [books] ejemplares de un título
   *[other] unidades de un artículo
} y { $in-all } en total.
reservation-crowded = Ahora mismo hay demasiadas reservas de este { $sells ->
    [books] título
   *[other] artículo
}: prueba más tarde o cómpralo directamente.
reserved = Reservado: te guardo { $count ->
    [one] «{ $title }»
   *[other] { $count } de «{ $title }»
} durante { $hours } horas.
reservations = { $count ->
    [0] No tienes reservas activas.
    [one] Tienes 1 reserva activa.
   *[other] Tienes { $count } reservas activas.
}
reservation_not_found = No encuentro esa reserva.
reservation_closed = Esa reserva ya terminó.
reservation-cancelled = Cancelé tu reserva de «{ $title }».
# What a list sums up, a line each.
bought = «{ $title }»: { $count } × { $price }
order-line = Pedido { $id }: { $status }, { $total }
reservation-line = «{ $title }» ({ $count }), { $hours ->
    [0] durante menos de una hora
    [one] durante 1 hora más
   *[other] durante { $hours } horas más
}
and-more = y { $count } más

## Appointments

appointment-day = { weekday-on } { $day } de { month }
appointment-date = { weekday } { $day } de { month }
appointment-time = { weekday-on } { $day } de { month } a las { $time }
slot-line = { $when } con { $calendar }
service-line = { $service }: { $minutes } min, { $price }
services = { $count ->
    [0] Ahora mismo no hay servicios con cita.
    [one] Con cita previa, { $business } tiene 1 servicio:
   *[other] Con cita previa, { $business } tiene { $count } servicios:
}
categories = Servicios con cita previa: { $list }.
slots = { $count ->
    [0] { $days ->
        [one] No queda ningún hueco libre { $day } para «{ $service }».
       *[many] No queda ningún hueco libre esos días para «{ $service }».
    }
   *[other] { $days ->
        [one] Hay hueco { $day } para «{ $service }»:
       *[many] Hay hueco para «{ $service }»:
    }
}
slots-next = El primer hueco libre es { $when }.
slots-instead = Sí está libre: { $list }.
appointment-named = { ", a nombre de " }{ $name }
propose-appointment = ¿Te reservo «{ $service }» { $when } con { $calendar }, en { $branch }{ $named }? Son { $price }.
propose-appointment-move = ¿Cambio tu cita de «{ $service }» y la dejo { $when } con { $calendar }, en { $branch }?
propose-appointment-cancellation = ¿Cancelo tu cita de «{ $service }», { $when } con { $calendar }?
appointment-booked = Reservado: «{ $service }» { $when } con { $calendar }, en { $branch }. Son { $price }.
appointment-moved = Cambiada: tu cita de «{ $service }» es ahora { $when } con { $calendar }, en { $branch }.
appointment-cancelled = Cancelada: ya no tienes la cita de «{ $service }», { $when }.
appointments = { $count ->
    [0] No tienes ninguna cita pendiente.
    [one] Tienes 1 cita:
   *[other] Tienes { $count } citas:
}
appointment-line = «{ $service }» { $when } con { $calendar }, en { $branch }
which-service = ¿Para qué servicio?
which-branch = ¿En cuál te viene mejor: { $list }?
time-not-free = A las { $time } no hay hueco.
which-day = ¿Qué día y a qué hora te viene bien?
which-time = ¿A qué hora te viene bien?
which-name = Hay hueco { $when }. ¿A nombre de quién pongo la cita?
which-appointment = ¿Cuál de ellas?
help-appointments = También te doy cita en { $business }: { $list }.
sign-in-to-book = Hay hueco { $when }. Para reservarlo, primero inicia sesión. Después dime «sí» y continúo.
business_not_found = Aquí no se dan citas.
branch_not_found = No tenemos ese local. Hay: { $list }.
service_not_found = No encuentro ese servicio. Hay: { $list }.
calendar_not_found = Con esa persona no hay citas para eso. Se puede con: { $list }.
price_changed = El precio de «{ $service }» ha cambiado: ahora son { $price }.
slot_taken = Esa hora acaba de ocuparse o ya no está libre.
slot_unavailable = A esa hora no se puede reservar.
outside_window = Para esa fecha aún no se dan citas, o ya pasó.
invalid_date = ¿Para qué día? Escríbelo como 2026-11-27.
invalid_time = ¿A qué hora? Escríbela como 10:30.
appointment_not_found = No encuentro esa cita.
appointment_closed = Esa cita ya no está en pie.
appointment-begun = Esa cita ya ha empezado: llámanos y lo vemos.
user_not_found = Solo puedo ocuparme de tus propias citas.
invalid_contact = Ese dato no parece correcto: un nombre tiene letras, un teléfono de 6 a 15 cifras, y nada pasa de { $most } caracteres.
contact = { $count ->
    [0] Aún no sé a nombre de quién van tus citas.
   *[other] Tus citas van a nombre de: { $list }.
}
contact-kept = Apuntado: tus citas van a nombre de { $list }.
propose-contact = ¿Apunto tus citas a nombre de { $list }?

## What the shop says of itself

shop-who = Soy { $assistant }, el asistente automático de { $shop }.
shop-who-itself = Soy el asistente automático de { $shop }.
shop-sells = Aquí vendemos { $items }.
shop-hours = Horario: { $list }
shop-exceptions = Otros días: { $list }
shop-contact = Contacto: { $list }
shop-places = Dónde estamos: { $list }
shop-closed = cerrado
weekday = { $weekday ->
    [monday] lunes
    [tuesday] martes
    [wednesday] miércoles
    [thursday] jueves
    [friday] viernes
    [saturday] sábado
   *[sunday] domingo
}
month = { $month ->
    [1] enero
    [2] febrero
    [3] marzo
    [4] abril
    [5] mayo
    [6] junio
    [7] julio
    [8] agosto
    [9] septiembre
    [10] octubre
    [11] noviembre
   *[12] diciembre
}
# A day as it stands in the middle of a sentence.
weekday-on = { $weekday ->
    [monday] el lunes
    [tuesday] el martes
    [wednesday] el miércoles
    [thursday] el jueves
    [friday] el viernes
    [saturday] el sábado
   *[sunday] el domingo
}
day-on = { $near ->
    [today] hoy, { weekday } { $day } de { month }{ $reason },
    [tomorrow] mañana, { weekday } { $day } de { month }{ $reason },
   *[other] { weekday-on } { $day } de { month }{ $reason }
}
day-every = { $weekday ->
    [monday] los lunes
    [tuesday] los martes
    [wednesday] los miércoles
    [thursday] los jueves
    [friday] los viernes
    [saturday] los sábados
   *[sunday] los domingos
}
open-now = Ahora estamos abiertos.
open-now-until = Ahora estamos abiertos, hasta las { $time }.
closed-now = Ahora está cerrado.
opens-next = Volvemos a abrir { $day } a las { $time }.
open-on = { $day } abrimos { $hours }.
closed-on = { $day } cerramos.
hours-between = de { $from } a { $to }
hours-and = { " y " }
# What its texts are about.
topic-delivery = Envíos
topic-returns = Devoluciones
topic-payment = Pago
topic-wrapping = Envoltorio para regalo
topic-discount = Descuentos
topic-guarantee = Garantía
topic-opening = Horario
topic-place = Dirección
topic-contact = Contacto
shop-at = Estamos en { $place }.
shop-branches = Tenemos { $count } tiendas:
shop-days = de { $first } a { $last }
shop-date = { $day }/{ $month }/{ $year }
shop-dates = del { $first } al { $last }

## What is said to what looks for nothing

thanks = ¡De nada! Aquí estoy para lo que necesites.
goodbye = ¡Hasta pronto! Gracias por pasar.
nothing-asked = Ahora mismo no hay nada pendiente de confirmar.
nothing-wanted = De acuerdo. Si necesitas otra cosa, aquí estoy.
help = Esto es lo que puedo hacer por ti:
help-find = { $sells ->
    [books] Buscar libros por título, autor, tema o precio, y decirte cuánto cuestan y cuántos quedan.
   *[other] Buscar { $items } por nombre, marca, categoría o precio, y decirte cuánto cuestan y cuántas unidades quedan.
}
help-own = Ocuparme de tu carrito, tus reservas y tus pedidos, si has iniciado sesión.
help-shop = Contarte lo que sé de la tienda: horario, dirección y contacto.
unclear = No te he entendido. Dime qué buscas o qué quieres saber de la tienda.
off-topic = De eso no sé; aquí te ayudo con la tienda y sus { $items }.
person = Para hablar con una persona, escribe o llama a la tienda.
person-called = Ya he avisado al equipo: te contestará una persona aquí mismo en cuanto pueda.
person-signed-in = Si inicias sesión, también puede contestarte una persona aquí mismo.
person-told = Ya he avisado al equipo para que lo mire una persona.
person-offer = ¿Quieres que te conteste aquí alguien de la tienda? Dime «sí» y aviso.
person-back = Seguir con el asistente
person-no-more = Aquí estoy otra vez. ¿En qué te ayudo?
complaint = Siento que algo no haya ido bien. En la tienda pueden ver qué ha pasado y arreglarlo.
cannot = Eso todavía no puedo hacerlo por el chat. Si ves un botón para ello, úsalo; si no, en la tienda te atienden.
shop-unknown = Eso no lo sé. En la tienda te lo pueden decir.
distress = Siento mucho que estés pasando por esto. No tienes que pasarlo a solas: habla ahora con alguien de confianza y, si hay peligro, llama al número de emergencias de tu país.
maybe-distress = No sé si te he entendido bien. Si lo estás pasando mal o hay peligro, llama al número de emergencias de tu país o habla con alguien de confianza. Si buscas algo de la tienda, dímelo con otras palabras.
distress-helpline = { $name }: { $phone }
sign-in-first = Para verlo, primero inicia sesión.
sign-in-for = Para seguir con «{ $title }», primero inicia sesión. Después dime «sí» y continúo.
sign-in-to-do = Para eso, primero inicia sesión. Después dime «sí» y continúo.
record-unavailable = Ahora mismo no puedo consultarlo. Inténtalo de nuevo en un momento.

## What was proposed, decided

approval_not_found = No hay nada así que confirmar.
approval_mismatch = Lo que confirmas no es lo que se te propuso.
approval_closed = Eso ya no se puede confirmar: pídemelo otra vez.
approval-rejected = De acuerdo, lo dejo.

## A turn

notice = Te responde un asistente automático; los precios y las existencias son los del catálogo.
turn-cancelled = Has parado la respuesta.
turn-failed = La respuesta no llegó a terminarse: pregúntamelo otra vez.

## A customer is forgotten

erased = Hecho: borré todo lo que tenía de ti.

## Problems, by their codes

invalid_request = No entiendo la petición: revisa su formato.
message-empty = Mensaje vacío. Escribe qué buscas.
message-too-long = Mensaje demasiado largo: cuéntamelo en menos palabras.
invalid_action = No conozco esa acción.
invalid_role = El rol debe ser user, assistant o system.
invalid_content = El contenido debe ser un texto, ni vacío ni demasiado largo.
invalid_rating = La valoración va de 1 a 5.
invalid_file = No puedo leer ese documento: tiene que ser de texto, Markdown o PDF.
file_too_large = Ese documento es demasiado grande: hasta 5 MB y unas cien páginas.
too_many_files = Ya tienes 20 documentos: borra alguno antes de traer otro.
not_uploaded = El documento todavía no ha llegado entero: súbelo y vuelve a intentarlo.
auth_required = Inicia sesión para continuar.
invalid_token = Tu sesión no es válida o caducó: vuelve a entrar.
not_found = Aquí no hay nada con ese nombre.
method_not_allowed = Esta dirección no admite esa operación.
not_acceptable = Solo puedo responder en JSON.
payload_too_large = El mensaje es demasiado grande.
misdirected_request = Este servidor no atiende peticiones de otros sitios.
request_timeout = La petición tardó demasiado en llegar: inténtalo de nuevo.
unsupported_media_type = Envía la petición como JSON.
conversation_busy = Todavía estoy con tu mensaje anterior: espera un momento.
conflict = Otro cambio llegó a la vez: inténtalo de nuevo.
in_progress = Esa misma petición ya está en marcha.
idempotency_mismatch = Esa clave ya se usó con otra petición.
rate_limited = Son muchos mensajes seguidos: espera un poco y vuelve a intentarlo.
unavailable = Ahora mismo no puedo atenderte: inténtalo en unos segundos.

## For models

language-name = español
prompt-sells = { $items }
prompt-example-question = { $sells ->
    [books]
        <resultados>
        {"{"}1{"}"} «El faro», de Ana Ruiz: { $dear }, quedan 3. id 90001, Novela, 2001. Un farero y su hija aprenden a vivir con el mar.
        {"{"}2{"}"} «Mareas», de Luis Gil: { $cheap }, agotado. id 90002, Poesía, 1998. Poemas breves de un puerto.
        </resultados>

        algo del mar por menos de { $budget }
   *[other]
        <resultados>
        {"{"}1{"}"} «Bolso Puerto», de Ana Ruiz: { $dear }, quedan 3. id bolso-1, Bolsos, negro. Lona encerada con asa de cuero, para diario.
        {"{"}2{"}"} «Bolso Marea», de Luis Gil: { $cheap }, agotado. id bolso-2, Bolsos, azul. Algodón ligero que se pliega en su propio bolsillo.
        </resultados>

        un bolso de diario por menos de { $budget }
}
prompt-example-answer = { $sells ->
    [books]
        Dos con olor a sal, y los dos por menos de { $budget }:
        {"- {"}1{"}"} cuenta cómo un farero y su hija aprenden a vivir con el mar.
        {"- {"}2{"}"} es más breve y más barato, poemas de un puerto, pero {"{"}2.stock{"}"}.
        {"- "}¿Prefieres novela o poesía?
   *[other]
        Dos para diario, y los dos por menos de { $budget }:
        {"- {"}1{"}"} es de lona encerada, con asa de cuero.
        {"- {"}2{"}"} es más ligero y más barato, y se pliega en su propio bolsillo, pero {"{"}2.stock{"}"}.
        {"- "}¿Prefieres lona o algodón?
}
