//! Fields that hold what they should not.

use serde_json::{Value, json};

use super::{ACTIONS, CHAT, FILES, HISTORY, MESSAGES, SDK, STREAM, without_a_trace};
use crate::harness::{check_laws, stream_events};

/// Values that are wrong for a text, an id and a number alike.
fn wrong_types() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!(["x"]),
        json!({"$ne": 1}),
        json!(-0.5),
    ]
}

#[test]
fn ids_that_are_none() {
    let mut ids = wrong_types();
    ids.extend([
        json!(-1),
        json!(0),
        json!(9_007_199_254_740_993_u64),
        json!(u64::MAX),
        json!(1e300),
        json!(1.5),
    ]);
    for text in [
        "",
        " ",
        "-1",
        "0",
        "1.0",
        "1e0",
        "+1",
        "0x1",
        "1#1",
        "1/1",
        "../1",
        "..",
        "%31",
        "1%2f",
        "1\0",
        "1 ",
        "١",
        "1;1",
        "' OR 1=1",
        "1\n",
        "99999999999999999999999",
        "default#ana",
        "00000001#000000000001",
        "𝟏",
        "\u{202e}1",
        "1\u{200b}",
    ] {
        ids.push(json!(text));
    }
    let actions = [
        ("add_to_cart", "book_id", "book_not_found"),
        ("remove_from_cart", "book_id", "book_not_found"),
        ("reserve_book", "book_id", "book_not_found"),
        (
            "cancel_reservation",
            "reservation_id",
            "reservation_not_found",
        ),
        ("order_status", "order_id", "order_not_found"),
        ("cancel_order", "order_id", "order_not_found"),
        ("forget", "note_id", "note_not_found"),
    ];
    without_a_trace("ids", 193, |customer| {
        for (action, name, code) in actions {
            for id in &ids {
                let answer = customer.act(action, json!({name: id}));
                assert_eq!(
                    (answer.status, answer.code().as_str()),
                    (400, code),
                    "{action} {id}"
                );
                answer.has_nothing_internal();
            }
            let huge = format!("{{\"action\": \"{action}\", \"payload\": {{\"{name}\": 1e400}}}}");
            customer
                .call("POST", ACTIONS)
                .body(huge)
                .send()
                .problem(400, "invalid_request");
        }
        actions.len() * (ids.len() + 1)
    });
}

#[test]
fn fields_of_the_wrong_type() {
    without_a_trace("fields", 198, |customer| {
        let mut tried = 0;
        let mut refused = |path: &str, body: Value, code: &str| {
            customer.post(path, &body).problem(400, code);
            tried += 1;
        };
        for wrong in wrong_types() {
            for path in [CHAT, STREAM] {
                refused(path, json!({"message": wrong}), "invalid_request");
            }
            let in_parts = json!([{"role": "user", "parts": wrong}]);
            for messages in [
                &wrong,
                &json!([wrong]),
                &json!([{"role": wrong}]),
                &in_parts,
            ] {
                refused(SDK, json!({"messages": messages}), "invalid_request");
            }
            refused(ACTIONS, json!({"action": wrong}), "invalid_request");
            refused(
                MESSAGES,
                json!({"role": wrong, "content": "hola"}),
                "invalid_role",
            );
            refused(
                MESSAGES,
                json!({"role": "user", "content": wrong}),
                "invalid_content",
            );
            if !wrong.is_null() && !wrong.is_object() {
                refused(
                    ACTIONS,
                    json!({"action": "clear_cart", "payload": wrong}),
                    "invalid_request",
                );
                refused(
                    MESSAGES,
                    json!({"role": "user", "content": "x", "meta": wrong}),
                    "invalid_request",
                );
            }
        }
        let large = json!({"x": "x".repeat(9_000)});
        refused(
            MESSAGES,
            json!({"role": "user", "content": "x", "meta": large}),
            "invalid_request",
        );
        for action in [
            "clear_cart\0",
            "clear_cart ",
            "Clear_Cart",
            "clear_cart#1",
            "../clear_cart",
            "clear_cart\u{200b}",
        ] {
            refused(ACTIONS, json!({"action": action}), "invalid_action");
        }
        tried
    });
}

