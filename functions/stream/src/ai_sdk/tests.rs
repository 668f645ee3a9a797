use std::time::Duration;

use futures_util::StreamExt;
use mostrador_core::{
    answer::{Action, Approval},
    ids::{ConversationNumber, Seq},
    language::Language,
    log::ListedItem,
    model::Usage,
    price::Price,
    turn::{CompleteReason, Message, Persistence, ToolOutcome, TurnEvent, What},
};
use mostrador_web::Body;
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{dialect::Dialect, events};

const TURN: Uuid = Uuid::from_u128(7);
const TOOL_USE: Uuid = Uuid::from_u128(8);
const TURN_ID: &str = "00000000-0000-0000-0000-000000000007";
const TOOL_USE_ID: &str = "00000000-0000-0000-0000-000000000008";

/// The parts of a turn with these events.
async fn parts(turn: Vec<What>) -> Value {
    let (sender, reply) = events::reply(
        Duration::from_secs(60),
        Language::from_tag("en").unwrap(),
        Dialect::AiSdk,
    );
    for (event_index, what) in (0..).zip(turn) {
        let event = TurnEvent {
            event_index,
            turn_id: TURN,
            timestamp: OffsetDateTime::UNIX_EPOCH,
            persistence_state: Persistence::Transient,
            sequence_number: None,
            what,
        };
        sender.send(event).unwrap();
    }
    drop(sender);
    let Body::Stream(stream) = reply.body else {
        panic!("not a stream");
    };
    let written = stream.collect::<Vec<_>>().await;
    assert!(written.iter().all(|bytes| !bytes.is_empty()));
    let text = String::from_utf8(written.concat()).unwrap();
    let events = text.strip_suffix("\n\n").unwrap().split("\n\n");
    let parts = events.map(|event| {
        let data = event.strip_prefix("data: ").unwrap();
        serde_json::from_str(data).unwrap_or_else(|_| json!(data))
    });
    parts.collect::<Vec<_>>().into()
}

fn start(conversation: Option<u32>) -> What {
    What::SessionStart {
        conversation: conversation.map(ConversationNumber),
        notice: Some("An assistant.".into()),
    }
}

fn question() -> What {
    What::UserMessageConfirmed {
        message_id: Some(Seq(3)),
        event_id: None,
        content: "rayuela".into(),
    }
}

fn tool_use() -> What {
    What::ToolUse {
        tool_use_id: TOOL_USE,
        tool_name: "search_catalog".into(),
        args: json!({"q": "rayuela", "k": 5}),
    }
}

fn tool_result(error: Option<&str>) -> What {
    let item = ListedItem {
        libro_id: 3,
        precio: Price::from_minor(2150),
        stock: 4,
    };
    What::ToolResult {
        tool_use_id: TOOL_USE,
        tool_name: "search_catalog".into(),
        result: ToolOutcome {
            results: error.map_or(vec![item], |_| Vec::new()),
            lines: Vec::new(),
        },
        success: error.is_none(),
        error: error.map(str::to_owned),
        duration_ms: Some(1),
    }
}

fn chunk(content: &str) -> What {
    What::MessageChunk {
        content: content.into(),
        block_id: "message".into(),
    }
}

fn thought(content: &str) -> What {
    What::ThinkingChunk {
        content: content.into(),
        block_id: "thinking".into(),
    }
}

fn thought_through(content: &str) -> What {
    What::ThinkingComplete {
        content: content.into(),
        block_id: "thinking".into(),
    }
}

fn message(message_id: Option<u64>, model: Option<&str>, stop_reason: &str) -> What {
    What::Message(answer(message_id, model, stop_reason))
}

fn answer(message_id: Option<u64>, model: Option<&str>, stop_reason: &str) -> Box<Message> {
    Box::new(Message {
        message_id: message_id.map(Seq),
        content: "- Uno\n- Dos".into(),
        segments: Vec::new(),
        results: Vec::new(),
        actions: vec![Action::ViewBook { libro_id: 3 }],
        citations: Vec::new(),
        stop_reason: stop_reason.into(),
        context: None,
        usage: model.map(|_| Usage {
            input_tokens: 10,
            output_tokens: 5,
        }),
        model: model.map(str::to_owned),
        trace: None,
    })
}

fn complete(reason: CompleteReason, stop_reason: Option<&str>) -> What {
    What::Complete {
        reason,
        stop_reason: stop_reason.map(str::to_owned),
    }
}

fn success() -> What {
    complete(CompleteReason::Success, Some("end_turn"))
}

fn failure(message: &str) -> What {
    What::Error {
        code: "c".into(),
        message: message.into(),
    }
}

/// The parts that most turns begin with.
fn beginning(metadata: &Value) -> Vec<Value> {
    vec![
        json!({"type": "start", "messageId": TURN_ID, "messageMetadata": metadata}),
        json!({"type": "start-step"}),
    ]
}

