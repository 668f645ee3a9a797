//! What callers entrust to us appears in no log, and their keys in no file.

use std::{fs, path::Path};

use serde_json::json;

use crate::harness::{ModelPeer, Setup, token};

const KEY: &str = "sk-canario-7f3a9c";
const WORDS: &str = "canario amarillo de Tenerife";

#[test]
fn keys_tokens_and_messages_stay_where_they_belong() {
    let peer = ModelPeer::start();
    let folder = tempfile::tempdir().expect("a folder");
    let shop = Setup::new()
        .kept_in(folder.path())
        .set("RUST_LOG", "trace")
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_COST_MODE", "hybrid")
        .set("LLM_TIMEOUT_SECONDS", "1")
        .start();
    let customer = shop.customer("keyholder");
    let bad = token("somebody").replace('.', ".x");
    let models = [
        "grounded",
        "stranger",
        "broken",
        "garbage",
        "cut",
        "broken-off",
        "sorry",
        "telling-key",
        "telling-word",
        "babbling",
        "silent",
        "dear",
    ];
    for (index, model) in models.iter().enumerate() {
        let request =
            json!({"message": format!("libro 12, {WORDS}"), "model": model, "trace": true});
        let call = customer.call("POST", "/api/agent/").json(&request);
        let call = call
            .header("x-llm-api-key", KEY)
            .header("idempotency-key", format!("k{index}"));
        let answer = call.send();
        answer.is(200);
        assert!(!answer.text.contains(KEY));
    }
    for model in models {
        let request = peer.requests_about(WORDS);
        assert!(request.iter().any(|request| request.body["model"] == model));
    }
    assert!(
        peer.requests_about(WORDS)
            .iter()
            .all(|request| request.authorization == Some(format!("Bearer {KEY}")))
    );
    customer.add_message("user", WORDS).is(201);
    customer
        .add_message("nobody", WORDS)
        .problem(400, "invalid_role");
    customer.search(&[("q", WORDS)]).is(200);
    customer
        .search(&[("q", WORDS), ("precio_min", WORDS)])
        .is(200);
    customer
        .act(WORDS, json!({"book_id": WORDS}))
        .problem(400, "invalid_action");
    customer
        .act("add_to_cart", json!({"book_id": WORDS}))
        .is(400);
    customer
        .history(&format!("?before={}", WORDS.replace(' ', "+")))
        .problem(400, "invalid_request");
    customer
        .call("POST", "/api/agent/")
        .body(format!("{{\"message\": \"{WORDS}"))
        .send()
        .problem(400, "invalid_request");
    shop.guest()
        .get(&format!("/{}", WORDS.replace(' ', "+")))
        .problem(404, "not_found");
    shop.bearer("", &bad)
        .chat(WORDS)
        .problem(401, "invalid_token");

    let each_has_its_line = |written: &str| written.matches("request_id").count() >= 19;
    let written = shop.output_when(each_has_its_line);
    assert!(each_has_its_line(&written), "{written}");
    let good = customer.token.clone().expect("a token");
    let signature = |token: &str| token.rsplit('.').next().expect("a signature").to_owned();
    let secrets = [
        KEY.to_owned(),
        signature(&good),
        signature(&bad),
        WORDS.to_owned(),
        WORDS.replace(' ', "+"),
        "canario".to_owned(),
    ];
    for secret in &secrets {
        let line = written.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "in the log");
    }

    assert_eq!(shop.interrupt().code(), Some(0));
    let mut files = Vec::new();
    read_all(folder.path(), &mut files);
    let holding = |secret: &str| files.iter().any(|file| contains(file, secret.as_bytes()));
    let found: Vec<bool> = secrets[..3].iter().map(|secret| holding(secret)).collect();
    assert_eq!(found, [false, false, false], "in a file");
    println!("secrets: 19 requests, {} files, 0 leaks", files.len());
}

fn read_all(folder: &Path, files: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_all(&path, files);
        } else {
            files.push(fs::read(&path).expect("a file"));
        }
    }
}

fn contains(file: &[u8], secret: &[u8]) -> bool {
    file.windows(secret.len()).any(|window| window == secret)
}
