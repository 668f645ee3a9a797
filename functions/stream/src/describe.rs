//! The endpoint for programs.

use mostrador_core::turn::{ChatBody, TurnEvent};
use mostrador_web::openapi::{
    Access, Document, Operation, count, idempotency_parameter, model_key_parameter, path_parameter,
    query_parameter, required,
};
use serde_json::{Value, json};

use super::{Cancelled, follow::Told};

/// Adds this endpoint to the document.
pub fn describe(document: &mut Document) {
    let request = document.schema::<ChatBody>();
    let event = document.schema::<TurnEvent>();
    let cancelled = document.schema::<Cancelled>();
    let told = document.schema::<Told>();
    // Ours, or parts of the AI SDK's stream, which its own documentation describes.
    let part =
        json!({"type": "object", "required": ["type"], "properties": {"type": {"type": "string"}}});
    let described = |description: &str, number: &str, data: Value| {
        json!({
            "type": "object", "description": description, "required": ["data"],
            "properties": {"id": {"type": "string", "description": number}, "event": {"type": "string"}, "data": data},
        })
    };
    let events = described(
        "One server-sent event. The AI SDK's stream ends with the text `[DONE]` for its data.",
        "The event's number within its turn.",
        json!({"type": "string", "anyOf": [
            {"const": "[DONE]"}, {"contentMediaType": "application/json", "contentSchema": {"anyOf": [event, part]}},
        ]}),
    );
    let of_staff = described(
        "One server-sent event.",
        "The message's number, for `after`.",
        json!({"type": "string", "contentMediaType": "application/json", "contentSchema": told}),
    );
    document.add(Operation {
        path: super::STREAM,
        method: "POST",
        id: "stream",
        summary: "Ask the counter; the answer comes as server-sent events, each line as soon as it may be said.",
        access: Access::Anyone,
        parameters: vec![dialect(), idempotency_parameter(), model_key_parameter()],
        request: Some(json!({"anyOf": [request, chat_of_the_sdk()]})),
        request_example: json!({"message": "libro 12"}),
        content_type: "text/event-stream",
        answers: vec![(200, Some(events.clone()))],
        answer_example: Value::Null,
        problems: &[400, 401, 404, 406, 409, 413, 415, 422, 429, 503],
    });
    document.add(Operation {
        path: super::STREAM,
        method: "GET",
        id: "follow_person",
        summary: "What the shop's staff say in a conversation that is with a person, as they say it. It ends when they hand it back, and \
                  after 25 seconds: then ask again, with `after`.",
        access: Access::SignedIn,
        parameters: vec![
            required(query_parameter("conversation", "The conversation's number.", count())),
            query_parameter(
                "after",
                "The number of the last message received, `Last-Event-ID` does the same; without it, what comes from now on.",
                count(),
            ),
        ],
        request: None,
        content_type: "text/event-stream",
        answers: vec![(200, Some(of_staff)), (204, None)],
        request_example: Value::Null,
        answer_example: Value::Null,
        problems: &[400, 401, 404, 406, 429, 503],
    });
    let turn = || {
        let schema = json!({"type": "string", "format": "uuid"});
        path_parameter("turn_id", "The turn, as its events name it.", schema)
    };
    document.add(Operation {
        path: super::TURN,
        method: "GET",
        id: "resume_stream",
        summary: "What comes after an event of a turn; waits for the rest of one that is still open.",
        access: Access::SignedIn,
        parameters: vec![
            turn(),
            query_parameter(
                "after",
                "The number of the last event received; `Last-Event-ID` does the same. The AI SDK's dialect begins anew.",
                json!({"type": "integer", "minimum": 0, "maximum": u32::MAX}),
            ),
            dialect(),
        ],
        request: None,
        content_type: "text/event-stream",
        answers: vec![(200, Some(events)), (204, None)],
        request_example: Value::Null,
        answer_example: Value::Null,
        problems: &[400, 401, 404, 406, 429, 503],
    });
    document.add(Operation {
        path: super::TURN,
        method: "DELETE",
        id: "cancel_turn",
        summary: "Stop a turn that is still open; it gets no answer.",
        access: Access::SignedIn,
        parameters: vec![turn()],
        request: None,
        content_type: "application/json",
        answers: vec![(200, Some(cancelled))],
        request_example: Value::Null,
        answer_example: json!({"turn_id": "0198f0c0-0000-7000-8000-000000000000", "cancelled": true}),
        problems: &[401, 404, 406, 409, 429, 503],
    });
}

/// The body that the AI SDK's `useChat` sends; only the last user's text is read of it, and our hints beside it.
fn chat_of_the_sdk() -> Value {
    json!({
        "type": "object", "required": ["messages"], "description": "With `dialect=ai-sdk`: what `useChat` sends.",
        "properties": {"messages": {"type": "array", "minItems": 1, "items": {
            "type": "object", "required": ["role", "parts"],
            "properties": {"role": {"type": "string"}, "parts": {"type": "array", "items": {"type": "object"}}},
        }}},
    })
}

fn dialect() -> Value {
    query_parameter(
        "dialect",
        "With `ai-sdk`, the AI SDK's UI message stream instead of our events; the request may be what its chats send, \
         with `messages` for the `message`, and up to 1 MB.",
        json!({"type": "string", "enum": ["ai-sdk"]}),
    )
}
