//! Every refusal: its status, its word, its headers, in both languages.

use serde_json::{Value, json};

use crate::harness::{Answer, behind_a_gateway, shop};

/// Each endpoint with the methods it takes.
const ENDPOINTS: [(&str, &[&str]); 8] = [
    ("/api/agent/", &["POST"]),
    ("/api/agent/search/", &["GET"]),
    ("/api/agent/shop/", &["GET"]),
    ("/api/agent/status/", &["GET"]),
    ("/api/agent/actions/", &["POST"]),
    ("/api/agent/profile/", &["GET", "PATCH", "DELETE"]),
    ("/api/agent/history/", &["GET", "POST", "DELETE"]),
    ("/api/agent/history/messages/", &["POST"]),
];

/// Those that ask who is there.
const SIGNED_IN: [(&str, &str); 9] = [
    ("GET", "/api/agent/status/"),
    ("POST", "/api/agent/actions/"),
    ("GET", "/api/agent/profile/"),
    ("PATCH", "/api/agent/profile/"),
    ("DELETE", "/api/agent/profile/"),
    ("GET", "/api/agent/history/"),
    ("POST", "/api/agent/history/"),
    ("DELETE", "/api/agent/history/"),
    ("POST", "/api/agent/history/messages/"),
];

/// A body that the endpoint takes.
pub(crate) fn good_body(path: &str) -> Value {
    match path {
        "/api/agent/" => json!({"message": "libro 12"}),
        "/api/agent/actions/" => json!({"action": "view_cart"}),
        "/api/agent/profile/" => json!({"notes": ["leo en inglés"]}),
        "/api/agent/history/messages/" => json!({"role": "user", "content": "hola"}),
        _ => json!({}),
    }
}

/// Every endpoint by every method it takes.
pub(crate) fn operations() -> impl Iterator<Item = (&'static str, &'static str)> {
    ENDPOINTS
        .iter()
        .flat_map(|(path, methods)| methods.iter().map(move |method| (*method, *path)))
}

/// Sends the request in both languages; each must be refused alike, in words of its own.
#[track_caller]
fn refused(send: impl Fn(&str) -> Answer, status: u16, code: &str) -> Answer {
    let [spanish, english] = ["es", "en"].map(|language| {
        let answer = send(language);
        assert_eq!(
            answer.header("content-language"),
            Some(language),
            "{answer:?}"
        );
        (answer.problem(status, code), answer)
    });
    assert_ne!(spanish.0, english.0, "the same words in two languages");
    spanish.1
}

#[test]
fn unknown_paths_are_not_found() {
    let customer = shop().customer("lost");
    // A gateway hands on the path decoded, which makes another of these.
    let encoded = ["/api/agent/%00", "/api%2fagent/"];
    let encoded = encoded.into_iter().filter(|_| !behind_a_gateway());
    let paths = [
        "/nada",
        "/api",
        "/api/agent/nada",
        "/api/agent/history/nada",
        "/API/AGENT/",
        "/api/agent//",
        "//api/agent/",
        "/openapi.yaml",
        "/index.html",
    ];
    for path in paths.into_iter().chain(encoded) {
        for method in ["GET", "POST"] {
            let send = |language: &str| {
                customer
                    .call(method, path)
                    .header("accept-language", language)
                    .send()
            };
            refused(send, 404, "not_found");
        }
    }
}

#[test]
fn other_methods_get_an_allow_header() {
    let pages: [(&str, &[&str]); 2] = [("/", &["GET"]), ("/openapi.json", &["GET"])];
    let guest = shop().guest();
    for (path, methods) in ENDPOINTS.iter().chain(&pages) {
        for method in [
            "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW",
        ] {
            // Every OPTIONS is a preflight to a gateway, and its own to answer.
            let is_answered_before = method == "OPTIONS" && behind_a_gateway();
            if methods.contains(&method) || is_answered_before {
                continue;
            }
            let send = |language: &str| {
                guest
                    .call(method, path)
                    .header("accept-language", language)
                    .send()
            };
            let answer = refused(send, 405, "method_not_allowed");
            assert_eq!(
                answer.header("allow"),
                Some(methods.join(", ").as_str()),
                "{method} {path}"
            );
        }
    }
}

