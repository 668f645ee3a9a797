//! The endpoints, over HTTP.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use mostrador_core::language::Language;
use reqwest::{Method, RequestBuilder, Response, StatusCode, header::CONTENT_TYPE};
use serde_json::{Value, json};

use super::failure::Failure;

const STREAM: &str = "/api/agent/stream";
const EVENTS: &str = "text/event-stream";
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
const ANSWER_WITHIN: Duration = Duration::from_secs(60);
/// Sooner than a server lets go of a connection that nothing comes on: what is said at that moment would be lost.
const KEPT: Duration = Duration::from_secs(5);

/// A caller of one Mostrador, signed in or not.
#[derive(Clone)]
pub(super) struct Client {
    http: reqwest::Client,
    pub(super) url: String,
    token: Arc<Mutex<Option<String>>>,
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
            .connect_timeout(CONNECT_WITHIN)
            .timeout(ANSWER_WITHIN)
            .pool_idle_timeout(KEPT)
            .build()
            .unwrap_or_default();
        Self {
            http,
            url: url.trim_end_matches('/').to_owned(),
            token: Arc::default(),
            language,
            user: None,
            attached: Vec::new(),
            context: None,
        }
    }

    pub(super) async fn sign_in(&mut self, name: &str) -> Result<(), Failure> {
        let token = self.fetch_token(name).await?;
        self.sign_out();
        self.put_token(Some(token));
        self.user = Some(name.to_owned());
        Ok(())
    }

    /// What a guest's next message may go back to stays: who signs in goes on with it.
    pub(super) fn sign_out(&mut self) {
        self.put_token(None);
        self.user = None;
        self.attached.clear();
    }

    async fn fetch_token(&self, name: &str) -> Result<String, Failure> {
        let request = self.request(Method::POST, "/dev/token");
        let answer = accepted(request.json(&json!({"sub": name})).send().await?).await?;
        let body: Value = answer.json().await?;
        let token = body["token"].as_str().ok_or(Failure::Foreign)?;
        Ok(token.to_owned())
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, Failure> {
        self.whole(self.request(Method::GET, path)).await
    }

    pub(super) async fn delete(&self, path: &str) -> Result<Value, Failure> {
        self.whole(self.request(Method::DELETE, path)).await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.whole(self.request(Method::POST, path).json(body))
            .await
    }

    /// A turn's events; `None` where this Mostrador does not stream.
    pub(super) async fn ask(&self, message: &str, key: &str) -> Result<Option<Response>, Failure> {
        let request = self
            .request(Method::POST, STREAM)
            .json(&self.question(message));
        let request = match self.user {
            Some(_) => request.header("idempotency-key", key),
            None => request,
        };
        let answer = self.send(request.header("accept", EVENTS)).await?;
        match answer.status() {
            StatusCode::NOT_FOUND => Ok(None),
            _ => streamed(answer).await.map(Some),
        }
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
    pub(super) async fn upload(&self, to: &Value, bytes: Vec<u8>) -> Result<(), Failure> {
        let url = to["url"].as_str().ok_or(Failure::Foreign)?;
        let mut request = self.http.put(url).body(bytes);
        for (name, value) in to["headers"].as_object().into_iter().flatten() {
            request = request.header(name, value.as_str().unwrap_or_default());
        }
        let answer = request.send().await?;
        // Where something is there already, an earlier try has arrived.
        if answer.status() == StatusCode::PRECONDITION_FAILED {
            return Ok(());
        }
        accepted(answer).await.map(drop)
    }

    /// What comes of a turn after an event of it; waits for what is still to come.
    pub(super) async fn rest(&self, turn_id: &str, after: u64) -> Result<Response, Failure> {
        self.events(&format!("{STREAM}/{turn_id}?after={after}"))
            .await
    }

    /// What a person of the shop says in a conversation, after a message of it. Nothing is streamed where none sees to it.
    pub(super) async fn person(
        &self,
        conversation: u64,
        after: Option<u64>,
    ) -> Result<Response, Failure> {
        let after = after.map_or_else(String::new, |after| format!("&after={after}"));
        self.events(&format!("{STREAM}?conversation={conversation}{after}"))
            .await
    }

    async fn events(&self, path: &str) -> Result<Response, Failure> {
        let request = self.request(Method::GET, path).header("accept", EVENTS);
        streamed(self.send(request).await?).await
    }

    /// Ends a turn that is open, and returns whether it was.
    pub(super) async fn cancel(&self, turn_id: &str) -> Result<bool, Failure> {
        let answer = self.delete(&format!("{STREAM}/{turn_id}")).await?;
        Ok(answer["cancelled"] == true)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        request.header("accept-language", self.language.tag())
    }

    /// The body of a good answer; nothing where it has none.
    async fn whole(&self, request: RequestBuilder) -> Result<Value, Failure> {
        let answer = accepted(self.send(request).await?).await?;
        match answer.status() {
            StatusCode::NO_CONTENT => Ok(Value::Null),
            _ => Ok(answer.json().await?),
        }
    }

    /// Sends as whoever is signed in. A sign-in that is not valid any more is renewed: a server that was started again knows no older one.
    async fn send(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let retry = request.try_clone();
        let answer = self.signed(request).send().await?;
        if answer.status() != StatusCode::UNAUTHORIZED {
            return Ok(answer);
        }
        let (Some(name), Some(retry)) = (&self.user, retry) else {
            return Ok(answer);
        };
        let Ok(token) = self.fetch_token(name).await else {
            return Ok(answer);
        };
        self.put_token(Some(token));
        Ok(self.signed(retry).send().await?)
    }

    fn signed(&self, request: RequestBuilder) -> RequestBuilder {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        match &*token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    fn put_token(&self, token: Option<String>) {
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = token;
    }
}

/// The answer if it is a good one.
async fn accepted(answer: Response) -> Result<Response, Failure> {
    if answer.status().is_success() {
        Ok(answer)
    } else {
        Err(Failure::of(answer).await)
    }
}

/// The answer if it has events, or says that there are none.
async fn streamed(answer: Response) -> Result<Response, Failure> {
    let answer = accepted(answer).await?;
    let content_type = answer.headers().get(CONTENT_TYPE);
    let has_events = content_type
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with(EVENTS));
    if has_events || answer.status() == StatusCode::NO_CONTENT {
        Ok(answer)
    } else {
        Err(Failure::Foreign)
    }
}
