//! Hints: what is understood, how it is brought into range, and the warning where it is not understood.

use serde_json::{Value, json};

use crate::harness::shop;

/// A question that meaning answers.
const QUESTION: &str = "una saga familiar con fantasmas";
/// A filter that more than twenty books pass.
const FILTER: &str = "categoria: novela";

/// The answer to a question with this member added.
fn with(message: &str, name: &str, value: &Value) -> Value {
    let mut request = json!({"message": message, "trace": true});
    request[name] = value.clone();
    shop().guest().post("/api/agent/", &request).is(200)
}

#[test]
fn k_is_clamped_and_nonsense_is_five() {
    let unread = json!(["k: not a number, 5 is used"]);
    for (k, expected, warnings) in [
        (json!(7), 7, json!([])),
        (json!("7"), 7, json!([])),
        (json!(0), 1, json!([])),
        (json!(-3), 1, json!([])),
        (json!(21), 20, json!([])),
        (json!(1e300), 20, json!([])),
        (json!("siete"), 5, unread.clone()),
        (json!([7]), 5, unread.clone()),
        (json!({"k": 7}), 5, unread.clone()),
        (json!(true), 5, unread),
    ] {
        let body = with(FILTER, "k", &k);
        let count = body["results"].as_array().unwrap().len();
        let trace = &body["trace"];
        assert_eq!(
            (&trace["k"], count, &trace["warnings"]),
            (&json!(expected), expected, &warnings),
            "{k}"
        );
    }
    for (k, expected, warnings) in [
        ("7", 7, json!([])),
        ("", 5, json!([])),
        ("0", 1, json!([])),
        ("-3", 1, json!([])),
        ("99999999999999999999", 20, json!([])),
        ("siete", 5, json!(["k: not understood, ignored"])),
    ] {
        let body = shop()
            .guest()
            .search(&[("categoria", "novela"), ("k", k)])
            .is(200);
        let count = body["results"].as_array().unwrap().len();
        assert_eq!(
            (&body["k"], count, &body["warnings"]),
            (&json!(expected), expected, &warnings),
            "{k}"
        );
    }
}

#[test]
fn booleans_are_written_in_many_ways() {
    let yes = [
        json!(true),
        json!(1),
        json!("1"),
        json!("true"),
        json!("yes"),
        json!("on"),
        json!("YES"),
    ];
    let no = [
        json!(false),
        json!(0),
        json!("0"),
        json!("false"),
        json!("no"),
        json!("off"),
    ];
    let traced = yes
        .iter()
        .map(|v| (v, true))
        .chain(no.iter().map(|v| (v, false)));
    for (written, traced) in traced {
        let request = json!({"message": QUESTION, "trace": written});
        let body = shop().guest().post("/api/agent/", &request).is(200);
        assert_eq!(body.get("trace").is_some(), traced, "trace: {written}");
        let source = &with(QUESTION, "prefer_vector", written)["trace"]["source"];
        assert_eq!(
            source,
            if traced { "vector" } else { "keyword" },
            "prefer_vector: {written}"
        );
    }
}

#[test]
fn hints_of_the_wrong_type_fall_back_with_a_warning() {
    for (name, value, warning) in [
        (
            "prefer_vector",
            json!("quizás"),
            "prefer_vector: not a boolean, true is used",
        ),
        ("use_llm", json!(7), "use_llm: not a boolean, true is used"),
        (
            "save_history",
            json!([]),
            "save_history: not a boolean, true is used",
        ),
        (
            "conversation",
            json!("x"),
            "conversation: not a conversation's number, the active one is used",
        ),
        (
            "conversation",
            json!(-1),
            "conversation: not a conversation's number, the active one is used",
        ),
        (
            "conversation",
            json!(1.5),
            "conversation: not a conversation's number, the active one is used",
        ),
        (
            "model",
            json!({}),
            "model: not a model's name, the configured one is used",
        ),
    ] {
        let trace = &with(QUESTION, name, &value)["trace"];
        assert_eq!(
            (&trace["warnings"], &trace["k"], &trace["source"]),
            (&json!([warning]), &json!(5), &json!("vector")),
            "{name}: {value}"
        );
    }
    let trace = &with(QUESTION, "a_field_from_the_future", &json!({"x": [1]}))["trace"];
    assert_eq!(trace["warnings"], json!([]));
}

#[test]
fn invalid_search_parameters_are_reported() {
    for (name, value) in [
        ("prefer_vector", "quizás"),
        ("disponible", "a veces"),
        ("precio_min", "-1"),
        ("precio_max", "barato"),
        ("precio_max", "1e400"),
        ("similar_to", "0"),
        ("similar_to", "-5"),
        ("similar_to", "5#6"),
        ("similar_to", "99999999999999999999"),
    ] {
        let body = shop()
            .guest()
            .search(&[("q", QUESTION), (name, value)])
            .is(200);
        let count = body["results"].as_array().unwrap().len();
        assert_eq!(
            (&body["warnings"], count),
            (&json!([format!("{name}: not understood, ignored")]), 5),
            "{name}: {value}"
        );
    }
}

#[test]
fn null_is_as_good_as_nothing() {
    for name in [
        "k",
        "prefer_vector",
        "use_llm",
        "save_history",
        "conversation",
        "model",
    ] {
        let trace = &with(QUESTION, name, &json!(null))["trace"];
        assert_eq!(trace["warnings"], json!([]), "{name}");
    }
}
