//! A store that dies, or hangs: reported plainly, in time, and over once it is back.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Setup, Shop, keys};

/// A server that keeps its tables in the engine of another one.
fn two_servers() -> (Shop, Shop) {
    let back = Setup::new().stored_inside().option("--dynamodb-port", "0");
    let mut back = back.start();
    let endpoint = back.announced("DynamoDB engine at");
    let front = Setup::new().stored_at(&endpoint).start();
    (back, front)
}

#[test]
fn a_missing_store_is_reported() {
    let (back, front) = two_servers();
    let (guest, customer) = (front.guest(), front.customer("unlucky"));
    customer.chat("libro 12").is(200);
    drop(back);

    let unavailable = [
        customer.chat("libro 12"),
        customer.search(&[("q", "tolkien")]),
        customer.get("/api/agent/status/"),
        customer.act("view_cart", json!({})),
        customer.act("reserve_book", json!({"book_id": 12})),
        customer.history(""),
        customer.call("POST", "/api/agent/history/").send(),
        customer.call("DELETE", "/api/agent/history/").send(),
        customer.add_message("user", "hola"),
        customer
            .call("POST", "/api/agent/actions/")
            .header("idempotency-key", "k1")
            .json(&json!({"action": "view_cart"}))
            .send(),
    ];
    for answer in unavailable {
        let message = answer.problem(503, "unavailable");
        assert_eq!(
            message,
            "Ahora mismo no puedo atenderte: inténtalo en unos segundos."
        );
    }

    // A guest only reads the catalogue, and the index still knows it.
    let body = guest.chat("una saga familiar con fantasmas").is(200);
    let trace = &body["trace"];
    assert_eq!(
        (
            &trace["degraded"],
            &trace["source"],
            keys(&body["results"], "autor").len()
        ),
        (&json!(true), &json!("vector"), 5)
    );
    let warning =
        json!(["Live price and stock could not be read; they are those of the index build"]);
    assert_eq!(trace["warnings"], warning);
    let caution = "\n- Ahora mismo no puedo asegurar que precios y existencias estén al día.";
    let message = body["message"].as_str().expect("a message");
    assert!(message.ends_with(caution), "{message}");
    let found = guest
        .search(&[("q", "saga familiar con fantasmas")])
        .is(200);
    assert_eq!(
        (&found["degraded"], &found["warnings"]),
        (&json!(true), &warning)
    );
    let looked_up = guest.chat("libro 12").is(200);
    assert_eq!(
        (
            &looked_up["results"][0]["libro_id"],
            &looked_up["trace"]["degraded"]
        ),
        (&json!(12), &json!(true))
    );
    guest.get("/healthz").is(200);
    guest.get("/openapi.json").is(200);
}

#[test]
fn a_store_that_hangs_times_out_and_recovers() {
    let (back, front) = two_servers();
    let customer = front.customer("patient");
    customer.chat("libro 12").is(200);
    let before = customer.history("").is(200);
    back.freeze();
    let begun = Instant::now();
    customer.history("").problem(503, "unavailable");
    customer.chat("¿sigues ahí?").problem(503, "unavailable");
    customer
        .add_message("user", "¿sigues ahí?")
        .problem(503, "unavailable");
    let took = begun.elapsed();
    assert!(
        took < Duration::from_secs(35),
        "three requests took {took:?}"
    );
    back.signal("CONT");

    // What was sent before may still arrive, once or never: the turn whole, the message by itself.
    std::thread::sleep(Duration::from_millis(500));
    let after = customer.history("").is(200);
    let roles = keys(&after["messages"], "role");
    let (before, after) = (contents(&before), contents(&after));
    assert_eq!(after[..2], before[..]);
    let allowed = [
        json!([]),
        json!(["user", "assistant"]),
        json!(["user"]),
        json!(["user", "assistant", "user"]),
        json!(["user", "user", "assistant"]),
    ];
    assert!(allowed.contains(&json!(roles[2..])), "{after:?}");
    let kept = customer.chat("libro 13").is(200);
    assert_eq!(kept["persist_history_confirmation"], true);
}

fn contents(history: &Value) -> Vec<Value> {
    keys(&history["messages"], "content")
}
