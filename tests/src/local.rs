//! What only the local product answers: whether it is up, and tokens for trying it out.

use serde_json::json;

use crate::harness::{Setup, local_only, shop};

const NEED: &str = "what only the local product answers";

#[test]
fn readiness_is_printed() {
    local_only(NEED);
    let build = shop().customer("curious").get("/api/agent/status/").is(200)["retrieval"].clone();
    let expected = json!({"status": "ok", "index": build["build_id"], "items": 374, "dev": true});
    assert_eq!(shop().guest().get("/healthz").seen(&[]), (200, expected));
    assert_eq!(
        (&build["vector_ready"], &build["items"]),
        (&json!(true), &json!(374))
    );
}

#[test]
fn anybody_on_this_machine_may_try_it_out() {
    local_only(NEED);
    let guest = shop().guest();
    let name = shop().customer("demo").name;
    let given = guest.post("/dev/token", &json!({"sub": name})).is(200);
    let customer = shop().bearer(&name, given["token"].as_str().expect("a token"));
    customer.chat("libro 12").is(200);
    assert_eq!(customer.history("").is(200)["conversation"]["user"], name);
    for body in [
        json!({}),
        json!({"sub": ""}),
        json!({"sub": 7}),
        json!({"sub": "x".repeat(101)}),
        json!([]),
    ] {
        let refused = guest.post("/dev/token", &body);
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (400, "invalid_request"),
            "{body}"
        );
        refused.has_nothing_internal();
    }
    guest.get("/dev/token").problem(404, "not_found");
}

#[test]
fn nobody_elsewhere_may() {
    let shop = Setup::new().option("--host", "0.0.0.0").start();
    let guest = shop.guest();
    guest
        .post("/dev/token", &json!({"sub": "ana"}))
        .problem(404, "not_found");
    assert_eq!(guest.get("/healthz").is(200)["dev"], false);
    guest.chat("libro 12").is(200);
}
