//! What calls would cost: capacity units as the engine reports them.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// Calls and units since the last reading.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cost {
    pub calls: u64,
    pub read_units: f64,
    pub write_units: f64,
}

/// Adds up what calls cost.
#[derive(Debug, Default)]
pub struct Meter(Mutex<Cost>);

impl Meter {
    /// What was counted since the last time, and begins again.
    #[must_use]
    pub fn take(&self) -> Cost {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn count(&self, operation: &str, answer: &str) {
        let answer: Value = serde_json::from_str(answer).unwrap_or_default();
        let units: f64 = match &answer["ConsumedCapacity"] {
            Value::Array(tables) => tables
                .iter()
                .filter_map(|table| table["CapacityUnits"].as_f64())
                .sum(),
            one => one["CapacityUnits"].as_f64().unwrap_or(0.0),
        };
        let mut cost = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cost.calls += 1;
        match operation {
            "Query" | "Scan" | "GetItem" | "BatchGetItem" => cost.read_units += units,
            _ => cost.write_units += units,
        }
    }
}

/// The same call, asking for its cost.
pub(crate) fn asking_for_cost(body: &[u8]) -> Vec<u8> {
    let mut request: Value = serde_json::from_slice(body).unwrap_or_default();
    if let Some(members) = request.as_object_mut() {
        members.insert("ReturnConsumedCapacity".into(), "TOTAL".into());
    }
    serde_json::to_vec(&request).unwrap_or_default()
}
