//! The machine-readable contract, held against real answers.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::harness::{Answer, local_only, shop};

fn document() -> Value {
    shop().guest().get("/openapi.json").is(200)
}

#[test]
fn it_lists_exactly_the_routes() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["info"]["title"], "Mostrador");
    let listed: BTreeMap<&str, Vec<&str>> = document["paths"]
        .as_object()
        .expect("paths")
        .iter()
        .map(|(path, methods)| {
            (
                path.as_str(),
                methods
                    .as_object()
                    .expect("methods")
                    .keys()
                    .map(String::as_str)
                    .collect(),
            )
        })
        .collect();
    let expected = BTreeMap::from([
        ("/api/agent/", vec!["post"]),
        ("/api/agent/search/", vec!["get"]),
        ("/api/agent/shop/", vec!["get"]),
        ("/api/agent/status/", vec!["get"]),
        ("/api/agent/actions/", vec!["post"]),
        ("/api/agent/profile/", vec!["delete", "get", "patch"]),
        ("/api/agent/files/", vec!["get", "post"]),
        ("/api/agent/files/{id}/", vec!["delete", "get", "post"]),
        ("/api/agent/history/", vec!["delete", "get", "post"]),
        ("/api/agent/history/messages/", vec!["post"]),
        ("/api/agent/history/conversations/", vec!["get"]),
        ("/api/agent/history/search/", vec!["get"]),
        ("/api/agent/history/{id}/rating/", vec!["patch"]),
        ("/api/agent/history/export/", vec!["get"]),
        ("/api/agent/history/all/", vec!["delete"]),
        ("/api/agent/staff/orders/", vec!["get"]),
        ("/api/agent/staff/orders/{id}/", vec!["post"]),
        ("/api/agent/staff/reservations/", vec!["get"]),
        ("/api/agent/staff/reservations/{id}/", vec!["post"]),
        ("/api/agent/staff/conversations/", vec!["get"]),
        ("/api/agent/staff/conversations/{id}/", vec!["get", "post"]),
        ("/api/agent/stream/", vec!["get", "post"]),
        ("/api/agent/stream/{turn_id}/", vec!["delete", "get"]),
    ]);
    assert_eq!(listed, expected);
}

#[test]
fn real_answers_are_as_documented() {
    let document = document();
    let (customer, guest) = (shop().customer("documented"), shop().guest());
    let history = "/api/agent/history/";
    let messages = "/api/agent/history/messages/";
    let actions = "/api/agent/actions/";
    let profile = "/api/agent/profile/";
    let reader = |method: &str| customer.call(method, history).send();
    let remember = |notes: Value| {
        let call = customer.call("PATCH", profile);
        call.json(&json!({"notes": notes})).send()
    };
    let large = vec![b' '; 70_000];
    let answers: Vec<(&str, &str, Answer)> = vec![
        ("post", "/api/agent/", guest.chat("tolkien")),
        (
            "post",
            "/api/agent/",
            customer.chat("categoria: novela, disponible"),
        ),
        ("post", "/api/agent/", customer.chat("libro 999999")),
        (
            "post",
            "/api/agent/",
            customer.post("/api/agent/", &json!({"message": "hola"})),
        ),
        (
            "post",
            "/api/agent/",
            customer.post("/api/agent/", &json!({})),
        ),
        (
            "post",
            "/api/agent/",
            customer.post("/api/agent/", &json!({"message": "x", "conversation": 77})),
        ),
        ("post", "/api/agent/", shop().bearer("", "bad").chat("hola")),
        (
            "post",
            "/api/agent/",
            guest
                .call("POST", "/api/agent/")
                .header("accept", "text/html")
                .send(),
        ),
        (
            "post",
            "/api/agent/",
            guest.call("POST", "/api/agent/").body(large).send(),
        ),
        (
            "post",
            "/api/agent/",
            guest.call("POST", "/api/agent/").undeclared("x").send(),
        ),
        (
            "get",
            "/api/agent/search/",
            guest.search(&[("q", "tolkien")]),
        ),
        ("get", "/api/agent/search/", guest.search(&[])),
        (
            "get",
            "/api/agent/search/",
            guest.search(&[("q", &"x".repeat(1_001))]),
        ),
        ("get", "/api/agent/shop/", guest.get("/api/agent/shop/")),
        (
            "get",
            "/api/agent/status/",
            customer.get("/api/agent/status/"),
        ),
        ("get", "/api/agent/status/", guest.get("/api/agent/status/")),
        (
            "post",
            actions,
            customer.act("add_to_cart", json!({"book_id": 12, "cantidad": 99})),
        ),
        ("post", actions, customer.act("list_orders", json!({}))),
        (
            "post",
            actions,
            customer.act("order_status", json!({"order_id": 1})),
        ),
        ("post", actions, customer.act("steal", json!({}))),
        (
            "post",
            actions,
            customer.post(actions, &json!({"action": "view_cart", "trace": true})),
        ),
        ("post", actions, guest.act("view_cart", json!({}))),
        ("get", profile, customer.get(profile)),
        ("get", profile, guest.get(profile)),
        ("patch", profile, remember(json!(["leo en inglés"]))),
        ("patch", profile, remember(json!(["x".repeat(201)]))),
        ("patch", profile, remember(json!("x"))),
        ("delete", profile, customer.call("DELETE", profile).send()),
        ("get", history, reader("GET")),
        ("get", history, customer.history("?before=x")),
        ("get", history, customer.history("?conversation=77")),
        ("post", history, reader("POST")),
        ("delete", history, reader("DELETE")),
        ("delete", history, guest.call("DELETE", history).send()),
        ("get", history, shop().customer("new").history("")),
        ("post", messages, customer.add_message("user", "hola")),
        ("post", messages, customer.add_message("nobody", "hola")),
    ];
    for (method, path, answer) in &answers {
        let responses = &document["paths"][path][method]["responses"];
        let response = &responses[answer.status.to_string()];
        let media = answer.header("content-type").unwrap_or_default();
        let schema = &response["content"][media]["schema"];
        assert!(
            schema.is_object(),
            "{method} {path} {} {media} is not documented",
            answer.status
        );
        if let Err(wrong) = conforms(&document, schema, &answer.json(), "") {
            panic!(
                "{} {}: {wrong}\n{}",
                answer.request, answer.status, answer.text
            );
        }
    }
    println!("openapi: {} answers, 0 undocumented", answers.len());
}

