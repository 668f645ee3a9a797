//! A file as lines of named values, whatever its form.

use mostrador_core::catalogue::Item;
use serde_json::{Map, Value};

use crate::{LineError, SourceError};

/// A line's values by their names.
pub(crate) type Members = Map<String, Value>;

/// A line of a file by its columns' names, or why it has none.
pub(crate) struct Line {
    pub(crate) number: usize,
    pub(crate) members: Result<Members, String>,
}

/// The lines of a file.
pub(crate) struct Table {
    /// Those of the header, or of the first line that can be read.
    pub(crate) names: Vec<String>,
    /// All lines have what the first line names.
    pub(crate) has_header: bool,
    pub(crate) lines: Vec<Line>,
}

/// Several texts, of a list or of a cell with bars between them.
pub(crate) fn list(value: Option<&Value>) -> Vec<String> {
    let all: Vec<String> = match value {
        Some(Value::Array(all)) => {
            let texts = all.iter().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        }
        value => written(value).split('|').map(str::to_owned).collect(),
    };
    let all = all.iter().map(|text| text.trim().to_owned());
    all.filter(|text| !text.is_empty()).collect()
}

/// A text or a number as it is written; nothing of anything else.
pub(crate) fn written(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// Reads every line by `read`: all good, and no id or code twice; or every bad one named.
pub(crate) fn collect(
    lines: Vec<Line>,
    read: impl Fn(&Members) -> Result<(Item, u32), String>,
) -> Result<Vec<(Item, u32)>, SourceError> {
    if lines.is_empty() {
        return Err(SourceError::Empty);
    }
    let mut items = Vec::with_capacity(lines.len());
    let mut errors = Vec::new();
    let mut seen = std::collections::HashMap::new();
    for Line {
        number: line,
        members,
    } in lines
    {
        let read = members.and_then(|members| {
            let (item, stock) = read(&members)?;
            let id = item.id();
            let code = item.details.codigo.clone().unwrap_or_default();
            let [of_id, code] = match item.details.id {
                Some(_) => [("id", id.to_string()), ("codigo", code)],
                None => [("libro_id", id.to_string()), ("isbn", item.isbn.clone())],
            };
            for (name, value) in [of_id, code] {
                if value.is_empty() {
                    continue;
                }
                let first = *seen.entry((name, value.clone())).or_insert(line);
                if first != line {
                    return Err(format!("{name} {value} was already on line {first}"));
                }
            }
            let number = item.libro_id.to_string();
            let first = *seen.entry(("number", number)).or_insert(line);
            if first != line {
                return Err(format!(
                    "id {id} cannot be kept apart from that on line {first}"
                ));
            }
            Ok((item, stock))
        });
        match read {
            Ok(read) => items.push(read),
            Err(problem) => errors.push(LineError { line, problem }),
        }
    }
    if errors.is_empty() {
        Ok(items)
    } else {
        Err(SourceError::Lines(errors))
    }
}
