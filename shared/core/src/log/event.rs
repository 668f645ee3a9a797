//! What can happen in a conversation, and how it is written down.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    files::Citation,
    ids::Seq,
    log::upcast::{STEPS, Step, current, upcast},
    model::Usage,
    price::Price,
    segment::Segment,
};

/// Something that happened. Written as `{"type": …, "v": 1, …}`, with the version that its kind has come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    ConversationStarted {},
    UserMessageSent {
        content: String,
    },
    ToolUseRequested {
        tool_use_id: Uuid,
        tool_name: String,
        args: Value,
        /// Its number in the turn's stream of events, as of the ones below; those of older turns have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event_index: Option<u32>,
    },
    ToolUseCompleted {
        tool_use_id: Uuid,
        success: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// Enough to replay the answer: which items were shown, at what price, with how many copies.
        results: Vec<ListedItem>,
        /// What was looked up of the customer's own, as it was rendered.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lines: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        duration_ms: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event_index: Option<u32>,
    },
    AgentMessageSent {
        content: String,
        /// The content line by line, in pieces; items by their numbers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        segments: Vec<Vec<Segment>>,
        stop_reason: String,
        provider: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// What the model thought before, where the customer wanted it kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thinking: Option<Box<Thought>>,
        /// The limits of the conversation in the prompt, where a model was called.
        #[serde(
            rename = "shown_within",
            default,
            skip_serializing_if = "Option::is_none"
        )]
        context_limits: Option<Box<ContextLimits>>,
        /// The summary in the prompt, by its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary_through: Option<Seq>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
        /// Without their words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        citations: Vec<Citation>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event_index: Option<u32>,
    },
    /// A change is proposed; the message beside it asks the customer.
    ApprovalRequested {
        approval_id: Uuid,
        tool_name: String,
        args: Value,
        #[serde(with = "time::serde::rfc3339")]
        expires_at: OffsetDateTime,
    },
    /// The customer has decided, and this came of it.
    ApprovalResolved {
        approval_id: Uuid,
        approved: bool,
        /// The message to the customer; empty where the turn's own says it.
        content: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A summary is in a prompt for the first time.
    ConversationSummarised {
        summary: Summary,
    },
    /// The turn has no answer and gets none.
    TurnFailed {
        code: String,
    },
    ConversationArchived {},
    /// Everything before it is without content.
    HistoryErased {},
    RatingGiven {
        /// 1 to 5.
        rating: u8,
    },
    /// The shop's staff say something to the customer, or have done something that this tells.
    StaffMessageSent {
        content: String,
        /// Who of the staff.
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        about: Option<About>,
    },
    /// A person of the shop is to see to the conversation.
    EscalationRequested {
        reason: EscalationReason,
    },
    /// Nobody needs to any more: staff have handed it back, or the customer goes on without.
    EscalationEnded {
        /// Who of the staff.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// Somebody of the staff has read it.
    ConversationRead {
        by: String,
    },
    MessageAdded {
        role: String,
        content: String,
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        meta: Map<String, Value>,
    },
}

/// Why a person is to see to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EscalationReason {
    /// The customer has asked for one.
    Person,
    Complaint,
    Distress,
}

/// What of the customer's own a message is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum About {
    Order {
        order_id: u32,
        /// Where it stands now.
        estado: String,
    },
    Reservation {
        reservation_id: u32,
    },
}

/// A conversation's content up to some message, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub text: String,
    /// It covers exactly the messages up to this one.
    pub through: Seq,
    /// How many messages these are.
    pub messages: u64,
    /// The model's name, or `extractive` where none was asked.
    pub made_by: String,
}

/// What a model thought, as it was emitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thought {
    pub content: String,
    /// The number in the turn's stream of the event that ends it.
    pub event_index: u32,
}

/// How much of a conversation a prompt has at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextLimits {
    pub messages: usize,
    pub chars: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// Whether tools' calls and results are among it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tools: bool,
}

/// A book as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ShownBook")]
pub struct ListedItem {
    pub libro_id: u64,
    pub precio: Price,
    pub stock: u32,
}

/// An event as the log gives it back: known, or of a kind this version does not know and therefore leaves alone.
#[derive(Debug, Clone, PartialEq)]
pub enum Stored {
    Known(Event),
    Unknown(Value),
}

impl Event {
    /// The document the log keeps.
    #[must_use]
    pub fn encode(&self) -> Value {
        self.encode_by(STEPS)
    }

    fn encode_by(&self, steps: &[Step]) -> Value {
        let mut document = serde_json::to_value(self).unwrap_or_default();
        let kind = document.get("type").and_then(Value::as_str);
        let version = current(steps, kind.unwrap_or_default());
        if let Some(members) = document.as_object_mut() {
            members.insert("v".into(), version.into());
        }
        document
    }
}

