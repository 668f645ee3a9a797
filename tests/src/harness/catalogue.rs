//! The catalogue that ships, as the tests expect to see it.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::Value;

static ITEMS: LazyLock<BTreeMap<u64, Value>> = LazyLock::new(|| {
    include_str!("../../../infra/local/demo/bookshop/catalogue.jsonl")
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str::<Value>(line).expect("a book"))
        .map(|item| (item["libro_id"].as_u64().expect("a number"), item))
        .collect()
});

/// A book as the file has it: a result without its score.
pub(crate) fn item(libro_id: u64) -> Value {
    ITEMS[&libro_id].clone()
}

/// Hundredths, read from an amount such as `"25.99"`.
#[track_caller]
pub(crate) fn cents(amount: &Value) -> u64 {
    let (whole, decimals) = amount
        .as_str()
        .and_then(|amount| amount.split_once('.'))
        .unwrap_or_else(|| panic!("{amount} is no amount"));
    assert_eq!(decimals.len(), 2, "{amount}");
    format!("{whole}{decimals}").parse().expect("digits")
}
