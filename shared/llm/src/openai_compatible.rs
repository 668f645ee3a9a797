//! Chat completions on any URL that speaks the `OpenAI` wire format.

mod answer;
mod request;

use std::time::Duration;

use async_trait::async_trait;
use mostrador_core::model::{Model, ModelError, ModelRequest, Speech};
use reqwest::{Client, Url, redirect::Policy};
use secrecy::{ExposeSecret, SecretString};

use self::{answer::events, request::Body};

/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A provider at `<base URL>/chat/completions`. It waits as long as it is let.
pub struct OpenAiCompatible {
    client: Client,
    url: Url,
    key: Option<SecretString>,
    max_tokens: u32,
}

impl OpenAiCompatible {
    /// `None` where the base is no URL.
    #[must_use]
    pub fn new(base_url: &str, key: Option<SecretString>, max_tokens: u32) -> Option<Self> {
        let url = Url::parse(&format!(
            "{}/chat/completions",
            base_url.trim_end_matches('/')
        ))
        .ok()?;
        // A redirect would carry a caller's key to where the shop did not send it.
        let client = Client::builder()
            .redirect(Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .build()
            .ok()?;
        Some(Self {
            client,
            url,
            key,
            max_tokens,
        })
    }
}

/// The URL is left out of the error: it may hold a key.
fn unreachable(error: reqwest::Error) -> ModelError {
    ModelError::Unreachable(Box::new(error.without_url()))
}

#[async_trait]
impl Model for OpenAiCompatible {
    async fn ask(&self, request: ModelRequest) -> Result<Speech, ModelError> {
        let body = Body::new(&request, self.max_tokens);
        let mut call = self.client.post(self.url.clone()).json(&body);
        if let Some(key) = request.key.as_ref().or(self.key.as_ref()) {
            call = call.bearer_auth(key.expose_secret());
        }
        let answer = call.send().await.map_err(unreachable)?;
        let status = answer.status();
        if !status.is_success() {
            return Err(ModelError::Rejected {
                status: status.as_u16(),
            });
        }
        Ok(Speech {
            events: events(answer).await?,
            model: request.model,
        })
    }
}
