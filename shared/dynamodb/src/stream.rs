//! Records of the tables' streams, as Lambda hands them over.

use std::{collections::BTreeMap, str::FromStr};

use mostrador_core::{
    ids::{ConversationNumber, Owner, Seq},
    view::Projected,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;

/// A batch of records.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct StreamEvent {
    #[serde(default, rename = "Records")]
    pub records: Vec<StreamRecord>,
}

/// One change of one item.
#[derive(Debug, Clone, Deserialize)]
pub struct StreamRecord {
    pub dynamodb: Change,
}

/// What changed.
#[derive(Debug, Clone, Deserialize)]
pub struct Change {
    #[serde(rename = "SequenceNumber")]
    pub sequence_number: String,
    /// None where the item was deleted.
    #[serde(default, rename = "NewImage")]
    image: Option<BTreeMap<String, Value>>,
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

impl StreamAnswer {
    /// The answer after these records failed.
    #[must_use]
    pub fn failed(sequence_numbers: impl IntoIterator<Item = String>) -> Self {
        let failures = sequence_numbers.into_iter();
        Self {
            failures: failures
                .map(|sequence_number| FailedRecord { sequence_number })
                .collect(),
        }
    }
}

impl Change {
    /// The conversation as a commit of the `events` table leaves it; `None` where the commit was deleted.
    ///
    /// # Errors
    /// [`Unreadable`].
    pub fn projected(&self) -> Result<Option<(Owner, Projected)>, Unreadable> {
        let Some(image) = &self.image else {
            return Ok(None);
        };
        let read = || {
            let (conversation, _) = text(image, "commit")?.split_once('#')?;
            let millis: i128 = number(image, "at")?;
            let projected = Projected {
                conversation: ConversationNumber(conversation.parse().ok()?),
                through: Seq(number(image, "last_seq")?),
                updated_at: OffsetDateTime::from_unix_timestamp_nanos(
                    millis.checked_mul(1_000_000)?,
                )
                .ok()?,
                state: serde_json::from_str(text(image, "state")?).ok()?,
            };
            Some((owner(image)?, projected))
        };
        read().map(Some).ok_or(Unreadable)
    }

    /// The conversation of the `conversations` table that needs a summary; `None` where the item needs none.
    ///
    /// # Errors
    /// [`Unreadable`].
    pub fn due(&self) -> Result<Option<(Owner, ConversationNumber)>, Unreadable> {
        let image = self.image.as_ref();
        let image = image.filter(|image| {
            image
                .get("summary_due")
                .is_some_and(|due| due["BOOL"] == true)
        });
        let Some(image) = image else {
            return Ok(None);
        };
        let read = || {
            let conversation = text(image, "item")?.strip_prefix("conversation#")?;
            Some((
                owner(image)?,
                ConversationNumber(conversation.parse().ok()?),
            ))
        };
        read().map(Some).ok_or(Unreadable)
    }
}

fn owner(image: &BTreeMap<String, Value>) -> Option<Owner> {
    Owner::from_key(text(image, "owner")?).ok()
}

fn text<'a>(image: &'a BTreeMap<String, Value>, name: &str) -> Option<&'a str> {
    image.get(name)?["S"].as_str()
}

fn number<T: FromStr>(image: &BTreeMap<String, Value>, name: &str) -> Option<T> {
    image.get(name)?["N"].as_str()?.parse().ok()
}
