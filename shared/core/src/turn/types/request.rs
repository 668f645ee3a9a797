//! What a caller asks for, read leniently: only the message is required, everything else is a hint.

use schemars::JsonSchema;
use secrecy::SecretString;
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{
    dialogue::Shown,
    files::{ATTACHMENTS_MAX, Wanted},
    ids::ConversationNumber,
    model::ModelPolicy,
    retrieval::{TOP_K, TOP_K_MAX},
    understand::MESSAGE_CHARS,
};

/// In how many tokens a model thinks by default: twice the least that models take.
const THINKING_BUDGET: u32 = 2_048;
/// The least and the most.
const THINKING_BUDGETS: (u32, u32) = (1_024, 100_000);

/// The request as it is documented. All but the message are hints: one of another type counts as left out, with a warning in the trace.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChatBody {
    /// What the shopper says: 1 to 4,000 characters, not all of them blank.
    #[schemars(length(min = 1, max = 4000), regex(pattern = VISIBLE))]
    pub message: String,
    /// How many results: 1 to 20, 5 where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [5]))]
    pub k: Option<u32>,
    /// Meaning and keywords (true) or keywords alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [true]))]
    pub prefer_vector: Option<bool>,
    /// Whether a model may word the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [false]))]
    pub use_llm: Option<bool>,
    /// Whether to tell how the answer came about, where the shop lets the caller know.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [true]))]
    pub trace: Option<bool>,
    /// Whether to keep question and answer (signed-in callers).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [true]))]
    pub save_history: Option<bool>,
    /// The conversation's number; the active one where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [1]))]
    pub conversation: Option<u32>,
    /// The model to ask, where the shop offers a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = ["eu.amazon.nova-lite-v1:0"]))]
    pub model: Option<String>,
    /// Whether to tell what the model thinks before it speaks, where it shows that and the answer is streamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [false]))]
    pub enable_thinking: Option<bool>,
    /// How many tokens the model may think in: 1,024 to 100,000, 2,048 where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [4096]))]
    pub thinking_budget: Option<u32>,
    /// Whether to keep what the model thought with its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [false]))]
    pub persist_thinking: Option<bool>,
    /// What the answer before had as its `context`, of a guest or where nothing is kept: what "el segundo" goes back to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>")]
    pub context: Option<String>,
    /// Documents of the caller's own to look into, by their `file_id`: at most 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [["0198f0c0-0000-7000-8000-000000000000"]]))]
    pub attachments: Option<Vec<Uuid>>,
    /// Whether to look into all of the caller's documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>", extend("examples" = [true]))]
    pub enable_auto_semantic_search: Option<bool>,
}

/// A chat request, its hints brought into range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatRequest {
    pub message: String,
    pub top_k: usize,
    pub prefer_vector: bool,
    pub use_llm: bool,
    pub trace: bool,
    pub save_history: bool,
    pub conversation: Option<ConversationNumber>,
    pub model: Option<String>,
    /// Whether the caller wants the thinking streamed.
    pub enable_thinking: bool,
    /// In how many tokens.
    pub thinking_budget: u32,
    /// Whether that is kept.
    pub persist_thinking: bool,
    /// What was shown last, where the caller keeps that.
    pub shown: Option<Shown>,
    /// The documents to look into, if any.
    pub files: Option<Wanted>,
    /// Which hints were not understood.
    pub warnings: Vec<String>,
}

/// Why there is nothing to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRequest {
    #[error("`message` is missing")]
    Missing,
    #[error("`message` is not a string")]
    NotAString,
    #[error("`message` is blank")]
    Blank,
    #[error("`message` is longer than {MESSAGE_CHARS} characters")]
    TooLong,
}

