use serde_json::json;

use super::*;

fn content_delta(content: &str) -> ModelEvent {
    ModelEvent::ContentDelta(content.into())
}

fn call(id: &str, name: &str, arguments: Value) -> ModelEvent {
    ModelEvent::ToolCall(ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
        provider_data: None,
    })
}

fn end(stop_reason: StopReason) -> ModelEvent {
    ModelEvent::End { stop_reason }
}

fn delta(delta: &Value) -> Value {
    json!({"choices": [{"delta": delta, "finish_reason": null}]})
}

fn finished(reason: &str) -> Value {
    json!({"choices": [{"delta": {}, "finish_reason": reason}]})
}

fn part(part: &Value) -> Value {
    delta(&json!({"tool_calls": [part]}))
}

fn check(chunks: &[Value], expected: &[ModelEvent]) {
    let mut answer = Assembly::default();
    for chunk in chunks {
        answer.take(chunk.to_string().as_bytes()).expect("a chunk");
    }
    answer.finish().expect("an end");
    assert_eq!(Vec::from(answer.ready), expected, "{chunks:?}");
}

#[test]
fn content_is_streamed_as_it_arrives() {
    let usage = Usage {
        input_tokens: 7,
        output_tokens: 3,
    };
    check(
        &[
            delta(&json!({"role": "assistant", "content": ""})),
            delta(&json!({"reasoning_content": "Miro"})),
            delta(&json!({"reasoning": " bien."})),
            delta(&json!({"content": "- Ho"})),
            delta(&json!({"content": "la."})),
            finished("length"),
            json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}),
        ],
        &[
            ModelEvent::ReasoningDelta("Miro".into()),
            ModelEvent::ReasoningDelta(" bien.".into()),
            content_delta("- Ho"),
            content_delta("la."),
            ModelEvent::Usage(usage),
            end(StopReason::MaxTokens),
        ],
    );
    // Nothing, in all the ways there are to say it, and what only some servers send.
    check(
        &[
            json!({"choices": null, "usage": null}),
            json!({"choices": [{"delta": null, "finish_reason": ""}]}),
            delta(
                &json!({"content": null, "reasoning": null, "reasoning_content": null, "tool_calls": null}),
            ),
            json!({"choices": [{"delta": {"content": "- A"}, "message": {"content": "- A"}}]}),
            delta(&json!({"reasoning": "x", "reasoning_content": "x"})),
            delta(
                &json!({"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "h."}]}),
            ),
            finished("stop"),
        ],
        &[
            content_delta("- A"),
            ModelEvent::ReasoningDelta("x".into()),
            content_delta("h."),
            end(StopReason::EndTurn),
        ],
    );
    for (reason, expected) in [
        ("stop", StopReason::EndTurn),
        ("tool_calls", StopReason::ToolUse),
        ("content_filter", StopReason::Refused),
        ("eos", StopReason::EndTurn),
    ] {
        check(&[finished(reason)], &[end(expected)]);
    }
}

#[test]
fn tool_calls_come_whole_however_they_are_sent() {
    // In parts, two at once.
    check(
        &[
            part(&json!({"index": 0, "id": "a", "function": {"name": "search", "arguments": ""}})),
            part(&json!({"index": 0, "function": {"arguments": "{\"q\": \"el"}})),
            part(
                &json!({"index": 1, "id": "b", "function": {"name": "lookup", "arguments": "{}"}}),
            ),
            part(&json!({"index": 0, "function": {"arguments": " mar\"}"}})),
            finished("tool_calls"),
        ],
        &[
            call("a", "search", json!({"q": "el mar"})),
            call("b", "lookup", json!({})),
            end(StopReason::ToolUse),
        ],
    );
    // Whole, without numbers, by a server that reports `stop`.
    check(
        &[
            part(&json!({"id": "a", "function": {"name": "search", "arguments": "{\"q\":1}"}})),
            part(&json!({"id": "b", "function": {"name": "search", "arguments": {"q": 2}}})),
            finished("stop"),
        ],
        &[
            call("a", "search", json!({"q": 1})),
            call("b", "search", json!({"q": 2})),
            end(StopReason::ToolUse),
        ],
    );
    // Under one number, by their names.
    check(
        &[
            part(
                &json!({"index": 0, "id": "a", "function": {"name": "search", "arguments": "{}"}}),
            ),
            part(
                &json!({"index": 0, "id": "b", "function": {"name": "lookup", "arguments": "{}"}}),
            ),
            finished("tool_calls"),
        ],
        &[
            call("a", "search", json!({})),
            call("b", "lookup", json!({})),
            end(StopReason::ToolUse),
        ],
    );
    // Without a name of its own, without arguments, and with some that are no JSON.
    check(
        &[
            part(&json!({"index": 0, "function": {"name": "search"}})),
            part(
                &json!({"index": 1, "id": "", "function": {"name": "search", "arguments": "{\"q\":"}}),
            ),
            finished("tool_calls"),
        ],
        &[
            call("call_0", "search", json!({})),
            call("call_1", "search", json!("{\"q\":")),
            end(StopReason::ToolUse),
        ],
    );
}

#[test]
fn what_a_provider_wants_back_with_a_call_is_kept() {
    let signature = json!({"google": {"thought_signature": "ZmlybWE="}});
    let signed = |data: &Value| json!({"id": "a", "function": {"name": "search", "arguments": ""}, "extra_content": data});
    let called = |provider_data| {
        ModelEvent::ToolCall(ToolCall {
            id: "a".into(),
            name: "search".into(),
            arguments: json!({}),
            provider_data,
        })
    };
    let later = json!({"id": "a", "function": {"arguments": "{}"}});
    let end = end(StopReason::ToolUse);
    check(
        &[
            part(&signed(&signature)),
            part(&later),
            finished("tool_calls"),
        ],
        &[called(Some(signature.clone())), end.clone()],
    );
    // In a whole message.
    let message = json!({"tool_calls": [signed(&signature)]});
    let whole = json!({"choices": [{"message": message, "finish_reason": "tool_calls"}]});
    check(&[whole], &[called(Some(signature)), end.clone()]);
    for none in [Value::Null, json!("x".repeat(PROVIDER_DATA_BYTES_MAX))] {
        check(
            &[part(&signed(&none)), part(&later), finished("tool_calls")],
            &[called(None), end.clone()],
        );
    }
}

#[test]
fn a_refusal_field_is_a_refusal() {
    let refused = [end(StopReason::Refused)];
    check(
        &[
            delta(&json!({"content": null, "refusal": "No puedo "})),
            delta(&json!({"refusal": "ayudarte."})),
            finished("stop"),
        ],
        &refused,
    );
    let message = json!({"content": null, "refusal": "No puedo."});
    let whole = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
    check(&[whole], &refused);
    check(
        &[
            delta(&json!({"content": "- Hola.", "refusal": null})),
            finished("stop"),
        ],
        &[content_delta("- Hola."), end(StopReason::EndTurn)],
    );
}

#[test]
fn no_count_is_beyond_adding_up() {
    for (counts, [input_tokens, output_tokens]) in [
        (json!({}), [0, 0]),
        (
            json!({"prompt_tokens": null, "completion_tokens": 3}),
            [0, 3],
        ),
        (
            json!({"prompt_tokens": u64::MAX, "completion_tokens": 1e30}),
            [u64::from(u32::MAX), 0],
        ),
        (
            json!({"prompt_tokens": -1, "completion_tokens": "many"}),
            [0, 0],
        ),
    ] {
        let usage = ModelEvent::Usage(Usage {
            input_tokens,
            output_tokens,
        });
        check(
            &[finished("stop"), json!({"choices": [], "usage": counts})],
            &[usage, end(StopReason::EndTurn)],
        );
    }
}

#[test]
fn an_error_in_place_of_an_answer_is_one() {
    for (error, status, reason) in [
        (json!({"code": 429}), 429, None),
        (json!({"code": "overloaded"}), 500, Some("overloaded")),
        (
            json!({"code": 503, "type": "server_error", "message": "Hola Ana"}),
            503,
            Some("server_error"),
        ),
        (json!({"code": "Hola Ana"}), 500, None),
        (json!({"code": "sk-canario-7f3a9c"}), 500, None),
        (json!({"type": "canario"}), 500, None),
        (json!("no"), 500, None),
    ] {
        let chunk = json!({"error": error}).to_string();
        let taken = Assembly::default().take(chunk.as_bytes());
        let Err(ModelError::Rejected(refusal)) = &taken else {
            panic!("{taken:?}")
        };
        assert_eq!((refusal.status, refusal.reason), (status, reason));
    }
    let taken = Assembly::default().take(finished("abort").to_string().as_bytes());
    let Err(ModelError::Rejected(refusal)) = &taken else {
        panic!("{taken:?}")
    };
    assert_eq!(refusal.to_string(), "status 500: abort");
}

#[test]
fn no_error_contains_the_prompt() {
    for chunk in [
        r#"{"choices": [{"message": "Hola Ana"}]}"#,
        r#"{"choices": "Hola Ana"}"#,
        r#"{"choices": [{"delta": {"content": "Hola Ana"#,
    ] {
        let error = Assembly::default()
            .take(chunk.as_bytes())
            .expect_err("no chunk");
        let written = format!("{error:?} {error}");
        assert!(!written.contains("Ana"), "{written}");
    }
}

#[test]
fn calls_without_end_are_too_many() {
    let mut answer = Assembly::default();
    let mut taken = Ok(());
    for index in 0..=TOOL_CALLS_MAX {
        let chunk = part(&json!({"index": index, "function": {"name": "search"}}));
        taken = answer.take(chunk.to_string().as_bytes());
    }
    assert!(matches!(taken, Err(ModelError::TooLarge)), "{taken:?}");
}

/// What is decoded of bytes that come in pieces of `size`.
async fn decode(bytes: &[u8], size: usize) -> (Vec<ModelEvent>, Option<ModelError>) {
    let pieces = bytes.chunks(size).map(Bytes::copy_from_slice).map(Ok);
    let pieces = stream::iter(pieces.collect::<Vec<_>>()).boxed();
    let mut events = Box::pin(decoded(SseByteStream::new(pieces)));
    let mut decoded = Vec::new();
    loop {
        match events.next().await {
            Some(Ok(event)) => decoded.push(event),
            Some(Err(error)) => return (decoded, Some(error)),
            None => return (decoded, None),
        }
    }
}

#[tokio::test]
async fn bytes_may_be_cut_anywhere_and_an_answer_that_breaks_off_is_not_whole() {
    let chunks = [
        delta(&json!({"content": "- Sí, «Ficciones» — "})),
        part(&json!({"index": 0, "id": "a", "function": {"name": "search", "arguments": "{}"}})),
        finished("tool_calls"),
    ];
    let mut text = ": hola\r\n\r\n".to_owned();
    for chunk in &chunks {
        text += &format!("data: {chunk}\n\n");
    }
    // Whole once it is known why it ends, whether or not anything follows.
    let unended = text.len();
    text += "data: [DONE]\n\n";
    let expected = [
        content_delta("- Sí, «Ficciones» — "),
        call("a", "search", json!({})),
        end(StopReason::ToolUse),
    ];
    for size in 1..text.len() {
        let (events, error) = decode(text.as_bytes(), size).await;
        assert!(events == expected && error.is_none(), "{size}: {events:?}");
    }
    for length in 0..text.len() {
        let (events, error) = decode(&text.as_bytes()[..length], 64).await;
        if length < unended {
            assert!(events.len() < 2, "{length}: {events:?}");
            assert!(
                matches!(error, Some(ModelError::Unreachable(_))),
                "{length}: {error:?}"
            );
        } else {
            // Nothing was missing but the word that nothing is.
            assert!(
                events == expected && error.is_none(),
                "{length}: {events:?}"
            );
        }
    }
}