fn tool() -> Vec<Value> {
    vec![
        json!({"type": "tool-input-available", "toolCallId": TOOL_USE_ID, "toolName": "search_catalog",
               "input": {"q": "rayuela", "k": 5}, "providerExecuted": true}),
        json!({"type": "tool-output-available", "toolCallId": TOOL_USE_ID,
               "output": {"results": [{"libro_id": 3, "precio": "21.50", "stock": 4}]}, "providerExecuted": true}),
    ]
}

fn text(deltas: &[&str]) -> Vec<Value> {
    let deltas = deltas
        .iter()
        .map(|delta| json!({"type": "text-delta", "id": "message", "delta": delta}));
    std::iter::once(json!({"type": "text-start", "id": "message"}))
        .chain(deltas)
        .chain([json!({"type": "text-end", "id": "message"})])
        .collect()
}

fn data() -> Vec<Value> {
    vec![
        json!({"type": "data-results", "id": "results", "data": []}),
        json!({"type": "data-segments", "id": "segments", "data": []}),
        json!({"type": "data-actions", "id": "actions", "data": [{"type": "view_book", "libro_id": 3}]}),
    ]
}

fn finish(reason: &str, metadata: &Value) -> Vec<Value> {
    let mut finish = json!({"type": "finish", "finishReason": reason});
    if !metadata.is_null() {
        finish["messageMetadata"] = metadata.clone();
    }
    vec![json!({"type": "finish-step"}), finish, json!("[DONE]")]
}

fn notice() -> Value {
    json!({"notice": "An assistant."})
}

#[tokio::test]
async fn a_signed_in_turn_with_a_model() {
    let kept = json!({"conversation": 2, "notice": "An assistant."});
    let answered = json!({
        "message_id": 6, "stop_reason": "end_turn", "model": "m", "usage": {"input_tokens": 10, "output_tokens": 5},
    });
    let turn = vec![
        start(Some(2)),
        question(),
        tool_use(),
        tool_result(None),
        thought("Miro"),
        thought("\nbien"),
        thought_through("Miro\nbien"),
        chunk("- Uno"),
        chunk("\n- Dos"),
        message(Some(6), Some("m"), "end_turn"),
        success(),
    ];
    let reasoning = [
        json!({"type": "reasoning-start", "id": "thinking"}),
        json!({"type": "reasoning-delta", "id": "thinking", "delta": "Miro"}),
        json!({"type": "reasoning-delta", "id": "thinking", "delta": "\nbien"}),
        json!({"type": "reasoning-end", "id": "thinking"}),
    ];
    let expected = [
        beginning(&kept),
        tool(),
        reasoning.to_vec(),
        text(&["- Uno", "\n- Dos"]),
        data(),
        finish("stop", &answered),
    ];
    assert_eq!(parts(turn).await, json!(expected.concat()));
}

#[tokio::test]
async fn a_guests_turn_without_a_model() {
    let turn = vec![
        start(None),
        question(),
        tool_use(),
        tool_result(None),
        chunk("- Uno"),
        chunk("\n- Dos"),
        message(None, None, "end_turn"),
        success(),
    ];
    let expected = [
        beginning(&notice()),
        tool(),
        text(&["- Uno", "\n- Dos"]),
        data(),
        finish("stop", &json!({"stop_reason": "end_turn"})),
    ];
    assert_eq!(parts(turn).await, json!(expected.concat()));
}

#[tokio::test]
async fn a_resumed_turn_has_its_text_at_once() {
    let turn = vec![
        start(Some(2)),
        question(),
        tool_use(),
        tool_result(None),
        message(Some(6), None, "max_tokens"),
        complete(CompleteReason::Success, Some("max_tokens")),
    ];
    let expected = [
        beginning(&json!({"conversation": 2, "notice": "An assistant."})),
        tool(),
        text(&["- Uno\n- Dos"]),
        data(),
        finish(
            "length",
            &json!({"message_id": 6, "stop_reason": "max_tokens"}),
        ),
    ];
    assert_eq!(parts(turn).await, json!(expected.concat()));
}

#[tokio::test]
async fn a_turn_with_an_approval() {
    let approval = Approval {
        approval: TOOL_USE,
        action: "add_to_cart".into(),
        payload: json!({"book_id": 3}),
        expires_at: OffsetDateTime::UNIX_EPOCH,
    };
    let proposal = What::ApprovalRequested {
        approval,
        message: answer(Some(6), None, "tool_use"),
    };
    let end = complete(CompleteReason::Success, Some("tool_use"));
    let paused = What::TurnPaused {
        why: "approval".into(),
    };
    let resolved = What::ApprovalResolved {
        approval: TOOL_USE,
        approved: false,
        content: "- De acuerdo.".into(),
        error: None,
    };
    let approval = json!({
        "approval": TOOL_USE_ID, "action": "add_to_cart", "payload": {"book_id": 3}, "expires_at": "1970-01-01T00:00:00Z",
    });
    let mut refused = approval.clone();
    refused["resolved"] = json!({"approved": false, "content": "- De acuerdo."});
    let part = |data| json!({"type": "data-approval", "id": "approval", "data": data});
    let answered = json!({"message_id": 6, "stop_reason": "tool_use"});
    for (follows, parts_of_it) in [
        (paused, vec![part(approval.clone())]),
        (resolved, vec![part(approval.clone()), part(refused)]),
    ] {
        let sample = [chunk("- Uno"), chunk("\n- Dos")];
        let mut turn = vec![start(None)];
        turn.extend(sample);
        turn.extend([proposal.clone(), follows, end.clone()]);
        let expected = [
            beginning(&notice()),
            text(&["- Uno", "\n- Dos"]),
            data(),
            parts_of_it,
            finish("tool-calls", &answered),
        ];
        assert_eq!(parts(turn).await, json!(expected.concat()));
    }
}

