//! The tests' time.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use mostrador_core::clock::Clock;
use time::{Duration, OffsetDateTime};
use uuid::{NoContext, Timestamp, Uuid};

use crate::setup::noon;

/// A clock that stands still until it is set.
pub(crate) struct StoppedClock(Mutex<OffsetDateTime>);

impl StoppedClock {
    pub(crate) fn at_noon() -> Arc<Self> {
        Self::after(Duration::ZERO)
    }

    /// So long after noon.
    pub(crate) fn after(time: Duration) -> Arc<Self> {
        Arc::new(Self(Mutex::new(noon() + time)))
    }

    pub(crate) fn set(&self, now: OffsetDateTime) {
        *self.0.lock().unwrap() = now;
    }
}

pub(crate) fn id_at(at: OffsetDateTime) -> Uuid {
    let seconds = u64::try_from(at.unix_timestamp()).unwrap();
    Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, 0))
}

#[async_trait]
impl Clock for StoppedClock {
    fn now(&self) -> OffsetDateTime {
        *self.0.lock().unwrap()
    }
    fn new_id(&self) -> Uuid {
        id_at(self.now())
    }
    async fn pause(&self, time: std::time::Duration) {
        tokio::time::sleep(time).await;
    }
    async fn pause_up_to(&self, longest: std::time::Duration) {
        tokio::time::sleep(longest.mul_f64(fastrand::f64())).await;
    }
}
