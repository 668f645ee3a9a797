//! How a provider refused a call, as far as a log may tell: neither a key nor what was said.

use mostrador_core::model::{ModelMessage, ModelRequest, Refusal};
use secrecy::{ExposeSecret, SecretString};

/// Longest that a code or a message is, in characters.
const REASON_CHARS: usize = 300;
/// So many characters in a row that are a key's, or somebody's, give it away; of shorter ones, all of them.
const KEY_CHARS: usize = 8;
const SAID_CHARS: usize = 12;
/// Anything shorter is in any message.
const LEAST_CHARS: usize = 4;

/// What may be logged of a call that was refused with the provider's own `code` and `message`; `key` is the one it was made with.
pub(crate) fn refusal(
    status: u16,
    code: Option<&str>,
    message: Option<&str>,
    request: &ModelRequest,
    key: Option<&SecretString>,
) -> Refusal {
    // A message about a key may hold a part of it.
    let message = message.filter(|_| !matches!(status, 401 | 403));
    let message = message.map(|told| readable(&unnamed(told, request)));
    let message = message.filter(|told| !told.is_empty() && !gives_away(told, request, key));
    let told: Vec<String> = code.map(readable).into_iter().chain(message).collect();
    let reason = Some(told.join(": ")).filter(|reason| !reason.is_empty());
    Refusal { status, reason }
}

/// What a caller calls the model is the caller's own words.
fn unnamed(told: &str, request: &ModelRequest) -> String {
    match request.model.as_deref() {
        Some(name) if request.key.is_some() && !name.is_empty() => told.replace(name, "…"),
        _ => told.to_owned(),
    }
}

fn readable(text: &str) -> String {
    let letters = text.trim().chars();
    let letters = letters.map(|letter| if letter.is_control() { ' ' } else { letter });
    letters.take(REASON_CHARS).collect()
}

/// Some servers show the request that they refuse.
fn gives_away(told: &str, request: &ModelRequest, key: Option<&SecretString>) -> bool {
    let of_the_key = key.is_some_and(|key| repeats(told, key.expose_secret(), KEY_CHARS));
    of_the_key || repeats_what_was_said(told, request)
}

fn repeats_what_was_said(told: &str, request: &ModelRequest) -> bool {
    let mut messages = request.messages.iter();
    messages.any(|message| repeats(told, content(message), SAID_CHARS))
}

/// Whether a provider's message has a word, in small letters, that is its own: not one that it only repeats from what was said.
pub(crate) fn says(told: &str, word: &str, request: &ModelRequest) -> bool {
    let has_it = |text: &str| text.to_lowercase().contains(word);
    let was_said = || {
        let mut messages = request.messages.iter();
        messages.any(|message| has_it(content(message)))
    };
    has_it(told) && !(was_said() && repeats_what_was_said(told, request))
}

fn content(message: &ModelMessage) -> &str {
    match message {
        ModelMessage::System { content }
        | ModelMessage::User { content }
        | ModelMessage::Assistant { content, .. }
        | ModelMessage::Tool { content, .. } => content,
    }
}

fn repeats(told: &str, confided: &str, chars: usize) -> bool {
    let told: Vec<char> = told.chars().collect();
    let length = confided.chars().count().clamp(LEAST_CHARS, chars);
    let mut runs = told.windows(length);
    runs.any(|run| confided.contains(&run.iter().collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: u16, code: Option<&str>, message: &str, expected: Option<&str>) {
        let request = ModelRequest {
            messages: vec![
                ModelMessage::System {
                    content: "Resumen: busca regalos para su hija Inés.".into(),
                },
                ModelMessage::User {
                    content: "sí".into(),
                },
                ModelMessage::User {
                    content: "¿Tenéis libros de pájaros?".into(),
                },
            ],
            ..ModelRequest::default()
        };
        let key = SecretString::from("sk-canario-7f3a9c");
        let told = refusal(status, code, Some(message), &request, Some(&key));
        assert_eq!(
            (told.status, told.reason.as_deref()),
            (status, expected),
            "{message}"
        );
    }

    #[test]
    fn a_log_tells_the_providers_words() {
        let missing = "The model `gpt-4o-mimi` does not exist";
        check(404, None, missing, Some(missing));
        let code = Some("ValidationException");
        check(400, code, "no", Some("ValidationException: no"));
        check(400, code, "", code);
        check(502, None, " \n", None);
        check(400, None, "así\n\u{1b}[31m sí\r", Some("así  [31m sí"));
        let long = "ñ".repeat(REASON_CHARS);
        check(400, None, &format!("{long}ñ"), Some(&long));
    }

    #[test]
    fn a_log_does_not_tell_which_model_a_caller_wants() {
        let asked = |key: Option<&str>| ModelRequest {
            model: Some("gpt-4o-mimi".into()),
            key: key.map(SecretString::from),
            ..ModelRequest::default()
        };
        for (key, expected) in [
            (None, "The model `gpt-4o-mimi` does not exist"),
            (Some("sk-own"), "The model `…` does not exist"),
        ] {
            let missing = Some("The model `gpt-4o-mimi` does not exist");
            let request = asked(key);
            let told = refusal(404, None, missing, &request, request.key.as_ref());
            assert_eq!(told.reason.as_deref(), Some(expected), "{key:?}");
        }
    }

    #[test]
    fn a_log_tells_no_key_and_nothing_that_was_said() {
        for status in [401, 403] {
            check(status, None, "Incorrect API key provided: sk-ca", None);
            let code = Some("AccessDeniedException");
            check(status, code, "User: arn:aws:iam::1:role/a", code);
        }
        for told in [
            "no account for sk-canario-7f3a9c",
            "no account for sk-canar…",
            "no account for …io-7f3a9c",
            "wrong input: [{'content': '¿Tenéis libros de pájaros?'}]",
            "wrong input: [{'content': '¿Tenéis libros",
            "wrong input: su hija Inés.'}",
        ] {
            check(400, None, told, None);
            check(500, Some("Oops"), told, Some("Oops"));
        }
    }
}
