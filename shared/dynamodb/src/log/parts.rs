//! Events that are too long for their commit's item, in items beside it.

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use mostrador_core::ids::Owner;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::attributes::{Item, n, number, s, text};

/// What the sort keys of parts begin with. It comes after the digits of every commit, so no query for commits meets a part.
pub(crate) const PART: &str = "part#";
/// Most bytes of events in one item: an item ends at 400 KB, its keys and its conversation's state included.
pub(crate) const PART_BYTES: usize = 300 << 10;

/// The parts that a commit's item tells of.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// What their sort keys begin with.
    pub(crate) prefix: String,
    pub(crate) count: usize,
    sha256: Vec<u8>,
}

/// `bytes` in parts, and the attributes by which the item of the commit at `place` finds them again.
pub(super) fn split(
    owner: &Owner,
    (commit_id, place): (Uuid, &str),
    bytes: &[u8],
) -> (Vec<Item>, Item) {
    let prefix = prefix(&commit_id.to_string(), place);
    let part = |(number, bytes)| {
        Item::from([
            ("owner".into(), s(owner.to_string())),
            ("commit".into(), s(key(&prefix, number))),
            ("bytes".into(), blob(bytes)),
        ])
    };
    let parts: Vec<Item> = bytes.chunks(PART_BYTES).enumerate().map(part).collect();
    let told = Item::from([
        ("parts".into(), n(parts.len())),
        ("sha256".into(), blob(Sha256::digest(bytes).as_slice())),
    ]);
    (parts, told)
}

/// The place of the commit that a part belongs to; `None` where the sort key is no part's.
pub(crate) fn place(key: &str) -> Option<&str> {
    let (_, rest) = key.strip_prefix(PART)?.split_once('#')?;
    Some(rest.rsplit_once('#')?.0)
}

impl Parts {
    /// What a commit's item tells; `None` where its events are in it.
    pub(crate) fn of(item: &Item) -> Option<Self> {
        Some(Self {
            prefix: prefix(text(item, "commit_id")?, text(item, "commit")?),
            count: number(item, "parts")?,
            sha256: item.get("sha256")?.as_b().ok()?.as_ref().to_vec(),
        })
    }

    /// The whole of what was split, from all of the parts in order and from nothing else.
    pub(crate) fn join(&self, items: &[Item]) -> Option<Vec<u8>> {
        if items.len() != self.count {
            return None;
        }
        let mut whole = Vec::new();
        for (number, item) in items.iter().enumerate() {
            if text(item, "commit")? != key(&self.prefix, number) {
                return None;
            }
            whole.extend_from_slice(item.get("bytes")?.as_b().ok()?.as_ref());
        }
        (Sha256::digest(&whole).as_slice() == self.sha256).then_some(whole)
    }
}

/// The place is in it because a commit that lost its race tries the next one under the same id, and with other events.
fn prefix(commit_id: &str, place: &str) -> String {
    format!("{PART}{commit_id}#{place}#")
}

fn key(prefix: &str, number: usize) -> String {
    format!("{prefix}{number:05}")
}

fn blob(bytes: &[u8]) -> AttributeValue {
    AttributeValue::B(Blob::new(bytes))
}
