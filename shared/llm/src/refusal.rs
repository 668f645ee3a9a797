//! Why a provider refused a call, in words of our own: what it sends may hold a key, or a customer's words.

use mostrador_core::model::{ModelMessage, ModelRequest, Refusal};

/// So many characters in a row that are somebody's give it away; of shorter ones, all of them.
const REPEATED_CHARS: usize = 12;
/// Anything shorter is in any message.
const LEAST_CHARS: usize = 4;

/// The codes and types of errors that a log may hold, as the APIs of `OpenAI`, Anthropic, Google and Bedrock document them. Any other is
/// a stranger's text.
const CODES: [&str; 53] = [
    "AccessDeniedException",
    "InternalServerException",
    "ModelErrorException",
    "ModelNotReadyException",
    "ModelStreamErrorException",
    "ModelTimeoutException",
    "ResourceNotFoundException",
    "ServiceQuotaExceededException",
    "ServiceUnavailableException",
    "ThrottlingException",
    "UnrecognizedClientException",
    "ValidationException",
    "ABORTED",
    "DEADLINE_EXCEEDED",
    "FAILED_PRECONDITION",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "abort",
    "api_error",
    "authentication_error",
    "billing_error",
    "billing_hard_limit_reached",
    "content_filter",
    "content_policy_violation",
    "context_length_exceeded",
    "error",
    "insufficient_quota",
    "insufficient_system_resource",
    "internal_error",
    "internal_server_error",
    "invalid_api_key",
    "invalid_request_error",
    "model_not_found",
    "model_overloaded",
    "not_found_error",
    "overloaded",
    "overloaded_error",
    "permission_error",
    "quota_exceeded",
    "rate_limit_error",
    "rate_limit_exceeded",
    "request_too_large",
    "server_error",
    "service_unavailable",
    "timeout_error",
    "tokens",
    "unsupported_parameter",
    "unsupported_value",
];

/// Servers' sentences for what they have no code for.
const SENTENCES: [(&str, &str); 5] = [
    ("context length", "context_length_exceeded"),
    ("does not exist", "model_not_found"),
    ("model not found", "model_not_found"),
    ("quota", "insufficient_quota"),
    ("overloaded", "overloaded"),
];

/// What may be logged of a call that was refused with the provider's own `code` and `message`.
pub(crate) fn refusal(status: u16, code: Option<&str>, message: Option<&str>) -> Refusal {
    let wording = message.map(str::to_lowercase).unwrap_or_default();
    let by_sentence = || {
        let mut sentences = SENTENCES.iter();
        sentences.find_map(|(sentence, code)| wording.contains(sentence).then_some(*code))
    };
    Refusal {
        status,
        reason: code.and_then(known).or_else(by_sentence),
    }
}

/// The code, if it is one.
pub(crate) fn known(code: &str) -> Option<&'static str> {
    CODES.into_iter().find(|known| *known == code)
}

fn repeats_request(wording: &str, request: &ModelRequest) -> bool {
    let mut messages = request.messages.iter();
    messages.any(|message| repeats(wording, content(message)))
}

/// Whether a provider's message has a word, in small letters, that is its own: not one that it only repeats from the request.
pub(crate) fn mentions(wording: &str, word: &str, request: &ModelRequest) -> bool {
    let has_it = |text: &str| text.to_lowercase().contains(word);
    let is_in_request = || {
        let mut messages = request.messages.iter();
        messages.any(|message| has_it(content(message)))
    };
    has_it(wording) && !(is_in_request() && repeats_request(wording, request))
}

fn content(message: &ModelMessage) -> &str {
    match message {
        ModelMessage::System { content }
        | ModelMessage::User { content }
        | ModelMessage::Assistant { content, .. }
        | ModelMessage::Tool { content, .. } => content,
    }
}

fn repeats(wording: &str, confided: &str) -> bool {
    let wording: Vec<char> = wording.chars().collect();
    let length = confided.chars().count().clamp(LEAST_CHARS, REPEATED_CHARS);
    let mut runs = wording.windows(length);
    runs.any(|run| confided.contains(&run.iter().collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_logs_known_codes_and_nothing_that_was_sent() {
        for (status, code, message, expected) in [
            (
                400,
                Some("ValidationException"),
                "no",
                Some("ValidationException"),
            ),
            (404, Some("model_not_found"), "no", Some("model_not_found")),
            (
                404,
                None,
                "The model `gpt-4o-mimi` does not exist",
                Some("model_not_found"),
            ),
            (
                400,
                None,
                "This model's maximum Context Length is 8192",
                Some("context_length_exceeded"),
            ),
            (
                400,
                Some("sk-canario-7f3a9c"),
                "busca regalos para Inés",
                None,
            ),
            (
                401,
                None,
                "Incorrect API key provided: sk-canario-7f3a9c",
                None,
            ),
            (500, Some("Inés"), "", None),
            (502, None, " \n", None),
        ] {
            let wording = refusal(status, code, Some(message));
            assert_eq!(
                (wording.status, wording.reason),
                (status, expected),
                "{message}"
            );
        }
    }

    #[test]
    fn a_code_is_there_once() {
        let mut codes = CODES.to_vec();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), CODES.len());
        assert!(SENTENCES.iter().all(|(_, code)| known(code).is_some()));
    }
}
