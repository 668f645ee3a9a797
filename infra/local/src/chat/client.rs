//! The endpoints, over HTTP.

use std::time::Duration;

use anyhow::Context;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

/// A caller of one Mostrador, signed in or not.
pub(super) struct Client {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
    language: &'static str,
    pub(super) user: Option<String>,
}

impl Client {
    pub(super) fn new(url: &str, english: bool) -> Self {
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(60))
            .build()
            .unwrap_or_default();
        let language = if english { "en" } else { "es" };
        Self {
            http,
            url: url.trim_end_matches('/').to_owned(),
            token: None,
            language,
            user: None,
        }
    }

    pub(super) async fn check(&self) -> anyhow::Result<()> {
        self.send(self.request(Method::GET, "/api/agent/search/"))
            .await
            .map(drop)
    }

    pub(super) async fn sign_in(&mut self, name: &str) -> anyhow::Result<()> {
        let answer = self
            .send(
                self.request(Method::POST, "/dev/token")
                    .json(&json!({"sub": name})),
            )
            .await?;
        self.token = Some(
            answer["token"]
                .as_str()
                .context("no token in the answer")?
                .to_owned(),
        );
        self.user = Some(name.to_owned());
        Ok(())
    }

    pub(super) fn sign_out(&mut self) {
        self.token = None;
        self.user = None;
    }

    pub(super) async fn get(&self, path: &str) -> anyhow::Result<Value> {
        self.send(self.request(Method::GET, path)).await
    }

    pub(super) async fn delete(&self, path: &str) -> anyhow::Result<Value> {
        self.send(self.request(Method::DELETE, path)).await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self
            .http
            .request(method, format!("{}{path}", self.url))
            .header("accept-language", self.language);
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// The body of a good answer, or what a bad one says to people.
    async fn send(&self, request: RequestBuilder) -> anyhow::Result<Value> {
        let answer = request.send().await?;
        let status = answer.status();
        let body: Value = answer
            .json()
            .await
            .with_context(|| format!("{status}, and no JSON"))?;
        anyhow::ensure!(
            status.is_success(),
            "{} ({status})",
            body["message"].as_str().unwrap_or_default()
        );
        Ok(body)
    }
}