#[test]
fn only_json_is_given() {
    let customer = shop().customer("acceptable");
    for (method, path) in operations() {
        let send = |accepted: &str, language: &str| {
            let call = customer.call(method, path).json(&good_body(path));
            call.header("accept", accepted)
                .header("accept-language", language)
                .send()
        };
        for accepted in [
            "text/html",
            "image/*",
            "application/json;q=0",
            "text/html, text/plain;q=0.5",
        ] {
            refused(|language| send(accepted, language), 406, "not_acceptable");
        }
        for accepted in [
            "*/*",
            "application/*",
            "text/html, application/json;q=0.1",
            "APPLICATION/JSON",
        ] {
            let answer = send(accepted, "es");
            assert!(
                [200, 201].contains(&answer.status),
                "{accepted}: {answer:?}"
            );
            assert_eq!(answer.header("content-type"), Some("application/json"));
        }
    }
}

#[test]
fn bodies_end_at_64_kilobytes() {
    let customer = shop().customer("heavy");
    for (method, path) in operations().filter(|(method, _)| *method == "POST") {
        let padded = |size: usize| {
            let mut body = good_body(path).to_string();
            body.push_str(&" ".repeat(size - body.len()));
            body
        };
        let send = |size: usize, language: &str| {
            let call = customer
                .call(method, path)
                .header("accept-language", language);
            call.body(padded(size)).send()
        };
        let largest = send(65_536, "es");
        assert!([200, 201].contains(&largest.status), "{largest:?}");
        for size in [65_537, 200_000, 1_000_000] {
            refused(|language| send(size, language), 413, "payload_too_large");
        }
    }
}

#[test]
fn bodies_are_declared_as_json() {
    let customer = shop().customer("undeclared");
    for (method, path) in operations().filter(|(method, _)| *method == "POST") {
        let body = good_body(path).to_string();
        let send = |declared: &str, language: &str| {
            let call = customer
                .call(method, path)
                .header("accept-language", language);
            call.header("content-type", declared)
                .undeclared(body.clone())
                .send()
        };
        for declared in [
            "",
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "json",
        ] {
            refused(
                |language| send(declared, language),
                415,
                "unsupported_media_type",
            );
        }
        for declared in [
            "application/json; charset=utf-8",
            "APPLICATION/JSON",
            "application/merge-patch+json",
        ] {
            let answer = send(declared, "es");
            assert!(
                [200, 201].contains(&answer.status),
                "{declared}: {answer:?}"
            );
        }
    }
}

#[test]
fn guests_get_401_where_sign_in_is_needed() {
    let guest = shop().guest();
    for (method, path) in SIGNED_IN {
        let send = |language: &str| {
            let call = guest.call(method, path).json(&good_body(path));
            call.header("accept-language", language).send()
        };
        let answer = refused(send, 401, "auth_required");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
    // A key of one's own needs somebody whose own it is.
    for (method, path) in operations() {
        let send = |language: &str| {
            let call = guest.call(method, path).json(&good_body(path));
            call.header("accept-language", language)
                .header("x-llm-api-key", "sk-test")
                .send()
        };
        refused(send, 401, "auth_required");
    }
}

#[test]
fn bad_tokens_are_refused_everywhere() {
    let stranger = shop().bearer("nobody", "no.good.token");
    for (method, path) in operations() {
        let send = |language: &str| {
            let call = stranger.call(method, path).json(&good_body(path));
            call.header("accept-language", language).send()
        };
        let answer = refused(send, 401, "invalid_token");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
}

#[test]
fn blank_messages_are_reported_as_empty() {
    let guest = shop().guest();
    let empty = [
        "Mensaje vacío. Escribe qué buscas.",
        "Empty message. Tell me what you are looking for.",
    ];
    let long = [
        "Mensaje demasiado largo: cuéntamelo en menos palabras.",
        "Message too long: tell me in fewer words.",
    ];
    for (body, expected_messages) in [
        (json!({}), empty),
        (json!({"message": null}), empty),
        (json!({"message": ""}), empty),
        (json!({"message": " \n\t\u{200b}"}), empty),
        (json!({"message": 12}), empty),
        (json!({"message": ["hola"]}), empty),
        (json!({"message": {"text": "hola"}}), empty),
        (json!({"message": "ñ".repeat(4_001)}), long),
    ] {
        let send = |language: &str| {
            let call = guest.call("POST", "/api/agent/").json(&body);
            call.header("accept-language", language).send()
        };
        refused(send, 400, "invalid_request");
        let messages = ["es", "en"].map(|language| send(language).problem(400, "invalid_request"));
        assert_eq!(messages, expected_messages);
    }
    guest
        .post("/api/agent/", &json!({"message": "ñ".repeat(4_000)}))
        .is(200);
    shop()
        .guest()
        .search(&[("q", &"x".repeat(1_001))])
        .problem(400, "invalid_request");
}
