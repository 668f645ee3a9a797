//! What every action has in common: its shape, and the code of each refusal.

use serde_json::{Value, json};

use crate::harness::shop;

const ACTIONS: &str = "/api/agent/actions/";

/// The body of an action that was done.
pub(crate) fn done(action: &str, message: &str, results: &Value, data: &Value) -> Value {
    json!({
        "message": message, "results": results,
        "actions": [
            {"type": "action_result", "action": action, "ok": true, "error": null, "warnings": [], "data": data}
        ],
    })
}

/// The body of an action that was refused.
fn refused(action: &str, code: &str, message: &str, data: &Value) -> Value {
    json!({
        "message": message, "results": [], "error": code,
        "actions": [
            {"type": "action_result", "action": action, "ok": false, "error": code, "warnings": [], "data": data}
        ],
    })
}

#[test]
fn each_refusal_has_its_code() {
    let customer = shop().customer("refused");
    let of = |action: &str, payload: Value| customer.act(action, payload);
    let no_book = "No encuentro ese libro en el catálogo.";
    let not_in_cart = "Ese libro no está en tu carrito.";
    let no_reservation = "No encuentro esa reserva.";
    let no_order = "No encuentro ese pedido.";
    let sold_out = "«Dune» está agotado.";
    let three = "De «El hobbit» solo quedan 3 ejemplares disponibles.";
    let empty = "Tu carrito está vacío: añade algún libro primero.";
    for (action, payload, code, message, data) in [
        (
            "add_to_cart",
            json!({"book_id": 999_999}),
            "book_not_found",
            no_book,
            json!(null),
        ),
        (
            "add_to_cart",
            json!({}),
            "book_not_found",
            no_book,
            json!(null),
        ),
        (
            "add_to_cart",
            json!({"book_id": 204}),
            "insufficient_stock",
            sold_out,
            json!({"available": 0}),
        ),
        (
            "add_to_cart",
            json!({"book_id": 231, "cantidad": 4}),
            "insufficient_stock",
            three,
            json!({"available": 3}),
        ),
        (
            "remove_from_cart",
            json!({"book_id": 231}),
            "book_not_found",
            not_in_cart,
            json!(null),
        ),
        ("checkout", json!({}), "empty_cart", empty, json!(null)),
        (
            "reserve_book",
            json!({"book_id": 999_999}),
            "book_not_found",
            no_book,
            json!(null),
        ),
        (
            "reserve_book",
            json!({"book_id": 204}),
            "insufficient_stock",
            sold_out,
            json!({"available": 0}),
        ),
        (
            "cancel_reservation",
            json!({"reservation_id": 1}),
            "reservation_not_found",
            no_reservation,
            json!(null),
        ),
        (
            "cancel_reservation",
            json!({}),
            "reservation_not_found",
            no_reservation,
            json!(null),
        ),
        (
            "order_status",
            json!({"order_id": 1}),
            "order_not_found",
            no_order,
            json!(null),
        ),
        (
            "cancel_order",
            json!({"order_id": "uno"}),
            "order_not_found",
            no_order,
            json!(null),
        ),
    ] {
        let answer = of(action, payload.clone());
        answer.has_nothing_internal();
        let expected = refused(action, code, message, &data);
        assert_eq!(answer.seen(&[]), (400, expected), "{action} {payload}");
    }
    // What is already in the cart counts.
    of("add_to_cart", json!({"book_id": 231, "cantidad": 2})).is(200);
    let over = of("add_to_cart", json!({"book_id": 231, "cantidad": 2}));
    let expected = refused(
        "add_to_cart",
        "insufficient_stock",
        three,
        &json!({"available": 3}),
    );
    assert_eq!(over.seen(&[]), (400, expected));
}

#[test]
fn refusals_are_rendered_in_english_too() {
    let request = json!({"action": "add_to_cart", "payload": {"book_id": 204}});
    let call = shop()
        .customer("english")
        .call("POST", ACTIONS)
        .json(&request);
    let answer = call.header("accept-language", "en").send();
    let expected = refused(
        "add_to_cart",
        "insufficient_stock",
        "“Dune” is sold out.",
        &json!({"available": 0}),
    );
    assert_eq!(answer.seen(&[]), (400, expected));
}

#[test]
fn an_unknown_action_is_refused() {
    let customer = shop().customer("actionless");
    for (body, code) in [
        (json!({"action": "steal"}), "invalid_action"),
        (json!({"action": ""}), "invalid_action"),
        (json!({"action": "ADD_TO_CART"}), "invalid_action"),
        (json!({"action": "checkout "}), "invalid_action"),
        (json!({}), "invalid_request"),
        (json!({"action": null}), "invalid_request"),
        (json!({"action": ["checkout"]}), "invalid_request"),
        (
            json!({"action": "view_cart", "payload": "x"}),
            "invalid_request",
        ),
        (
            json!({"action": "view_cart", "payload": [1]}),
            "invalid_request",
        ),
    ] {
        customer.post(ACTIONS, &body).problem(400, code);
    }
}

#[test]
fn the_trace_is_included_on_request() {
    let customer = shop().customer("traced");
    let traced = |trace: Value| {
        let answer = customer.post(ACTIONS, &json!({"action": "view_cart", "trace": trace}));
        let id = answer.header("x-request-id").unwrap().to_owned();
        (answer.is(200).get("trace").cloned(), id)
    };
    let (trace, id) = traced(json!(true));
    assert_eq!(
        trace,
        Some(json!({"request_id": id, "action": "view_cart"}))
    );
    assert_eq!(traced(json!("no")).0, None);
}

/// One number, by any of the names it has had.
#[test]
fn an_item_is_meant_by_any_name_of_its_number() {
    let customer = shop().customer("namer");
    for (name, copies) in [("book_id", 1), ("libro_id", 2), ("item_id", 3)] {
        let body = customer.act("add_to_cart", json!({name: 5})).is(200);
        assert_eq!(body["results"][0]["cantidad"], copies, "{name}");
    }
    customer
        .act("remove_from_cart", json!({"libro_id": 5}))
        .is(200);
    let reserved = customer.act("reserve_book", json!({"item_id": 5})).is(200);
    assert_eq!(reserved["results"][0]["libro_id"], 5);
    customer
        .act("cancel_reservation", json!({"reservation_id": 1}))
        .is(200);
}
