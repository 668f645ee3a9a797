//! Fields that hold what they should not.

use serde_json::{Value, json};

use super::{POSTS, without_a_trace};

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
                answer.shows_nothing_internal();
            }
            let huge = format!("{{\"action\": \"{action}\", \"payload\": {{\"{name}\": 1e400}}}}");
            customer
                .call("POST", POSTS[1])
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
            refused(POSTS[0], json!({"message": wrong}), "invalid_request");
            refused(POSTS[1], json!({"action": wrong}), "invalid_request");
            refused(
                POSTS[3],
                json!({"role": wrong, "content": "hola"}),
                "invalid_role",
            );
            refused(
                POSTS[3],
                json!({"role": "user", "content": wrong}),
                "invalid_content",
            );
            if !wrong.is_null() && !wrong.is_object() {
                refused(
                    POSTS[1],
                    json!({"action": "clear_cart", "payload": wrong}),
                    "invalid_request",
                );
                refused(
                    POSTS[3],
                    json!({"role": "user", "content": "x", "meta": wrong}),
                    "invalid_request",
                );
            }
        }
        let deep = (0..100).fold(json!(1), |inside, _| json!([inside]));
        let large = json!({"x": "x".repeat(9_000)});
        refused(
            POSTS[3],
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
            refused(POSTS[1], json!({"action": action}), "invalid_action");
        }
        // Hints fall back, whatever they hold.
        for hint in [
            "k",
            "prefer_vector",
            "use_llm",
            "trace",
            "conversation",
            "model",
            "thinking_budget",
            "assistant",
        ] {
            for value in wrong_types().into_iter().chain([
                deep.clone(),
                json!("\0\u{202e}"),
                json!(1e300),
                json!(-1),
            ]) {
                let mut body = json!({"message": "libro 12", "save_history": false});
                body[hint] = value;
                let answer = customer.post(POSTS[0], &body).is(200);
                assert_eq!(answer["results"][0]["libro_id"], 12, "{body}");
                tried += 1;
            }
        }
        tried
    });
}
