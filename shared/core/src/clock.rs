//! Time and fresh identifiers, which the core never takes for itself.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use time::OffsetDateTime;
use uuid::Uuid;

/// Where times, identifiers and pauses come from.
#[async_trait]
pub trait Clock: Send + Sync {
    /// The time now, UTC.
    fn now(&self) -> OffsetDateTime;
    /// A fresh `UUIDv7`.
    fn new_id(&self) -> Uuid;
    /// Waits.
    async fn pause(&self, time: Duration);
    /// Waits a random time of at most `longest` (full jitter).
    async fn pause_up_to(&self, longest: Duration);
}

/// The same instant, by the library that knows time zones.
#[must_use]
pub fn timestamp(at: OffsetDateTime) -> Timestamp {
    Timestamp::from_nanosecond(at.unix_timestamp_nanos()).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Milliseconds between two times; 0 where the clock went back.
#[must_use]
pub fn elapsed_ms(from: OffsetDateTime, to: OffsetDateTime) -> u64 {
    u64::try_from((to - from).whole_milliseconds()).unwrap_or(0)
}
