//! Hostile input on every endpoint and every field: refused in the stable shape, and without a trace.

mod bodies;
mod fields;
mod texts;

use serde_json::json;

use crate::harness::{Caller, shop};

const POSTS: [&str; 4] = [
    "/api/agent/",
    "/api/agent/actions/",
    "/api/agent/history/",
    "/api/agent/history/messages/",
];

/// Everything of a customer that could change, and the stock of the book they have to do with.
fn everything(customer: &Caller<'_>, libro_id: u64) -> Vec<String> {
    let mut all = vec![
        customer.history("?limit=500").text,
        customer.stock(libro_id).to_string(),
    ];
    for action in ["view_cart", "list_reservations", "list_orders"] {
        all.push(customer.act(action, json!({})).text);
    }
    all
}

/// A customer with something to lose: a conversation, an order, a reservation and a cart, all of one book.
fn established(libro_id: u64) -> Caller<'static> {
    let customer = shop().customer("established");
    customer.chat("libro 12").is(200);
    for (action, payload) in [
        ("add_to_cart", json!({"book_id": libro_id})),
        ("checkout", json!({})),
        ("reserve_book", json!({"book_id": libro_id})),
        ("add_to_cart", json!({"book_id": libro_id, "cantidad": 2})),
    ] {
        customer.act(action, payload).is(200);
    }
    customer
}

/// Runs the attempts, checks that nothing has changed, and that the next good request works. Each harness has a book of
/// its own, whose stock nobody else moves.
#[track_caller]
fn without_a_trace(what: &str, libro_id: u64, attempts: impl FnOnce(&Caller<'_>) -> usize) {
    let customer = established(libro_id);
    let before = everything(&customer, libro_id);
    let tried = attempts(&customer);
    for (before, after) in before.iter().zip(&everything(&customer, libro_id)) {
        assert_eq!(after, before, "something has changed");
    }
    customer.chat("libro 12").is(200);
    customer
        .act("remove_from_cart", json!({"book_id": libro_id}))
        .is(200);
    println!("hostile input, {what}: {tried} attempts, 0 5xx, 0 changes");
}
