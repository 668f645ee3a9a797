//! The endpoint for programs.

use mostrador_core::{
    history::{Conversation, ConversationsPage, Matches, Message, Page},
    turn::VISIBLE,
};
use mostrador_web::openapi::{
    Access, Document, Operation, count, idempotency_parameter, path_parameter, query_parameter,
    such_as,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A message to add.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct MessageBody {
    /// Who has said it.
    #[schemars(extend("enum" = ["user", "assistant", "system"]))]
    role: String,
    /// Up to 16,000 characters, not all of them blank.
    #[schemars(length(min = 1, max = 16_000), regex(pattern = VISIBLE))]
    content: String,
    #[serde(default)]
    meta: Option<Map<String, Value>>,
}

/// How good a conversation was.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct RatingBody {
    #[schemars(range(min = 1, max = 5))]
    rating: u8,
}

/// A message, or all those of a conversation that began elsewhere.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum AddBody {
    One(MessageBody),
    /// 1 to 100 messages, oldest first: all are added or none.
    Many {
        #[schemars(length(min = 1, max = 100))]
        messages: Vec<MessageBody>,
    },
}

/// What was added, in the shape it was given in.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Added {
    One(Message),
    Many { messages: Vec<Message> },
}

/// Adds this endpoint to the document.
pub fn describe(document: &mut Document) {
    let page = document.schema::<Page>();
    let message = document.schema::<Added>();
    let body = document.schema::<AddBody>();
    let place = r"^[1-9][0-9]{0,7}\.[1-9][0-9]{0,11}$";
    let place = || json!({"type": "string", "pattern": place});
    let parameters = vec![
        query_parameter(
            "conversation",
            "The conversation's number; the active one where it is left out.",
            count(),
        ),
        query_parameter(
            "limit",
            "Messages at most: 1 to 500, 100 where it is left out.",
            count(),
        ),
        query_parameter("before", "Only messages older than this id.", count()),
        query_parameter(
            "page",
            "Numbered pages, 1 the newest.",
            json!({"type": "integer", "minimum": 0, "maximum": crate::page::PAGE_MAX}),
        ),
        query_parameter(
            "per_page",
            "Messages on a numbered page: 1 to 500, 100 where it is left out.",
            count(),
        ),
    ];
    let operation = |path, method, id, summary| Operation {
        problems: &[400, 401, 406, 409, 413, 415, 422, 429, 503],
        ..Operation::new(path, method, id, summary, Access::SignedIn)
    };
    let conversation_example = json!({
        "id": 1, "user": "ana", "status": "active", "title": "¿Tenéis «Rayuela»?", "created_at": "2026-11-23T10:00:00Z",
        "updated_at": "2026-11-23T10:00:00Z", "last_message_at": "2026-11-23T10:00:00Z", "message_count": 1, "summary": null,
        "rating": 5,
    });
    document.add(Operation {
        parameters,
        answers: vec![(200, Some(page.clone()))],
        answer_example: json!({
            "conversation": conversation_example.clone(),
            "messages": [{
                "id": 2, "role": "user", "content": "¿Tenéis «Rayuela»?", "created_at": "2026-11-23T10:00:00Z", "meta": {},
            }],
            "next": null,
        }),
        problems: &[400, 401, 404, 406, 413, 429, 503],
        ..operation(
            super::HISTORY,
            "GET",
            "read_history",
            "The active conversation's newest messages.",
        )
    });
    document.add(Operation {
        parameters: vec![idempotency_parameter()],
        answers: vec![(201, Some(page.clone()))],
        ..operation(
            super::HISTORY,
            "POST",
            "open_conversation",
            "The active conversation, begun if there is none.",
        )
    });
    document.add(Operation {
        answers: vec![(200, Some(page))],
        problems: &[401, 406, 409, 413, 429, 503],
        ..operation(
            super::HISTORY,
            "DELETE",
            "archive_conversation",
            "Archive the active conversation and begin the next.",
        )
    });
    let list = document.schema::<ConversationsPage>();
    let matches = document.schema::<Matches>();
    let conversation = document.schema::<Conversation>();
    let rating_body = document.schema::<RatingBody>();
    let reads: &[u16] = &[400, 401, 404, 406, 413, 429, 503];
    document.add(Operation {
        parameters: vec![
            query_parameter("before", "Only conversations below this number.", count()),
            query_parameter(
                "limit",
                "Conversations at most: 1 to 100, 20 where it is left out.",
                count(),
            ),
        ],
        answers: vec![(200, Some(list))],
        answer_example: json!({"conversations": [conversation_example.clone()], "next": null}),
        problems: reads,
        ..operation(
            super::CONVERSATIONS,
            "GET",
            "list_conversations",
            "The customer's conversations, newest first.",
        )
    });
    document.add(Operation {
        parameters: vec![
            such_as(
                query_parameter(
                    "q",
                    "Words that a message must have, or words that begin with them; case and accents do not matter.",
                    Value::Null,
                ),
                "rayuela",
            ),
            such_as(
                query_parameter("after", "The `next` of an answer, to read on.", place()),
                "2.17",
            ),
            query_parameter(
                "limit",
                "Messages at most: 1 to 100, 20 where it is left out.",
                count(),
            ),
        ],
        answers: vec![(200, Some(matches))],
        problems: reads,
        ..operation(
            super::SEARCH,
            "GET",
            "search_history",
            "Messages of all the customer's conversations, newest first.",
        )
    });
    document.add(Operation {
        parameters: vec![path_parameter(
            "id",
            "The conversation's number.",
            json!({"type": "integer", "minimum": 1}),
        )],
        request: Some(rating_body),
        request_example: json!({"rating": 5}),
        answers: vec![(200, Some(conversation))],
        answer_example: conversation_example,
        problems: &[400, 401, 404, 406, 409, 413, 415, 429, 503],
        ..operation(
            super::RATING,
            "PATCH",
            "rate_conversation",
            "How good the customer found a conversation.",
        )
    });
    document.add(Operation {
        parameters: vec![such_as(
            query_parameter("after", "The `next` of the last line, to read on.", place()),
            "2.17",
        )],
        answers: vec![(200, Some(json!({"type": "string"})))],
        problems: reads,
        content_type: "application/x-ndjson",
        ..operation(
            super::EXPORT,
            "GET",
            "export_history",
            "Everything that is kept of the customer, as JSON lines. The last line is of type `end`, or `continued` with `next`.",
        )
    });
    document.add(Operation {
        parameters: vec![idempotency_parameter()],
        request: Some(body),
        request_example: json!({"role": "user", "content": "¿Tenéis «Rayuela»?"}),
        answers: vec![(201, Some(message))],
        ..operation(
            super::MESSAGES,
            "POST",
            "add_messages",
            "Add a message to the active conversation, or several.",
        )
    });
}
