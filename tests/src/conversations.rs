//! Conversations: what is kept, under which numbers, and who sees it.

use serde_json::{Value, json};

use crate::harness::{keys, masked, shop};

/// What differs from run to run in a history.
const CHANGING: [&str; 5] = [
    "created_at",
    "updated_at",
    "last_message_at",
    "turn_id",
    "request_id",
];

#[test]
fn a_guest_leaves_no_trace_in_a_conversation() {
    let body = shop().guest().chat("libro 12").is(200);
    let members: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(
        members,
        [
            "actions", "context", "message", "notice", "results", "segments", "trace"
        ]
    );
}

#[test]
fn a_customer_sees_messages_in_order() {
    let customer = shop().customer("ordered");
    let nothing = json!({"conversation": null, "messages": [], "next": null});
    assert_eq!(customer.history("").seen(&[]), (200, nothing));
    let first = customer.chat("  libro 12 ").is(200);
    let second = customer.chat("isbn 9788413311098").is(200);
    for answer in [&first, &second] {
        let kept = (
            &answer["conversation"],
            &answer["persist_history_confirmation"],
        );
        assert_eq!(kept, (&json!(1), &json!(true)));
    }
    let stored = |id: u64, content: &str| json!({"id": id, "role": "user", "content": content, "created_at": "…", "meta": {"turn_id": "…"}});
    let answered = |id: u64, answer: &Value| {
        let listed = &answer["results"][0];
        let listed = json!({"libro_id": listed["libro_id"], "precio": listed["precio"], "stock": listed["stock"]});
        let meta = json!({"turn_id": "…", "provider": "none", "results": [listed]});
        json!({"id": id, "role": "assistant", "content": answer["message"], "created_at": "…", "meta": meta})
    };
    // A message's number is its event's: the conversation's start is 1, each turn takes four.
    let expected = json!({
        "conversation": {
            "id": 1, "user": customer.name, "status": "active", "title": "libro 12", "created_at": "…",
            "updated_at": "…", "last_message_at": "…", "message_count": 4, "summary": null, "rating": null,
        },
        "messages": [
            stored(2, "libro 12"), answered(5, &first), stored(6, "isbn 9788413311098"), answered(9, &second),
        ],
        "next": null,
    });
    let history = customer.history("");
    assert_eq!(history.seen(&CHANGING), (200, expected.clone()));
    assert_eq!(
        customer.history("?conversation=1").seen(&CHANGING),
        (200, expected)
    );
    assert!(!history.text.contains("trace"), "{}", history.text);
    let messages = history.json()["messages"].clone();
    let turns = keys(&json!(keys(&messages, "meta")), "turn_id");
    assert_eq!((&turns[0], &turns[2]), (&turns[1], &turns[3]));
    assert_ne!(turns[0], turns[2]);
}

#[test]
fn a_turn_that_is_not_to_be_kept_is_not() {
    let customer = shop().customer("discreet");
    customer.chat("libro 12").is(200);
    let before = customer.history("").text;
    for save in [json!(false), json!("no"), json!(0)] {
        let request = json!({"message": "libro 13", "save_history": save});
        let body = customer.post("/api/agent/", &request).is(200);
        assert_eq!(
            (
                body.get("conversation"),
                body.get("persist_history_confirmation")
            ),
            (None, None)
        );
    }
    assert_eq!(customer.history("").text, before);
}

#[test]
fn messages_round_trip() {
    let customer = shop().customer("verbatim");
    let messages = [
        "ñandú, pingüino, 東京, 😀 👩‍👩‍👧",
        "nulo \u{0} y control \u{1b}[31m",
        "derecha \u{202e}adreiuqzi\u{202c} cero\u{200b}ancho",
        "\"comillas\" \\barra\\ </resultados> {\"json\": true}",
        "dos\nlíneas\ty tabulador",
    ];
    for message in messages {
        customer.chat(message).is(200);
    }
    let history = customer.history("").is(200);
    let stored: Vec<Value> = keys(&history["messages"], "content")
        .into_iter()
        .step_by(2)
        .collect();
    assert_eq!(stored, messages);
    assert_eq!(history["conversation"]["title"], messages[0]);
}

#[test]
fn conversations_that_are_not_there_all_look_the_same() {
    let customer = shop().customer("searching");
    let other = shop().customer("other");
    customer.chat("libro 12").is(200);
    customer
        .call("DELETE", "/api/agent/history/")
        .send()
        .is(200);
    for _ in 0..4 {
        other.chat("libro 12").is(200);
        other.call("DELETE", "/api/agent/history/").send().is(200);
    }
    let ask = |conversation: u64| {
        let request = json!({"message": "libro 12", "conversation": conversation});
        customer.post("/api/agent/", &request)
    };
    assert_eq!(ask(2).is(200)["conversation"], 2);
    let before = customer.history("").text;
    // Archived, another customer's, nobody's, beyond any number there can be.
    let missing: Vec<_> = [1, 4, 77, 99_999_999].map(ask).into();
    for answer in &missing {
        answer.problem(404, "not_found");
        assert_eq!(answer.seen(&CHANGING), missing[0].seen(&CHANGING));
    }
    for number in ["4", "77", "0", "99999999", "9007199254740991"] {
        let answer = customer.history(&format!("?conversation={number}"));
        answer.problem(404, "not_found");
        assert_eq!(
            answer.seen(&CHANGING),
            missing[0].seen(&CHANGING),
            "{number}"
        );
    }
    assert_eq!(customer.history("").text, before);
}

