//! The body of a server's refusal.

use std::time::Duration;

use reqwest::Response;
use serde_json::Value;
use tokio::time::timeout;

use crate::refusal::known;

/// More of it is not read, nor waited for longer: it is for the log.
const BYTES_MAX: usize = 16 << 10;
const WITHIN: Duration = Duration::from_secs(1);

/// The error's body, as far as it has come.
pub(super) async fn body(mut answer: Response) -> Vec<u8> {
    let mut body = Vec::new();
    let read = async {
        while let Ok(Some(chunk)) = answer.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() > BYTES_MAX {
                break;
            }
        }
    };
    // What has come by then may do.
    let _ = timeout(WITHIN, read).await;
    body
}

/// An error in a provider's own words, which are for no log.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct ErrorBody<'a> {
    pub(super) code: Option<&'a str>,
    pub(super) message: Option<&'a str>,
}

impl<'a> ErrorBody<'a> {
    /// As `OpenAI`, vLLM and `FastAPI` put it, or Gemini in an array: the error itself, or what stands around it.
    pub(super) fn of(json: &'a Value) -> Self {
        let json = json.get(0).unwrap_or(json);
        let error = &json["error"];
        let codes = ["code", "type", "status"];
        let codes = codes.iter().flat_map(|name| [&error[name], &json[name]]);
        let messages = [
            &error["message"],
            error,
            &json["message"],
            &json["detail"],
            &json["detail"][0]["msg"],
        ];
        Self {
            // A known one of them is worth more than the first.
            code: codes
                .filter_map(Value::as_str)
                .find(|code| known(code).is_some()),
            message: messages.into_iter().find_map(Value::as_str),
        }
    }
}

/// The sentence of a body that is no JSON, unless it is a page.
pub(super) fn sentence(body: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(body).ok()?;
    let is_page = text.trim_start().starts_with(['<', '{', '[']);
    (!is_page).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, code: Option<&str>, message: Option<&str>) {
        let json = serde_json::from_str(body).unwrap_or_default();
        let error_body = ErrorBody::of(&json);
        let found = error_body.message.or_else(|| sentence(body.as_bytes()));
        assert_eq!((error_body.code, found), (code, message), "{body}");
    }

    #[test]
    fn an_error_is_found_wherever_servers_put_it() {
        let no_model = Some("The model `m` does not exist");
        for body in [
            r#"{"error": {"message": "The model `m` does not exist", "code": "m"}}"#,
            r#"[{"error": {"code": 404, "message": "The model `m` does not exist"}}]"#,
            r#"{"error": "The model `m` does not exist"}"#,
            r#"{"object": "error", "message": "The model `m` does not exist", "code": 404}"#,
            r#"{"detail": "The model `m` does not exist"}"#,
            r#"{"detail": [{"msg": "The model `m` does not exist", "input": {"messages": []}}]}"#,
            "The model `m` does not exist",
        ] {
            check(body, None, no_model);
        }
        for (body, code) in [
            (
                r#"{"error": {"code": "model_not_found"}}"#,
                "model_not_found",
            ),
            (
                r#"{"error": {"code": "sk-7", "type": "invalid_request_error"}}"#,
                "invalid_request_error",
            ),
            (
                r#"[{"error": {"code": 404, "status": "NOT_FOUND"}}]"#,
                "NOT_FOUND",
            ),
            (
                r#"{"type": "error", "error": {"type": "overloaded_error"}}"#,
                "overloaded_error",
            ),
        ] {
            check(body, Some(code), None);
        }
        for body in [
            "<html>nginx</html>",
            r#"{"error": {"mess"#,
            r#"{"error": {"code": 1}}"#,
            "[]",
        ] {
            check(body, None, None);
        }
        check("", None, Some(""));
    }
}
