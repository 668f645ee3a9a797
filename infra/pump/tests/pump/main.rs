//! What reaches a consumer, and when, on the embedded engine and on a scripted stream.

#![expect(clippy::unwrap_used, reason = "tests")]

mod failing;
mod faulty_delivery;
mod in_order;
mod lineage;
mod shop;
