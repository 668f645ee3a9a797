//! What is the customer's own, as a model has it looked up: in the shop's words and true figures, whatever the model makes of it.

use serde_json::{Value, json};

use crate::harness::{Caller, ModelPeer, Setup, Shop, check_laws, of, stream_events};

/// A shop with these models, any of which may be asked for.
fn start(models: &str) -> (ModelPeer, Shop) {
    let peer = ModelPeer::start();
    let shop = Setup::new()
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODELS", models)
        .start();
    (peer, shop)
}

/// What a customer is answered, in one answer and as it comes.
fn answers(caller: &Caller, model: &str) -> [String; 2] {
    let body = json!({"message": "libro 14", "model": model});
    let whole = caller.post("/api/agent/", &body).is(200);
    let events = stream_events(&caller.call("POST", "/api/agent/stream").json(&body).send());
    check_laws(&events, caller.token.is_some());
    let message = of(&events, "message")[0].clone();
    [&whole["message"], &message["content"]]
        .map(|text| text.as_str().unwrap_or_default().to_owned())
}

fn message(answer: &Value) -> &str {
    answer["message"].as_str().expect("a message")
}

#[test]
fn cart_and_order_are_rendered_with_true_figures() {
    let (peer, shop) = start("viewer, tracker");
    let customer = shop.customer("owner");
    customer
        .act("add_to_cart", json!({"book_id": 12, "cantidad": 2}))
        .is(200);
    customer.act("add_to_cart", json!({"item_id": 1})).is(200);
    let cart = customer.act("view_cart", json!({})).is(200);
    let [first, second] = [&cart["results"][0], &cart["results"][1]];
    for text in answers(&customer, "viewer") {
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0]), (4, message(&cart)), "{text}");
        for (line, item) in [(lines[1], first), (lines[2], second)] {
            let figures = format!("{} × {} €", item["cantidad"], item["precio"]);
            let figures = figures.replace('"', "").replace('.', ",");
            let title = item["titulo"].as_str().expect("a title");
            assert_eq!(line, format!("- «{title}»: {figures}"), "{text}");
        }
        assert_eq!(lines[3], "- ¿Busco algo más?", "{text}");
    }
    customer.act("checkout", json!({})).is(200);
    customer
        .act("reserve_book", json!({"libro_id": 12}))
        .is(200);
    let order = customer.act("order_status", json!({"order_id": 1})).is(200);
    let reserved = customer.act("list_reservations", json!({})).is(200);
    for text in answers(&customer, "tracker") {
        assert!(text.starts_with(message(&order)), "{text}");
        assert!(text.contains(message(&reserved)), "{text}");
    }
    // The prompt has the record that the customer got.
    let request = peer.requests_about("<tienda>");
    assert!(!request.is_empty());
    // Somebody else has no order of that number, and a guest has nothing to be looked up.
    for text in answers(&shop.customer("stranger"), "tracker") {
        assert!(text.starts_with("No encuentro ese pedido."), "{text}");
    }
    for text in answers(&shop.guest(), "viewer") {
        assert!(!text.contains("carrito"), "{text}");
    }
}

#[test]
fn a_models_own_words_about_the_cart_are_not_emitted() {
    let (_peer, shop) = start("liar");
    let customer = shop.customer("wary");
    customer
        .act("add_to_cart", json!({"book_id": 12, "cantidad": 2}))
        .is(200);
    let cart = customer.act("view_cart", json!({})).is(200);
    for text in answers(&customer, "liar") {
        assert!(text.starts_with(message(&cart)), "{text}");
        assert!(
            !text.contains("suma") && !text.contains("En total son"),
            "{text}"
        );
        assert!(text.ends_with("- ¿Busco algo más?"), "{text}");
    }
}
