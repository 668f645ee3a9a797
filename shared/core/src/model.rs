//! A language model, whoever serves it: messages in, a stream of normalised events out.

mod thinking;

use std::fmt;

use async_trait::async_trait;
use futures_util::{StreamExt, stream::BoxStream};
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use thinking::{Part, ThinkingSplitter};

/// One message of a prompt. Providers differ in how they write it; that is their adapters' business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelMessage {
    System {
        content: String,
    },
    User {
        content: String,
    },
    Assistant {
        /// Empty where the message only calls tools.
        content: String,
        tool_calls: Vec<ToolCall>,
    },
    /// What came of a tool call of the assistant message before it.
    Tool {
        tool_use_id: String,
        content: String,
    },
}

/// A tool that the assistant used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Unique in the conversation; the result names it.
    pub id: String,
    pub name: String,
    pub arguments: Value,
    /// What the provider wants back with the call, which nobody else can read.
    pub provider_data: Option<Value>,
}

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON Schema of its arguments, an object.
    pub parameters: Value,
}

/// What a model is asked.
#[derive(Debug, Clone, Default)]
pub struct ModelRequest {
    /// The model's name, where the caller or the configuration names one.
    pub model: Option<String>,
    pub messages: Vec<ModelMessage>,
    pub tools: Vec<ToolSpec>,
    /// How many tokens it may think in before it answers, where it is to think; models that cannot are asked without.
    pub thinking: Option<u32>,
    /// A caller's own key; used for this call and then forgotten.
    pub key: Option<SecretString>,
}

/// A completion's events. Providers differ in how they send them; that is their adapters' business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelEvent {
    /// Of what the model thinks before it answers, where the provider sends that.
    ReasoningDelta(String),
    ContentDelta(String),
    /// Whole, however it came. Arguments that are not JSON come as a string, which no tool takes.
    ToolCall(ToolCall),
    Usage(Usage),
    /// Always last.
    End {
        stop_reason: StopReason,
    },
}

/// A model's answer as it comes.
pub type ModelEvents = BoxStream<'static, Result<ModelEvent, ModelError>>;

/// An answer that has begun.
pub struct Completion {
    /// Which model answers, where that is known.
    pub model: Option<String>,
    pub events: ModelEvents,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    EndTurn,
    ToolUse,
    MaxTokens,
    StopSequence,
    Refused,
}

/// Tokens a call took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
}

/// Why a model gave no usable answer. The code goes into the trace; the source only into the log.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("no model is configured")]
    NotConfigured,
    #[error("the model did not answer in time")]
    Timeout,
    #[error("the model's provider refused the call")]
    Rejected(#[source] Refusal),
    #[error("the model's provider cannot be reached")]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the model's provider sent something that is not an answer")]
    Garbage(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the model's answer is too large")]
    TooLarge,
    #[error("the model has failed again and again, and is left alone for a while")]
    CircuitOpen,
}

/// How a provider refused a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// HTTP's, or its equivalent where the refusal came otherwise.
    pub status: u16,
    /// Why, by a code of a closed list: whatever else a provider says may be a key, or a customer's words.
    pub reason: Option<&'static str>,
}

