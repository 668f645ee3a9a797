//! Hostile input on every endpoint and every field: refused in the stable shape, and without a trace.

mod bodies;
mod fields;
mod texts;

use serde_json::json;

use crate::harness::{Caller, shop};

const CHAT: &str = "/api/agent/";
const STREAM: &str = "/api/agent/stream/";
const SDK: &str = "/api/agent/stream/?dialect=ai-sdk";
const ACTIONS: &str = "/api/agent/actions/";
const HISTORY: &str = "/api/agent/history/";
const MESSAGES: &str = "/api/agent/history/messages/";
const FILES: &str = "/api/agent/files/";

const POSTS: [&str; 7] = [CHAT, STREAM, SDK, ACTIONS, HISTORY, MESSAGES, FILES];
/// Those that do nothing without a body.
const NEEDED: [&str; 6] = [CHAT, STREAM, SDK, ACTIONS, MESSAGES, FILES];

/// Everything of a customer that could change, and the stock of the book they have to do with.
fn everything(customer: &Caller<'_>, libro_id: u64) -> Vec<String> {
    let mut all = vec![
        customer.history("?limit=500").text,
        customer.stock(libro_id).to_string(),
        customer.get(FILES).text,
    ];
    for action in [
        "view_cart",
        "list_reservations",
        "list_orders",
        "view_profile",
    ] {
        all.push(customer.act(action, json!({})).text);
    }
    all
}

/// A customer with something to lose: a conversation, a document, and an order, a reservation and a cart of one book.
fn established(libro_id: u64) -> Caller<'static> {
    let customer = shop().customer("established");
    customer.chat("libro 12").is(200);
    let document = json!({"name": "lista.txt", "media_type": "text/plain", "size_bytes": 4});
    customer.post(FILES, &document).is(201);
    for (action, payload) in [
        ("add_to_cart", json!({"book_id": libro_id})),
        ("checkout", json!({})),
        ("reserve_book", json!({"book_id": libro_id})),
        ("add_to_cart", json!({"book_id": libro_id, "cantidad": 2})),
        ("remember", json!({"text": "leo en inglés"})),
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