#[tokio::test]
async fn thoughts_that_come_all_at_once_are_a_block_too() {
    let turn = vec![start(None), thought_through("Miro"), success()];
    let reasoning = [
        json!({"type": "reasoning-start", "id": "thinking"}),
        json!({"type": "reasoning-delta", "id": "thinking", "delta": "Miro"}),
        json!({"type": "reasoning-end", "id": "thinking"}),
    ];
    let expected = [
        beginning(&notice()),
        reasoning.to_vec(),
        finish("stop", &Value::Null),
    ];
    assert_eq!(parts(turn).await, json!(expected.concat()));
}

#[tokio::test]
async fn a_tool_that_fails() {
    let turn = vec![
        start(None),
        tool_use(),
        tool_result(Some("unavailable")),
        success(),
    ];
    let failed = json!({"type": "tool-output-error", "toolCallId": TOOL_USE_ID, "errorText": "unavailable", "providerExecuted": true});
    let expected = [
        beginning(&notice()),
        vec![tool().remove(0), failed],
        finish("stop", &Value::Null),
    ];
    assert_eq!(parts(turn).await, json!(expected.concat()));
}

#[tokio::test]
async fn turns_without_an_answer() {
    let error = complete(CompleteReason::Error, None);
    let turn = vec![
        start(None),
        thought("Miro"),
        chunk("- Uno"),
        failure("Ask again."),
        error,
    ];
    let begun = [
        json!({"type": "reasoning-start", "id": "thinking"}),
        json!({"type": "reasoning-delta", "id": "thinking", "delta": "Miro"}),
        json!({"type": "text-start", "id": "message"}),
        json!({"type": "text-delta", "id": "message", "delta": "- Uno"}),
        json!({"type": "reasoning-end", "id": "thinking"}),
        json!({"type": "text-end", "id": "message"}),
    ];
    let sample = vec![json!({"type": "error", "errorText": "Ask again."})];
    let expected = [
        beginning(&notice()),
        begun.to_vec(),
        sample,
        finish("error", &Value::Null),
    ];
    assert_eq!(parts(turn).await, json!(expected.concat()));

    // Whoever stopped it gets no error.
    let cancelled = complete(CompleteReason::UserCancelled, None);
    let turn = vec![
        start(None),
        chunk("- Uno"),
        failure("You stopped it."),
        cancelled,
    ];
    let abort = json!({"type": "abort", "reason": "You stopped it."});
    let expected = [
        beginning(&notice()),
        text(&["- Uno"]),
        vec![abort, json!("[DONE]")],
    ];
    assert_eq!(parts(turn).await, json!(expected.concat()));
}

#[tokio::test]
async fn a_turn_that_breaks_off() {
    let turn = vec![start(None), question(), chunk("- Uno")];
    let sample = "I couldn't finish my answer: please ask me again.";
    let expected = [
        beginning(&notice()),
        text(&["- Uno"]),
        vec![json!({"type": "error", "errorText": sample})],
        finish("error", &Value::Null),
    ];
    assert_eq!(parts(turn).await, json!(expected.concat()));
}

#[tokio::test]
async fn every_end_has_a_reason_that_the_sdk_knows() {
    for (reason, stop_reason, expected) in [
        (CompleteReason::Success, None, "stop"),
        (CompleteReason::Success, Some("end_turn"), "stop"),
        (CompleteReason::Success, Some("stop_sequence"), "stop"),
        (CompleteReason::Success, Some("max_tokens"), "length"),
        (CompleteReason::Success, Some("tool_use"), "tool-calls"),
        (CompleteReason::MaxTurns, None, "other"),
        (CompleteReason::Error, None, "error"),
    ] {
        let received = parts(vec![start(None), complete(reason, stop_reason)]).await;
        assert_eq!(received[3]["finishReason"], expected, "{reason:?}");
    }
}

#[tokio::test]
async fn a_part_is_one_line_whatever_it_contains() {
    let sample = "- «Uno»\r\n\n\u{2028}data: [DONE]\0";
    let received = parts(vec![start(None), chunk(sample), success()]).await;
    assert_eq!(received[3]["delta"], sample);
}
