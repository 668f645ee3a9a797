//! `POST messages/`: a message from outside into the active conversation.

use http::StatusCode;
use mostrador_core::{
    history::{CONTENT_CHARS, History, NewMessage},
    ids::Owner,
};
use mostrador_web::{Call, Problem, Reply};
use serde_json::{Map, Value};

use crate::failed;

/// Largest `meta` taken, as JSON.
const META_BYTES_MAX: usize = 8 * 1024;

pub(crate) async fn add(history: &History, owner: &Owner, call: &Call) -> Result<Reply, Problem> {
    let mut body = call.json()?;
    let role = match body.remove("role") {
        Some(Value::String(role)) if matches!(role.as_str(), "user" | "assistant" | "system") => {
            role
        }
        _ => return Err(Problem::InvalidRole),
    };
    let content = match body.remove("content") {
        Some(Value::String(content))
            if !content.trim().is_empty() && content.chars().count() <= CONTENT_CHARS =>
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
    let message = history
        .add(
            owner,
            NewMessage {
                role,
                content,
                meta,
            },
        )
        .await
        .map_err(failed)?;
    Ok(Reply::json(StatusCode::CREATED, &message))
}