impl Refusal {
    /// One of which nothing else is known.
    #[must_use]
    pub fn of(status: u16) -> Self {
        Self {
            status,
            reason: None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {}", self.status)?;
        match self.reason {
            Some(reason) => write!(f, ": {reason}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

impl ModelError {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotConfigured => "not_configured",
            Self::Timeout => "timeout",
            Self::Rejected(refusal) => match refusal.status {
                401 | 403 => "key_rejected",
                429 => "rate_limited",
                _ => "rejected",
            },
            Self::Unreachable(_) => "unreachable",
            Self::Garbage(_) => "invalid_answer",
            Self::TooLarge => "answer_too_large",
            Self::CircuitOpen => "circuit_open",
        }
    }
}

/// A provider of language models. Its deadline is its own: a call always ends.
#[async_trait]
pub trait Model: Send + Sync {
    async fn ask(&self, request: ModelRequest) -> Result<Completion, ModelError>;
}

/// A completion's text, without its thinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeAnswer {
    pub text: String,
    pub model: Option<String>,
    pub stop_reason: StopReason,
    pub usage: Option<Usage>,
}

/// A completion's text, without its thinking.
///
/// # Errors
/// [`ModelError`], whatever text came before it.
pub async fn whole_answer(
    model: &dyn Model,
    request: ModelRequest,
) -> Result<WholeAnswer, ModelError> {
    let Completion { model, mut events } = model.ask(request).await?;
    let mut answer = WholeAnswer {
        text: String::new(),
        model,
        stop_reason: StopReason::EndTurn,
        usage: None,
    };
    let mut splitter = ThinkingSplitter::default();
    while let Some(event) = events.next().await {
        match event? {
            ModelEvent::ContentDelta(delta) => {
                let parts = splitter.push(&delta).into_iter();
                answer.text.extend(parts.filter_map(Part::text));
            }
            // Thinking is no part of the text, and it was offered no tools.
            ModelEvent::ReasoningDelta(_) | ModelEvent::ToolCall(_) => {}
            ModelEvent::Usage(usage) => answer.usage = Some(usage),
            ModelEvent::End { stop_reason } => answer.stop_reason = stop_reason,
        }
    }
    answer.text.extend(splitter.finish().and_then(Part::text));
    Ok(answer)
}

/// Who pays for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CostMode {
    /// The shop.
    Paid,
    /// The caller, always: without a caller's key no model is asked.
    ByoKey,
    /// The caller where a key is given, else the shop.
    Hybrid,
}

/// Which models there are and on whose account; no secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelPolicy {
    /// `none`, `openai_compatible`, …
    pub provider: &'static str,
    /// Those that may be asked for by name, the one that is asked by default first; empty where the provider has one of its own.
    pub models: Vec<String>,
    pub cost_mode: CostMode,
    pub allow_byo_key: bool,
    pub timeout_seconds: u64,
    pub max_tokens: u32,
}

/// What the policy makes of one request.
#[derive(Debug)]
pub enum ModelChoice {
    Ask {
        key: Option<SecretString>,
    },
    /// No model for this turn, and why.
    Skip {
        reason: &'static str,
    },
}

impl ModelPolicy {
    /// No model at all: the turn is answered without one.
    #[must_use]
    pub fn none() -> Self {
        Self {
            provider: "none",
            models: Vec::new(),
            cost_mode: CostMode::Paid,
            allow_byo_key: false,
            timeout_seconds: 0,
            max_tokens: 0,
        }
    }

    #[must_use]
    pub fn is_configured(&self) -> bool {
        self.provider != "none"
    }

    /// The model that is asked where nobody asks for another.
    #[must_use]
    pub fn model(&self) -> Option<&String> {
        self.models.first()
    }

    /// Whether a caller may have the model of this name: any on their own account, else those that the shop offers.
    #[must_use]
    pub fn offers(&self, name: &str, byo_key: Option<&SecretString>) -> bool {
        let choice = self.choose(true, byo_key.cloned());
        matches!(choice, ModelChoice::Ask { key: Some(_) })
            || self.models.iter().any(|model| model == name)
    }

    /// Whether a call without a caller's key gets no model.
    #[must_use]
    pub fn requires_byo_key(&self) -> bool {
        self.is_configured() && self.cost_mode == CostMode::ByoKey
    }

