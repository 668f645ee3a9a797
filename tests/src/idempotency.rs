//! The same `Idempotency-Key` makes one effect, and the first answer is the only one.

use serde_json::{Value, json};

use crate::harness::{Answer, Caller, Setup, all_at_once, keys, shop};

const CHAT: &str = "/api/agent/";
const ACTIONS: &str = "/api/agent/actions/";
const MESSAGES: &str = "/api/agent/history/messages/";

fn keyed(caller: &Caller<'_>, path: &str, key: &str, body: &Value) -> Answer {
    caller
        .call("POST", path)
        .header("idempotency-key", key)
        .json(body)
        .send()
}

#[track_caller]
fn replayed(first: &Answer, repeated: &Answer) {
    assert_eq!(
        (repeated.status, &repeated.text),
        (first.status, &first.text)
    );
    assert_eq!(
        repeated.header("content-type"),
        first.header("content-type")
    );
    let marks = [first, repeated].map(|answer| answer.header("idempotent-replayed"));
    assert_eq!(marks, [None, Some("true")]);
}

/// A body each endpoint takes, and one that it does not.
fn requests() -> Vec<(&'static str, Value)> {
    vec![
        (CHAT, json!({"message": "libro 12", "trace": true})),
        (CHAT, json!({"message": " "})),
        (
            ACTIONS,
            json!({"action": "add_to_cart", "payload": {"book_id": 12}}),
        ),
        (
            ACTIONS,
            json!({"action": "add_to_cart", "payload": {"book_id": 999_999}}),
        ),
        (ACTIONS, json!({"action": "steal"})),
        ("/api/agent/history/", json!({})),
        (MESSAGES, json!({"role": "user", "content": "hola"})),
        (MESSAGES, json!({"role": "nobody", "content": "hola"})),
    ]
}

#[test]
fn the_first_answer_is_replayed_and_another_body_refused() {
    for (path, body) in requests() {
        let customer = shop().customer("replay");
        let first = keyed(&customer, path, "key-1", &body);
        let state = [
            customer.history("").text,
            customer.act("view_cart", json!({})).text,
        ];
        for _ in 0..3 {
            replayed(&first, &keyed(&customer, path, "key-1", &body));
        }
        let mut other = body.clone();
        other["more"] = json!(true);
        keyed(&customer, path, "key-1", &other).problem(422, "idempotency_mismatch");
        let now = [
            customer.history("").text,
            customer.act("view_cart", json!({})).text,
        ];
        assert_eq!(now, state, "{path} {body}");
    }
}

#[test]
fn a_key_is_its_owners_and_its_operations() {
    let (first, second) = (shop().customer("first"), shop().customer("second"));
    let hello = json!({"role": "user", "content": "hola"});
    let view = json!({"action": "view_cart"});
    for (customer, path, body) in [
        (&first, MESSAGES, &hello),
        (&second, MESSAGES, &hello),
        (&first, ACTIONS, &view),
        (&second, ACTIONS, &view),
    ] {
        let answer = keyed(customer, path, "shared-key", body);
        assert!([200, 201].contains(&answer.status), "{answer:?}");
        assert_eq!(answer.header("idempotent-replayed"), None);
    }
    // With and without the slash is the same operation.
    let repeated = keyed(&first, MESSAGES.trim_end_matches('/'), "shared-key", &hello);
    assert_eq!(repeated.header("idempotent-replayed"), Some("true"));
    // Without a key, or by another one, it is done again.
    first.add_message("user", "hola").is(201);
    keyed(&first, MESSAGES, "another-key", &hello).is(201);
    let contents = keys(&first.history("").is(200)["messages"], "content");
    assert_eq!(contents, ["hola", "hola", "hola"]);
}

#[test]
fn keys_are_visible_ascii() {
    let customer = shop().customer("keys");
    let hello = json!({"role": "user", "content": "hola"});
    let long = "k".repeat(256);
    for key in ["", " ", "two words", "tab\there", "ñ", long.as_str()] {
        keyed(&customer, MESSAGES, key, &hello).problem(400, "invalid_request");
    }
    let call = customer.call("POST", MESSAGES).json(&hello);
    let twice = call
        .header("idempotency-key", "a")
        .header("idempotency-key", "b")
        .send();
    twice.problem(400, "invalid_request");
    for key in ["!", "~", "#/../%2f", &long[..255]] {
        keyed(&customer, MESSAGES, key, &hello).is(201);
    }
    assert_eq!(
        customer.history("").is(200)["conversation"]["message_count"],
        4
    );
}

#[test]
fn a_guests_key_is_not_looked_at() {
    let guest = shop().guest();
    for message in ["libro 12", "libro 13", "libro 12"] {
        let answer = keyed(&guest, CHAT, "guest-key", &json!({"message": message}));
        assert_eq!(answer.header("idempotent-replayed"), None);
        let number: u64 = message[6..].parse().unwrap();
        assert_eq!(answer.is(200)["results"][0]["libro_id"], number);
    }
}

#[test]
fn a_key_used_from_twenty_places_has_one_effect() {
    let customer = shop().customer("twenty");
    for (path, body) in [
        (
            ACTIONS,
            json!({"action": "add_to_cart", "payload": {"book_id": 136}}),
        ),
        (CHAT, json!({"message": "libro 136"})),
        (MESSAGES, json!({"role": "user", "content": "una vez"})),
    ] {
        let answers = all_at_once(20, |_| keyed(&customer, path, "one-key", &body));
        let mut fresh = 0;
        for answer in &answers {
            if answer.status == 409 {
                answer.problem(409, "in_progress");
            } else {
                assert!([200, 201].contains(&answer.status), "{answer:?}");
                fresh += usize::from(answer.header("idempotent-replayed").is_none());
            }
        }
        assert_eq!(fresh, 1, "{path}");
    }
    let cart = customer.act("view_cart", json!({})).is(200);
    assert_eq!(keys(&cart["results"], "cantidad"), [1]);
    let roles = keys(&customer.history("").is(200)["messages"], "role");
    assert_eq!(roles, ["user", "assistant", "user"]);
}

#[test]
fn a_replay_is_not_charged() {
    let shop = Setup::new().set("AGENT_RATE_LIMIT_CHAT", "2/day").start();
    let customer = shop.customer("thrifty");
    let body = json!({"message": "libro 12"});
    let first = keyed(&customer, CHAT, "once", &body);
    first.is(200);
    for _ in 0..5 {
        replayed(&first, &keyed(&customer, CHAT, "once", &body));
    }
    keyed(&customer, CHAT, "twice", &body).is(200);
    keyed(&customer, CHAT, "thrice", &body).problem(429, "rate_limited");
    replayed(&first, &keyed(&customer, CHAT, "once", &body));
}

#[test]
fn a_refusal_for_haste_is_not_remembered() {
    let shop = Setup::new().set("AGENT_RATE_LIMIT_HISTORY", "1/s").start();
    let customer = shop.customer("hasty");
    let hello = json!({"role": "user", "content": "hola"});
    // Until one of them meets a window that is used up.
    let refused = (0..100)
        .map(|index| format!("key-{index}"))
        .find(|key| keyed(&customer, MESSAGES, key, &hello).status == 429)
        .expect("one request a second is not enough for a hundred");
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let later = keyed(&customer, MESSAGES, &refused, &hello);
    assert_eq!(
        (later.status, later.header("idempotent-replayed")),
        (201, None),
        "{later:?}"
    );
}
