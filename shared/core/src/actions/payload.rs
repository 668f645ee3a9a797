//! An action's arguments, read leniently but never believed.

use serde_json::{Map, Value};

use crate::{actions::Warning, ids::ItemId};

/// Most copies taken at once.
const QUANTITY_MAX: u32 = 10;
/// Most orders or reservations listed at once.
const LISTED_MAX: usize = 100;

/// A part of a list, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub before: Option<u32>,
    pub limit: usize,
}

/// The `payload` of a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Payload(pub Map<String, Value>);

impl Payload {
    /// Each of the `items` that are named beside each other, with its own `cantidad`; or what is named alone.
    #[must_use]
    pub fn lines(&self) -> Vec<Self> {
        let Some(Value::Array(items)) = self.0.get("items") else {
            return vec![self.clone()];
        };
        let line = |item: &Value| match item {
            Value::Object(line) => Self(line.clone()),
            _ => Self::default(),
        };
        items.iter().map(line).collect()
    }

    /// A positive whole number, also as a string of digits.
    #[must_use]
    pub fn id(&self, name: &str) -> Option<u64> {
        let id = match self.0.get(name)? {
            Value::Number(number) => number.as_u64()?,
            Value::String(text) if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok()?,
            _ => return None,
        };
        // Larger ones do not survive a JavaScript client.
        (1..=ItemId::NUMBER_MAX).contains(&id).then_some(id)
    }

    /// A text that says something, without blanks around it.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        let text = self.0.get(name).and_then(Value::as_str).map(str::trim);
        text.filter(|text| !text.is_empty())
    }

    /// Which item is meant, by any of the names that its number has had.
    #[must_use]
    pub fn item(&self) -> Option<u64> {
        let mut names = ["book_id", "libro_id", "item_id"].into_iter();
        names.find_map(|name| match self.0.get(name)? {
            Value::String(text) => ItemId::read(text).map(|id| id.number()),
            _ => self.id(name),
        })
    }

    /// An id that fits a customer's own series.
    #[must_use]
    pub fn small_id(&self, name: &str) -> Option<u32> {
        self.id(name).and_then(|id| id.try_into().ok())
    }

    /// Which part of a list is wanted: what comes before the number `before`, and how much of it, `limit` brought into 1–100.
    #[must_use]
    pub fn part(&self) -> Part {
        let limit = self.0.get("limit").and_then(Value::as_u64);
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        Part {
            before: self.small_id("before"),
            limit: limit.map_or(LISTED_MAX, |limit| limit.clamp(1, LISTED_MAX)),
        }
    }

    /// Whether `cantidad` is 0.
    #[must_use]
    pub fn is_none_wanted(&self) -> bool {
        match self.0.get("cantidad") {
            Some(Value::Number(number)) => number.as_f64() == Some(0.0),
            Some(Value::String(text)) => text.trim() == "0",
            _ => false,
        }
    }

    /// `cantidad`, brought into 1–10 with a warning; `None` where it is not given.
    #[must_use]
    pub fn quantity(&self) -> Option<(u32, Option<Warning>)> {
        let value = match self.0.get("cantidad")? {
            Value::Null => return None,
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        Some(match value {
            None => (1, Some(Warning::QuantityNotANumber)),
            Some(n) if n.is_nan() => (1, Some(Warning::QuantityNotANumber)),
            Some(n) if n < 1.0 => (1, Some(Warning::QuantityRaisedTo1)),
            Some(n) if n > f64::from(QUANTITY_MAX) => {
                (QUANTITY_MAX, Some(Warning::QuantityLoweredTo10))
            }
            Some(n) if n.fract() != 0.0 => (1, Some(Warning::QuantityNotANumber)),
            Some(n) => (
                (1..=QUANTITY_MAX).find(|k| f64::from(*k) >= n).unwrap_or(1),
                None,
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn payload(value: Value) -> Payload {
        Payload(value.as_object().cloned().unwrap())
    }

    #[test]
    fn quantities_are_brought_into_range() {
        for (given, expected) in [
            (json!({}), None),
            (json!({"cantidad": null}), None),
            (json!({"cantidad": 3}), Some((3, None))),
            (json!({"cantidad": "3"}), Some((3, None))),
            (
                json!({"cantidad": 0}),
                Some((1, Some(Warning::QuantityRaisedTo1))),
            ),
            (
                json!({"cantidad": -1e300}),
                Some((1, Some(Warning::QuantityRaisedTo1))),
            ),
            (
                json!({"cantidad": 11}),
                Some((10, Some(Warning::QuantityLoweredTo10))),
            ),
            (
                json!({"cantidad": "muchos"}),
                Some((1, Some(Warning::QuantityNotANumber))),
            ),
            (
                json!({"cantidad": 2.5}),
                Some((1, Some(Warning::QuantityNotANumber))),
            ),
            (
                json!({"cantidad": [2]}),
                Some((1, Some(Warning::QuantityNotANumber))),
            ),
            (
                json!({"cantidad": "NaN"}),
                Some((1, Some(Warning::QuantityNotANumber))),
            ),
        ] {
            assert_eq!(payload(given.clone()).quantity(), expected, "{given}");
        }
    }

    #[test]
    fn ids_are_positive_and_whole() {
        for (given, expected) in [
            (json!({"book_id": 12}), Some(12)),
            (json!({"book_id": "12"}), Some(12)),
            (json!({"book_id": 0}), None),
            (json!({"book_id": -1}), None),
            (json!({"book_id": 1.5}), None),
            (json!({"book_id": 9_007_199_254_740_993_u64}), None),
            (json!({"book_id": "1#2"}), None),
            (json!({"book_id": ""}), None),
            (json!({"book_id": {}}), None),
            (json!({}), None),
        ] {
            assert_eq!(payload(given.clone()).id("book_id"), expected, "{given}");
        }
    }
}
