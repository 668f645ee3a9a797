//! What a chat of the AI SDK sends, as a chat request.

use mostrador_web::Problem;
use serde_json::{Map, Value};

/// The body with the question as its `message`: the last user's of `messages`, the one message that `message` is, or the plain
/// text there. Earlier messages are not believed: the conversation is in the log. Hints stay beside it.
///
/// # Errors
/// 400 where nothing is asked.
pub(crate) fn chat_request(mut body: Map<String, Value>) -> Result<Map<String, Value>, Problem> {
    let user_message = match (body.get("message"), body.get("messages")) {
        (Some(Value::String(_)), _) => return Ok(body),
        (None | Some(Value::Null), None | Some(Value::Null)) => {
            return Err(Problem::invalid("`messages` is missing"));
        }
        (None | Some(Value::Null), Some(Value::Array(messages))) => last_of_user(messages)?,
        (None | Some(Value::Null), Some(_)) => {
            return Err(Problem::invalid("`messages` is not a list"));
        }
        (Some(message), _) if message["role"] == "user" => message,
        (Some(_), _) => {
            let detail = "`message` is neither a string nor a message of the role `user`";
            return Err(Problem::invalid(detail));
        }
    };
    let question = text(user_message)?;
    body.insert("message".to_owned(), question.into());
    Ok(body)
}

fn last_of_user(messages: &[Value]) -> Result<&Value, Problem> {
    if messages.is_empty() {
        return Err(Problem::invalid("`messages` is empty"));
    }
    let mut newest_first = messages.iter().rev();
    let user_message = newest_first.find(|message| message["role"] == "user");
    user_message.ok_or_else(|| Problem::invalid("none of `messages` has the role `user`"))
}

/// The text parts, one after another on lines of their own; files and the like cannot be read.
fn text(message: &Value) -> Result<String, Problem> {
    let parts = message["parts"].as_array();
    let parts = parts.ok_or_else(|| Problem::invalid("the user's message has no list `parts`"))?;
    let texts = parts.iter().filter(|part| part["type"] == "text");
    let texts: Vec<&str> = texts.filter_map(|part| part["text"].as_str()).collect();
    if texts.is_empty() {
        let detail = "none of the `parts` of the user's message is a text";
        return Err(Problem::invalid(detail));
    }
    Ok(texts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn user_message(body: &Value) -> Result<Value, String> {
        let body = body.as_object().cloned().unwrap();
        let request = chat_request(body).map_err(|problem| problem.to_string())?;
        Ok(request["message"].clone())
    }

    fn user(parts: Value) -> Value {
        json!({"id": "u", "role": "user", "parts": parts, "metadata": {"x": 1}})
    }

    #[test]
    fn the_question_is_the_last_user_message() {
        let tolkien = user(json!([{"type": "text", "text": "tolkien"}]));
        let rayuela = user(json!([{"type": "text", "text": "rayuela", "state": "done"}]));
        let answer = json!({"id": "a", "role": "assistant", "parts": [{"type": "text", "text": "- Encontré 2 libros"}]});
        let of_files = user(json!([
            {"type": "file", "mediaType": "image/png", "url": "data:,"}, {"type": "text", "text": "como este"},
            {"type": "text", "text": 7}, {"type": "text", "text": "o parecido"}, null,
        ]));
        for (body, expected) in [
            (json!({"messages": [tolkien]}), "tolkien"),
            (json!({"messages": [tolkien, answer, rayuela]}), "rayuela"),
            (json!({"messages": [tolkien, answer]}), "tolkien"),
            (json!({"messages": [of_files]}), "como este\no parecido"),
            // The chat sends only its last message, or no chat is there at all.
            (json!({"message": rayuela}), "rayuela"),
            (json!({"message": rayuela, "messages": []}), "rayuela"),
            (json!({"message": "libro 12"}), "libro 12"),
            (
                json!({"message": "libro 12", "messages": [tolkien]}),
                "libro 12",
            ),
            (json!({"message": null, "messages": [tolkien]}), "tolkien"),
            // A blank question is refused where every question is read.
            (json!({"message": " "}), " "),
            (
                json!({"messages": [user(json!([{"type": "text", "text": ""}]))]}),
                "",
            ),
        ] {
            assert_eq!(user_message(&body), Ok(json!(expected)), "{body}");
        }
    }

    #[test]
    fn hints_stay_beside_it() {
        let body = json!({
            "k": 3, "use_llm": false, "conversation": 2, "id": "chat", "trigger": "submit-message",
            "messages": [user(json!([{"type": "text", "text": "tolkien"}]))],
        });
        let body = body.as_object().cloned().unwrap();
        let mut expected = body.clone();
        expected.insert("message".to_owned(), json!("tolkien"));
        assert_eq!(chat_request(body).ok(), Some(expected));
    }

    #[test]
    fn bodies_without_a_question_are_refused() {
        let assistant = json!({"role": "assistant", "parts": [{"type": "text", "text": "hola"}]});
        for (body, expected) in [
            (json!({}), "`messages` is missing"),
            (json!({"messages": null}), "`messages` is missing"),
            (json!({"messages": "hola"}), "`messages` is not a list"),
            (
                json!({"messages": {"0": "hola"}}),
                "`messages` is not a list",
            ),
            (json!({"messages": []}), "`messages` is empty"),
            (
                json!({"messages": [assistant]}),
                "none of `messages` has the role `user`",
            ),
            (
                json!({"messages": ["hola", null, 7]}),
                "none of `messages` has the role `user`",
            ),
            (
                json!({"messages": [{"role": "user", "content": "hola"}]}),
                "the user's message has no list `parts`",
            ),
            (
                json!({"messages": [user(json!([]))]}),
                "none of the `parts` of the user's message is a text",
            ),
            (
                json!({"messages": [user(json!([{"type": "file", "url": "data:,"}]))]}),
                "none of the `parts` of the user's message is a text",
            ),
            (
                json!({"message": assistant}),
                "`message` is neither a string nor a message of the role `user`",
            ),
            (
                json!({"message": 7, "messages": []}),
                "`message` is neither a string nor a message of the role `user`",
            ),
        ] {
            assert_eq!(user_message(&body), Err(expected.to_owned()), "{body}");
        }
    }
}
