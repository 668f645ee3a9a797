# Sentences for shoppers, in English.
# $item and $items are the shop's noun ("book", "books"); $sells is "books" where it sells books.

item-one = item
item-many = items

## Amounts

# An amount by an example: the sign of a currency and where it stands, the mark of thousands, and the shortest number that has one,
# the mark of decimals. How many decimals there are follows from the currency.
amount = { $currency ->
    [EUR] €1,234.56
    [AUD] $1,234.56
    [BRL] R$1,234.56
    [CAD] $1,234.56
    [GBP] £1,234.56
    [INR] ₹1,234.56
    [JPY] ¥1,234.56
    [MXN] MX$1,234.56
    [NZD] $1,234.56
    [USD] $1,234.56
   *[other] { $currency } 1,234.56
}

## What is proposed

propose-cart-several = Shall I add all of these to your cart?
propose-cart = { $count ->
    [one] Shall I add { $sells ->
        [books] 1 copy of
       *[other] one
    } “{ $title }” to your cart, at { $price }?
   *[other] Shall I add { $count } { $sells ->
        [books] copies of
       *[other] of
    } “{ $title }” to your cart, at { $price } each?
}
propose-reservation = { $count ->
    [one] Shall I reserve { $sells ->
        [books] 1 copy of
       *[other] one
    } “{ $title }” for you, at { $price }?
   *[other] Shall I reserve { $count } { $sells ->
        [books] copies of
       *[other] of
    } “{ $title }” for you, at { $price } each?
}
propose-removal = { $left ->
    [0] Shall I take “{ $title }” out of your cart?
   *[other] Shall I take { $count } of “{ $title }” out of your cart? That leaves { $left }.
}
propose-clearing = Shall I empty your whole cart?
propose-order = { $count ->
    [one] Shall I place the order? It comes to { $total }:
   *[other] Shall I place the order? That's { $count } { $sells ->
        [books] copies
       *[other] items
    }, { $total } in all:
}
propose-order-cancellation = Shall I cancel your order { $id }, of { $total }?
propose-cart-more = You already have { $there } of “{ $title }” in your cart. Shall I add { $count } more, at { $price } each?
propose-reservation-more = You already have { $there } of “{ $title }” on hold. Shall I reserve { $count } more, at { $price } each?
propose-quantity = Shall I make it { $count } of “{ $title }” in your cart, at { $price } each?
propose-return = Shall I ask the shop to take back your order { $id }, of { $total }?
propose-reservation-cancellation = Shall I cancel your reservation of “{ $title }”?
propose-note = Shall I remember “{ $note }”?
propose-forgetting = { $count ->
    [one] Shall I forget “{ $note }”?
   *[other] Shall I forget the { $count } things that I remember about you?
}
one-by-one = First things first: tell me the rest afterwards and I'll see to it.
which-item = Which one of these would you like?
which-line = What shall I take out of your cart?
which-reservation = Which reservation shall I cancel?
which-order = Which order shall I cancel?
which-return = Which order would you like to return?
which-note = What shall I forget?
no-reservation = You have no active reservations.
no-open-order = You have no orders that can be cancelled.

## An answer without a model

