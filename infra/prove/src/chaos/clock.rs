//! Time, identifiers and pauses that are the same for the same seed.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use mostrador_core::clock::Clock;
use rand::{Rng, SeedableRng, rngs::StdRng};
use time::{OffsetDateTime, macros::datetime};
use tokio::time::Instant;
use uuid::Uuid;

/// Far enough off that the engine, which goes by the real time, lets nothing lapse.
const BEGINNING: OffsetDateTime = datetime!(2100-01-01 12:00 UTC);

/// A clock that goes with tokio's.
pub(super) struct SeededClock {
    rng: Mutex<StdRng>,
    began: Instant,
}

impl SeededClock {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: Mutex::new(StdRng::seed_from_u64(seed)),
            began: Instant::now(),
        }
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut StdRng) -> T) -> T {
        draw(&mut self.rng.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl Clock for SeededClock {
    fn now(&self) -> OffsetDateTime {
        BEGINNING + self.began.elapsed()
    }

    fn new_id(&self) -> Uuid {
        let millis = self.now().unix_timestamp_nanos() / 1_000_000;
        let millis = u64::try_from(millis).unwrap_or_default();
        let random = self.draw(|rng| rng.random());
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
    }

    async fn pause(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    async fn pause_up_to(&self, longest: Duration) {
        let pause = self.draw(|rng| rng.random_range(Duration::ZERO..=longest));
        tokio::time::sleep(pause).await;
    }
}