    /// Decides whether a model is asked, and with whose key.
    #[must_use]
    pub fn choose(&self, wanted: bool, byo_key: Option<SecretString>) -> ModelChoice {
        let byo_key = byo_key.filter(|_| self.allow_byo_key);
        match (self.is_configured(), wanted, self.cost_mode, byo_key) {
            (false, ..) => ModelChoice::Skip {
                reason: "not_configured",
            },
            (_, false, ..) => ModelChoice::Skip {
                reason: "not_wanted",
            },
            (_, _, CostMode::ByoKey, None) => ModelChoice::Skip {
                reason: "byo_key_required",
            },
            // A key that is allowed pays, whoever would pay without it.
            (_, _, CostMode::Paid | CostMode::ByoKey | CostMode::Hybrid, key) => {
                ModelChoice::Ask { key }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Chain;
    use futures_util::stream;
    use secrecy::ExposeSecret;

    /// Says this, piece by piece.
    struct Saying(Vec<&'static str>);

    #[async_trait]
    impl Model for Saying {
        async fn ask(&self, _: ModelRequest) -> Result<Completion, ModelError> {
            let deltas = self.0.iter().map(|delta| (*delta).to_owned());
            let deltas = deltas.map(ModelEvent::ContentDelta);
            let end = ModelEvent::End {
                stop_reason: StopReason::EndTurn,
            };
            let events: Vec<Result<_, ModelError>> = deltas.chain([end]).map(Ok).collect();
            Ok(Completion {
                model: None,
                events: stream::iter(events).boxed(),
            })
        }
    }

    #[tokio::test]
    async fn thoughts_are_no_part_of_an_answer() {
        for (deltas, expected) in [
            (
                vec!["<thi", "nk>Quiere", "…</think>- Busca", " mapas."],
                "- Busca mapas.",
            ),
            (vec!["- Busca", " mapas."], "- Busca mapas."),
            (vec!["<think>El cliente quiere"], ""),
            // It may have wanted to say so.
            (vec!["<thi"], "<thi"),
        ] {
            let answer = whole_answer(&Saying(deltas), ModelRequest::default()).await;
            assert_eq!(answer.expect("an answer").text, expected);
        }
    }

    fn check(cost_mode: CostMode, allow_byo_key: bool, byo_key: Option<&str>) -> String {
        let policy = ModelPolicy {
            provider: "openai_compatible",
            cost_mode,
            allow_byo_key,
            ..ModelPolicy::none()
        };
        match policy.choose(true, byo_key.map(SecretString::from)) {
            ModelChoice::Ask { key } => {
                format!("ask {:?}", key.as_ref().map(ExposeSecret::expose_secret))
            }
            ModelChoice::Skip { reason } => reason.to_owned(),
        }
    }

    #[test]
    fn whose_key_pays() {
        for (mode, allowed, key, expected) in [
            (CostMode::Paid, true, None, "ask None"),
            (CostMode::Paid, true, Some("k"), "ask Some(\"k\")"),
            (CostMode::Paid, false, Some("k"), "ask None"),
            (CostMode::ByoKey, true, None, "byo_key_required"),
            (CostMode::ByoKey, true, Some("k"), "ask Some(\"k\")"),
            (CostMode::ByoKey, false, Some("k"), "byo_key_required"),
            (CostMode::Hybrid, true, None, "ask None"),
            (CostMode::Hybrid, true, Some("k"), "ask Some(\"k\")"),
            (CostMode::Hybrid, false, Some("k"), "ask None"),
        ] {
            assert_eq!(
                check(mode, allowed, key),
                expected,
                "{mode:?} {allowed} {key:?}"
            );
        }
    }

    #[test]
    fn a_refused_call_is_logged_with_details_and_returned_as_a_code() {
        for (status, reason, code, logged) in [
            (400, Some("no tools"), "rejected", "status 400: no tools"),
            (401, None, "key_rejected", "status 401"),
            (403, None, "key_rejected", "status 403"),
            (429, Some("wait"), "rate_limited", "status 429: wait"),
            (500, None, "rejected", "status 500"),
        ] {
            let error = ModelError::Rejected(Refusal {
                reason,
                ..Refusal::of(status)
            });
            let refused = "the model's provider refused the call";
            assert_eq!(error.code(), code, "{status}");
            assert_eq!(error.to_string(), refused);
            assert_eq!(Chain(&error).to_string(), format!("{refused}: {logged}"));
        }
    }
}
