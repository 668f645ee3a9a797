//! Records of the tables' streams, as Lambda hands them over.

use std::collections::HashSet;

use mostrador_core::ids::{ConversationNumber, Owner};
use serde::{Deserialize, Serialize};

use crate::{log::parts::PART, view::DUE};

/// A batch of records.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct StreamEvent {
    #[serde(default, rename = "Records")]
    pub records: Vec<StreamRecord>,
}

/// One change of one row.
#[derive(Debug, Clone, Deserialize)]
pub struct StreamRecord {
    pub dynamodb: Change,
}

/// What changed: only its keys, so that nothing a customer wrote lies in a stream.
#[derive(Debug, Clone, Deserialize)]
pub struct Change {
    #[serde(rename = "SequenceNumber")]
    pub sequence_number: String,
    #[serde(default, rename = "Keys")]
    keys: Keys,
}

#[derive(Debug, Clone, Default, Deserialize)]
struct Keys {
    owner: Option<Text>,
    /// Of the `events` table.
    commit: Option<Text>,
    /// Of the `conversations` table.
    item: Option<Text>,
}

#[derive(Debug, Clone, Deserialize)]
struct Text {
    #[serde(rename = "S")]
    text: String,
}

/// Which records have to come again; none where all are done with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StreamAnswer {
    #[serde(rename = "batchItemFailures")]
    pub failures: Vec<FailedRecord>,
}

/// A record that has to come again, with everything after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedRecord {
    #[serde(rename = "itemIdentifier")]
    pub sequence_number: String,
}

/// A record that is none of ours, or damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the record cannot be read")]
pub struct Unreadable;

impl StreamEvent {
    /// The conversations that `read` finds, each once with the place of its first record, and the places of records that cannot be
    /// read.
    #[must_use]
    pub fn once_each(
        &self,
        read: impl Fn(&Change) -> Result<Option<(Owner, ConversationNumber)>, Unreadable>,
    ) -> (Vec<(Owner, ConversationNumber, usize)>, Vec<usize>) {
        let (mut seen, mut found, mut unreadable) = (HashSet::new(), Vec::new(), Vec::new());
        for (place, record) in self.records.iter().enumerate() {
            match read(&record.dynamodb) {
                Ok(Some(key)) if seen.insert(key.clone()) => found.push((key.0, key.1, place)),
                Ok(_) => {}
                Err(error) => {
                    let sequence_number = &record.dynamodb.sequence_number;
                    tracing::error!(%error, sequence_number, "a record was left out");
                    unreadable.push(place);
                }
            }
        }
        (found, unreadable)
    }

    /// The answer that asks for the records at `places` again.
    #[must_use]
    pub fn failed(&self, mut places: Vec<usize>) -> StreamAnswer {
        places.sort_unstable();
        let records = places
            .into_iter()
            .filter_map(|place| self.records.get(place));
        let failures = records.map(|record| FailedRecord {
            sequence_number: record.dynamodb.sequence_number.clone(),
        });
        StreamAnswer {
            failures: failures.collect(),
        }
    }
}

impl Change {
    /// The conversation that a commit of the `events` table belongs to; `None` for what lies beside commits.
    ///
    /// # Errors
    /// [`Unreadable`].
    pub fn conversation(&self) -> Result<Option<(Owner, ConversationNumber)>, Unreadable> {
        let key = &self.keys.commit.as_ref().ok_or(Unreadable)?.text;
        if key.starts_with(PART) {
            return Ok(None);
        }
        let (number, _) = key.split_once('#').ok_or(Unreadable)?;
        self.key(number).map(Some).ok_or(Unreadable)
    }

    /// The conversation of the `conversations` table that is due for a summary; `None` for its other rows.
    ///
    /// # Errors
    /// [`Unreadable`].
    pub fn due(&self) -> Result<Option<(Owner, ConversationNumber)>, Unreadable> {
        let item = self.keys.item.as_ref().ok_or(Unreadable)?;
        let Some(number) = item.text.strip_prefix(DUE) else {
            return Ok(None);
        };
        self.key(number).map(Some).ok_or(Unreadable)
    }

    fn key(&self, conversation: &str) -> Option<(Owner, ConversationNumber)> {
        let owner = Owner::from_key(&self.keys.owner.as_ref()?.text).ok()?;
        Some((owner, ConversationNumber(conversation.parse().ok()?)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn change(keys: &Value) -> Change {
        let record = json!({"eventName": "INSERT", "dynamodb": {"SequenceNumber": "1", "Keys": keys, "StreamViewType": "KEYS_ONLY"}});
        let event: StreamEvent = serde_json::from_value(json!({"Records": [record]})).unwrap();
        event.records[0].dynamodb.clone()
    }

    #[test]
    fn keys_identify_owner_and_conversation() {
        let owner = Owner::new("shop", "ana#1").unwrap();
        let commit = change(
            &json!({"owner": {"S": "shop#ana#1"}, "commit": {"S": "00000003#000000000042"}}),
        );
        assert_eq!(
            commit.conversation(),
            Ok(Some((owner.clone(), ConversationNumber(3))))
        );
        let part = change(&json!({"owner": {"S": "shop#ana#1"}, "commit": {"S": "part#0#1"}}));
        assert_eq!(part.conversation(), Ok(None));
        let due = change(&json!({"owner": {"S": "shop#ana#1"}, "item": {"S": "due#00000003"}}));
        assert_eq!(due.due(), Ok(Some((owner, ConversationNumber(3)))));
        let other =
            change(&json!({"owner": {"S": "shop#ana#1"}, "item": {"S": "conversation#00000003"}}));
        assert_eq!(other.due(), Ok(None));
        for keys in [
            json!({}),
            json!({"owner": {"S": "shop"}, "commit": {"S": "00000003#1"}, "item": {"S": "due#00000003"}}),
            json!({"owner": {"S": "shop#ana"}, "commit": {"S": "3"}, "item": {"S": "due#x"}}),
        ] {
            let damaged = change(&keys);
            assert_eq!(
                (damaged.conversation(), damaged.due()),
                (Err(Unreadable), Err(Unreadable))
            );
        }
    }
}
