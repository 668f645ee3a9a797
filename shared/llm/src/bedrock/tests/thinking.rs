//! Thinking, as it is asked for and given back.

use super::*;

#[tokio::test]
async fn thinking_is_requested_in_the_form_of_the_models_family() {
    let claude = json!({"thinking": {"type": "enabled", "budget_tokens": 4096}});
    let nova = json!({"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "medium"}});
    let gpt = json!({"reasoning_effort": "medium"});
    for (name, fields, max_tokens) in [
        ("eu.anthropic.claude-haiku-4-5", claude, 4_496),
        ("eu.amazon.nova-2-lite-v1:0", nova, 4_496),
        ("openai.gpt-oss-20b-1:0", gpt, 4_496),
        // Neither thinks by request.
        ("eu.amazon.nova-lite-v1:0", Value::Null, 400),
        ("mistral.pixtral-large-2502-v1:0", Value::Null, 400),
    ] {
        let (model, requests) = serving(200, message_stop("end_turn")).await;
        let request = ModelRequest {
            model: Some(name.into()),
            thinking: Some(4_096),
            ..question()
        };
        let (_, error) = received(&model, request).await;
        assert!(error.is_none(), "{error:?}");
        let requests = requests.lock().expect("the record");
        let body = &requests[0].1;
        assert_eq!(body["additionalModelRequestFields"], fields, "{name}");
        assert_eq!(body["inferenceConfig"]["maxTokens"], max_tokens, "{name}");
        let is_warm = body["inferenceConfig"]["temperature"].is_number();
        assert_eq!(is_warm, fields.is_null(), "{name}");
    }
}

#[tokio::test]
async fn a_thought_goes_back_with_the_calls_that_it_led_to() {
    let carried = json!({"reasoning": [
        {"text": "Busco mar.", "signature": "c2ln"}, {"redacted": "AAH/"}, {"text": "Hay dos.", "signature": "ZmluCg"},
    ]});
    let readable = |text: &str, signature: &str| json!({"reasoningContent": {"reasoningText": {"text": text, "signature": signature}}});
    let first = readable("Busco mar.", "c2ln");
    let hidden = json!({"reasoningContent": {"redactedContent": "AAH/"}});
    let last = readable("Hay dos.", "ZmluCg");
    for (thinking, expected) in [
        (Some(4_096), json!([first, hidden, last, {"text": "Miro."}])),
        (None, json!([{"text": "Miro."}])),
    ] {
        let (model, requests) = serving(200, message_stop("end_turn")).await;
        let mut messages = use_of_a_tool(&json!({"query": "mar"}));
        if let ModelMessage::Assistant { tool_calls, .. } = &mut messages[1] {
            tool_calls[0].provider_data = Some(carried.clone());
        }
        let request = ModelRequest {
            messages,
            tools: vec![tool_spec()],
            thinking,
            ..question()
        };
        let (_, error) = received(&model, request).await;
        assert!(error.is_none(), "{error:?}");
        let requests = requests.lock().expect("the record");
        let blocks = requests[0].1["messages"][1]["content"].clone();
        let (call, before) = blocks
            .as_array()
            .and_then(|blocks| blocks.split_last())
            .expect("blocks");
        assert!(call["toolUse"].is_object(), "{blocks}");
        assert_eq!(json!(before), expected);
    }
}

/// Each with its own signature; without one, or joined to another's, it would be refused.
#[tokio::test]
async fn thoughts_are_kept_apart_by_their_blocks() {
    let reasoning = |part: Value| json!({"reasoningContent": part});
    let frames = [
        delta(0, &reasoning(json!({"text": "Busco "}))),
        delta(0, &reasoning(json!({"text": "mar."}))),
        delta(0, &reasoning(json!({"signature": "c2ln"}))),
        stop(0),
        delta(1, &reasoning(json!({"redactedContent": "AAH/"}))),
        stop(1),
        delta(2, &reasoning(json!({"text": "Hay dos."}))),
        delta(2, &reasoning(json!({"signature": "Zmlu"}))),
        stop(2),
        tool(3, "t1", "search_catalog"),
        stop(3),
        message_stop("tool_use"),
    ];
    let (model, _) = serving(200, frames.concat()).await;
    let (events, error) = received(&model, question()).await;
    assert!(error.is_none(), "{error:?}");
    let carried = events.iter().find_map(|event| match event {
        ModelEvent::ToolCall(call) => call.provider_data.clone(),
        _ => None,
    });
    let expected = json!({"reasoning": [
        {"text": "Busco mar.", "signature": "c2ln"}, {"redacted": "AAH/"}, {"text": "Hay dos.", "signature": "Zmlu"},
    ]});
    assert_eq!(carried, Some(expected));
}
