# What `mostrador chat` prints, in English. Names of commands stay as they are typed.

help =
    {"  "}/login NAME   sign in (local product only); without a name, sign out
    {"  "}/clear        archive the conversation and begin a new one
    {"  "}/yes, /no     decide on what was just proposed
    {"  "}/attach FILE  bring a text, Markdown or PDF document; questions are then put to it too
    {"  "}/detach       put them to no document any more
    {"  "}/files        your documents
    {"  "}/forget NAME  take a document away for good
    {"  "}/db           your cart, reservations and orders
    {"  "}/state        what is configured, and where the conversation stands
    {"  "}/quit         leave (Ctrl-D too)
    {"  "}Ctrl-C        stop the answer that is coming; at the prompt, leave
    {"  "}anything else is asked at the counter: book 12 · isbn 978… · category: novela, price_max: 20 · similar to Rayuela
welcome = Mostrador at { $url }. /help lists the commands.
guest = guest
no-such-command = No such command; /help lists them.
signed-in = Signed in as { $name }.
not-signed-in = Not signed in: { $error }
new-conversation = A new conversation.
nothing-to-decide = There is nothing to decide.
state-of-guests = Guests have no state: /login NAME first.
state = model: { $model }
    index: { $index }
state-conversation = conversation: { $number }
yes-or-no = Say yes or no.
cut-off = The answer was cut off. Ask again.
with-person = A person from the shop will answer you; what they say is on the page. “{ $back }” brings the assistant back.
stopped = Stopped.
stopped-too-late = Too late: the answer is in the history.
not-stopped = Not stopped: { $error }
item = { $id }  { $title } · { $maker } · { $price } · { $count ->
    [0] sold out
   *[other] { $count } left
}
cited = “{ $text }” ({ $name })
cited-page = “{ $text }” ({ $name }, { $page })
which-file = say which file: /attach FILE
not-attached = Not attached: { $error }
not-read = { $path } cannot be read
no-documents = No documents; /attach FILE brings one.
no-such-document = No such document; /files lists them.
document-gone = { $name } is gone.
document-not-gone = Not taken away: { $error }
