//! Where messages go: the messages endpoint of the Graph API.

mod outcome;

use std::time::Duration;

use reqwest::{Client, RequestBuilder, Url, redirect::Policy};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use tokio::time::sleep;

pub use outcome::Outcome;

use crate::{
    ids::PhoneNumberId,
    message::{Receipt, Request},
};
use outcome::Answer;

/// The platform itself.
pub const BASE_URL: &str = "https://graph.facebook.com";
/// The newest version of August 2026.
pub const VERSION: &str = "v26.0";
/// Largest answer read; theirs have a few hundred bytes.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// How long, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Longest wait for a connection: when it is over, nothing was sent.
    pub connect: Duration,
    /// Longest wait for an answer: when it is over, nobody knows.
    pub answer: Duration,
    /// How often a message is tried that certainly was not sent, the first time included.
    pub tries: u32,
    /// The first pause between tries, of which between a half and all is waited; each is twice as long as the one before.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(3),
            answer: Duration::from_secs(10),
            tries: 3,
            pause: Duration::from_millis(250),
        }
    }
}

/// A client of the Graph API for the numbers that one token may write from.
pub struct Graph {
    client: Client,
    base: Url,
    version: String,
    token: SecretString,
    patience: Patience,
}

/// An address or version that nothing can be sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the base is no http or https address, or the version is not like {VERSION}")]
pub struct InvalidEndpoint;

impl Graph {
    /// # Errors
    /// [`InvalidEndpoint`].
    pub fn new(
        base_url: &str,
        version: &str,
        token: SecretString,
        patience: Patience,
    ) -> Result<Self, InvalidEndpoint> {
        let base = Url::parse(base_url).map_err(|_| InvalidEndpoint)?;
        let number = version.strip_prefix('v').ok_or(InvalidEndpoint)?;
        let is_version = !number.is_empty()
            && number
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.');
        if !matches!(base.scheme(), "http" | "https") || !is_version {
            return Err(InvalidEndpoint);
        }
        // A redirect would carry the token to somebody else.
        let client = Client::builder()
            .redirect(Policy::none())
            .connect_timeout(patience.connect)
            .timeout(patience.connect + patience.answer)
            .build();
        Ok(Self {
            client: client.map_err(|_| InvalidEndpoint)?,
            base,
            version: version.to_owned(),
            token,
            patience,
        })
    }

    /// Sends a message, once: it is tried further only where it certainly was not sent, and where a moment may help.
    pub async fn send(&self, from: &PhoneNumberId, request: &Request) -> Outcome {
        let mut pause = self.patience.pause;
        let mut tries = 1;
        loop {
            let outcome = self.post(from, request).await.outcome();
            if !outcome.may_be_tried_at_once() || tries >= self.patience.tries {
                log(&outcome, tries);
                return outcome;
            }
            sleep(pause.mul_f64(0.5 + fastrand::f64() / 2.0)).await;
            pause = pause.saturating_mul(2);
            tries += 1;
        }
    }

    /// Marks a customer's message as read. Once, and if it fails nothing is lost: `false`.
    pub async fn mark_read(&self, from: &PhoneNumberId, receipt: &Receipt) -> bool {
        let is_marked = self.post(from, receipt).await.is_success();
        if !is_marked {
            tracing::debug!("a message could not be marked as read");
        }
        is_marked
    }

    async fn post<T: Serialize>(&self, from: &PhoneNumberId, body: &T) -> Answer {
        let Some(call) = self.call(from) else {
            return Answer::NotSent;
        };
        let mut answer = match call.json(body).send().await {
            Ok(answer) => answer,
            // No connection, so no request.
            Err(error) if error.is_connect() || error.is_builder() => return Answer::NotSent,
            Err(_) => return Answer::Cut,
        };
        let status = answer.status().as_u16();
        let wait = answer.headers().get("retry-after").cloned();
        let wait = wait.and_then(|wait| wait.to_str().ok()?.trim().parse().ok());
        let mut bytes = Vec::new();
        while let Ok(chunk) = answer.chunk().await {
            match chunk {
                Some(chunk) if bytes.len() + chunk.len() <= ANSWER_BYTES_MAX => {
                    bytes.extend_from_slice(&chunk);
                }
                // Nobody answers so much; what it was is not known.
                Some(_) => return Answer::Cut,
                None => return Answer::whole(status, wait.map(Duration::from_secs), &bytes),
            }
        }
        Answer::Cut
    }

    fn call(&self, from: &PhoneNumberId) -> Option<RequestBuilder> {
        let mut url = self.base.clone();
        let path = [self.version.as_str(), from.as_str(), "messages"];
        url.path_segments_mut().ok()?.pop_if_empty().extend(path);
        Some(
            self.client
                .post(url)
                .bearer_auth(self.token.expose_secret()),
        )
    }
}

/// Without the text, the customer and the token; the code alone says what the platform means.
fn log(outcome: &Outcome, tries: u32) {
    match outcome {
        Outcome::Sent(id) => tracing::debug!(message = id.log_name(), tries, "sent"),
        Outcome::Unknown { code } => {
            tracing::warn!(code, tries, "nobody knows whether it was sent")
        }
        Outcome::Invalid { code } | Outcome::Template { code } => {
            tracing::error!(code, "the platform does not take the message");
        }
        Outcome::Credentials { code } | Outcome::Account { code } => {
            tracing::error!(code, "the platform lets the business send nothing");
        }
        Outcome::PairLimited { .. }
        | Outcome::Throttled { .. }
        | Outcome::OutsideWindow
        | Outcome::Recipient(_)
        | Outcome::NotSent => tracing::info!(?outcome, tries, "not sent"),
    }
}
