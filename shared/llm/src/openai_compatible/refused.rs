//! What a server says of a request that it refuses.

use std::time::Duration;

use reqwest::Response;
use serde_json::Value;
use tokio::time::timeout;

/// More of it is not read, nor waited for longer: it is for the log.
const BYTES_MAX: usize = 16 << 10;
const WITHIN: Duration = Duration::from_secs(1);

/// Its sentence, as far as it has one.
pub(super) async fn message(mut answer: Response) -> Option<String> {
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
    sentence(&body)
}

/// As `OpenAI`, vLLM and `FastAPI` put it, or Gemini in an array; else all of it, unless that is a page.
fn sentence(body: &[u8]) -> Option<String> {
    let Ok(json) = serde_json::from_slice::<Value>(body) else {
        let text = String::from_utf8_lossy(body);
        let is_page = text.trim_start().starts_with(['<', '{', '[']);
        return (!is_page).then(|| text.into_owned());
    };
    let json = json.get(0).unwrap_or(&json);
    let said = [
        &json["error"]["message"],
        &json["error"],
        &json["message"],
        &json["detail"],
        &json["detail"][0]["msg"],
    ];
    said.into_iter().find_map(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: Option<&str>) {
        assert_eq!(sentence(body.as_bytes()).as_deref(), expected, "{body}");
    }

    #[test]
    fn a_sentence_is_found_wherever_servers_put_it() {
        let no_model = Some("The model `m` does not exist");
        for body in [
            r#"{"error": {"message": "The model `m` does not exist", "code": "model_not_found"}}"#,
            r#"[{"error": {"code": 404, "message": "The model `m` does not exist"}}]"#,
            r#"{"error": "The model `m` does not exist"}"#,
            r#"{"object": "error", "message": "The model `m` does not exist", "code": 404}"#,
            r#"{"detail": "The model `m` does not exist"}"#,
            r#"{"detail": [{"msg": "The model `m` does not exist", "input": {"messages": []}}]}"#,
            "The model `m` does not exist",
        ] {
            check(body, no_model);
        }
        for body in [
            "<html>nginx</html>",
            r#"{"error": {"mess"#,
            r#"{"error": {"code": 1}}"#,
            "[]",
            "null",
        ] {
            check(body, None);
        }
        check("", Some(""));
    }
}
