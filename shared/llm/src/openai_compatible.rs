//! Chat completions on any URL with the `OpenAI` wire format.

mod answer;
mod refused;
mod request;

use std::time::Duration;

use async_trait::async_trait;
use mostrador_core::model::{Completion, Model, ModelError, ModelRequest};
use reqwest::{Client, Response, Url, redirect::Policy};
use secrecy::{ExposeSecret, SecretString};

pub(crate) use self::request::effort;

use self::{
    answer::events,
    refused::ErrorBody,
    request::{Body, turns},
};
use crate::{
    forms::{Failed, Forms},
    refusal::refusal,
};

/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A provider at `<base URL>/chat/completions`. It waits as long as it is let.
pub struct OpenAiCompatible {
    client: Client,
    url: Url,
    key: Option<SecretString>,
    max_tokens: u32,
    forms: Forms,
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
            forms: Forms::default(),
        })
    }
}

/// The URL is left out of the error: it may hold a key.
fn unreachable(error: reqwest::Error) -> ModelError {
    ModelError::Unreachable(Box::new(error.without_url()))
}

impl OpenAiCompatible {
    async fn send(&self, request: &ModelRequest, body: &Body<'_>) -> Result<Response, Failed> {
        let mut call = self.client.post(self.url.clone()).json(body);
        let key = request.key.as_ref().or(self.key.as_ref());
        if let Some(key) = key {
            call = call.bearer_auth(key.expose_secret());
        }
        let answer = call.send().await.map_err(unreachable)?;
        let status = answer.status();
        if !status.is_success() {
            let body = refused::body(answer).await;
            let json = serde_json::from_slice(&body).unwrap_or_default();
            let error_body = ErrorBody::of(&json);
            let message = error_body.message.or_else(|| refused::sentence(&body));
            let refusal = refusal(status.as_u16(), error_body.code, message);
            return Err(Failed::refused(refusal, message, request));
        }
        Ok(answer)
    }
}

#[async_trait]
impl Model for OpenAiCompatible {
    async fn ask(&self, request: ModelRequest) -> Result<Completion, ModelError> {
        let turns = turns(&request.messages);
        let mut form = self.forms.of(&request);
        let answer = loop {
            let body = Body::new(&request, &turns, self.max_tokens, form);
            match self.send(&request, &body).await {
                Ok(answer) => break answer,
                Err(failed) => form = form.after(failed, &request)?,
            }
        };
        self.forms.note(&request, form);
        Ok(Completion {
            events: events(answer).await?,
            model: request.model,
        })
    }
}
