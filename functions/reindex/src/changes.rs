//! Whether what happened in the catalogue matters to the index.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use time::OffsetDateTime;

/// What the function is called with: records of the catalogue's stream, or nothing of the kind by a schedule or a person.
#[derive(Debug, Default, Deserialize)]
pub struct Event {
    #[serde(default, rename = "Records")]
    records: Vec<Record>,
}

#[derive(Debug, Deserialize)]
struct Record {
    dynamodb: Change,
}

#[derive(Debug, Deserialize)]
struct Change {
    /// Seconds since 1970.
    #[serde(rename = "ApproximateCreationDateTime")]
    at: Option<f64>,
    #[serde(default, rename = "OldImage")]
    before: Option<BTreeMap<String, Value>>,
    #[serde(default, rename = "NewImage")]
    after: Option<BTreeMap<String, Value>>,
}

/// What an item's row counts besides its description: every sale and reservation moves them, and answers read them live.
const MOVING: [&str; 5] = ["on_hand", "holds", "version", "sold", "best"];

impl Event {
    /// Whether an index that was built at `built_at` lacks something of this. A call without records always wants another.
    #[must_use]
    pub fn outdates(&self, built_at: Option<OffsetDateTime>) -> bool {
        let Some(built_at) = built_at else {
            return true;
        };
        self.records.is_empty()
            || self
                .records
                .iter()
                .any(|record| record.dynamodb.matters() && record.dynamodb.may_be_after(built_at))
    }
}

impl Change {
    fn matters(&self) -> bool {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => {
                described(before) != described(after) || in_shop(before) != in_shop(after)
            }
            _ => true,
        }
    }

    /// A build reads what was written before it began; clocks may differ by some seconds, and the stream has whole ones.
    fn may_be_after(&self, built_at: OffsetDateTime) -> bool {
        const DOUBT_SECONDS: f64 = 10.0;
        #[expect(clippy::cast_precision_loss, reason = "seconds since 1970")]
        let built_at = built_at.unix_timestamp() as f64;
        self.at.is_none_or(|at| at + DOUBT_SECONDS >= built_at)
    }
}

/// What a shop says of an item.
fn described(image: &BTreeMap<String, Value>) -> BTreeMap<&str, &Value> {
    image
        .iter()
        .map(|(name, value)| (name.as_str(), value))
        .filter(|(name, _)| !MOVING.contains(name))
        .collect()
}

/// Whether there are copies: what sells out leaves the answers to those who asked for what there is.
fn in_shop(image: &BTreeMap<String, Value>) -> bool {
    let copies = image.get("on_hand").and_then(|value| value["N"].as_str());
    copies.is_some_and(|copies| copies != "0")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const BUILT: i64 = 1_800_000_000;

    fn outdates(at: i64, before: Value, after: Value) -> bool {
        let event = json!({"Records": [{"eventName": "…", "dynamodb": {
            "ApproximateCreationDateTime": at, "OldImage": before, "NewImage": after, "Keys": {"libro_id": {"N": "7"}},
        }}]});
        let event: Event = serde_json::from_value(event).unwrap();
        event.outdates(OffsetDateTime::from_unix_timestamp(BUILT).ok())
    }

    /// With so many copies sold before this version.
    fn sold(item: Value, copies: u32) -> Value {
        let mut item = item;
        item["sold"] = json!({"N": copies.to_string()});
        item["best"] = json!({"S": "all"});
        item
    }

    fn item(title: &str, copies: u32, version: u32) -> Value {
        json!({"titulo": {"S": title}, "on_hand": {"N": copies.to_string()}, "version": {"N": version.to_string()}})
    }

    #[test]
    fn descriptions_matter_and_sales_do_not() {
        let later = BUILT + 60;
        assert!(outdates(later, Value::Null, item("Rayuela", 3, 1)));
        assert!(outdates(later, item("Rayuela", 3, 1), Value::Null));
        assert!(outdates(later, item("Rayuela", 3, 1), item("62", 3, 2)));
        assert!(!outdates(
            later,
            item("Rayuela", 3, 1),
            item("Rayuela", 2, 2)
        ));
        let counted = sold(item("Rayuela", 2, 2), 1);
        assert!(!outdates(later, item("Rayuela", 3, 1), counted.clone()));
        assert!(!outdates(later, counted, item("Rayuela", 3, 3)));
        assert!(outdates(
            later,
            item("Rayuela", 1, 1),
            item("Rayuela", 0, 2)
        ));
        assert!(outdates(
            later,
            item("Rayuela", 0, 2),
            item("Rayuela", 5, 3)
        ));
    }

    #[test]
    fn changes_a_build_has_read_start_no_other_build() {
        let change = |at| outdates(at, item("Rayuela", 3, 1), item("62", 3, 2));
        assert!(!change(BUILT - 60));
        // Written about when the build began.
        assert!(change(BUILT - 5));
        assert!(change(BUILT + 5));
    }

    #[test]
    fn a_call_without_records_and_a_first_build_always_build() {
        let scheduled: Event = serde_json::from_value(json!({"source": "aws.scheduler"})).unwrap();
        let built = OffsetDateTime::from_unix_timestamp(BUILT).ok();
        assert!(scheduled.outdates(built) && scheduled.outdates(None));
        let sale = json!({"Records": [{"dynamodb": {"OldImage": item("a", 2, 1), "NewImage": item("a", 1, 2)}}]});
        let sale: Event = serde_json::from_value(sale).unwrap();
        assert!(sale.outdates(None) && !sale.outdates(built));
    }
}
