//! A commit as rows, and back.

use std::{
    cell::RefCell,
    io::{Read, Write},
};

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use flate2::{Compression, bufread::DeflateDecoder, write::DeflateEncoder};
use mostrador_core::{
    ids::{ConversationNumber, Owner, Seq},
    log::{COMMIT_BYTES_MAX, Commit, ConversationState, Stored, TooLarge},
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    attributes::{Row, n, number, s, text},
    log::parts::{self, PART_BYTES},
};

/// Events longer than this are compressed: a write unit is 1 KB. A turn without a model has about 3 KB of events, and a third of that deflated.
const COMPRESS_ABOVE_BYTES: usize = 1_024;
/// More events than any commit has.
const EVENTS_MAX: usize = 10_000;

/// A commit as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Encoded {
    pub(crate) commit: Row,
    /// What lies beside the commit, and is there before it.
    pub(crate) parts: Vec<Row>,
}

pub(crate) fn sort_key(conversation: ConversationNumber, first: Seq) -> String {
    format!("{conversation}#{first}")
}

pub(crate) fn encode(owner: &Owner, commit: &Commit) -> Result<Encoded, TooLarge> {
    let events: Vec<Value> = commit.events.iter().map(Stored::encode).collect();
    let events = serde_json::to_string(&events).unwrap_or_default();
    if events.len() > COMMIT_BYTES_MAX {
        return Err(TooLarge {
            bytes: events.len(),
            most: COMMIT_BYTES_MAX,
        });
    }
    let place = sort_key(commit.conversation, commit.first_seq);
    let folded = (events.len() > COMPRESS_ABOVE_BYTES).then(|| deflate(&events));
    let (parts, events) = match folded {
        Some(Ok(folded)) if folded.len() > PART_BYTES => {
            parts::split(owner, (commit.commit_id, &place), &folded)
        }
        Some(Ok(folded)) => (vec![], within(AttributeValue::B(Blob::new(folded)))),
        Some(Err(_)) | None => (vec![], within(s(events))),
    };
    let mut row = Row::from([
        ("owner".into(), s(owner.to_string())),
        ("commit".into(), s(place)),
        ("last_seq".into(), n(commit.last_seq().0)),
        ("commit_id".into(), s(commit.commit_id.to_string())),
        ("turn_id".into(), s(commit.turn_id.to_string())),
        ("at".into(), n(commit.at.unix_timestamp_nanos() / 1_000_000)),
        (
            "state".into(),
            s(serde_json::to_string(&commit.state).unwrap_or_default()),
        ),
    ]);
    row.extend(events);
    Ok(Encoded { commit: row, parts })
}

fn within(events: AttributeValue) -> Row {
    Row::from([("events".into(), events)])
}

/// The commit of a row, and of what lay beside it where it has parts; `None` where that cannot be read.
pub(crate) fn decode(row: &Row, beside: Option<&[u8]>) -> Option<Commit> {
    let (conversation, first_seq) = place(row)?;
    let events: Vec<Value> = match (row.get("events"), beside) {
        (Some(AttributeValue::S(text)), None) => serde_json::from_str(text).ok()?,
        (Some(AttributeValue::B(folded)), None) => unfold(folded.as_ref())?,
        (None, Some(folded)) => unfold(folded)?,
        _ => return None,
    };
    let commit = Commit {
        conversation,
        first_seq,
        events: events.into_iter().map(Stored::decode).collect(),
        commit_id: id(row, "commit_id")?,
        turn_id: id(row, "turn_id")?,
        at: at(row)?,
        state: state(row)?,
    };
    (!commit.events.is_empty() && last_seq(row, first_seq) == Some(commit.last_seq()))
        .then_some(commit)
}

