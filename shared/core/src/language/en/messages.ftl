# Sentences for shoppers, in English.
# $item and $items are the shop's noun ("book", "books").

item-one = item
item-many = items

## Amounts

price = €{ $whole }.{ $decimals }

## What a model proposes

propose-cart = { $count ->
    [one] Shall I put 1 copy of “{ $title }” into your cart, at { $price }?
   *[other] Shall I put { $count } copies of “{ $title }” into your cart, at { $price } each?
}
propose-reservation = { $count ->
    [one] Shall I reserve 1 copy of “{ $title }” for you, at { $price }?
   *[other] Shall I reserve { $count } copies of “{ $title }” for you, at { $price } each?
}

## An answer without a model

greeting = Hello! I'm at the counter to help you find books.
greeting-how = Tell me a title, an author, a subject or an ISBN; “categoria: novela, precio_max: 20” works too.
catalogue-unavailable = I can't look into the catalogue right now.
nothing-found = I found no books that match what you are looking for.
nothing-found-how = Try a title, an author, an ISBN or a filter such as “categoria: novela”.
found-near = I didn't find exactly that, but you may like:
found-it = Here it is:
found = { $count ->
    [one] I found 1 book:
   *[other] I found { $count } books:
}
found-many = I found { $count } books; the { $listed } best matches:
offer-similar = Would you like to see similar books?
offer-refining = Shall I narrow it down by author, category or price?
hint-refine = You can ask me to filter by author, ISBN or category.
caution-prices = Right now I can't be sure that prices and stock are up to date.
caution-filter = There is a filter that I did not understand and left out.
in-documents = Of your documents, the nearest is in “{ $name }”.
in-documents-page = Of your documents, the nearest is in “{ $name }”, page { $page }.
item-by = “{ $title }” by { $maker }: { $price }, { $stock }.
item = “{ $title }”: { $price }, { $stock }.
stock = { $count ->
    [0] sold out
    [one] 1 copy left
   *[other] { $count } copies in stock
}

## Documents

file-read = I have read “{ $name }”: you can ask me about it.
file-without-text = I find no text to read in “{ $name }”: try another document.