greeting = Hello! What are you looking for today?
greeting-how = { $sells ->
    [books] You can give me a title, an author, a subject, a price or an ISBN.
   *[other] You can give me a name, a brand, a category or a price.
}
catalogue-unavailable = I can't look into the catalogue right now.
nothing-found = I found no { $items } that match what you are looking for.
nothing-found-how = { $sells ->
    [books] Try another title, an author, a category or an ISBN.
   *[other] Try another name, a brand, a category or a price.
}
found-near = I didn't find exactly that, but you may like:
absent = I can't find “{ $name }” in the catalogue.
absent-near = I can't find “{ $name }” in the catalogue. You may like:
nothing-said = { $sells ->
    [books] What do you like to read? Tell me a genre, an author or a book that you liked, and I'll suggest something.
   *[other] What do you like? Tell me a category, a brand or a price, and I'll suggest something.
}
fact-price = { $title } costs { $fact }.
fact-copies = { $title }: { $fact }.
fact-maker = { $title } is by { $fact }.
fact-year = { $title } was published in { $fact }.
fact-publisher = { $title } is published by { $fact }.
fact-about = { $title }: { $fact }
fact-attribute = { $title }. { $fact }.
fact-unknown = I don't have that detail for { $title }.
nothing-more = I don't have any more like that.
nothing-shown = I haven't shown you anything yet. Tell me what you are looking for.
which-of-these = Which ones do you mean? Tell me { $sells ->
    [books] the titles
   *[other] the names
} or their places in the list.
found-by-price = By price, lowest first:
found-by-price-down = By price, highest first:
found-most-sold = What sells best:
nothing-sold = I can't tell yet what sells best there. Meanwhile, I suggest:
found-sum = Together they come to { $total }:
found-newest = Newest first:
found-oldest = Oldest first:
found-it = { $count ->
    [one] Here it is:
   *[other] Here they are:
}
found = { $count ->
    [one] I found 1 { $item }:
   *[other] I found { $count } { $items }:
}
found-many = { $listed ->
    [one] The best match:
   *[other] The { $listed } best matches:
}
offer-similar = Would you like to see similar { $items }?
recommended-picks = { $count ->
    [one] Our own recommendation:
   *[other] Our own recommendations:
}
recommended-varied = A bit of everything to choose from:
offer-taste = { $sells ->
    [books] For something closer to your taste, tell me a genre or an author.
   *[other] For something closer to your taste, tell me a category or a price.
}
offer-refining = { $sells ->
    [books] To narrow it down, tell me an author, a category or a price.
   *[other] To narrow it down, tell me a category or a price.
}
hint-refine = { $sells ->
    [books] You can ask me to filter by author, ISBN or category.
   *[other] You can ask me to filter by category or price.
}
caution-prices = Right now I can't be sure that prices and stock are up to date.
caution-filter = I didn't understand part of what you asked for, so some of these may not fit.
in-documents = In your documents, the closest match is in “{ $name }”.
in-documents-page = In your documents, the closest match is in “{ $name }”, page { $page }.

## Items

item-title = “{ $title }”
item-of = { $title } by { $maker }
# A clause: "it is sold out".
stock = { $count ->
    [0] is sold out
    [one] has 1 left
   *[other] has { $count } left
}
# Beside a price: "€25.99, sold out".
stock-left = { $count ->
    [0] sold out
    [one] 1 left
   *[other] { $count } left
}

## Documents

file-read = I have read “{ $name }”: you can ask me about it.
file-without-text = I find no text to read in “{ $name }”: try another document.

## Actions; refusals by their codes

book_not_found = I can't find that { $item } in the catalogue.
insufficient_stock = { $count ->
    [0] “{ $title }” is sold out.
    [one] Only 1 { $sells ->
        [books] copy of
       *[other] of
    } “{ $title }” is left.
   *[other] Only { $count } { $sells ->
        [books] copies of
       *[other] of
    } “{ $title }” are left.
}
cart_full = Your cart is full at { $most } { $sells ->
    [books] titles
   *[other] items
}: check out or remove one.
cart-added-several = Done: all of them are in your cart.
cart-added = { $count ->
    [one] Done: “{ $title }” is in your cart.
   *[other] Done: you now have { $count } of “{ $title }” in your cart.
}
cart-set = Done: your cart has { $count } of “{ $title }”.
cart = You have { $count } { $sells ->
    [books] { $count ->
        [one] title
       *[other] titles
    }
   *[other] { $count ->
        [one] item
       *[other] items
    }
} in your cart: { $total } in all.
cart-empty = Your cart is empty.
cart-removed = { $left ->
    [0] Done: I took it out of your cart.
   *[other] Done: { $left } left in your cart.
}
not-in-cart = That { $item } is not in your cart.
empty_cart = Your cart is empty: add { $sells ->
    [books] a book
   *[other] something
} first.
order_too_large = Your order comes to { $total } and I can take up to { $most } here: remove something or talk to the shop.
total_changed = Something has changed since I told you: the order now comes to { $total }.
order-placed = All done! Your order { $id } is placed: { $total } in all. The shop will now get it ready.
order = Your order { $id } is { $status }: { $total } in all.
orders = { $count ->
    [0] You have no orders yet.
    [one] You have 1 order.
   *[other] You have { $count } orders.
}
order-pending = pending
order-in-process = being prepared
order-delivered = delivered
order-called-off = cancelled
order-in-return = being returned
order-returned = returned
order_closed = That order can no longer be cancelled: it is { $status }.
order-not-delivered = Only a delivered order can be returned, and that one is { $status }.
order-over = That order is already closed.
item-gone = That is no longer sold.
move_not_allowed = An order in that state cannot go to the one you asked for.
not_waiting = That conversation no longer waits for a person.
order-cancelled = I cancelled your order { $id }.
return-requested = I've asked the shop to take back your order { $id }. It will tell you here once your return arrives.
notice-order-in-process = Your order { $id } is being prepared.
notice-order-delivered = Your order { $id } has been delivered. Enjoy it!
notice-order-called-off = The shop cancelled your order { $id }.
notice-order-in-return = The return of your order { $id } is under way.
notice-order-returned = The shop has your order { $id } back.
notice-return-declined = The shop did not accept the return of your order { $id }.
notice-reservation-collected = You collected { $count } of “{ $title }”. It is your order { $id }.
notice-reservation-cancelled = The shop cancelled your reservation of “{ $title }”.
notes = { $count ->
    [0] I don't remember anything about you. If you'd like me to, say for example: { $sells ->
        [books] “remember that I read in Spanish”.
       *[other] “remember that I like blue”.
    }
    [one] This is what I remember about you:
   *[other] I remember { $count } things about you:
}
note-kept = Done: I will remember that. To see all that I remember, ask me “what do you know about me?”.
note-forgotten = { $count ->
    [0] Done: I remember nothing about you any more.
   *[other] Done: I have forgotten that.
}
note_missing = What would you like me to remember? Tell me in one sentence.
note_private = I don't keep card numbers or the like: they are safer with you.
note_too_long = That is too long for me to remember: tell me in { $most } characters at most.
notes_full = I already remember { $most } things about you, and there is no room for more: tell me first what to forget.
note_not_found = That is not among the things I remember about you.
notice-note = A note from the shop: { $note }
order_not_found = I can't find that order.
reservation_limit = You can reserve up to { $of-title } { $sells ->
    [books] copies of a title
   *[other] of the same item
} and { $in-all } in all.
reservation-crowded = There are too many reservations of this { $sells ->
    [books] title
   *[other] item
} right now: try later or buy it straight away.
reserved = Done: I'm holding { $count ->
    [one] “{ $title }”
   *[other] { $count } of “{ $title }”
} for you for the next { $hours } hours.
reservations = { $count ->
    [0] You have no active reservations.
    [one] You have 1 active reservation.
   *[other] You have { $count } active reservations.
}
reservation_not_found = I can't find that reservation.
reservation_closed = That reservation has already ended.
reservation-cancelled = I cancelled your reservation of “{ $title }”.
# What a list sums up, a line each.
bought = “{ $title }”: { $count } × { $price }
order-line = Order { $id }: { $status }, { $total }
reservation-line = “{ $title }” ({ $count }), { $hours ->
    [0] for less than an hour
    [one] for 1 more hour
   *[other] for { $hours } more hours
}
and-more = and { $count } more

