//! The endpoints, over HTTP.

use std::time::Duration;

use anyhow::Context;
use mostrador_core::language::Language;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

const STREAM: &str = "/api/agent/stream";
const EVENTS: &str = "text/event-stream";

/// A caller of one Mostrador, signed in or not.
pub(super) struct Client {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
    pub(super) language: Language,
    pub(super) user: Option<String>,
    /// The documents that questions are put to.
    pub(super) attached: Vec<String>,
    /// What a guest's next message may go back to, as the last answer gave it.
    pub(super) context: Option<String>,
}

impl Client {
    pub(super) fn new(url: &str, language: Language) -> Self {
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(60))
            .build()
            .unwrap_or_default();
        Self {
            http,
            url: url.trim_end_matches('/').to_owned(),
            token: None,
            language,
            user: None,
            attached: Vec::new(),
            context: None,
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
        self.attached.clear();
        self.context = None;
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

    /// A turn's events; `None` where this Mostrador does not stream.
    pub(super) async fn ask(&self, message: &str, key: &str) -> anyhow::Result<Option<Response>> {
        let request = self
            .request(Method::POST, STREAM)
            .header("accept", EVENTS)
            .json(&self.question(message));
        let request = match self.token {
            Some(_) => request.header("idempotency-key", key),
            None => request,
        };
        let answer = request.send().await?;
        if answer.status() == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        accepted(answer).await.map(Some)
    }

    pub(super) fn question(&self, message: &str) -> Value {
        let mut question = json!({"message": message});
        if !self.attached.is_empty() {
            question["attachments"] = json!(self.attached);
        }
        if let Some(context) = &self.context {
            question["context"] = json!(context);
        }
        question
    }

    /// Sends a document's bytes to their address.
    pub(super) async fn upload(&self, to: &Value, bytes: Vec<u8>) -> anyhow::Result<()> {
        let url = to["url"].as_str().context("no address to upload to")?;
        let mut request = self.http.put(url).body(bytes);
        for (name, value) in to["headers"].as_object().into_iter().flatten() {
            request = request.header(name, value.as_str().unwrap_or_default());
        }
        let status = request.send().await?.status();
        // Where something is there already, an earlier try has arrived.
        let has_arrived = status.is_success() || status == StatusCode::PRECONDITION_FAILED;
        anyhow::ensure!(has_arrived, "the upload was refused ({status})");
        Ok(())
    }

    /// What comes of a turn after an event of it; waits for what is still to come.
    pub(super) async fn rest(&self, turn_id: &str, after: u64) -> anyhow::Result<Response> {
        let path = format!("{STREAM}/{turn_id}?after={after}");
        let request = self.request(Method::GET, &path).header("accept", EVENTS);
        accepted(request.send().await?).await
    }

    /// Ends a turn that is open, and returns whether it was.
    pub(super) async fn cancel(&self, turn_id: &str) -> anyhow::Result<bool> {
        let answer = self.delete(&format!("{STREAM}/{turn_id}")).await?;
        Ok(answer["cancelled"] == true)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self
            .http
            .request(method, format!("{}{path}", self.url))
            .header("accept-language", self.language.tag());
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// The body of a good answer, or a bad one's message for people.
    async fn send(&self, request: RequestBuilder) -> anyhow::Result<Value> {
        let answer = accepted(request.send().await?).await?;
        let status = answer.status();
        if status == StatusCode::NO_CONTENT {
            return Ok(Value::Null);
        }
        answer
            .json()
            .await
            .with_context(|| format!("{status}, and no JSON"))
    }
}

/// The answer if it is a good one, or else its message for people.
async fn accepted(answer: Response) -> anyhow::Result<Response> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let problem: Value = answer
        .json()
        .await
        .with_context(|| format!("{status}, and no JSON"))?;
    let message = problem["message"].as_str().unwrap_or_default();
    anyhow::bail!("{message} ({status})")
}
