//! The simulator's time: the machine's, faster if need be, and moved by hand.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use time::OffsetDateTime;

/// A clock that starts at the machine's time.
#[derive(Debug)]
pub struct Clock {
    started: Instant,
    started_at: OffsetDateTime,
    /// Seconds that pass within one.
    speed: f64,
    moved: Mutex<Duration>,
}

impl Clock {
    #[must_use]
    pub fn new(speed: f64) -> Self {
        Self {
            started: Instant::now(),
            started_at: OffsetDateTime::now_utc(),
            speed: speed.max(1.0),
            moved: Mutex::default(),
        }
    }

    #[must_use]
    pub fn now(&self) -> OffsetDateTime {
        let moved = self.moved.lock().map(|moved| *moved).unwrap_or_default();
        self.started_at + self.started.elapsed().mul_f64(self.speed) + moved
    }

    /// Later at once.
    pub fn advance(&self, by: Duration) {
        if let Ok(mut moved) = self.moved.lock() {
            *moved = moved.saturating_add(by);
        }
    }

    /// How long the machine waits for so long a time.
    #[must_use]
    pub fn real(&self, pause: Duration) -> Duration {
        pause.div_f64(self.speed)
    }
}
