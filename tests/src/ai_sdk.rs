//! `?dialect=ai-sdk`: the parts that chats of the AI SDK assemble, and the bodies that they send.

use std::{path::Path, process::Command};

use serde_json::{Value, json};

use crate::harness::{Answer, Caller, ModelPeer, Setup, local_only, shop};

const PATH: &str = "/api/agent/stream?dialect=ai-sdk";

/// What a chat sends that has this one message.
fn question(text: &str) -> Value {
    let parts = json!([{"type": "text", "text": text}]);
    json!({
        "id": "chat", "trigger": "submit-message", "use_llm": false,
        "messages": [{"id": "u", "role": "user", "parts": parts}],
    })
}

#[track_caller]
fn parts(answer: &Answer) -> Vec<Value> {
    assert_eq!(
        (
            answer.status,
            answer.header("content-type"),
            answer.header("x-vercel-ai-ui-message-stream"),
        ),
        (200, Some("text/event-stream"), Some("v1")),
        "{answer:?}"
    );
    let parts = answer.text.strip_suffix("data: [DONE]\n\n");
    let parts = parts.expect("an end").split_terminator("\n\n");
    let parts = parts.filter(|part| !part.starts_with(':'));
    let data = parts.map(|part| part.strip_prefix("data: ").expect("data"));
    data.map(|part| serde_json::from_str(part).expect("a document"))
        .collect()
}

fn of<'a>(parts: &'a [Value], kind: &str) -> &'a Value {
    let mut of_kind = parts.iter().filter(|part| part["type"] == kind);
    let part = of_kind.next().unwrap_or(&Value::Null);
    assert!(of_kind.next().is_none(), "{kind} twice in {parts:?}");
    part
}

#[test]
fn an_answer_is_as_it_is_everywhere() {
    let customer = shop().customer("sdk");
    let received = parts(&customer.post(PATH, &question("libro 12")));
    let plain = json!({"message": "libro 12", "use_llm": false});
    let whole = customer.post("/api/agent/", &plain).is(200);
    let lines = received.iter().filter(|part| part["type"] == "text-delta");
    let text: String = lines.filter_map(|line| line["delta"].as_str()).collect();
    assert_eq!(text, whole["message"]);
    assert_eq!(of(&received, "data-results")["data"], whole["results"]);
    assert_eq!(of(&received, "data-actions")["data"], whole["actions"]);

    let turn_id = of(&received, "start")["messageId"].as_str().expect("an id");
    let path = format!("/api/agent/stream/{turn_id}?dialect=ai-sdk&after=4");
    let repeated = parts(&customer.get(&path));
    assert_eq!(of(&repeated, "text-delta")["delta"], whole["message"]);
    let lasting = |parts: &[Value]| -> Vec<Value> {
        let parts = parts.iter().filter(|part| part["type"] != "text-delta");
        parts.cloned().collect()
    };
    assert_eq!(lasting(&repeated), lasting(&received));
    // Our own events are what they were.
    let own = customer.get(&format!("/api/agent/stream/{turn_id}"));
    assert_eq!(own.header("x-vercel-ai-ui-message-stream"), None);
    assert!(
        own.text.starts_with("id: 0\nevent: session_start\n"),
        "{own:?}"
    );
    // The plain request goes on working.
    let received = parts(&customer.post(PATH, &plain));
    assert_eq!(of(&received, "data-results")["data"], whole["results"]);
}

#[test]
fn a_body_without_a_question_is_refused() {
    let (customer, guest) = (shop().customer("sdk-mistaken"), shop().guest());
    let detail = |caller: &Caller, path: &str, body: &Value| {
        let answer = caller.post(path, body);
        answer.problem(400, "invalid_request");
        assert_eq!(answer.header("x-vercel-ai-ui-message-stream"), None);
        answer.json()["detail"].clone()
    };
    for (body, expected) in [
        (json!({}), "`messages` is missing"),
        (json!({"messages": "hola"}), "`messages` is not a list"),
        (json!({"messages": []}), "`messages` is empty"),
        (
            json!({"messages": [{"role": "assistant", "parts": []}]}),
            "none of `messages` has the role `user`",
        ),
        (
            json!({"messages": [{"role": "user", "content": "hola"}]}),
            "the user's message has no list `parts`",
        ),
        (
            json!({"messages": [{"role": "user", "parts": [{"type": "file"}]}]}),
            "none of the `parts` of the user's message is a text",
        ),
        (question(" "), "`message` is blank"),
        (
            question(&"x".repeat(4_001)),
            "`message` is longer than 4000 characters",
        ),
    ] {
        assert_eq!(detail(&guest, PATH, &body), expected, "{body}");
    }
    let unknown = "`dialect` is none that is spoken here";
    let body = json!({"message": "hola"});
    let path = "/api/agent/stream?dialect=esperanto";
    assert_eq!(detail(&guest, path, &body), unknown);
    assert_eq!(
        detail(&guest, "/api/agent/stream", &question("hola")),
        "`message` is missing"
    );
    let turn = "/api/agent/stream/01890000-0000-7000-8000-000000000000";
    let answer = customer.get(&format!("{turn}?dialect=esperanto"));
    answer.problem(400, "invalid_request");
    customer
        .get(&format!("{turn}?dialect=ai-sdk"))
        .problem(404, "not_found");
}

#[test]
fn a_long_chat_is_sent_whole() {
    let guest = shop().guest();
    let padded = |size: usize| {
        let mut body = question("libro 12").to_string();
        body.push_str(&" ".repeat(size - body.len()));
        body
    };
    let send = |path: &str, size: usize| guest.call("POST", path).body(padded(size)).send();
    parts(&send(PATH, 1 << 20));
    for size in [(1 << 20) + 1, 3 << 20] {
        send(PATH, size).problem(413, "payload_too_large");
    }
    send("/api/agent/stream", 65_537).problem(413, "payload_too_large");
}

/// Needs the package: `MOSTRADOR_TEST_AI_SDK` names the folder that holds its `node_modules`.
#[test]
fn the_official_package_understands() {
    local_only("a server with a model of its own");
    let Some(folder) = std::env::var_os("MOSTRADOR_TEST_AI_SDK") else {
        println!("ai-sdk: skipped, since MOSTRADOR_TEST_AI_SDK names no folder");
        return;
    };
    let peer = ModelPeer::start();
    let shop = Setup::new()
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODEL", "grounded")
        .set(
            "LLM_MODELS",
            "thinking, hesitant, stalling, searcher, reserver",
        )
        .set("LLM_TIMEOUT_SECONDS", "10")
        .set("STREAM_HEARTBEAT_SECONDS", "1")
        .start();
    let customer = shop.customer("sdk");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("ai_sdk/check.mjs");
    let output = Command::new("node")
        .arg(script)
        .arg(json!({"url": shop.url, "token": customer.token}).to_string())
        .env("MOSTRADOR_TEST_AI_SDK", folder)
        .output()
        .expect("Node.js runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}\n{complained}");
    print!("{printed}");
}
