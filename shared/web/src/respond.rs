//! What an endpoint answers with.

use bytes::Bytes;
use http::StatusCode;
use serde::Serialize;

/// Status and body; the headers that every answer carries are the gate's.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: StatusCode,
    pub content_type: &'static str,
    pub body: Bytes,
}

impl Reply {
    /// A JSON body.
    #[must_use]
    pub fn json(status: StatusCode, body: &impl Serialize) -> Self {
        // The bodies are our own types: strings, numbers, lists and objects with string keys.
        let body = serde_json::to_vec(body).unwrap_or_default();
        Self {
            status,
            content_type: "application/json",
            body: body.into(),
        }
    }

    /// 200 with a JSON body.
    #[must_use]
    pub fn ok(body: &impl Serialize) -> Self {
        Self::json(StatusCode::OK, body)
    }
}
