//! Events that are too long for their commit's row, in rows beside it.

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use mostrador_core::ids::Owner;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::attributes::{Row, n, number, s, text};

/// What the sort keys of parts begin with. It comes after the digits of every commit, so no query for commits meets a part.
pub(crate) const PART: &str = "part#";
/// Most bytes of events in one row: a row ends at 400 KB, its keys and its conversation's state included.
pub(crate) const PART_BYTES: usize = 300 << 10;

/// The parts that a commit's row refers to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// What their sort keys begin with.
    pub(crate) prefix: String,
    pub(crate) count: usize,
    sha256: Vec<u8>,
}

/// `bytes` in parts, and the attributes by which the row of the commit at `place` finds them again.
pub(super) fn split(
    owner: &Owner,
    (commit_id, place): (Uuid, &str),
    bytes: &[u8],
) -> (Vec<Row>, Row) {
    let prefix = prefix(&commit_id.to_string(), place);
    let part = |(number, bytes)| {
        Row::from([
            ("owner".into(), s(owner.to_string())),
            ("commit".into(), s(key(&prefix, number))),
            ("bytes".into(), blob(bytes)),
        ])
    };
    let parts: Vec<Row> = bytes.chunks(PART_BYTES).enumerate().map(part).collect();
    let attributes = Row::from([
        ("parts".into(), n(parts.len())),
        ("sha256".into(), blob(Sha256::digest(bytes).as_slice())),
    ]);
    (parts, attributes)
}

/// The place of the commit that a part belongs to; `None` where the sort key is no part's.
pub(crate) fn place(key: &str) -> Option<&str> {
    let (_, rest) = key.strip_prefix(PART)?.split_once('#')?;
    Some(rest.rsplit_once('#')?.0)
}

impl Parts {
    /// A commit's row's parts; `None` where its events are in it.
    pub(crate) fn of(row: &Row) -> Option<Self> {
        Some(Self {
            prefix: prefix(text(row, "commit_id")?, text(row, "commit")?),
            count: number(row, "parts")?,
            sha256: row.get("sha256")?.as_b().ok()?.as_ref().to_vec(),
        })
    }

    /// The whole of what was split, from all of the parts in order and from nothing else.
    pub(crate) fn join(&self, rows: &[Row]) -> Option<Vec<u8>> {
        if rows.len() != self.count {
            return None;
        }
        let mut whole = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            if text(row, "commit")? != key(&self.prefix, number) {
                return None;
            }
            whole.extend_from_slice(row.get("bytes")?.as_b().ok()?.as_ref());
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
