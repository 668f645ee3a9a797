//! CSV as spreadsheets write it: with commas, semicolons or tabs.

use serde_json::Value;

use crate::table::{Line, Table};

const SEPARATORS: [char; 3] = [',', ';', '\t'];

fn reader(text: &str) -> csv::Reader<&[u8]> {
    let header = text.lines().next().unwrap_or_default();
    let count = |separator: &char| header.matches(*separator).count();
    let separator = SEPARATORS.into_iter().rev().max_by_key(count);
    csv::ReaderBuilder::new()
        .delimiter(separator.map_or(b',', |separator| separator as u8))
        .from_reader(text.as_bytes())
}

/// Every line by its header's names, as JSON Lines would have it but for texts alone.
pub(crate) fn table(text: &str) -> Table {
    let mut reader = reader(text);
    let names: Vec<String> = reader
        .headers()
        .map(|names| names.iter().map(|name| name.trim().to_owned()).collect())
        .unwrap_or_default();
    let lines = records(reader).map(|(number, record)| {
        let members = record.map(|record| {
            let values = names.iter().zip(&record);
            let members = values.map(|(name, value)| (name.clone(), Value::from(value)));
            members.collect()
        });
        Line { number, members }
    });
    let lines = lines.collect();
    Table {
        names,
        has_header: true,
        lines,
    }
}

fn records(
    reader: csv::Reader<&[u8]>,
) -> impl Iterator<Item = (usize, Result<csv::StringRecord, String>)> {
    reader.into_records().map(|record| match record {
        Err(error) => (
            line(error.position()),
            Err(format!("not CSV: {}", kind(&error))),
        ),
        Ok(record) => (line(record.position()), Ok(record)),
    })
}

fn line(position: Option<&csv::Position>) -> usize {
    let line = position.map_or(0, csv::Position::line);
    usize::try_from(line).unwrap_or(usize::MAX)
}

fn kind(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} values where the header names {expected_len}"),
        _ => error.to_string(),
    }
}
