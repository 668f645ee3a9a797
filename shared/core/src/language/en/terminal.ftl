# What `mostrador chat` prints, in English. Names of commands stay as they are typed.

help =
    Everything is asked for in words: what you look for, “the second one”, “add it to my cart”, “yes”, “what is in my cart?”, “reserve it”, “place the order”, “I want to talk to a person”.
    {"  "}/login NAME   sign in (local product only); without a name, sign out
    {"  "}/clear        archive the conversation and begin a new one
    {"  "}/attach FILE  bring a text, Markdown or PDF document; questions are then put to it too
    {"  "}/detach       put them to no document any more
    {"  "}/files        your documents
    {"  "}/forget NAME  take a document away for good
    {"  "}/db           what is kept of you: messages, cart, reservations, orders and notes
    {"  "}/state        which model and which index answer
    {"  "}/q            leave (/quit and Ctrl-D too)
    {"  "}Ctrl-C        stop the answer that is coming; at the prompt, leave
welcome = { $shop }, at { $url }. /help lists the commands.
guest = guest
you = you
person = person from the shop
shop = shop
working = One moment…
nobody-there = Nobody answers at { $url }. Start the server with “mostrador serve”, or say where it is with --url.
unreachable = Nobody answers at { $url } now. When the server is back, write the message again.
late = { $url } has not answered in time. Write the message again.
foreign = What answers at { $url } is no Mostrador. See whether the address of --url is the right one.
broken = The server cannot answer right now ({ $status }). Try again in a moment.
wait = { $message } You can go on in { $seconds } s.
no-such-command = No such command; /help lists them.
signed-in = Signed in as { $name }.
signed-out = Signed out.
not-signed-in = Not signed in: { $error }
no-sign-in = Nobody signs in by a name here: that is for the local product alone.
resumed = You go on where you left off: “{ $title }”. /db shows the messages, /clear begins a new conversation.
new-conversation = A new conversation.
nothing-of-guests = Nothing is kept of guests: /login NAME first.
state-model = The model { $model } answers.
state-no-model = No model: the shop answers by itself.
state-index = Index { $build }: { $count ->
    [one] 1 item
   *[other] { $count } items
}.
state-no-index = There is no index yet.
kept-messages = Conversation { $number }: { $count ->
    [one] 1 message
   *[other] { $count } messages
}.
no-messages = This conversation has no messages yet.
yes-or-no = Say yes or no.
also = Also:
cut-off = The answer was cut off. Ask again.
with-person = A person from the shop will answer you: what they say appears here. “{ $back }” brings the assistant back.
person-reads = The person from the shop will read it.
person-says = Person from the shop: { $message }
person-lost = What the person says does not get here any more: ask again later.
handed-back = The assistant answers you again.
stopped = Stopped.
stopped-too-late = Too late: the answer is in the history.
not-stopped = Not stopped: { $error }
cited = “{ $text }” ({ $name })
cited-page = “{ $text }” ({ $name }, { $page })
which-file = say which file: /attach FILE
not-attached = Not attached: { $error }
not-read = { $path } cannot be read
no-documents = No documents; /attach FILE brings one.
document = { $name } ({ $size } kB, { $status ->
    [ready] read
    [unreadable] no text in it
   *[other] not read
})
no-such-document = No such document; /files lists them.
document-gone = { $name } is gone.
document-not-gone = Not taken away: { $error }
detached = Questions are put to no document any more.