#[test]
fn every_example_is_as_documented() {
    let document = document();
    let mut examples = 0;
    let mut check = |schema: &Value, example: &Value, place: &str| {
        assert!(!example.is_null(), "{place} has no example");
        if let Err(wrong) = conforms(&document, schema, example, "") {
            panic!("{place}: {wrong}\n{example}");
        }
        examples += 1;
    };
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let body = &operation["requestBody"]["content"]["application/json"];
            if !body.is_null() {
                check(
                    &body["schema"],
                    &body["example"],
                    &format!("{method} {path}"),
                );
            }
            for (status, response) in operation["responses"].as_object().expect("responses") {
                for (_, answer) in response["content"].as_object().into_iter().flatten() {
                    if let Some(example) = answer.get("example") {
                        check(
                            &answer["schema"],
                            example,
                            &format!("{method} {path} {status}"),
                        );
                    }
                }
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                if let Some(example) = parameter.get("example") {
                    check(
                        &parameter["schema"],
                        example,
                        &format!("{method} {path} {}", parameter["name"]),
                    );
                }
            }
        }
    }
    println!("openapi: {examples} examples, all as documented");
    assert!(examples >= 20, "{examples}");
}

/// Whether `value` is valid by `schema`, by the keywords our documents use.
fn conforms(document: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document
            .pointer(reference.trim_start_matches('#'))
            .ok_or(format!("{reference} leads nowhere"))?;
        return conforms(document, target, value, at);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[choice].as_array() {
            let outcomes: Vec<_> = choices
                .iter()
                .map(|schema| conforms(document, schema, value, at))
                .collect();
            if outcomes.iter().all(Result::is_err) {
                return Err(format!("{at} fits none of {choice}: {outcomes:?}"));
            }
        }
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = |wanted: &Value| wanted == kind || (wanted == "number" && kind == "integer");
    let typed = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(fits),
        one => fits(one),
    };
    if !typed {
        return Err(format!("{at} is {kind}, not {}", schema["type"]));
    }
    if schema["const"] != Value::Null && schema["const"] != *value {
        return Err(format!("{at} is {value}, not {}", schema["const"]));
    }
    if schema["enum"]
        .as_array()
        .is_some_and(|allowed| !allowed.contains(value))
    {
        return Err(format!("{at} is {value}, not one of {}", schema["enum"]));
    }
    let required = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    if let Some(missing) = required.clone().find(|name| value.get(name).is_none()) {
        return Err(format!("{at}/{missing} is missing"));
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(member) = value.get(name) {
            conforms(document, schema, member, &format!("{at}/{name}"))?;
        }
    }
    for item in value
        .as_array()
        .into_iter()
        .flatten()
        .filter(|_| schema["items"].is_object())
    {
        conforms(document, &schema["items"], item, &format!("{at}/…"))?;
    }
    Ok(())
}

#[test]
fn the_checker_itself_objects() {
    local_only("no product at all");
    let document =
        json!({"components": {"schemas": {"Named": {"type": "object", "required": ["name"]}}}});
    let named = json!({"$ref": "#/components/schemas/Named"});
    let list = json!({"type": "array", "items": named});
    for (schema, value, good) in [
        (&named, json!({"name": 1}), true),
        (&named, json!({}), false),
        (&named, json!(7), false),
        (&list, json!([{"name": 1}]), true),
        (&list, json!([{"name": 1}, {}]), false),
        (&json!({"type": ["string", "null"]}), json!(null), true),
        (&json!({"type": "integer"}), json!(1.5), false),
        (
            &json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!(1),
            false,
        ),
        (&json!({"enum": ["a"]}), json!("b"), false),
        (&json!({"const": "a"}), json!("b"), false),
    ] {
        assert_eq!(
            conforms(&document, schema, &value, "").is_ok(),
            good,
            "{schema} {value}"
        );
    }
}

#[test]
fn the_chat_page_keeps_to_itself() {
    let page = shop().guest().get("/");
    assert_eq!(
        (page.status, page.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    assert!(
        page.text.starts_with("<!doctype html>"),
        "{:.200}",
        page.text
    );
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(
        !page.text.contains("src=\"http") && !page.text.contains("href=\"http"),
        "nothing comes from elsewhere"
    );
}