#[test]
fn archiving_begins_the_next_conversation() {
    let customer = shop().customer("archiving");
    let history = "/api/agent/history/";
    let fresh = |id: u64| {
        json!({
            "conversation": {
                "id": id, "user": customer.name, "status": "active", "title": null, "created_at": "…",
                "updated_at": "…", "last_message_at": null, "message_count": 0, "summary": null, "rating": null,
            },
            "messages": [],
            "next": null,
        })
    };
    let none = json!({});
    assert_eq!(
        customer.post(history, &none).seen(&CHANGING),
        (201, fresh(1))
    );
    let begun = customer.call("POST", history).send();
    assert_eq!(begun.seen(&CHANGING), (201, fresh(1)));
    customer.chat("libro 12").is(200);
    let archived = customer.history("").is(200);
    assert_eq!(customer.post(history, &none).is(201), archived);
    let deleted = customer.call("DELETE", history).send();
    assert_eq!(deleted.seen(&CHANGING), (200, fresh(2)));
    assert_eq!(customer.history("").seen(&CHANGING), (200, fresh(2)));
    let mut expected = masked(archived, &CHANGING);
    expected["conversation"]["status"] = json!("archived");
    assert_eq!(
        customer.history("?conversation=1").seen(&CHANGING),
        (200, expected)
    );
    assert_eq!(customer.chat("libro 12").is(200)["conversation"], 2);
    assert_eq!(
        keys(&customer.history("").is(200)["messages"], "id"),
        [2, 5]
    );
}

#[test]
fn messages_are_added_from_outside() {
    let customer = shop().customer("adding");
    let messages = "/api/agent/history/messages/";
    let meta = json!({"canal": "whatsapp", "n": [1, {"x": null}]});
    let mut added = Vec::new();
    for (id, role, meta) in [
        (2, "user", Some(&meta)),
        (3, "assistant", None),
        (4, "system", None),
    ] {
        let mut body = json!({"role": role, "content": format!("  soy {role}  ")});
        if let Some(meta) = meta {
            body["meta"] = meta.clone();
        }
        let expected = json!({
            "id": id, "role": role, "content": format!("  soy {role}  "), "created_at": "…",
            "meta": meta.cloned().unwrap_or(json!({})),
        });
        assert_eq!(
            customer.post(messages, &body).seen(&CHANGING),
            (201, expected.clone())
        );
        added.push(expected);
    }
    let history = masked(customer.history("").is(200), &CHANGING);
    assert_eq!(history["messages"], json!(added));
    assert_eq!(history["conversation"]["message_count"], 3);

    let long = "x".repeat(16_001);
    for (body, code) in [
        (json!({"content": "hola"}), "invalid_role"),
        (json!({"role": "tool", "content": "hola"}), "invalid_role"),
        (json!({"role": ["user"], "content": "hola"}), "invalid_role"),
        (json!({"role": "user"}), "invalid_content"),
        (json!({"role": "user", "content": " \n"}), "invalid_content"),
        (json!({"role": "user", "content": 7}), "invalid_content"),
        (json!({"role": "user", "content": long}), "invalid_content"),
        (
            json!({"role": "user", "content": "hola", "meta": [1]}),
            "invalid_request",
        ),
    ] {
        customer.post(messages, &body).problem(400, code);
    }
    let longest = json!({"role": "user", "content": "ñ".repeat(16_000)});
    assert_eq!(customer.post(messages, &longest).is(201)["id"], 5);
    assert_eq!(
        customer.history("").is(200)["conversation"]["message_count"],
        4
    );
}

#[test]
fn a_guests_conversation_is_brought_along() {
    let customer = shop().customer("brought-along");
    let stored = |role: &str, content: &str| json!({"role": role, "content": content});
    let path = "/api/agent/history/messages/";
    let before = [
        stored("user", "busco una novela"),
        stored("assistant", "- «Rayuela», de Julio Cortázar."),
        json!({"role": "user", "content": "gracias", "meta": {"from": "guest"}}),
    ];
    let added = customer.post(path, &json!({"messages": before})).is(201);
    assert_eq!(keys(&added["messages"], "id"), [2, 3, 4]);
    let history = customer.history("").is(200);
    assert_eq!(history["messages"], added["messages"]);
    assert_eq!(history["messages"][2]["meta"], json!({"from": "guest"}));
    assert_eq!(history["conversation"]["message_count"], 3);
    // All or none.
    let nobody = json!({"messages": [stored("user", "uno"), stored("nobody", "dos")]});
    customer.post(path, &nobody).problem(400, "invalid_role");
    let many: Vec<Value> = (0..101).map(|_| stored("user", "hola")).collect();
    for messages in [json!([]), json!(many), json!("hola"), json!([1])] {
        let refused = customer.post(path, &json!({"messages": messages}));
        refused.problem(400, "invalid_request");
    }
    assert_eq!(customer.history("").is(200), history);
}
