//! CSV as spreadsheets write it.

use crate::{
    SourceError,
    row::{REQUIRED, Row, column},
};

/// Before any line is looked at: without the right columns each of them would be wrong.
pub(crate) fn check_header(text: &str) -> Result<(), SourceError> {
    let mut named = columns(&mut reader(text));
    let missing: Vec<&str> = REQUIRED
        .into_iter()
        .filter(|required| !named.iter().any(|name| name == required))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    named.retain(|name| !name.is_empty());
    if named.is_empty() {
        named.push("nothing".to_owned());
    }
    Err(SourceError::Columns { missing, named })
}

fn reader(text: &str) -> csv::Reader<&[u8]> {
    let header = text.lines().next().unwrap_or_default();
    let separator = if header.matches(';').count() > header.matches(',').count() {
        b';'
    } else {
        b','
    };
    csv::ReaderBuilder::new()
        .delimiter(separator)
        .from_reader(text.as_bytes())
}

fn columns(reader: &mut csv::Reader<&[u8]>) -> Vec<String> {
    let headers = reader.headers();
    headers
        .map(|headers| headers.iter().map(column).collect())
        .unwrap_or_default()
}

pub(crate) fn rows(text: &str) -> impl Iterator<Item = (usize, Result<Row, String>)> {
    let mut reader = reader(text);
    let columns = columns(&mut reader);
    reader
        .into_records()
        .map(move |record| match record {
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                (
                    usize::try_from(line).unwrap_or(usize::MAX),
                    Err(format!("not CSV: {}", kind(&error))),
                )
            }
            Ok(record) => {
                let line = record.position().map_or(0, csv::Position::line);
                let row = columns
                    .iter()
                    .cloned()
                    .zip(record.iter().map(str::to_owned))
                    .collect();
                (usize::try_from(line).unwrap_or(usize::MAX), Ok(row))
            }
        })
        .collect::<Vec<_>>()
        .into_iter()
}

fn kind(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} values where the header names {expected_len}"),
        csv::ErrorKind::Utf8 { .. } => "the text is not UTF-8".to_owned(),
        _ => error.to_string(),
    }
}
