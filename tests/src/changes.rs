//! Changes by words, without a model: asked about, and done once the customer has said yes.

use serde_json::{Value, json};

use crate::harness::{Caller, check_laws, names, of, shop, stream_events};

/// Says one message after the other; each answer holds these words.
#[track_caller]
fn talk(caller: &Caller<'_>, messages: &[(&str, &str)]) {
    for (message, words) in messages {
        let answer = caller.chat(message).is(200);
        let said = answer["message"].as_str().unwrap_or_default();
        assert!(said.contains(words), "{message}: {said}");
    }
}

fn approvals(answer: &Value) -> Vec<&Value> {
    let actions = answer["actions"].as_array().expect("actions").iter();
    actions
        .filter(|action| action["type"] == "approval")
        .collect()
}

#[test]
fn an_order_goes_from_words_to_its_end_in_each_language() {
    for (name, messages) in [
        (
            "changes-es",
            [
                (
                    "añade dos de Cien años de soledad al carrito",
                    "¿Pongo en tu carrito 2 ejemplares de «Cien años de soledad», a 25,99 €",
                ),
                (
                    "sí",
                    "Hecho: ya llevas 2 de «Cien años de soledad» en el carrito.",
                ),
                ("quiero hacer el pedido", "51,98 € en total"),
                ("vale", "¡Listo! Tu pedido 1 está hecho: 51,98 € en total."),
                ("cancela mi pedido", "¿Cancelo tu pedido 1, de 51,98 €?"),
                ("sí, por favor", "Cancelé tu pedido 1."),
            ],
        ),
        (
            "changes-en",
            [
                (
                    "add two copies of Cien años de soledad to my cart",
                    "Shall I add 2 copies of “Cien años de soledad” to your cart",
                ),
                ("yes please", "“Cien años de soledad”"),
                ("I want to check out", "Shall I place the order?"),
                ("yes", "51.98"),
                ("cancel my order", "Shall I cancel your order 1"),
                ("yes, go ahead", "cancelled"),
            ],
        ),
        (
            "changes-pt",
            [
                (
                    "põe dois de Cien años de soledad no carrinho",
                    "Cien años de soledad",
                ),
                ("sim", "Cien años de soledad"),
                ("quero finalizar a compra", "51,98"),
                ("sim, por favor", "51,98"),
                ("cancela o meu pedido", "pedido 1"),
                ("pode ser, sim", "ancel"),
            ],
        ),
    ] {
        let customer = shop().customer(name);
        let before = customer.stock(1);
        talk(&customer, &messages[..2]);
        assert_eq!(customer.cart(), [(1, 2)], "{name}");
        talk(&customer, &messages[2..4]);
        assert_eq!(customer.cart(), [], "{name}");
        assert_eq!(customer.stock(1), before - 2, "{name}");
        talk(&customer, &messages[4..]);
        let orders = customer.act("list_orders", json!({})).is(200);
        assert_eq!(
            orders["results"][0]["estado"], "Cancelado",
            "{name}: {orders}"
        );
        assert_eq!(customer.stock(1), before, "{name}");
    }
}

#[test]
fn one_that_was_shown_is_reserved_and_given_up() {
    let customer = shop().customer("changes-shown");
    let shown = customer.chat("novelas de misterio").is(200);
    let second = shown["results"][1]["titulo"].as_str().expect("a title");
    let asked = customer.chat("resérvame el segundo").is(200);
    let said = asked["message"].as_str().expect("a message");
    assert!(
        said.starts_with("¿Te reservo") && said.contains(second),
        "{said}"
    );
    assert_eq!(approvals(&asked).len(), 1);
    talk(
        &customer,
        &[
            ("sí", "Reservado: te guardo"),
            ("¿qué tengo reservado?", second),
            ("cancela la reserva", second),
            ("no", "De acuerdo, lo dejo."),
            ("¿qué tengo reservado?", second),
            ("ya no quiero la reserva, cancélala", "¿Cancelo tu reserva"),
            ("sí", "Cancelé tu reserva"),
        ],
    );
}

#[test]
fn corrections_and_interruptions_lead_to_another_question() {
    let customer = shop().customer("changes-corrected");
    talk(
        &customer,
        &[
            (
                "añade El principito al carrito",
                "¿Pongo en tu carrito 1 ejemplar de «El principito»",
            ),
            (
                "no, tres",
                "¿Pongo en tu carrito 3 ejemplares de «El principito»",
            ),
            ("¿qué puedes hacer por mí?", "Soy "),
            ("sí", "¿Pongo en tu carrito 3 ejemplares de «El principito»"),
        ],
    );
    assert_eq!(customer.cart(), []);
    talk(&customer, &[("sí", "ya llevas 3")]);
    talk(
        &customer,
        &[
            ("añade también Rayuela", "«Rayuela»"),
            ("sí", "«Rayuela»"),
            ("quita algo de la cesta", "¿Qué quito de tu carrito?"),
            ("el segundo", "¿Quito «Rayuela» de tu carrito?"),
            ("venga, sí", "lo quité"),
            ("vacía el carrito", "¿Vacío tu carrito entero?"),
            ("sí", "vacío"),
        ],
    );
    assert_eq!(customer.cart(), []);
}

