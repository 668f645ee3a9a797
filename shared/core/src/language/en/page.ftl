# The page's strings, in English.
# $item and $items are the shop's noun, $sells tells whether it sells books. A string's attributes are its forms: by plural category where it has a $count.
# The page itself fills in $count, $seconds, $name and $page.

cart = Cart
fresh = New conversation
session = Session
yourName = Your name
signIn = Sign in
haveToken = Sign in with a token
token = Token
leave = Sign out
log = Conversation
ask = Your message
placeholder = Which { $item }?
send = Send
stop = Stop
retry = Try again
earlier = Show earlier messages
yes = Yes, do it
no = No, thanks
add = Add to cart
reserve = Reserve
remove = Remove
checkout = Place the order
welcome = Hello. Tell me which { $item } you are looking for: { $sells ->
    [books] a title, an author, an ISBN or what it is about.
   *[other] its name, what it is for or what it may cost.
}
resumed = Let us go on where you left off.
signedOut = You have signed out.
freshDone = A fresh start.
expired = Your session is no longer valid. Sign in again to go on.
thinking = Searching…
working = One moment…
tools =
    .shop_info = Asking the shop…
    .view_cart = Looking at your cart…
    .list_orders = Looking at your orders…
    .order_status = Looking at your order…
    .list_reservations = Looking at your reservations…
    .view_profile = Looking at what I remember about you…
    .get_services = Looking at the services…
    .get_categories = Looking at the services…
    .get_service_details = Looking at that service…
    .get_available_slots = Looking for free times…
    .get_user_info = Looking at whose name your appointments are in…
    .get_user_appointments = Looking at your appointments…
    .search_catalog = Searching the catalogue…
    .lookup_book = Looking for that { $item }…
    .filter_catalog = Filtering the catalogue…
    .recommend_similar = Looking for similar { $items }…
found =
    .one = { $count } found; writing…
    .other = { $count } found; writing…
stopping = Stopping…
stopped = You stopped the answer.
reconnecting = The connection was cut; getting it back…
cutOff = The answer was cut off before its end.
person = A person from the shop
withPerson = A person from the shop will answer you.
handedBack = The assistant is answering again.
back = Go on with the assistant
busy = I am still on your previous message; trying again in { $seconds } s…
wait = You can go on in { $seconds } s.
offline = I could not connect. Check your connection.
broken = I cannot answer right now. Try again in a moment.
hello = Hello, { $name }
signedIn = Signed in
soldOut = Sold out
stock =
    .one = 1 { $sells ->
        [books] copy left
       *[other] left
    }
    .other = { $count } { $sells ->
        [books] copies
       *[other] in stock
    }
copies =
    .one = 1 { $sells ->
        [books] copy
       *[other] piece
    }
    .other = { $count } { $sells ->
        [books] copies
       *[other] pieces
    }
states =
    .activa = active
    .cancelada = cancelled
    .vendida = sold
    .expirada = expired
    .Pendiente = pending
    .EnProceso = being prepared
    .Entregado = delivered
    .Cancelado = cancelled
    .EnDevolucion = being returned
    .Devuelto = returned
you = You
attach = Attach
brought = Attached documents
detach = Remove { $name }
uploading = Reading the document…
notUploaded = The document could not be uploaded. Try again.
place = { $name }, page { $page }
needsScript = This page needs JavaScript.