## Appointments

appointment-day = { weekday-on } { $day } { month }
appointment-date = { weekday }, { $day } { month }
appointment-time = { weekday-on } { $day } { month } at { $time }
slot-line = { $when } with { $calendar }
service-line = { $service }: { $minutes } min, { $price }
services = { $count ->
    [0] There are no services to book right now.
    [one] { $business } has 1 service that you can book:
   *[other] { $business } has { $count } services that you can book:
}
categories = What you can book: { $list }.
slots = { $count ->
    [0] { $days ->
        [one] There is nothing free { $day } for “{ $service }”.
       *[many] There is nothing free on those days for “{ $service }”.
    }
   *[other] { $days ->
        [one] Free { $day } for “{ $service }”:
       *[many] Free for “{ $service }”:
    }
}
slots-next = The first one free is { $when }.
slots-instead = These are free: { $list }.
appointment-named = { ", for " }{ $name }
propose-appointment = Shall I book “{ $service }” { $when } with { $calendar }, at { $branch }{ $named }? It is { $price }.
propose-appointment-move = Shall I move your appointment for “{ $service }” so that it is { $when } with { $calendar }, at { $branch }?
propose-appointment-cancellation = Shall I cancel your appointment for “{ $service }”, { $when } with { $calendar }?
appointment-booked = Booked: “{ $service }” { $when } with { $calendar }, at { $branch }. It is { $price }.
appointment-moved = Moved: your appointment for “{ $service }” is now { $when } with { $calendar }, at { $branch }.
appointment-cancelled = Cancelled: you no longer have the appointment for “{ $service }”, { $when }.
appointments = { $count ->
    [0] You have no appointment coming up.
    [one] You have 1 appointment:
   *[other] You have { $count } appointments:
}
appointment-line = “{ $service }” { $when } with { $calendar }, at { $branch }
which-service = For which service?
which-branch = Which one suits you better: { $list }?
time-not-free = There is nothing free at { $time }.
which-day = Which day and time would suit you?
which-time = Which time would suit you?
which-name = There is a place { $when }. Whose name shall I put it in?
which-appointment = Which of them?
help-appointments = I can also book you in at { $business }: { $list }.
sign-in-to-book = There is a place { $when }. To book it, please sign in first. Then say “yes” and I'll carry on.
business_not_found = There are no appointments to book here.
branch_not_found = We have no such branch. There are: { $list }.
service_not_found = I cannot find that service. There are: { $list }.
calendar_not_found = They take no appointments for that. You can have: { $list }.
price_changed = The price of “{ $service }” has changed: it is { $price } now.
slot_taken = That time has just been taken, or is no longer free.
slot_unavailable = That time cannot be booked.
outside_window = That date is not open for appointments yet, or it is over.
invalid_date = For which day? Write it as 2026-11-27.
invalid_time = At what time? Write it as 10:30.
appointment_not_found = I cannot find that appointment.
appointment_closed = That appointment no longer stands.
appointment-begun = That appointment has already begun: call us and we will sort it out.
user_not_found = I can only look after your own appointments.
invalid_contact = That does not look right: a name has letters, a telephone number 6 to 15 digits, and nothing is longer than { $most } characters.
contact = { $count ->
    [0] I do not know yet whose name your appointments are in.
   *[other] Your appointments are in the name of: { $list }.
}
contact-kept = Noted: your appointments are in the name of { $list }.
propose-contact = Shall I put your appointments in the name of { $list }?

