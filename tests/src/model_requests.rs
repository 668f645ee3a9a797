//! What is asked of a model beside the question: to think, and to look at what its tools gave before.

use serde_json::{Value, json};

use crate::harness::{ModelPeer, Setup, check_laws, of, stream_events};

#[test]
fn thinking_is_requested_and_kept_where_that_is_wanted() {
    let peer = ModelPeer::start();
    let shop = Setup::new()
        .set("LLM_BASE_URL", &peer.url)
        .set("LLM_MODELS", "thinking, thoughtless")
        .start();
    let customer = shop.customer("curious");
    let requested = |model: &str, hints: Value| {
        let mut body = json!({"message": "libro 12", "model": model});
        for (name, hint) in hints.as_object().expect("hints") {
            body[name.as_str()] = hint.clone();
        }
        let events = stream_events(&customer.post("/api/agent/stream", &body));
        check_laws(&events, true);
        let text = of(&events, "message")[0]["content"].clone();
        let text = text.as_str().expect("a message");
        assert!(text.contains("14,95"), "{text}");
        let request = peer.requests_about("libro 12");
        let request = &request.last().expect("it was asked").body;
        let history = customer.history("?limit=1").is(200);
        let kept = history["messages"][0]["meta"]["thinking"].clone();
        (
            request["reasoning_effort"].clone(),
            request["max_tokens"].clone(),
            kept,
        )
    };
    let none = || Value::Null;
    assert_eq!(
        requested("thinking", json!({})),
        (none(), json!(400), none())
    );
    let hints = json!({"enable_thinking": true, "thinking_budget": 4_000});
    assert_eq!(
        requested("thinking", hints),
        (json!("medium"), json!(4_400), none())
    );
    let hints = json!({"enable_thinking": true, "thinking_budget": 1, "persist_thinking": true});
    let (effort, most, kept) = requested("thinking", hints);
    assert_eq!((effort, most), (json!("low"), json!(1_424)));
    let kept = kept.as_str().expect("a thought");
    assert!(kept.starts_with("El cliente quiere el libro."), "{kept}");
    assert!(!kept.contains("1 euro"), "{kept}");
    // Whoever cannot is asked without.
    let hints = json!({"enable_thinking": true, "persist_thinking": true});
    assert_eq!(
        requested("thoughtless", hints),
        (none(), json!(400), none())
    );
}

#[test]
fn earlier_tool_uses_are_in_the_prompt_where_that_is_set() {
    for setting in [None, Some("true")] {
        let peer = ModelPeer::start();
        let setup = Setup::new()
            .set("LLM_BASE_URL", &peer.url)
            .set("LLM_MODEL", "searcher");
        let shop = match setting {
            Some(setting) => setup.set("LLM_HISTORY_TOOLS", setting).start(),
            None => setup.start(),
        };
        let customer = shop.customer("recalling");
        customer.chat("libro 12").is(200);
        customer.chat("y de aquello, el libro 14").is(200);
        let request = peer.requests_about("y de aquello").remove(0);
        let messages = request.body["messages"].as_array().expect("messages");
        let mut open = Vec::new();
        let mut pairs = 0;
        for message in messages {
            for call in message["tool_calls"].as_array().into_iter().flatten() {
                open.push(call["id"].clone());
            }
            if message["role"] == "tool" {
                assert_eq!(open.pop(), Some(message["tool_call_id"].clone()));
                pairs += 1;
            }
        }
        assert!(open.is_empty(), "{messages:?}");
        // What was found at once, and what the model looked for.
        let expected = if setting.is_some() { 2 } else { 0 };
        assert_eq!(pairs, expected, "{setting:?}: {messages:?}");
    }
}
