//! What a pair of a business' number and a customer may do.

use time::{Duration, OffsetDateTime};

const INTERVAL: Duration = Duration::seconds(6);
const BURST_MAX: usize = 45;
const WINDOW: Duration = Duration::hours(24);

/// What went between a number and a customer.
#[derive(Debug, Default)]
pub(crate) struct Pair {
    sent: Vec<OffsetDateTime>,
    pub(crate) last_inbound_at: Option<OffsetDateTime>,
}

impl Pair {
    /// Whether one more message may go. Counted over the whole list: bursts of 45 within six seconds, each followed by the time
    /// that its messages would have taken one by one.
    pub(crate) fn may_send(&self, now: OffsetDateTime) -> bool {
        let mut rest = self.sent.as_slice();
        while let Some(first) = rest.first() {
            let burst_ends = *first + INTERVAL;
            let burst = rest.iter().take_while(|at| **at < burst_ends).count();
            if burst == rest.len() {
                let steps = i32::try_from(burst).unwrap_or(i32::MAX);
                let is_paid = now >= *first + INTERVAL.saturating_mul(steps);
                return is_paid || (now < burst_ends && burst < BURST_MAX);
            }
            rest = &rest[burst..];
        }
        true
    }

    pub(crate) fn sent(&mut self, now: OffsetDateTime) {
        self.sent.push(now);
    }

    pub(crate) fn is_window_open(&self, now: OffsetDateTime) -> bool {
        self.last_inbound_at.is_some_and(|last| now < last + WINDOW)
    }
}
