//! JSON Lines.

use crate::table::{Line, Table};

/// The lines with something in them.
pub(crate) fn table(text: &str) -> Table {
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let lines = lines.map(|(number, line)| {
        let members = serde_json::from_str(line);
        let members = members.map_err(|error| format!("not a JSON object: {error}"));
        Line { number, members }
    });
    let lines: Vec<Line> = lines.collect();
    let first = lines.iter().find_map(|line| line.members.as_ref().ok());
    Table {
        names: first.map_or_else(Vec::new, |members| members.keys().cloned().collect()),
        has_header: false,
        lines,
    }
}