## What the shop says of itself

shop-who = I'm { $assistant }, { $shop }'s automated assistant.
shop-who-itself = I'm { $shop }'s automated assistant.
shop-sells = We sell { $items } here.
shop-hours = Opening hours: { $list }
shop-exceptions = Other days: { $list }
shop-contact = Contact: { $list }
shop-places = Where we are: { $list }
shop-closed = closed
weekday = { $weekday ->
    [monday] Monday
    [tuesday] Tuesday
    [wednesday] Wednesday
    [thursday] Thursday
    [friday] Friday
    [saturday] Saturday
   *[sunday] Sunday
}
month = { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
}
# A day as it stands in the middle of a sentence.
weekday-on = { $weekday ->
    [monday] on Monday,
    [tuesday] on Tuesday,
    [wednesday] on Wednesday,
    [thursday] on Thursday,
    [friday] on Friday,
    [saturday] on Saturday,
   *[sunday] on Sunday,
}
day-on = { $near ->
    [today] today, { weekday }, { $day } { month }{ $reason },
    [tomorrow] tomorrow, { weekday }, { $day } { month }{ $reason },
   *[other] { weekday-on } { $day } { month }{ $reason },
}
day-every = { $weekday ->
    [monday] on Mondays,
    [tuesday] on Tuesdays,
    [wednesday] on Wednesdays,
    [thursday] on Thursdays,
    [friday] on Fridays,
    [saturday] on Saturdays,
   *[sunday] on Sundays,
}
open-now = We are open now.
open-now-until = We are open now, until { $time }.
closed-now = We are closed now.
opens-next = We open again { $day } at { $time }.
open-on = { $day } we are open { $hours }.
closed-on = { $day } we are closed.
hours-between = from { $from } to { $to }
hours-and = { " and " }
# What its texts are about.
topic-delivery = Delivery
topic-returns = Returns
topic-payment = Payment
topic-wrapping = Gift wrapping
topic-discount = Discounts
topic-guarantee = Guarantee
topic-opening = Opening hours
topic-place = Address
topic-contact = Contact
shop-at = We are at { $place }.
shop-branches = We have { $count } shops:
shop-days = { $first } to { $last }
shop-date = { $year }-{ $month }-{ $day }
shop-dates = { $first } to { $last }

## What is said to what looks for nothing

