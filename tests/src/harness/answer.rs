//! Answers, and what every one of them must hold.

use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use super::behind_a_gateway;

/// Internal words that no answer may contain.
const INTERNAL: [&str; 8] = [
    "dynamo", "sqlite", "reqwest", "panicked", "src/", ".rs", "sdk", "aws",
];

/// Status, headers and body of an answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The request, for failures.
    pub(crate) request: String,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The body; null where it is no JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The body of an answer that must have this status.
    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        self.json()
    }

    /// Status and body, with what differs from run to run masked.
    pub(crate) fn seen(&self, changing: &[&str]) -> (u16, Value) {
        (self.status, masked(self.json(), changing))
    }

    /// The stable word of a refusal; empty for a good answer.
    pub(crate) fn code(&self) -> String {
        let body = self.json();
        body["error"].as_str().unwrap_or_default().to_owned()
    }

    /// Checks a problem whole: every member, every header, and nothing of our inside. Gives its message.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, code: &str) -> String {
        let body = self.json();
        let title = reqwest::StatusCode::from_u16(status).expect("a status");
        let expected = json!({
            "type": "about:blank", "title": title.canonical_reason(), "status": status,
            "detail": body["detail"], "error": code, "message": body["message"],
            "results": [], "actions": [], "request_id": self.header("x-request-id"),
        });
        assert_eq!((self.status, &body), (status, &expected), "{self:?}");
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{self:?}"
        );
        for member in ["detail", "message", "request_id"] {
            let text = body[member].as_str().unwrap_or_default();
            assert!(!text.trim().is_empty(), "{member}: {self:?}");
        }
        let wait = self
            .header("retry-after")
            .map(|wait| wait.parse().unwrap_or(0));
        assert_eq!(
            wait.is_some_and(|wait: u64| wait > 0),
            matches!(status, 409 | 429 | 503),
            "{self:?}"
        );
        self.has_nothing_internal();
        body["message"].as_str().unwrap_or_default().to_owned()
    }

    #[track_caller]
    pub(crate) fn has_nothing_internal(&self) {
        let mut headers = self.headers.clone();
        if behind_a_gateway() {
            // Its own, made of random letters.
            headers.remove("apigw-requestid");
        }
        let dumped = format!("{headers:?}{}", self.text).to_lowercase();
        for word in INTERNAL {
            assert!(!dumped.contains(word), "{word} in {self:?}");
        }
    }
}

/// `value` with every member of these names replaced by `"…"`, at any depth.
pub(crate) fn masked(mut value: Value, names: &[&str]) -> Value {
    match &mut value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                *member = if names.contains(&name.as_str()) && !member.is_null() {
                    json!("…")
                } else {
                    masked(member.take(), names)
                };
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| *item = masked(item.take(), names)),
        _ => {}
    }
    value
}

/// One member of each item of a list.
pub(crate) fn keys(list: &Value, name: &str) -> Vec<Value> {
    let items = list.as_array().cloned().unwrap_or_default();
    items.iter().map(|item| item[name].clone()).collect()
}

/// The numbers of the items that an answer shows.
pub(crate) fn shown(answer: &Value) -> Vec<u64> {
    let items = keys(&answer["results"], "libro_id").into_iter();
    items.filter_map(|id| id.as_u64()).collect()
}
