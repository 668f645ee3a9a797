//! What an endpoint answers with.

use bytes::Bytes;
use http::StatusCode;
use mostrador_core::limits::StoredAnswer;
use serde::Serialize;

/// Status and body; the headers that every answer carries are the gate's.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: StatusCode,
    pub content_type: &'static str,
    pub body: Bytes,
    /// Whether the request was settled with what it did, this answer included.
    pub settled: bool,
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
            settled: false,
        }
    }

    /// 200 with a JSON body.
    #[must_use]
    pub fn ok(body: &impl Serialize) -> Self {
        Self::json(StatusCode::OK, body)
    }

    /// This answer, as it is kept for a request's key.
    #[must_use]
    pub fn stored(&self) -> StoredAnswer {
        StoredAnswer {
            status: self.status.as_u16(),
            content_type: self.content_type.to_owned(),
            body: String::from_utf8_lossy(&self.body).into_owned(),
        }
    }
}