/// What stands in the place of an event that cannot be read.
const DAMAGED: &str = "damaged";

impl Stored {
    /// An event of which nothing is left but its place.
    #[must_use]
    pub fn damaged() -> Self {
        Self::Unknown(serde_json::json!({"type": DAMAGED}))
    }

    #[must_use]
    pub fn is_damaged(&self) -> bool {
        *self == Self::damaged()
    }

    /// Reads a document of any version; what cannot be understood is kept as it is.
    #[must_use]
    pub fn decode(document: Value) -> Self {
        Self::decode_by(STEPS, document)
    }

    fn decode_by(steps: &[Step], document: Value) -> Self {
        let current = upcast(steps, &document);
        match current.and_then(|current| serde_json::from_value(current).ok()) {
            Some(event) => Self::Known(event),
            None => Self::Unknown(document),
        }
    }

    #[must_use]
    pub fn encode(&self) -> Value {
        match self {
            Self::Known(event) => event.encode(),
            Self::Unknown(document) => document.clone(),
        }
    }

    #[must_use]
    pub fn known(&self) -> Option<&Event> {
        match self {
            Self::Known(event) => Some(event),
            Self::Unknown(_) => None,
        }
    }
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn known_events_come_back_and_strangers_are_kept() {
        let sent = Event::UserMessageSent {
            content: "hola".into(),
        };
        assert_eq!(
            sent.encode(),
            json!({"type": "user_message_sent", "v": 1, "content": "hola"})
        );
        let approval_id = Uuid::from_u128(7);
        let requested = Event::ApprovalRequested {
            approval_id,
            tool_name: "reserve_book".into(),
            args: json!({"book_id": 12, "cantidad": 2}),
            expires_at: OffsetDateTime::UNIX_EPOCH,
        };
        let resolved = Event::ApprovalResolved {
            approval_id,
            approved: true,
            content: "hecho".into(),
            error: None,
        };
        for event in [sent, requested, resolved] {
            assert_eq!(Stored::decode(event.encode()), Stored::Known(event));
        }
        for stranger in [
            json!({"type": "user_message_sent", "v": 2, "content": "hola"}),
            json!({"type": "from_the_future", "v": 1}),
            json!({"type": "user_message_sent", "v": 1}),
            json!({"type": "user_message_sent", "content": "hola"}),
            json!(null),
            json!([1]),
        ] {
            let stored = Stored::decode(stranger.clone());
            assert_eq!(
                (&stored, stored.encode()),
                (&Stored::Unknown(stranger.clone()), stranger)
            );
        }
    }

    /// Stars in words, then a rating in digits, then a number.
    pub(super) const RATINGS: &[Step] = &[
        Step {
            kind: "rating_given",
            from: 2,
            apply: |mut members| {
                let digits = members.get("rating").and_then(Value::as_str);
                let rating: Option<u8> = digits.and_then(|digits| digits.parse().ok());
                members.insert("rating".into(), rating.into());
                members
            },
        },
        Step {
            kind: "rating_given",
            from: 1,
            apply: |mut members| {
                let digit = match members.remove("stars").as_ref().and_then(Value::as_str) {
                    Some("four") => "4",
                    Some("five") => "5",
                    _ => "unknown",
                };
                members.insert("rating".into(), digit.into());
                members
            },
        },
    ];

    #[test]
    fn older_versions_are_brought_up_and_written_in_the_current_one() {
        let five = Event::RatingGiven { rating: 5 };
        let current = json!({"type": "rating_given", "v": 3, "rating": 5});
        for document in [
            json!({"type": "rating_given", "v": 1, "stars": "five"}),
            json!({"type": "rating_given", "v": 2, "rating": "5"}),
            current.clone(),
        ] {
            assert_eq!(
                Stored::decode_by(RATINGS, document),
                Stored::Known(five.clone())
            );
        }
        assert_eq!(five.encode_by(RATINGS), current);
        // Another kind has its own version.
        let started = json!({"type": "conversation_started", "v": 1});
        assert_eq!(
            Stored::decode_by(RATINGS, started.clone()),
            Stored::Known(Event::ConversationStarted {})
        );
        assert_eq!(Event::ConversationStarted {}.encode_by(RATINGS), started);
        // From the future, or not what a step expects: as it was.
        for stranger in [
            json!({"type": "rating_given", "v": 4, "rating": 5}),
            json!({"type": "rating_given", "v": 1, "stars": "six"}),
        ] {
            let stored = Stored::decode_by(RATINGS, stranger.clone());
            assert_eq!(
                (&stored, stored.encode()),
                (&Stored::Unknown(stranger.clone()), stranger)
            );
        }
    }
}
