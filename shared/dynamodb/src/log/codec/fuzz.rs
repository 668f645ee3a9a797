//! Commits of any kind, and rows of commits with anything in the place of their attributes.

use std::sync::LazyLock;

use bolero::TypeGenerator;
use mostrador_core::log::{Event, Position};

use super::*;
use crate::log::parts::Parts;

/// A number that is often about a limit.
#[derive(Debug, Clone, Copy, TypeGenerator)]
enum Number {
    Small(u8),
    AboutSeqMax(i8),
    AboutConversationMax(i8),
    AboutMax(u8),
    Any(u64),
}

/// What an attribute becomes.
#[derive(Debug, Clone, TypeGenerator)]
enum Change {
    Gone,
    Text(String),
    Number(Number),
    NoNumber(String),
    Bytes(Vec<u8>),
    Flag(bool),
    Events(Vec<Happened>),
    Place {
        conversation: Number,
        seq: Number,
        is_padded: bool,
    },
    /// A byte of what is text or bytes is another.
    Byte {
        at: u16,
        to: u8,
    },
}

/// What becomes of parts.
#[derive(Debug, Clone, Copy, TypeGenerator)]
enum PartChange {
    Gone(u8),
    Twice(u8),
    Swapped(u8, u8),
    Byte { part: u8, at: u16, to: u8 },
}

#[derive(Debug, Clone, TypeGenerator)]
enum Happened {
    Started,
    Sent(String),
    Rated(u8),
    Later(String, u64),
    Nothing,
}

#[derive(Debug, TypeGenerator)]
struct Given {
    is_long: bool,
    has_state_before: bool,
    changes: [(u8, Change); 2],
    conversation: Number,
    first_seq: Number,
    events: Vec<Happened>,
}

const ATTRIBUTES: [&str; 9] = [
    "commit",
    "last_seq",
    "commit_id",
    "turn_id",
    "at",
    "state",
    "events",
    "parts",
    "sha256",
];

impl Number {
    fn value(self) -> u64 {
        let about = |limit: u64, by: i8| limit.saturating_add_signed(by.into());
        match self {
            Self::Small(value) => value.into(),
            Self::AboutSeqMax(by) => about(Seq::MAX.0, by),
            Self::AboutConversationMax(by) => about(ConversationNumber::MAX.0.into(), by),
            Self::AboutMax(by) => u64::MAX - u64::from(by),
            Self::Any(value) => value,
        }
    }
}

impl Happened {
    fn event(&self) -> Stored {
        Stored::decode(match self {
            Self::Started => Event::ConversationStarted {}.encode(),
            Self::Sent(content) => Event::UserMessageSent {
                content: content.clone(),
            }
            .encode(),
            Self::Rated(rating) => Event::RatingGiven { rating: *rating }.encode(),
            Self::Later(kind, version) => serde_json::json!({"type": kind, "v": version}),
            Self::Nothing => Value::Null,
        })
    }
}

fn ana() -> Owner {
    Owner::new("default", "ana").expect("an owner")
}

fn commit(conversation: ConversationNumber, first_seq: Seq, events: Vec<Stored>) -> Commit {
    let mut position = Position::start_of(conversation);
    position.first_seq = first_seq;
    let at = OffsetDateTime::from_unix_timestamp(1_790_000_000).expect("a time");
    let (commit_id, turn_id) = (Uuid::from_u128(1), Uuid::from_u128(2));
    Commit::at(position, events, commit_id, turn_id, at)
}

/// A commit with a message so long, of letters that say nothing of one another.
fn long(chars: u64) -> Encoded {
    let letter = |at: u64| {
        let mixed = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        char::from(b' ' + u8::try_from((mixed ^ (mixed >> 29)) % 90).expect("of 90"))
    };
    let content = (0..chars).map(letter).collect();
    let events = vec![Happened::Sent(content).event()];
    let commit = commit(ConversationNumber(7), Seq(3), events);
    encode(&ana(), &commit).expect("short enough")
}

/// One that is compressed, and one in parts.
static LONG: LazyLock<Encoded> = LazyLock::new(|| long(6_000));
static IN_PARTS: LazyLock<Encoded> = LazyLock::new(|| long(500_000));

fn read(Encoded { commit, parts }: &Encoded) -> Option<Commit> {
    match Parts::of(commit) {
        None => decode(commit, None),
        Some(record) => decode(commit, Some(&record.join(parts)?)),
    }
}

