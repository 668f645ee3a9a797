# Sentences for shoppers, in Spanish.
# $item and $items are the shop's noun ("libro", "libros"), $gender its gender (m or f).

item-one = artículo
item-many = artículos

## Amounts

price = { $whole },{ $decimals } €

## What a model proposes

propose-cart = { $count ->
    [one] ¿Pongo en tu carrito 1 ejemplar de «{ $title }», a { $price }?
   *[other] ¿Pongo en tu carrito { $count } ejemplares de «{ $title }», a { $price } cada uno?
}
propose-reservation = { $count ->
    [one] ¿Te reservo 1 ejemplar de «{ $title }», a { $price }?
   *[other] ¿Te reservo { $count } ejemplares de «{ $title }», a { $price } cada uno?
}

## An answer without a model

greeting = ¡Hola! Estoy en el mostrador para ayudarte a encontrar libros.
greeting-how = Dime un título, un autor, un tema o un ISBN; también entiendo «categoria: novela, precio_max: 20».
catalogue-unavailable = Ahora mismo no puedo consultar el catálogo.
nothing-found = No encontré libros que encajen con lo que buscas.
nothing-found-how = Prueba con un título, un autor, un ISBN o un filtro como «categoria: novela».
found-near = No encontré exactamente eso, pero quizá te interese:
found-it = Aquí lo tienes:
found = { $count ->
    [one] Encontré 1 libro:
   *[other] Encontré { $count } libros:
}
found-many = Encontré { $count } libros; los { $listed } que mejor encajan:
offer-similar = ¿Quieres ver libros parecidos?
offer-refining = ¿Quieres que afine la búsqueda por autor, categoría o precio?
hint-refine = Puedes pedirme filtrar por autor, ISBN o categoría.
caution-prices = Ahora mismo no puedo asegurar que precios y existencias estén al día.
caution-filter = Hay un filtro que no entendí y que no he tenido en cuenta.
in-documents = De tus documentos, lo más cercano está en «{ $name }».
in-documents-page = De tus documentos, lo más cercano está en «{ $name }», página { $page }.
item-by = «{ $title }», de { $maker }: { $price }, { $stock }.
item = «{ $title }»: { $price }, { $stock }.
stock = { $count ->
    [0] agotado
    [one] queda 1 ejemplar
   *[other] { $count } ejemplares disponibles
}

## Documents

file-read = Ya he leído «{ $name }»: puedes preguntarme por él.
file-without-text = No encuentro texto que leer en «{ $name }»: prueba con otro documento.