thanks = You're welcome! I'm here if you need anything else.
goodbye = Goodbye, and thanks for stopping by!
nothing-asked = There's nothing to confirm right now.
nothing-wanted = All right. I'm here if you need anything else.
help = Here's what I can do for you:
help-find = { $sells ->
    [books] Find books by title, author, subject or price, and tell you what they cost and how many are left.
   *[other] Find { $items } by name, brand, category or price, and tell you what they cost and how many are left.
}
help-own = Look after your cart, your reservations and your orders once you've signed in.
help-shop = Tell you what I know about the shop: opening hours, address and contact.
unclear = I didn't get that. Tell me what you are looking for, or what you want to know about the shop.
off-topic = I don't know about that; I can help you with the shop and its { $items }.
person = To talk to a person, write to the shop or give it a call.
person-called = I've told the team: a person will answer you right here as soon as they can.
person-signed-in = If you sign in, a person can also answer you right here.
person-told = I've told the team, so that a person can look at it.
person-offer = Would you like someone from the shop to answer you here? Say “yes” and I'll let them know.
person-back = Go on with the assistant
person-no-more = I'm back. How can I help?
complaint = I'm sorry something went wrong. The shop can look into it and put it right.
cannot = I can't do that in the chat yet. If you see a button for it, use that; if not, the shop will help you.
shop-unknown = I don't know that. The shop can tell you.
distress = I'm so sorry you're going through this. You're not alone: please talk to someone you trust right now, and if there is any danger, call your local emergency number.
maybe-distress = I'm not sure I understood you. If you are going through a hard time or there is any danger, call your local emergency number or talk to someone you trust. If you are looking for something in the shop, tell me in other words.
distress-helpline = { $name }: { $phone }
sign-in-first = To see that, please sign in first.
sign-in-for = To go on with “{ $title }”, please sign in first. Then say “yes” and I'll carry on.
sign-in-to-do = For that, please sign in first. Then say “yes” and I'll carry on.
record-unavailable = I can't look that up right now. Please try again in a moment.

## What was proposed, decided

approval_not_found = There is nothing like that to confirm.
approval_mismatch = What you confirm is not what was proposed.
approval_closed = That can't be confirmed any more: ask me again.
approval-rejected = OK, I'll leave it.

## A turn

notice = You're chatting with an automated assistant; prices and stock come from the catalogue.
turn-cancelled = You stopped the answer.
turn-failed = I couldn't finish my answer: please ask me again.

## A customer is forgotten

erased = Done: I erased everything I had about you.

## Problems, by their codes

invalid_request = I can't read the request: check its format.
message-empty = Empty message. Tell me what you are looking for.
message-too-long = Message too long: tell me in fewer words.
invalid_action = I don't know that action.
invalid_role = The role must be user, assistant or system.
invalid_content = The content must be a text, neither empty nor too long.
invalid_rating = A rating goes from 1 to 5.
invalid_file = I can't take that document: it must be text, Markdown or PDF, with its name and size.
file_too_large = That document is too large: up to 5 MB and about a hundred pages.
too_many_files = You have 20 documents already: remove one before you bring another.
not_uploaded = The document has not arrived whole yet: upload it and try again.
auth_required = Sign in to continue.
invalid_token = Your session is not valid or has expired: sign in again.
not_found = There is nothing by that name here.
method_not_allowed = This address does not allow that operation.
not_acceptable = I can only answer in JSON.
payload_too_large = The message is too large.
misdirected_request = This server takes no requests from other sites.
request_timeout = The request took too long to arrive: try again.
unsupported_media_type = Send the request as JSON.
conversation_busy = I'm still on your previous message: wait a moment.
conflict = Another change came at the same time: try again.
in_progress = That very request is already under way.
idempotency_mismatch = That key was already used for another request.
rate_limited = That's a lot of messages at once: wait a moment and try again.
unavailable = I can't help you right now: try again in a few seconds.

## For models

language-name = English
prompt-sells = { $items }
prompt-example-question = { $sells ->
    [books]
        <resultados>
        {"{"}1{"}"} “The Lighthouse” by Ana Ruiz: { $dear }, 3 left. id 90001, Novel, 2001. A keeper and his daughter learn to live with the sea.
        {"{"}2{"}"} “Tides” by Luis Gil: { $cheap }, sold out. id 90002, Poetry, 1998. Short poems of a port.
        </resultados>

        something about the sea for less than { $budget }
   *[other]
        <resultados>
        {"{"}1{"}"} “Harbour bag” by Ana Ruiz: { $dear }, 3 left. id bag-1, Bags, black. Waxed canvas with a leather strap, for every day.
        {"{"}2{"}"} “Tide bag” by Luis Gil: { $cheap }, sold out. id bag-2, Bags, blue. Light cotton that folds into its own pocket.
        </resultados>

        a bag for every day for less than { $budget }
}
prompt-example-answer = { $sells ->
    [books]
        Two that smell of salt, and both for less than { $budget }:
        {"- {"}1{"}"} tells how a keeper and his daughter learn to live with the sea.
        {"- {"}2{"}"} is shorter and cheaper, poems of a port, but it {"{"}2.stock{"}"}.
        {"- "}Would you rather have a novel or poetry?
   *[other]
        Two for every day, and both for less than { $budget }:
        {"- {"}1{"}"} is of waxed canvas, with a leather strap.
        {"- {"}2{"}"} is lighter and cheaper, and folds into its own pocket, but it {"{"}2.stock{"}"}.
        {"- "}Would you rather have canvas or cotton?
}
