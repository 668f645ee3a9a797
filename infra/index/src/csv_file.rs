//! CSV as spreadsheets write it.

use crate::row::{Row, column};

pub(crate) fn rows(text: &str) -> impl Iterator<Item = (usize, Result<Row, String>)> {
    let header = text.lines().next().unwrap_or_default();
    let separator = if header.matches(';').count() > header.matches(',').count() {
        b';'
    } else {
        b','
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let columns: Vec<String> = reader
        .headers()
        .map(|headers| headers.iter().map(column).collect())
        .unwrap_or_default();
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
