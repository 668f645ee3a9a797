//! `POST messages/`: messages from outside into the active conversation: one, or those of a conversation that began elsewhere.

use http::StatusCode;
use mostrador_core::{
    history::{CONTENT_CHARS, History, Message, NewMessage},
    ids::Owner,
    turn::is_blank,
};
use mostrador_web::{Call, Problem, Reply};
use serde_json::{Map, Value, json};

/// Largest `meta` taken, as JSON.
const META_BYTES_MAX: usize = 8 * 1024;
/// Most messages taken at once.
const MESSAGES_MAX: usize = 100;

pub(crate) async fn add(history: &History, owner: &Owner, call: &Call) -> Result<Reply, Problem> {
    let mut body = call.json()?;
    let (messages, one) = match body.remove("messages") {
        None => (vec![message(body)?], true),
        Some(Value::Array(given)) if (1..=MESSAGES_MAX).contains(&given.len()) => (
            given.into_iter().map(member).collect::<Result<_, _>>()?,
            false,
        ),
        Some(_) => {
            let detail = format!("`messages` is not a list of 1 to {MESSAGES_MAX} messages");
            return Err(Problem::invalid(detail));
        }
    };
    let reply_of = |added: &[Message]| match added {
        [only] if one => Reply::json(StatusCode::CREATED, only),
        all => Reply::json(StatusCode::CREATED, &json!({"messages": all})),
    };
    let settle = |added: &[Message]| call.settlement(&reply_of(added));
    let added = history.add(owner, messages, settle).await?;
    Ok(Reply {
        settled: true,
        ..reply_of(&added)
    })
}

fn member(given: Value) -> Result<NewMessage, Problem> {
    match given {
        Value::Object(members) => message(members),
        _ => Err(Problem::invalid("a message is not an object")),
    }
}

fn message(mut body: Map<String, Value>) -> Result<NewMessage, Problem> {
    let role = match body.remove("role") {
        Some(Value::String(role)) if matches!(role.as_str(), "user" | "assistant" | "system") => {
            role
        }
        _ => return Err(Problem::InvalidRole),
    };
    let content = match body.remove("content") {
        Some(Value::String(content))
            if !is_blank(&content) && content.chars().count() <= CONTENT_CHARS =>
        {
            content
        }
        _ => return Err(Problem::InvalidContent),
    };
    let meta = match body.remove("meta") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(meta)) => meta,
        Some(_) => return Err(Problem::invalid("`meta` is not an object")),
    };
    if serde_json::to_vec(&meta).map_or(usize::MAX, |json| json.len()) > META_BYTES_MAX {
        return Err(Problem::invalid("`meta` is larger than 8 KB"));
    }
    Ok(NewMessage {
        role,
        content,
        meta,
    })
}
