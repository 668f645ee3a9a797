//! A commit as an item, and back.

use std::io::{Read, Write};

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use mostrador_core::{
    ids::{ConversationNumber, Owner, Seq},
    log::{Commit, ReadError, Stored},
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::attributes::{Item, n, s, text};

/// Events longer than this are compressed: a write unit is 1 KB, and a short text does not get shorter.
const COMPRESS_ABOVE_BYTES: usize = 4_096;
/// Most bytes a commit's events may unfold to.
const UNFOLDED_BYTES_MAX: u64 = 16 << 20;

pub(crate) fn sort_key(conversation: ConversationNumber, first: Seq) -> String {
    format!("{conversation}#{first}")
}

pub(crate) fn encode(owner: &Owner, commit: &Commit) -> Item {
    let events: Vec<Value> = commit.events.iter().map(Stored::encode).collect();
    let events = serde_json::to_string(&events).unwrap_or_default();
    let events = if events.len() > COMPRESS_ABOVE_BYTES {
        deflate(&events).map_or_else(|_| s(events), |bytes| AttributeValue::B(Blob::new(bytes)))
    } else {
        s(events)
    };
    Item::from([
        ("owner".into(), s(owner.to_string())),
        (
            "commit".into(),
            s(sort_key(commit.conversation, commit.first_seq)),
        ),
        ("last_seq".into(), n(commit.last_seq().0)),
        ("commit_id".into(), s(commit.commit_id.to_string())),
        ("turn_id".into(), s(commit.turn_id.to_string())),
        ("at".into(), n(commit.at.unix_timestamp_nanos() / 1_000_000)),
        ("events".into(), events),
        (
            "state".into(),
            s(serde_json::to_string(&commit.state).unwrap_or_default()),
        ),
    ])
}

pub(crate) fn decode(item: &Item) -> Result<Commit, ReadError> {
    let (conversation, first_seq) = text(item, "commit")
        .and_then(|key| key.split_once('#'))
        .and_then(|(conversation, seq)| {
            Some((
                ConversationNumber(conversation.parse().ok()?),
                Seq(seq.parse().ok()?),
            ))
        })
        .unwrap_or((ConversationNumber(0), Seq(0)));
    let read = || -> Option<Commit> {
        let events = match item.get("events")? {
            AttributeValue::S(text) => serde_json::from_str::<Vec<Value>>(text).ok()?,
            AttributeValue::B(bytes) => {
                let mut json = Vec::new();
                DeflateDecoder::new(bytes.as_ref())
                    .take(UNFOLDED_BYTES_MAX)
                    .read_to_end(&mut json)
                    .ok()?;
                serde_json::from_slice(&json).ok()?
            }
            _ => return None,
        };
        let commit = Commit {
            conversation,
            first_seq,
            events: events.into_iter().map(Stored::decode).collect(),
            commit_id: Uuid::parse_str(text(item, "commit_id")?).ok()?,
            turn_id: Uuid::parse_str(text(item, "turn_id")?).ok()?,
            at: OffsetDateTime::from_unix_timestamp_nanos(
                crate::attributes::number::<i128>(item, "at")?.checked_mul(1_000_000)?,
            )
            .ok()?,
            state: serde_json::from_str(text(item, "state")?).ok()?,
        };
        (!commit.events.is_empty()
            && crate::attributes::number(item, "last_seq") == Some(commit.last_seq().0))
        .then_some(commit)
    };
    read().ok_or(ReadError::Corrupt {
        conversation,
        first_seq,
    })
}

fn deflate(text: &str) -> std::io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mostrador_core::log::{Event, Position};

    fn commit(content: &str) -> Commit {
        let events = vec![
            Stored::Known(Event::ConversationStarted {}),
            Stored::Known(Event::UserMessageSent {
                content: content.into(),
            }),
            Stored::Unknown(serde_json::json!({"type": "later", "v": 9})),
        ];
        let at = OffsetDateTime::from_unix_timestamp(1_790_000_000).unwrap();
        Commit::at(
            Position::start_of(ConversationNumber(7)),
            events,
            Uuid::from_u128(1),
            Uuid::from_u128(2),
            at,
        )
    }

    #[test]
    fn commits_come_back_whole() {
        let owner = Owner::new("default", "ana").unwrap();
        for content in ["¿Tenéis «Rayuela»?".to_owned(), "ñandú ".repeat(2_000)] {
            let given = commit(&content);
            let item = encode(&owner, &given);
            assert_eq!(text(&item, "commit"), Some("00000007#000000000001"));
            assert_eq!(item["events"].is_b(), content.len() > COMPRESS_ABOVE_BYTES);
            assert_eq!(decode(&item).unwrap(), given);
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let owner = Owner::new("default", "ana").unwrap();
        for name in ["events", "commit_id", "turn_id", "at", "state", "last_seq"] {
            let mut item = encode(&owner, &commit("hola"));
            item.insert(name.into(), s("damaged"));
            let error = decode(&item).unwrap_err().to_string();
            assert_eq!(
                error, "commit 00000007#000000000001 cannot be read",
                "{name}"
            );
        }
    }
}
