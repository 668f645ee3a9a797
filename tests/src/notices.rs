//! The notice that a machine answers comes on every surface, once a conversation; and who may know how an answer came about.

use serde_json::{Value, json};

use crate::harness::{Caller, Setup, Shop, in_seconds, of, shop, signed, stream_events};

const NOTICE: &str =
    "Te responde un asistente automático; los precios y las existencias son los del catálogo.";

fn body() -> Value {
    json!({"message": "libro 12", "trace": true})
}

/// The notice of a question's answer, whole.
fn whole(caller: &Caller) -> Value {
    caller.post("/api/agent/", &body()).is(200)["notice"].clone()
}

/// The same as it comes; and the turn's number.
fn streamed(caller: &Caller) -> (Value, String) {
    let events = stream_events(&caller.post("/api/agent/stream", &body()));
    let start = of(&events, "session_start")[0];
    let turn = start["turn_id"].as_str().expect("a number").to_owned();
    (start["notice"].clone(), turn)
}

#[test]
fn the_machine_notice_comes_once_a_conversation() {
    let customer = shop().customer("noticing");
    assert_eq!(whole(&customer), NOTICE);
    assert_eq!(whole(&customer), Value::Null);
    let (notice, turn) = streamed(&customer);
    assert_eq!(notice, Value::Null);
    let repeated = stream_events(&customer.get(&format!("/api/agent/stream/{turn}")));
    assert_eq!(repeated[0]["notice"], Value::Null);
    // Another conversation, empty so far.
    customer
        .call("DELETE", "/api/agent/history/")
        .send()
        .is(200);
    customer.post("/api/agent/history/", &json!({})).is(201);
    let (notice, turn) = streamed(&customer);
    assert_eq!(notice, NOTICE);
    let repeated = stream_events(&customer.get(&format!("/api/agent/stream/{turn}")));
    assert_eq!(repeated[0]["notice"], NOTICE);
    assert_eq!(whole(&customer), Value::Null);
    // Nothing is known of a guest's conversation; in the language that they read.
    let guest = shop().guest();
    for _ in 0..2 {
        assert_eq!(
            (whole(&guest), streamed(&guest).0),
            (json!(NOTICE), json!(NOTICE))
        );
    }
    let english = guest.call("POST", "/api/agent/").json(&body());
    let english = english.header("accept-language", "en").send().is(200);
    let notice = english["notice"].as_str().expect("a notice");
    assert!(notice.contains("automated assistant"), "{notice}");
}

/// Whether answers of every kind have a trace.
fn is_traced(caller: &Caller) -> bool {
    let whole = caller.post("/api/agent/", &body()).is(200);
    let events = stream_events(&caller.post("/api/agent/stream", &body()));
    let mut answers = vec![whole, of(&events, "message")[0].clone()];
    if caller.token.is_some() {
        let request = json!({"action": "view_cart", "trace": true});
        answers.push(caller.post("/api/agent/actions/", &request).is(200));
    }
    let traced = answers.iter().filter(|answer| answer["trace"].is_object());
    let traced = traced.count();
    assert!(traced == 0 || traced == answers.len(), "{answers:?}");
    traced > 0
}

fn with_role<'a>(shop: &'a Shop, role: &Value) -> Caller<'a> {
    let claims = json!({"sub": "works-here", "exp": in_seconds(3_600), "role": role});
    shop.bearer("works-here", &signed(&claims))
}

#[test]
fn a_trace_is_for_whom_the_shop_lets_have_it() {
    for (setting, others, staffs) in [
        (Some("off"), false, false),
        (Some("staff"), false, true),
        (Some("all"), true, true),
        // On one's own machine.
        (None, true, true),
    ] {
        let setup = Setup::new();
        let shop = match setting {
            Some(setting) => setup.set("AGENT_TRACE", setting).start(),
            None => setup.start(),
        };
        for other in [
            shop.guest(),
            shop.customer("curious"),
            with_role(&shop, &json!("customer")),
            with_role(&shop, &json!({"staff": true})),
        ] {
            assert_eq!(is_traced(&other), others, "{setting:?} {}", other.name);
        }
        for role in [json!("staff"), json!(["buyer", "staff"])] {
            assert_eq!(
                is_traced(&with_role(&shop, &role)),
                staffs,
                "{setting:?} {role}"
            );
        }
    }
}