impl ChatRequest {
    /// Reads the members of a request body; unknown ones are ignored.
    ///
    /// # Errors
    /// [`InvalidRequest`] where the message is not one.
    pub fn read(body: &Map<String, Value>) -> Result<Self, InvalidRequest> {
        let message = match body.get("message") {
            None | Some(Value::Null) => return Err(InvalidRequest::Missing),
            Some(Value::String(message)) => message,
            Some(_) => return Err(InvalidRequest::NotAString),
        };
        if is_blank(message) {
            return Err(InvalidRequest::Blank);
        }
        if message.chars().count() > MESSAGE_CHARS {
            return Err(InvalidRequest::TooLong);
        }
        let mut warnings = Vec::new();
        let mut hint = |name: &str, default: bool| match body.get(name) {
            None | Some(Value::Null) => default,
            Some(value) => flag(value).unwrap_or_else(|| {
                warnings.push(format!("{name}: not a boolean, {default} is used"));
                default
            }),
        };
        let prefer_vector = hint("prefer_vector", true);
        let use_llm = hint("use_llm", true);
        let trace = hint("trace", false);
        let save_history = hint("save_history", true);
        let enable_thinking = hint("enable_thinking", false);
        let persist_thinking = hint("persist_thinking", false);
        let all_files = hint("enable_auto_semantic_search", false);
        let top_k = body
            .get("k")
            .filter(|value| !value.is_null())
            .map_or(TOP_K, |value| {
                top_k(value).unwrap_or_else(|| {
                    warnings.push(format!("k: not a number, {TOP_K} is used"));
                    TOP_K
                })
            });
        let thinking_budget = body
            .get("thinking_budget")
            .filter(|value| !value.is_null())
            .map_or(THINKING_BUDGET, |value| {
                thinking_budget(value).unwrap_or_else(|| {
                    warnings.push(format!(
                        "thinking_budget: not a number, {THINKING_BUDGET} is used"
                    ));
                    THINKING_BUDGET
                })
            });
        let conversation = match body.get("conversation") {
            None | Some(Value::Null) => None,
            Some(value) => {
                let number = value.as_u64().and_then(|n| u32::try_from(n).ok());
                let number = number.filter(|n| (1..=ConversationNumber::MAX.0).contains(n));
                if number.is_none() {
                    warnings.push(
                        "conversation: not a conversation's number, the active one is used".into(),
                    );
                }
                number.map(ConversationNumber)
            }
        };
        let model = match body.get("model") {
            None | Some(Value::Null) => None,
            Some(Value::String(model)) if is_model_name(model) => Some(model.clone()),
            Some(_) => {
                warnings.push("model: not a model's name, the configured one is used".into());
                None
            }
        };
        let shown = match body.get("context") {
            None | Some(Value::Null) => None,
            Some(context) => {
                let shown = context.as_str().and_then(Shown::read);
                if shown.is_none() {
                    warnings.push("context: not what was given, it is left out".into());
                }
                shown
            }
        };
        let attached = attachments(body.get("attachments"), &mut warnings);
        let files = match attached {
            ids if !ids.is_empty() => Some(Wanted::Attached(ids)),
            _ => all_files.then_some(Wanted::All),
        };
        let message = message.trim().to_owned();
        Ok(Self {
            message,
            top_k,
            prefer_vector,
            use_llm,
            trace,
            save_history,
            conversation,
            model,
            enable_thinking,
            thinking_budget,
            persist_thinking,
            shown,
            files,
            warnings,
        })
    }
}

impl ChatRequest {
    /// The request as far as its caller may have a trace.
    #[must_use]
    pub fn traced(self, may_trace: bool) -> Self {
        Self {
            trace: self.trace && may_trace,
            ..self
        }
    }

    /// Of an endpoint that streams nothing: what a model thinks is worth its tokens only where it is kept.
    #[must_use]
    pub fn unstreamed(self) -> Self {
        Self {
            enable_thinking: self.enable_thinking && self.persist_thinking,
            ..self
        }
    }

    /// Forgets a model that the caller may not have: what it would cost is not theirs to decide.
    pub(crate) fn keep_to_models(&mut self, policy: &ModelPolicy, byo_key: Option<&SecretString>) {
        let Some(model) = &self.model else { return };
        if policy.is_configured() && !policy.offers(model, byo_key) {
            self.model = None;
            let warning = "model: not one that is offered, the configured one is used";
            self.warnings.push(warning.into());
        }
    }
}

/// The first documents that are named, each once.
fn attachments(given: Option<&Value>, warnings: &mut Vec<String>) -> Vec<Uuid> {
    let named = match given {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(named)) => named.as_slice(),
        Some(_) => {
            warnings.push("attachments: not a list of identifiers, none is used".into());
            return Vec::new();
        }
    };
    let mut ids: Vec<Uuid> = Vec::new();
    for id in named {
        let id = id.as_str().and_then(|id| Uuid::try_parse(id).ok());
        match id {
            Some(id) if ids.contains(&id) => {}
            Some(id) if ids.len() < ATTACHMENTS_MAX => ids.push(id),
            Some(_) => {
                warnings.push(format!(
                    "attachments: more than {ATTACHMENTS_MAX}, the first are used"
                ));
                break;
            }
            None => warnings.push("attachments: not an identifier, it is left out".into()),
        }
    }
    ids
}

