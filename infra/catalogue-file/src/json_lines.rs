//! JSON Lines.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::{
    columns::{Renamed, meaning},
    row::{Row, Rows},
};

pub(crate) fn rows(text: &str, renamed: &[Renamed]) -> Rows {
    let mut left_out = BTreeSet::new();
    let rows = objects(text).map(|Line { number, members }| {
        let row = members.and_then(|members| row(members, renamed, &mut left_out));
        (number, row)
    });
    Rows {
        rows: rows.collect(),
        left_out,
    }
}

/// A line of a file by its columns' names, or why it has none.
pub(crate) struct Line {
    pub(crate) number: usize,
    pub(crate) members: Result<Map<String, Value>, String>,
}

/// The lines with something in them.
pub(crate) fn objects(text: &str) -> impl Iterator<Item = Line> {
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| {
        let members = serde_json::from_str(line);
        let members = members.map_err(|error| format!("not a JSON object: {error}"));
        Line { number, members }
    })
}

fn row(
    members: Map<String, Value>,
    renamed: &[Renamed],
    left_out: &mut BTreeSet<String>,
) -> Result<Row, String> {
    let mut row = Row::new();
    for (name, value) in members {
        let Some(ours) = meaning(&name, renamed) else {
            left_out.insert(name);
            continue;
        };
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                return Err(format!("{name} is neither text nor a number"));
            }
        };
        if row.insert(ours, text).is_some() {
            return Err(format!("{ours} is there twice"));
        }
    }
    Ok(row)
}
