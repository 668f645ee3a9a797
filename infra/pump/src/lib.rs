//! An event source mapping for one machine: a table's stream reaches a function batch by batch, as Lambda brings it.
//!
//! At least once, in the order of each shard, from the last checkpoint on. It is at home on the embedded engine, on AWS's DynamoDB
//! Local and on the service.

mod batch;
mod checkpoint;
mod consumer;
mod failures;
mod faulty_delivery;
mod lineage;
mod mapping;
mod progress;
mod record;
mod running;
mod shard;
mod source;

pub use aws_sdk_dynamodbstreams::Client;

pub use consumer::{BoxError, Consumer};
pub use failures::{Condition, FailedRecord, FailureFile, FailureQueue};
pub use mapping::{Delivery, Filter, Mapping};
pub use running::Running;
pub use source::connect;
