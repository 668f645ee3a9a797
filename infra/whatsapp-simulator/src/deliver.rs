//! Deliveries to the webhook: signed, and repeated until they are taken.

use std::{sync::Arc, time::Duration};

use mostrador_whatsapp::signature;
use secrecy::SecretString;
use serde_json::Value;
use tokio::time::sleep;

use crate::clock::Clock;

/// The first repetition is at once; then the pauses grow. After seven days nothing is delivered any more.
const PAUSES_SECONDS: [u64; 8] = [0, 10, 60, 300, 1800, 7200, 21_600, 43_200];
const GIVEN_UP_AFTER: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Longest wait for the webhook, by the machine's clock.
const TIMEOUT: Duration = Duration::from_secs(10);

/// In which order held deliveries go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    AsTheyCame,
    Reversed,
    Shuffled { seed: u64 },
}

/// What became of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    pub attempts: u32,
    pub is_taken: bool,
}

pub(crate) struct Webhook {
    pub(crate) url: String,
    pub(crate) app_secret: SecretString,
    pub(crate) client: reqwest::Client,
    pub(crate) clock: Arc<Clock>,
}

impl Webhook {
    pub(crate) async fn deliver(&self, delivery: &Value) -> Delivered {
        let body = delivery.to_string();
        let mut pauses = PAUSES_SECONDS.into_iter();
        let longest = *PAUSES_SECONDS.last().unwrap_or(&0);
        let mut waited = Duration::ZERO;
        let mut attempts = 0;
        loop {
            attempts += 1;
            if self.attempt(&body).await {
                return Delivered {
                    attempts,
                    is_taken: true,
                };
            }
            let pause = Duration::from_secs(pauses.next().unwrap_or(longest));
            waited += pause;
            if waited > GIVEN_UP_AFTER {
                return Delivered {
                    attempts,
                    is_taken: false,
                };
            }
            sleep(self.clock.real(pause)).await;
        }
    }

    /// Taken is what is answered with 200.
    async fn attempt(&self, body: &str) -> bool {
        let signed = signature::sign(&self.app_secret, body.as_bytes());
        let call = self
            .client
            .post(&self.url)
            .header("content-type", "application/json")
            .header("user-agent", "facebookexternalua")
            .header(signature::HEADER, signed)
            .timeout(TIMEOUT)
            .body(body.to_owned());
        match call.send().await {
            Ok(answer) => answer.status() == 200,
            Err(_) => false,
        }
    }
}