#[test]
fn hints_fall_back_whatever_they_hold() {
    let deep = (0..100).fold(json!(1), |inside, _| json!([inside]));
    let more = [deep, json!("\0\u{202e}"), json!(1e300), json!(-1)];
    let values: Vec<Value> = wrong_types().into_iter().chain(more).collect();
    let hints = [
        "k",
        "prefer_vector",
        "use_llm",
        "trace",
        "conversation",
        "model",
        "enable_thinking",
        "attachments",
        "enable_auto_semantic_search",
        "thinking_budget",
        "assistant",
    ];
    without_a_trace("hints", 208, |customer| {
        for hint in hints {
            for value in &values {
                let mut body = json!({"message": "libro 12", "save_history": false});
                body[hint] = value.clone();
                let answer = customer.post(CHAT, &body).is(200);
                assert_eq!(answer["results"][0]["libro_id"], 12, "{body}");
                check_laws(&stream_events(&customer.post(STREAM, &body)), false);
            }
        }
        2 * hints.len() * values.len()
    });
}

#[test]
fn documents_that_are_none() {
    let good = json!({"name": "lista.txt", "media_type": "text/plain", "size_bytes": 4});
    let names = [
        "",
        " ",
        ".",
        "..",
        "/",
        "lista.txt/",
        "\\",
        "\0",
        "\u{202e}",
        "…",
        "<>",
    ];
    let long = "a".repeat(81);
    let kinds = [
        "",
        "text",
        "text/html",
        "TEXT/PLAIN\0",
        "text/plain; charset=utf-8",
        "application/x-pdf",
        "image/png",
    ];
    let sizes = [
        json!("4"),
        json!(0),
        json!(-4),
        json!(4.5),
        json!(1e300),
        json!(u64::MAX),
    ];
    let texts = |texts: &[&str]| texts.iter().map(|text| json!(text)).collect::<Vec<_>>();
    let fields = [
        ("name", texts(&[&names[..], &[long.as_str()]].concat())),
        ("media_type", texts(&kinds)),
        ("size_bytes", sizes.to_vec()),
    ];
    without_a_trace("documents", 207, |customer| {
        let mut tried = 0;
        for (field, values) in &fields {
            for value in wrong_types().iter().chain(values) {
                let mut body = good.clone();
                body[field] = value.clone();
                let answer = customer.post(FILES, &body);
                let code = answer.code();
                let expected = if code == "file_too_large" { 413 } else { 400 };
                assert!(
                    ["invalid_file", "file_too_large"].contains(&code.as_str()),
                    "{body} {code}"
                );
                answer.problem(expected, &code);
                tried += 1;
            }
        }
        // A name that is somebody's path is one that stays where it is put.
        for name in [
            "../../etc/passwd",
            "C:\\windows\\win.ini",
            "a\r\nx: y",
            "<img src=x onerror=alert(1)>.txt",
            "%2e%2e%2fx",
        ] {
            let mut body = good.clone();
            body["name"] = json!(name);
            let made = customer.post(FILES, &body).is(201);
            let kept_name = made["file"]["name"].as_str().expect("a name");
            assert!(
                !kept_name.contains(['/', '\\', '<', '\r', '\n', '%']),
                "{kept_name}"
            );
            let id = made["file"]["file_id"].as_str().expect("an id");
            customer
                .call("DELETE", &format!("{FILES}{id}/"))
                .send()
                .is(204);
            tried += 1;
        }
        tried
    });
}

#[test]
fn places_that_are_nowhere() {
    let ids = [
        "0",
        "-1",
        "1%00",
        "%2E%2E%2F1",
        "..%5c1",
        "%c0%ae",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "0198f0c0-0000-7000-8000-000000000000",
        "%7B0198f0c0-0000-7000-8000-000000000000%7D",
        "' OR 1=1",
        "%F0%9F%98%80",
        "99999999999999999999999",
    ];
    let long = "a".repeat(2_000);
    let places = [
        ("GET", FILES, ""),
        ("POST", FILES, ""),
        ("DELETE", FILES, ""),
        ("GET", STREAM, ""),
        ("DELETE", STREAM, ""),
        ("PATCH", HISTORY, "rating/"),
    ];
    without_a_trace("places", 209, |customer| {
        for id in ids.iter().copied().chain([long.as_str()]) {
            for (method, before, after) in places {
                let call = customer.call(method, &format!("{before}{id}/{after}"));
                let answer = call.json(&json!({"rating": 1})).send();
                answer.problem(404, "not_found");
            }
        }
        (ids.len() + 1) * places.len()
    });
}
