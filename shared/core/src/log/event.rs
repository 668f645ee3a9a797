//! What can happen in a conversation, and how it is written down.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{ids::Seq, price::Price, summary::Summary};

/// Something that happened. Written as `{"type": …, "v": 1, …}`.
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
    },
    ToolUseCompleted {
        tool_use_id: Uuid,
        success: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// Enough to replay the answer: which books were shown, at what price, with how many copies.
        results: Vec<ShownBook>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<String>,
    },
    AgentMessageSent {
        content: String,
        stop_reason: String,
        provider: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// The summary that the model was shown, by its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary_through: Option<Seq>,
    },
    /// A model is shown a summary for the first time.
    ConversationSummarised {
        summary: Summary,
    },
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
    MessageAdded {
        role: String,
        content: String,
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        meta: Map<String, Value>,
    },
}

/// A book as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownBook {
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

/// The version this code writes. Older documents are brought up to it by [`Stored::decode`].
const VERSION: u64 = 1;

impl Event {
    /// The document the log keeps.
    #[must_use]
    pub fn encode(&self) -> Value {
        let mut document = serde_json::to_value(self).unwrap_or_default();
        if let Some(members) = document.as_object_mut() {
            members.insert("v".into(), VERSION.into());
        }
        document
    }
}

impl Stored {
    /// Reads a document of any version; what cannot be understood is kept as it is.
    #[must_use]
    pub fn decode(document: Value) -> Self {
        match serde_json::from_value(upcast(document.clone())) {
            Ok(event) => Self::Known(event),
            Err(_) => Self::Unknown(document),
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

/// Brings a document of an older version to the current one. There is one version so far, so only its mark is taken off.
fn upcast(mut document: Value) -> Value {
    if document
        .get("v")
        .and_then(Value::as_u64)
        .is_some_and(|version| version <= VERSION)
        && let Some(members) = document.as_object_mut()
    {
        members.remove("v");
        return document;
    }
    // No mark, or one from the future: not ours to interpret.
    Value::Null
}

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
        assert_eq!(Stored::decode(sent.encode()), Stored::Known(sent));
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
}