/// What is left of the commit of a row that cannot be read: its place, and of the rest what is whole. Where its state is not, that is
/// `before`'s, of what came before it, whose turns are over by now. `None` where it has no place: then it is no commit.
pub(crate) fn damaged(row: &Row, before: Option<ConversationState>) -> Option<Commit> {
    let (conversation, first_seq) = place(row)?;
    let last_seq = last_seq(row, first_seq);
    let count = last_seq.map_or(1, |last| last.0 - first_seq.0 + 1);
    // More than any commit has is damage too.
    let count = usize::try_from(count)
        .ok()
        .filter(|count| *count <= EVENTS_MAX);
    let at = at(row).or(before.as_ref().map(|state| state.last_message_at));
    let at = at.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let without_turn = |state: ConversationState| ConversationState {
        open_turn: None,
        ..state
    };
    let state = state(row).or(before.map(without_turn));
    Some(Commit {
        conversation,
        first_seq,
        events: vec![Stored::damaged(); count.unwrap_or(1)],
        commit_id: id(row, "commit_id").unwrap_or_default(),
        turn_id: id(row, "turn_id").unwrap_or_default(),
        at,
        state: state.unwrap_or_else(|| ConversationState::new(at)),
    })
}

/// The state that a row's commit leaves its conversation in.
pub(crate) fn state(row: &Row) -> Option<ConversationState> {
    serde_json::from_str(text(row, "state")?).ok()
}

fn id(row: &Row, name: &str) -> Option<Uuid> {
    Uuid::parse_str(text(row, name)?).ok()
}

fn at(row: &Row) -> Option<OffsetDateTime> {
    let nanos = number::<i128>(row, "at")?.checked_mul(1_000_000)?;
    OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()
}

/// Where a row's commit stands; `None` where its key is not one that we write.
pub(crate) fn place(row: &Row) -> Option<(ConversationNumber, Seq)> {
    let key = text(row, "commit")?;
    let (conversation, seq) = key.split_once('#')?;
    let conversation = ConversationNumber(conversation.parse().ok()?);
    let seq = Seq(seq.parse().ok()?);
    let is_ours = (ConversationNumber::FIRST..=ConversationNumber::MAX).contains(&conversation)
        && (Seq::FIRST..=Seq::MAX).contains(&seq)
        && sort_key(conversation, seq) == key;
    is_ours.then_some((conversation, seq))
}

/// The number of a row's last event, if a commit that begins with `first_seq` can end there.
fn last_seq(row: &Row, first_seq: Seq) -> Option<Seq> {
    let last_seq = Seq(number(row, "last_seq")?);
    (first_seq..=Seq::MAX)
        .contains(&last_seq)
        .then_some(last_seq)
}

fn unfold(folded: &[u8]) -> Option<Vec<Value>> {
    let mut json = Vec::new();
    DeflateDecoder::new(folded)
        .take(COMMIT_BYTES_MAX as u64)
        .read_to_end(&mut json)
        .ok()?;
    serde_json::from_slice(&json).ok()
}

thread_local! {
    /// Its buffers are larger than what it folds, and made anew they would cost as much.
    static DEFLATE: RefCell<DeflateEncoder<Vec<u8>>> =
        RefCell::new(DeflateEncoder::new(Vec::new(), Compression::default()));
}

