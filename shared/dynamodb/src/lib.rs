//! The ports of the core on DynamoDB: one module for each table, and the tables themselves.
//!
//! Nothing here keeps state: every guarantee is a condition on a write. SDK errors end in `error`.

mod attributes;
mod bookings;
mod catalogue;
mod client;
mod cost;
mod erase;
mod error;
mod idempotency;
mod import;
mod limits;
mod log;
mod owned;
mod purchases;
mod queue;
pub mod stream;
mod tables;
mod view;

pub use aws_sdk_dynamodb::Client;
pub use bookings::DynamoBookings;
pub use catalogue::DynamoCatalogue;
pub use client::connect;
pub use cost::{Cost, metered};
pub use erase::DynamoEraser;
pub use error::StoreError;
pub use idempotency::DynamoIdempotency;
pub use import::{ImportSummary, import};
pub use limits::DynamoLimits;
pub use log::DynamoLog;
pub use purchases::DynamoPurchases;
pub use tables::{InvalidRetention, Tables, are_outdated, create_tables};
pub use view::DynamoView;