/// A yes decides once, whoever says it again; what came of it is told in the stream, and the page's buttons are too late.
#[test]
fn a_yes_is_told_in_the_stream_and_decides_once() {
    let customer = shop().customer("changes-stream");
    let asked = customer.chat("pon Rayuela en el carrito").is(200);
    let approval = approvals(&asked)[0]["approval"].clone();
    let stream = |message: &str, key: &str| {
        let call = customer.call("POST", "/api/agent/stream");
        let call = call.header("idempotency-key", key);
        stream_events(&call.json(&json!({"message": message})).send())
    };
    let first = stream("sí", "changes-yes");
    check_laws(&first, true);
    assert_eq!(
        names(&first)[names(&first).len() - 3..],
        ["message", "approval_resolved", "complete"]
    );
    let resolved = of(&first, "approval_resolved")[0];
    assert_eq!(resolved["approval"], approval);
    assert_eq!(resolved["approved"], true);
    let told = of(&first, "message")[0]["content"].clone();
    assert_eq!(resolved["content"], told);
    // The same request again is the same turn.
    let again = stream("sí", "changes-yes");
    assert_eq!(of(&again, "message")[0]["content"], told);
    assert_eq!(of(&again, "approval_resolved")[0]["approval"], approval);
    // The button says what came of it, and does nothing.
    let button = customer.act("approve", json!({"approval": approval}));
    let refused = button.is(400);
    assert_eq!(refused["error"], "approval_closed", "{refused}");
    assert_eq!(refused["message"], told);
    assert_eq!(customer.cart().len(), 1);
    assert_eq!(customer.cart()[0].1, 1);
    // It is one message in the history.
    let history = customer.history("").is(200);
    let messages = history["messages"].as_array().expect("messages");
    let same = messages.iter().filter(|message| message["content"] == told);
    assert_eq!((same.count(), messages.len()), (1, 4));
}

#[test]
fn what_a_guest_wants_waits_until_they_have_signed_in() {
    let guest = shop().guest();
    let answer = guest
        .chat("ponme dos de Cien años de soledad en la cesta")
        .is(200);
    let said = answer["message"].as_str().expect("a message");
    assert!(
        said.contains("inicia sesión") && said.contains("Cien años"),
        "{said}"
    );
    let signs_in = json!({"type": "sign_in"});
    assert!(
        answer["actions"]
            .as_array()
            .expect("actions")
            .contains(&signs_in)
    );
    let customer = shop().customer("changes-wish");
    let body = json!({"message": "sí", "context": answer["context"]});
    let asked = customer.post("/api/agent/", &body).is(200);
    let said = asked["message"].as_str().expect("a message");
    assert!(
        said.contains("2 ejemplares de «Cien años de soledad»"),
        "{said}"
    );
    talk(&customer, &[("sí", "ya llevas 2")]);
    assert_eq!(customer.cart(), [(1, 2)]);
}

/// The order that a customer was asked about is the one that is placed, or none.
#[test]
fn an_order_that_comes_to_something_else_is_not_placed() {
    let customer = shop().customer("changes-total");
    customer.act("add_to_cart", json!({"book_id": 1})).is(200);
    talk(&customer, &[("tramita el pedido", "Son 25,99 €")]);
    customer.act("add_to_cart", json!({"book_id": 1})).is(200);
    talk(&customer, &[("sí", "ahora el pedido suma 51,98 €")]);
    assert_eq!(customer.cart(), [(1, 2)]);
}

/// The line that is to go may be said by its price; a reason that speaks of prices chooses none.
#[test]
fn a_line_of_the_cart_goes_by_its_price_or_by_its_name() {
    let customer = shop().customer("changes-dearest");
    for item in [5, 131] {
        customer
            .act("add_to_cart", json!({"book_id": item}))
            .is(200);
    }
    talk(
        &customer,
        &[
            ("quita el más caro", "¿Quito «Rayuela» de tu carrito?"),
            ("no", ""),
            ("quita el más barato", "¿Quito «Ficciones» de tu carrito?"),
            ("no", ""),
            (
                "quita Rayuela del carrito, que lo vi más barato",
                "¿Quito «Rayuela» de tu carrito?",
            ),
        ],
    );
}

/// What is taken back by like words is meant where it is named.
#[test]
fn what_is_not_ordered_may_be_put_aside() {
    let customer = shop().customer("changes-elsewhere");
    customer.act("reserve_book", json!({"book_id": 5})).is(200);
    talk(
        &customer,
        &[
            ("anula el pedido", "No tienes pedidos"),
            (
                "anula el pedido de Rayuela",
                "¿Cancelo tu reserva de «Rayuela»?",
            ),
            ("sí", "Cancelé tu reserva de «Rayuela»."),
        ],
    );
    // Where nothing is named, it is what there is.
    customer.act("reserve_book", json!({"book_id": 5})).is(200);
    talk(
        &customer,
        &[("mejor cancélala", "¿Cancelo tu reserva de «Rayuela»?")],
    );
}

#[test]
fn a_number_of_another_title_is_as_many_of_that() {
    let customer = shop().customer("changes-counted");
    talk(
        &customer,
        &[
            ("pon Rayuela en el carrito", "¿Pongo en tu carrito 1"),
            ("sí", "«Rayuela»"),
            (
                "y 2 de Bodas de sangre",
                "¿Pongo en tu carrito 2 ejemplares de «Bodas de sangre»",
            ),
            ("no", ""),
            ("¿tenéis 2 de Bodas de sangre?", "«Bodas de sangre»"),
        ],
    );
    let asked = customer.chat("¿tenéis 2 de Bodas de sangre?").is(200);
    assert_eq!(approvals(&asked), Vec::<&Value>::new(), "{asked}");
}