fn deflate(text: &str) -> std::io::Result<Vec<u8>> {
    DEFLATE.with_borrow_mut(|encoder| {
        encoder.write_all(text.as_bytes())?;
        encoder.reset(Vec::new())
    })
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;
    use mostrador_core::log::{Event, Position};
    use proptest::prelude::*;

    use crate::log::parts::Parts;

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

    /// The row and its parts, read as the log reads them.
    fn read(Encoded { commit, parts }: &Encoded) -> Option<Commit> {
        let Some(beside) = Parts::of(commit) else {
            return decode(commit, None);
        };
        decode(commit, Some(&beside.join(parts)?))
    }

    /// As many letters, which say nothing of one another: deflate leaves three quarters of them.
    fn noise(length: usize, seed: u64) -> String {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut state = seed | 1;
        let mut letter = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            char::from(LETTERS[usize::try_from(state >> 58).unwrap()])
        };
        (0..length).map(|_| letter()).collect()
    }

    fn ana() -> Owner {
        Owner::new("default", "ana").unwrap()
    }

    #[test]
    fn commits_come_back_whole() {
        for content in ["¿Tenéis «Rayuela»?".to_owned(), "ñandú ".repeat(2_000)] {
            let given = commit(&content);
            let encoded = encode(&ana(), &given).unwrap();
            let row = &encoded.commit;
            assert_eq!(text(row, "commit"), Some("00000007#000000000001"));
            assert_eq!(row["events"].is_b(), content.len() > COMPRESS_ABOVE_BYTES);
            assert_eq!(encoded.parts, []);
            let mut names: Vec<&str> = row.keys().map(String::as_str).collect();
            names.sort_unstable();
            assert_eq!(
                names.join(" "),
                "at commit commit_id events last_seq owner state turn_id"
            );
            assert_eq!(read(&encoded).unwrap(), given);
        }
    }

    #[test]
    fn what_is_folded_is_read_whole_or_not_at_all() {
        let folded = deflate(&serde_json::to_string(&vec!["ñandú"; 400]).unwrap()).unwrap();
        assert_eq!(unfold(&folded).unwrap().len(), 400);
        for length in 0..folded.len() {
            assert_eq!(unfold(&folded[..length]), None, "{length}");
        }
        let long = deflate(&format!("[\"{}\"]", "x".repeat(COMMIT_BYTES_MAX))).unwrap();
        assert_eq!(unfold(&long), None);
    }

    #[test]
    fn what_cannot_be_read_keeps_its_place_and_what_is_whole() {
        let given = commit("hola");
        let encoded = encode(&ana(), &given).unwrap().commit;
        let later = given.at + time::Duration::minutes(1);
        let before = ConversationState::new(later);
        for name in ["events", "commit_id", "turn_id", "at", "state", "last_seq"] {
            let mut row = encoded.clone();
            row.insert(name.into(), s("damaged"));
            assert_eq!(decode(&row, None), None, "{name}");
            let expected = Commit {
                events: vec![Stored::damaged(); if name == "last_seq" { 1 } else { 3 }],
                commit_id: if name == "commit_id" {
                    Uuid::nil()
                } else {
                    given.commit_id
                },
                turn_id: if name == "turn_id" {
                    Uuid::nil()
                } else {
                    given.turn_id
                },
                at: if name == "at" { later } else { given.at },
                state: if name == "state" {
                    before.clone()
                } else {
                    given.state.clone()
                },
                ..given.clone()
            };
            let left = damaged(&row, Some(before.clone()));
            assert_eq!(left, Some(expected), "{name}");
        }
        for (name, value) in [("last_seq", n(0)), ("last_seq", n(u64::MAX))] {
            let mut row = encoded.clone();
            row.insert(name.into(), value);
            let left = damaged(&row, None).unwrap();
            assert_eq!(left.events, [Stored::damaged()]);
        }
        let mut nowhere = encoded;
        nowhere.insert("commit".into(), s("damaged"));
        assert_eq!(damaged(&nowhere, None), None);
    }

    type Damage = fn(&mut Encoded);

    #[test]
    fn parts_are_as_many_as_it_takes_and_each_is_needed() {
        let given = commit(&noise(1 << 20, 7));
        let whole = encode(&ana(), &given).unwrap();
        let keys: Vec<_> = whole
            .parts
            .iter()
            .map(|part| text(part, "commit"))
            .collect();
        let key = |number| {
            format!("part#00000000-0000-0000-0000-000000000001#00000007#000000000001#0000{number}")
        };
        let expected = [key(0), key(1), key(2)];
        assert_eq!(keys, expected.each_ref().map(|key| Some(key.as_str())));
        assert_eq!(parts::place(&key(0)), Some("00000007#000000000001"));
        assert_eq!(parts::place("00000007#000000000001"), None);
        assert!(!whole.commit.contains_key("events"));
        assert_eq!(read(&whole).unwrap(), given);
        let damage: [(&str, Damage); 7] = [
            ("the first is lost", |encoded| {
                encoded.parts.remove(0);
            }),
            ("the last is lost", |encoded| {
                encoded.parts.pop();
            }),
            ("two change places", |encoded| encoded.parts.swap(0, 1)),
            ("one comes twice", |encoded| {
                encoded.parts.push(encoded.parts[2].clone());
            }),
            ("one is empty", |encoded| {
                encoded.parts[1].remove("bytes");
            }),
            ("the count is lost", |encoded| {
                encoded.commit.remove("parts");
            }),
            ("another hash", |encoded| {
                let other = AttributeValue::B(Blob::new([0; 32]));
                encoded.commit.insert("sha256".into(), other);
            }),
        ];
        for (what, damage) in damage {
            let mut damaged = whole.clone();
            damage(&mut damaged);
            assert_eq!(read(&damaged), None, "{what}");
        }
    }

    #[test]
    fn what_unpacks_to_more_than_can_be_read_is_not_written() {
        let around = commit("");
        let rest: Vec<Value> = around.events.iter().map(Stored::encode).collect();
        let rest = serde_json::to_string(&rest).unwrap().len();
        let largest = commit(&"a".repeat(COMMIT_BYTES_MAX - rest));
        assert!(read(&encode(&ana(), &largest).unwrap()).unwrap() == largest);
        assert_eq!(
            encode(&ana(), &commit(&"a".repeat(COMMIT_BYTES_MAX - rest + 1))),
            Err(TooLarge {
                bytes: COMMIT_BYTES_MAX + 1,
                most: COMMIT_BYTES_MAX
            })
        );
    }

    /// Sizes around those at which a commit is written in another way.
    fn contents() -> impl Strategy<Value = String> {
        // Three quarters of noise are left; the bounds lie within.
        let folded = |parts: usize| parts * PART_BYTES * 4 / 3;
        let near = |size: usize| size - size / 50..size + size / 50;
        let noisy = prop_oneof![
            near(COMPRESS_ABOVE_BYTES),
            near(folded(1)),
            near(folded(2)),
            0..folded(3),
        ];
        prop_oneof![
            2 => (noisy, any::<u64>()).prop_map(|(length, seed)| noise(length, seed)),
            1 => "\\PC{0,40}",
            1 => (0..20_000usize).prop_map(|times| "ñandú\u{0}\" ".repeat(times)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn any_events_come_back(contents in prop::collection::vec(contents(), 1..3), odd in any::<bool>()) {
            let mut events: Vec<Stored> = contents
                .into_iter()
                .map(|content| Stored::Known(Event::UserMessageSent { content }))
                .collect();
            if odd {
                events.push(Stored::Unknown(serde_json::json!({"type": "later", "v": 9})));
            }
            let given = Commit::at(
                Position::start_of(ConversationNumber(7)),
                events,
                Uuid::from_u128(1),
                Uuid::from_u128(2),
                OffsetDateTime::from_unix_timestamp(1_790_000_000).unwrap(),
            );
            let encoded = encode(&ana(), &given).unwrap();
            let documents: Vec<Value> = given.events.iter().map(Stored::encode).collect();
            let folded = deflate(&serde_json::to_string(&documents).unwrap()).unwrap().len();
            let expected = if folded > PART_BYTES { folded.div_ceil(PART_BYTES) } else { 0 };
            prop_assert_eq!(encoded.parts.len(), expected);
            for part in &encoded.parts {
                prop_assert!(part["bytes"].as_b().unwrap().as_ref().len() <= PART_BYTES);
            }
            prop_assert!(read(&encoded).unwrap() == given);
        }
    }
}
