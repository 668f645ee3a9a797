//! Items and their attributes.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;

/// One row as the SDK gives it.
pub(crate) type Row = HashMap<String, AttributeValue>;

pub(crate) fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub(crate) fn n(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub(crate) fn text<'a>(row: &'a Row, name: &str) -> Option<&'a str> {
    row.get(name)?.as_s().ok().map(String::as_str)
}

pub(crate) fn number<T: std::str::FromStr>(row: &Row, name: &str) -> Option<T> {
    row.get(name)?.as_n().ok()?.parse().ok()
}
