//! What a rendered answer is made of, in the log and over the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalogue::ItemResult;

/// A piece of a line as it is rendered: `text` by itself is the line, and what it stands for lets a page do better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Segment {
    pub text: String,
    /// The item that is named, or of which something is stated: its place in `results`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<u64>,
    /// What is stated of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
}

/// The items that lines name, in their order.
pub(crate) fn named<'a>(lines: impl Iterator<Item = &'a [Segment]>) -> Vec<u64> {
    let mut items = Vec::new();
    for item in lines.flatten().filter_map(|segment| segment.item) {
        if !items.contains(&item) {
            items.push(item);
        }
    }
    items
}

/// Segments as they go over the wire: an item is meant by its place in `results`, and by nothing where it is not among them.
pub(crate) fn placed<'a>(
    lines: impl Iterator<Item = &'a [Segment]>,
    results: &[ItemResult],
) -> Vec<Vec<Segment>> {
    let place = |id: u64| {
        let place = results.iter().position(|item| item.libro_id == id)?;
        u64::try_from(place).ok()
    };
    let line = |line: &[Segment]| {
        let segments = line.iter().map(|segment| {
            let item = segment.item.and_then(place);
            Segment {
                text: segment.text.clone(),
                item,
                fact: segment.fact.clone().filter(|_| item.is_some()),
            }
        });
        segments.collect()
    };
    lines.map(line).collect()
}

/// The segments of a message that was kept without any: its lines.
pub(crate) fn of_lines(content: &str) -> Vec<Vec<Segment>> {
    let line = |line: &str| {
        vec![Segment {
            text: line.to_owned(),
            item: None,
            fact: None,
        }]
    };
    content.lines().map(line).collect()
}