/// Reads a boolean as people write it in JSON and in query strings.
#[must_use]
pub fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => match number.as_f64()? {
            0.0 => Some(false),
            1.0 => Some(true),
            _ => None,
        },
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" | "si" | "sí" => Some(true),
            "false" | "0" | "no" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Reads how many results are wanted, clamped to 1–20.
#[must_use]
pub fn top_k(value: &Value) -> Option<usize> {
    let wanted = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    if wanted.is_nan() {
        return None;
    }
    (1..=TOP_K_MAX)
        .rev()
        .find(|k| f64::from(u32::try_from(*k).unwrap_or_default()) <= wanted)
        .or(Some(1))
}

/// Reads in how many tokens a model may think, brought into what models take.
fn thinking_budget(value: &Value) -> Option<u32> {
    let wanted: i64 = match value {
        Value::Number(number) => number.as_i64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    let (least, most) = THINKING_BUDGETS;
    u32::try_from(wanted.clamp(least.into(), most.into())).ok()
}

/// Whether a text shows nothing.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || c.is_control() || is_invisible(c))
}

/// The same for programs: what a text that shows something has.
pub const VISIBLE: &str = r"[^\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]";

/// Zero-width and direction marks, which show nothing.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn is_model_name(name: &str) -> bool {
    (1..=200).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> Result<ChatRequest, InvalidRequest> {
        ChatRequest::read(body.as_object().unwrap())
    }

    #[test]
    fn only_the_message_is_required() {
        let plain = ChatRequest {
            message: "hola".into(),
            top_k: 5,
            prefer_vector: true,
            use_llm: true,
            trace: false,
            save_history: true,
            conversation: None,
            model: None,
            enable_thinking: false,
            thinking_budget: THINKING_BUDGET,
            persist_thinking: false,
            shown: None,
            files: None,
            warnings: vec![],
        };
        assert_eq!(
            read(json!({"message": " hola ", "unknown": 1})),
            Ok(plain.clone())
        );
        assert_eq!(
            read(
                json!({"message": "hola", "k": "3", "use_llm": "off", "trace": 1, "conversation": 2, "model": "m"})
            ),
            Ok(ChatRequest {
                top_k: 3,
                use_llm: false,
                trace: true,
                conversation: Some(ConversationNumber(2)),
                model: Some("m".into()),
                ..plain.clone()
            })
        );
        assert_eq!(
            read(
                json!({"message": "hola", "k": [], "use_llm": 7, "conversation": "x", "model": 1})
            ),
            Ok(ChatRequest {
                warnings: vec![
                    "use_llm: not a boolean, true is used".into(),
                    "k: not a number, 5 is used".into(),
                    "conversation: not a conversation's number, the active one is used".into(),
                    "model: not a model's name, the configured one is used".into(),
                ],
                ..plain
            })
        );
    }

    #[test]
    fn messages_that_are_none() {
        for (body, expected) in [
            (json!({}), InvalidRequest::Missing),
            (json!({"message": null}), InvalidRequest::Missing),
            (json!({"message": 12}), InvalidRequest::NotAString),
            (json!({"message": ["hola"]}), InvalidRequest::NotAString),
            (
                json!({"message": " \n\u{200b}\u{0}"}),
                InvalidRequest::Blank,
            ),
            (
                json!({"message": "x".repeat(4001)}),
                InvalidRequest::TooLong,
            ),
        ] {
            assert_eq!(read(body.clone()), Err(expected), "{body}");
        }
        assert_eq!(
            read(json!({"message": "ñ".repeat(4000)})).map(|r| r.message.chars().count()),
            Ok(4000)
        );
    }

    #[test]
    fn k_is_clamped() {
        for (value, expected) in [
            (json!(0), Some(1)),
            (json!(-3), Some(1)),
            (json!(7), Some(7)),
            (json!(7.9), Some(7)),
            (json!(1e300), Some(20)),
            (json!("12"), Some(12)),
            (json!("doce"), None),
            (json!({}), None),
        ] {
            assert_eq!(top_k(&value), expected, "{value}");
        }
    }
}
