//! JSON Lines.

use serde_json::{Map, Value};

use crate::row::{Row, column};

pub(crate) fn rows(text: &str) -> impl Iterator<Item = (usize, Result<Row, String>)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| (number, row(line)))
}

fn row(line: &str) -> Result<Row, String> {
    let members: Map<String, Value> =
        serde_json::from_str(line).map_err(|error| format!("not a JSON object: {error}"))?;
    members
        .into_iter()
        .map(|(name, value)| {
            let text = match value {
                Value::Null => String::new(),
                Value::String(text) => text,
                Value::Number(number) => number.to_string(),
                Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                    return Err(format!("{name} is neither text nor a number"));
                }
            };
            Ok((column(&name), text))
        })
        .collect()
}