impl Change {
    fn apply(&self, row: &mut Row, name: &str) {
        let value = match self {
            Self::Gone => return drop(row.remove(name)),
            Self::Text(text) | Self::NoNumber(text) if matches!(self, Self::Text(_)) => s(text),
            Self::NoNumber(text) | Self::Text(text) => AttributeValue::N(text.clone()),
            Self::Number(number) => n(number.value()),
            Self::Bytes(bytes) => AttributeValue::B(Blob::new(bytes.clone())),
            Self::Flag(flag) => AttributeValue::Bool(*flag),
            Self::Events(events) => {
                let events: Vec<Value> = events.iter().map(|e| e.event().encode()).collect();
                s(Value::from(events).to_string())
            }
            Self::Place {
                conversation,
                seq,
                is_padded,
            } => {
                let (conversation, seq) = (conversation.value(), seq.value());
                s(if *is_padded {
                    format!("{conversation:08}#{seq:012}")
                } else {
                    format!("{conversation}#{seq}")
                })
            }
            Self::Byte { at, to } => match row.get(name) {
                Some(AttributeValue::S(text)) => {
                    let bytes = altered(text.as_bytes(), *at, *to);
                    s(String::from_utf8_lossy(&bytes))
                }
                Some(AttributeValue::B(bytes)) => {
                    AttributeValue::B(Blob::new(altered(bytes.as_ref(), *at, *to)))
                }
                _ => return,
            },
        };
        row.insert(name.to_owned(), value);
    }
}

fn altered(bytes: &[u8], at: u16, to: u8) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = usize::from(at) % bytes.len().max(1);
    if let Some(byte) = bytes.get_mut(at) {
        *byte = to;
    }
    bytes
}

impl PartChange {
    fn apply(self, parts: &mut Vec<Row>) {
        if parts.is_empty() {
            return;
        }
        let of = |part: u8| usize::from(part) % parts.len();
        match self {
            Self::Gone(part) => drop(parts.remove(of(part))),
            Self::Twice(part) => parts.push(parts[of(part)].clone()),
            Self::Swapped(a, b) => {
                let (a, b) = (of(a), of(b));
                parts.swap(a, b);
            }
            Self::Byte { part, at, to } => {
                let part = of(part);
                Change::Byte { at, to }.apply(&mut parts[part], "bytes");
            }
        }
    }
}

/// Whether a commit is one that the log can have: its places are places.
fn is_in_the_log(commit: &Commit) -> bool {
    (ConversationNumber::FIRST..=ConversationNumber::MAX).contains(&commit.conversation)
        && commit.first_seq >= Seq::FIRST
        && commit.last_seq() <= Seq::MAX
        && !commit.events.is_empty()
}

/// What is put is what is read.
fn encoded(given: &Given) -> Encoded {
    let conversation = given.conversation.value() % u64::from(ConversationNumber::MAX.0);
    let conversation = u32::try_from(conversation).expect("less than the last") + 1;
    let mut events: Vec<Stored> = given.events.iter().map(Happened::event).collect();
    if events.is_empty() {
        events.push(Happened::Nothing.event());
    }
    let last_first = Seq::MAX.0 - events.len() as u64 + 1;
    let first_seq = given.first_seq.value().clamp(1, last_first);
    let commit = commit(ConversationNumber(conversation), Seq(first_seq), events);
    assert!(is_in_the_log(&commit));
    let encoded = encode(&ana(), &commit).expect("short enough");
    assert_eq!(read(&encoded), Some(commit));
    encoded
}

fn change(row: &mut Row, changes: &[(u8, Change)]) {
    for (name, change) in changes {
        let name = ATTRIBUTES[usize::from(*name) % ATTRIBUTES.len()];
        change.apply(row, name);
    }
}

/// What is read is a commit of the log, and is written as it was; what is left of what is not has its place.
fn check(changed: &Encoded, before: Option<ConversationState>) {
    if let Some(commit) = read(changed) {
        assert!(is_in_the_log(&commit), "{:?}", commit.first_seq);
        let reencoded = encode(&ana(), &commit).expect("short enough");
        assert_eq!(read(&reencoded), Some(commit));
    }
    let left = damaged(&changed.commit, before);
    let at = place(&changed.commit);
    assert_eq!(
        left.as_ref()
            .map(|left| (left.conversation, left.first_seq)),
        at
    );
    if let Some(left) = left {
        assert!(
            is_in_the_log(&left),
            "{:?} {}",
            left.first_seq,
            left.events.len()
        );
        assert!(left.events.len() <= EVENTS_MAX);
        assert!(left.events.first().is_some_and(Stored::is_damaged));
    }
}

#[test]
fn an_item_is_read_whole_or_refused() {
    let target = bolero::check!().with_iterations(500);
    target.with_type::<Given>().for_each(|given: &Given| {
        let mut changed = encoded(given);
        if given.is_long {
            changed = LONG.clone();
        }
        change(&mut changed.commit, &given.changes);
        let before = given.has_state_before;
        check(
            &changed,
            before.then(|| ConversationState::new(OffsetDateTime::UNIX_EPOCH)),
        );
    });
}

/// What lies beside a commit is all there, or nothing is read of it.
#[test]
fn what_lies_beside_a_commit_is_read_whole_or_not_at_all() {
    type Changes = ([PartChange; 2], [(u8, Change); 1]);
    let target = bolero::check!().with_iterations(10);
    target
        .with_type::<Changes>()
        .for_each(|(parts, row): &Changes| {
            let mut changed = IN_PARTS.clone();
            change(&mut changed.commit, row);
            parts.iter().for_each(|part| part.apply(&mut changed.parts));
            let is_whole = changed.parts == IN_PARTS.parts;
            if let Some(commit) = read(&changed) {
                assert!(is_whole || changed.commit.contains_key("events"));
                assert!(is_in_the_log(&commit));
            }
        });
}
