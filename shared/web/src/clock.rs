//! The real clock.

use std::time::Duration;

use async_trait::async_trait;
use mostrador_core::clock::Clock;
use rand::Rng;
use time::OffsetDateTime;
use uuid::Uuid;

/// The system's time, fresh `UUIDv7`s, random pauses.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    fn now(&self) -> OffsetDateTime {
        OffsetDateTime::now_utc()
    }

    fn new_id(&self) -> Uuid {
        Uuid::now_v7()
    }

    async fn pause(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    async fn pause_up_to(&self, longest: Duration) {
        let pause = rand::rng().random_range(Duration::ZERO..=longest);
        tokio::time::sleep(pause).await;
    }
}
