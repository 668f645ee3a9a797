//! Rate windows and the memory of idempotent requests.

use std::fmt;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::ids::{ConversationNumber, Seq};

/// What is counted apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    Chat,
    Search,
    Action,
    History,
    /// Turns of all guests together for which a model is asked.
    GuestModel,
}

impl Scope {
    pub const ALL: [Self; 5] = [
        Self::Chat,
        Self::Search,
        Self::Action,
        Self::History,
        Self::GuestModel,
    ];
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chat => "chat",
            Self::Search => "search",
            Self::Action => "action",
            Self::History => "history",
            Self::GuestModel => "guest_model",
        })
    }
}

/// So many requests in each window of so many seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    pub limit: u32,
    pub window_seconds: u32,
}

impl Rate {
    /// Reads `30/min`, `5/s`, `1000/h`, `2000/day`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (limit, window) = text.trim().split_once('/')?;
        let window_seconds = match window.trim() {
            "s" | "sec" | "second" => 1,
            "m" | "min" | "minute" => 60,
            "h" | "hour" => 3_600,
            "d" | "day" => 86_400,
            _ => return None,
        };
        let limit = limit.trim().parse().ok().filter(|limit| *limit > 0)?;
        Some(Self {
            limit,
            window_seconds,
        })
    }

    /// The window that `unix_seconds` lies in, and the seconds left of it.
    #[must_use]
    pub fn window_at(&self, unix_seconds: u64) -> (u64, u64) {
        let length = u64::from(self.window_seconds);
        (unix_seconds / length, length - unix_seconds % length)
    }
}

/// The state of a request's window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateDecision {
    pub admitted: bool,
    pub limit: u32,
    pub remaining: u32,
    pub reset_seconds: u64,
}

/// The store behind rates and idempotency did not answer.
#[derive(Debug, thiserror::Error)]
#[error("the limits table cannot be reached")]
pub struct LimitsError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// Counters that never pass their limit, whoever asks at once.
#[async_trait]
pub trait Limits: Send + Sync {
    /// Takes `tokens` from the window `window` of `subject`, all or none. Gives the tokens used by now, or `None` where the
    /// limit would be passed.
    async fn take(
        &self,
        key: &WindowKey,
        tokens: u32,
        rate: Rate,
    ) -> Result<Option<u32>, LimitsError>;
}

/// One subject's window.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WindowKey {
    pub scope: Scope,
    /// An owner, or where guests come from.
    pub subject: String,
    pub window: u64,
}

/// A terminal answer kept for replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAnswer {
    pub status: u16,
    pub content_type: String,
    pub body: String,
}

/// Of a turn whose events are in the log: the body is its id alone.
const EVENTS: &str = "text/event-stream";

impl StoredAnswer {
    /// A turn that was streamed.
    #[must_use]
    pub fn turn(turn_id: Uuid) -> Self {
        Self {
            status: 200,
            content_type: EVENTS.to_owned(),
            body: turn_id.to_string(),
        }
    }

    /// Which turn it was, if it was streamed.
    #[must_use]
    pub fn turn_id(&self) -> Option<Uuid> {
        let turn_id = Uuid::parse_str(&self.body).ok();
        turn_id.filter(|_| self.content_type == EVENTS)
    }

    /// A JSON answer.
    #[must_use]
    pub fn json(status: u16, body: &impl Serialize) -> Self {
        Self {
            status,
            content_type: "application/json".to_owned(),
            // The bodies are our own types: strings, numbers, lists and objects with string keys.
            body: serde_json::to_string(body).unwrap_or_default(),
        }
    }
}

/// What the first look at a key found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyState {
    /// Ours now, until the lease ends; with the turn that an earlier attempt had begun, if one had.
    Acquired(Option<BegunTurn>),
    Answered(StoredAnswer),
    InProgress,
    /// Used with another body.
    Mismatch,
}

/// One use of an `Idempotency-Key`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    pub owner: String,
    pub operation: String,
    pub key: String,
    /// SHA-256 of the body, in hexadecimal.
    pub body_hash: String,
    /// This attempt's own mark, so that one that was overtaken cannot write over its successor.
    pub lease: Uuid,
}

/// A turn whose question is in the log and whose answer is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BegunTurn {
    pub conversation: ConversationNumber,
    /// Where the question's commit lies.
    pub first_seq: Seq,
}

/// What is kept by a request's key together with an effect of it, so that both happen or neither; nothing happens for a request
/// whose lease another has taken over, or whose answer is known already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    pub request: IdempotentRequest,
    pub kept: Kept,
}

/// How far a request has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    Begun(BegunTurn),
    Answered(StoredAnswer),
}

/// Remembers terminal answers for 24 hours. A request that has an effect keeps its answer with the effect, by a [`Settlement`].
#[async_trait]
pub trait Idempotency: Send + Sync {
    async fn acquire(
        &self,
        request: &IdempotentRequest,
        now: OffsetDateTime,
    ) -> Result<KeyState, LimitsError>;
    /// Keeps the answer of a request that was acquired, and had no effect that it is kept with.
    async fn complete(
        &self,
        request: &IdempotentRequest,
        answer: &StoredAnswer,
    ) -> Result<(), LimitsError>;
    /// Frees a key whose request came to nothing that may be kept. An effect of it whose outcome is not known cannot happen any
    /// more; one that has happened keeps the key.
    async fn release(&self, request: &IdempotentRequest) -> Result<(), LimitsError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rates() {
        let rate = |limit, window_seconds| {
            Some(Rate {
                limit,
                window_seconds,
            })
        };
        for (text, expected) in [
            ("30/min", rate(30, 60)),
            (" 5 / s ", rate(5, 1)),
            ("2000/day", rate(2000, 86_400)),
            ("0/min", None),
            ("-1/min", None),
            ("30", None),
            ("30/fortnight", None),
        ] {
            assert_eq!(Rate::parse(text), expected, "{text}");
        }
        assert_eq!(
            Rate {
                limit: 1,
                window_seconds: 60
            }
            .window_at(125),
            (2, 55)
        );
    }
}
