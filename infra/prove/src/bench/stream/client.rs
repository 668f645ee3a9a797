//! Who asks, the product or the model itself, and how the stream arrives.

use std::time::{Duration, Instant};

use anyhow::Context;
use bytes::Bytes;
use futures_util::{
    StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use http::header::CONTENT_TYPE;
use reqwest::Response;
use serde_json::Value;
use sse_stream::SseByteStream;

use crate::bench::{child::Child, load::sign_in};

/// As whom the product is asked.
#[derive(Debug, Clone, Copy)]
pub(super) enum Caller {
    SignedIn,
    Guest,
}

impl Caller {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SignedIn => "signed in",
            Self::Guest => "guest",
        }
    }
}

/// Asks one product.
pub(super) struct Asker {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
}

/// A turn received to its end.
pub(super) struct Timing {
    /// From sending the question.
    pub(super) first_line: Duration,
    pub(super) first_line_at: Instant,
    /// Each from one piece of bytes to the next.
    pub(super) gaps: Vec<Duration>,
    lines: u32,
    /// Whether the answer is a model's.
    by_model: bool,
}

impl Timing {
    /// The same, if it is the model's lines, so many: no other answer is to be measured in their place.
    pub(super) fn of_model(self, lines: u32) -> anyhow::Result<Self> {
        anyhow::ensure!(
            self.by_model && self.lines == lines,
            "{} lines were told where the model had {lines}: it was not heard, or not believed",
            self.lines
        );
        Ok(self)
    }
}

impl Asker {
    /// A caller who has never been here.
    pub(super) async fn new(
        http: &reqwest::Client,
        shop: &Child,
        caller: Caller,
    ) -> anyhow::Result<Self> {
        let token = match caller {
            Caller::SignedIn => {
                let user = format!("bench-{}", uuid::Uuid::now_v7());
                Some(sign_in(http, &shop.url, &user).await?)
            }
            Caller::Guest => None,
        };
        Ok(Self {
            http: http.clone(),
            url: format!("{}/api/agent/stream", shop.url),
            token,
        })
    }

    /// Asks, and receives the answer to its end.
    pub(super) async fn ask(&self, question: &Value) -> anyhow::Result<Timing> {
        let request = self.http.post(&self.url).json(question);
        let request = match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        let sent_at = Instant::now();
        let answer = accepted(request.send().await?).await?;
        let mut gaps = Vec::new();
        let mut last: Option<Instant> = None;
        let pieces = pieces(answer).inspect_ok(|_| {
            let now = Instant::now();
            gaps.extend(last.replace(now).map(|last| now.duration_since(last)));
        });
        let mut events = SseByteStream::new(pieces.boxed());
        let (mut first_line, mut lines, mut by_model) = (None, 0, false);
        let (mut failure, mut complete) = (None, None);
        while let Some(event) = events.try_next().await? {
            let data = event.data.unwrap_or_default();
            match event.event.as_deref() {
                Some("message_chunk") => {
                    first_line.get_or_insert_with(Instant::now);
                    lines += 1;
                }
                Some("message") => {
                    let message: Value = serde_json::from_str(&data)?;
                    by_model = message["model"].is_string();
                }
                Some("error") => failure = Some(data),
                Some("complete") => complete = Some(data),
                _ => {}
            }
        }
        drop(events);
        if let Some(failure) = failure {
            anyhow::bail!("the turn failed: {failure}");
        }
        let complete = complete.context("the stream ended without `complete`")?;
        let complete: Value = serde_json::from_str(&complete)?;
        anyhow::ensure!(
            complete["reason"] == "success",
            "the turn did not succeed: {complete}"
        );
        let first_line_at = first_line.context("no line was told")?;
        Ok(Timing {
            first_line: first_line_at.duration_since(sent_at),
            first_line_at,
            gaps,
            lines,
            by_model,
        })
    }
}

/// From sending a question to the model itself until its first line is whole.
pub(super) async fn first_line_of_model(
    http: &reqwest::Client,
    model_url: &str,
    question: Bytes,
) -> anyhow::Result<Duration> {
    let request = http
        .post(format!("{model_url}/chat/completions"))
        .header(CONTENT_TYPE, "application/json")
        .body(question);
    let sent_at = Instant::now();
    let answer = accepted(request.send().await?).await?;
    let mut events = SseByteStream::new(pieces(answer));
    let mut first_line = None;
    // To the end, so that the connection is good for another.
    while let Some(event) = events.try_next().await? {
        let data = event.data.unwrap_or_default();
        let chunk: Value = serde_json::from_str(&data).unwrap_or_default();
        let content = chunk["choices"][0]["delta"]["content"].as_str();
        if content.is_some_and(|content| content.contains('\n')) {
            first_line.get_or_insert_with(|| sent_at.elapsed());
        }
    }
    first_line.context("the model said no line")
}

async fn accepted(answer: Response) -> anyhow::Result<Response> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let body = answer.bytes().await?;
    anyhow::bail!("{status}: {}", String::from_utf8_lossy(&body))
}

fn pieces(answer: Response) -> BoxStream<'static, Result<Bytes, reqwest::Error>> {
    stream::try_unfold(answer, |mut answer| async move {
        let piece = answer.chunk().await?;
        Ok(piece.map(|piece| (piece, answer)))
    })
    .boxed()
}
