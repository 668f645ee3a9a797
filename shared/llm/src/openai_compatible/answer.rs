//! What a server answers: chunks as server-sent events, or one whole completion where it does not stream.

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;

use std::{collections::VecDeque, fmt, time::Duration};

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt, TryStreamExt};
use mostrador_core::model::{
    ModelError, ModelEvent, ModelEvents, Refusal, StopReason, ToolCall, Usage,
};
use reqwest::{Response, header::CONTENT_TYPE};
use serde::Deserialize;
use serde_json::Value;
use sse_stream::{Error as SseError, SseByteStream};
use tokio::time::timeout;

use super::{refused::ErrorBody, unreachable};
use crate::{
    ANSWER_BYTES_MAX, TOOL_CALLS_MAX, called,
    refusal::{known, refusal},
};

/// Longest wait for what may come after the last word: the count of tokens.
const TRAILER_WITHIN: Duration = Duration::from_secs(1);
/// Largest data of the provider's own that is kept with a tool call.
const PROVIDER_DATA_BYTES_MAX: usize = 16 << 10;
/// What ends the events.
const DONE: &str = "[DONE]";

/// A chunk of an answer, or the whole of it. Servers say null where there is nothing.
#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<TokenCounts>,
    /// In place of an answer, once the status has been sent.
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Option<Delta>,
    /// The whole message; some servers repeat it beside each delta.
    message: Option<Delta>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Delta {
    content: Option<Content>,
    /// Why it has no content.
    refusal: Option<String>,
    /// What it thinks: the name differs between servers, and some send both.
    reasoning_content: Option<String>,
    reasoning: Option<String>,
    tool_calls: Option<Vec<CallPart>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<ContentPart>),
}

#[derive(Deserialize)]
struct ContentPart {
    text: Option<String>,
}

#[derive(Deserialize)]
struct CallPart {
    index: Option<usize>,
    id: Option<String>,
    function: Option<FunctionPart>,
    extra_content: Option<Value>,
}

#[derive(Deserialize)]
struct FunctionPart {
    name: Option<String>,
    /// JSON written as a string; some servers send the object itself.
    arguments: Option<Value>,
}

/// What is no count costs nobody the answer.
#[derive(Deserialize)]
struct TokenCounts {
    #[serde(default)]
    prompt_tokens: Value,
    #[serde(default)]
    completion_tokens: Value,
}

/// A count that can be added to others, whatever the server says.
fn tokens(count: &Value) -> u64 {
    count.as_u64().unwrap_or(0).min(u32::MAX.into())
}

impl Content {
    fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            // Thoughts are parts without a text of their own.
            Self::Parts(parts) => parts.into_iter().filter_map(|part| part.text).collect(),
        }
    }
}

/// Why no more bytes come.
#[derive(Debug)]
enum Broken {
    TooLarge,
    Transport(reqwest::Error),
}

impl fmt::Display for Broken {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => to.write_str("too many bytes"),
            Self::Transport(error) => error.fmt(to),
        }
    }
}

impl std::error::Error for Broken {}

impl From<Broken> for ModelError {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::TooLarge => Self::TooLarge,
            Broken::Transport(error) => unreachable(error),
        }
    }
}

/// The answer's events as they come.
pub(super) async fn events(answer: Response) -> Result<ModelEvents, ModelError> {
    let content_type = answer.headers().get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    let streams = content_type.is_some_and(|value| value.starts_with("text/event-stream"));
    let bytes = limited(answer);
    if streams {
        return Ok(decoded(SseByteStream::new(bytes)).boxed());
    }
    let whole: Vec<Bytes> = bytes.try_collect().await?;
    let mut answer = Assembly::default();
    answer.take(&whole.concat())?;
    if answer.is_empty() {
        return Err(ModelError::Garbage("no choice in the answer".into()));
    }
    answer.stop_reason.get_or_insert(StopReason::EndTurn);
    answer.finish()?;
    Ok(stream::iter(answer.ready.into_iter().map(Ok)).boxed())
}

/// The body's bytes, up to a limit.
fn limited(answer: Response) -> BoxStream<'static, Result<Bytes, Broken>> {
    let start = (answer, 0);
    stream::try_unfold(start, |(mut answer, read)| async move {
        let chunk = answer.chunk().await;
        let chunk = chunk.map_err(|error| Broken::Transport(error.without_url()))?;
        let Some(chunk) = chunk else {
            return Ok(None);
        };
        let read = read + chunk.len();
        if read > ANSWER_BYTES_MAX {
            return Err(Broken::TooLarge);
        }
        Ok(Some((chunk, (answer, read))))
    })
    .boxed()
}

fn decoded(
    chunks: SseByteStream<BoxStream<'static, Result<Bytes, Broken>>>,
) -> impl Stream<Item = Result<ModelEvent, ModelError>> {
    let start = (chunks, Assembly::default());
    stream::try_unfold(start, |(mut chunks, mut answer)| async move {
        loop {
            if let Some(event) = answer.ready.pop_front() {
                return Ok(Some((event, (chunks, answer))));
            }
            if answer.is_finished {
                return Ok(None);
            }
            let next = chunks.try_next();
            let next = match answer.stop_reason {
                None => next.await.map_err(undecodable)?,
                // The stream is over; not every server hangs up.
                Some(_) => match timeout(TRAILER_WITHIN, next).await {
                    Ok(Ok(next)) => next,
                    Ok(Err(_)) | Err(_) => None,
                },
            };
            match next {
                Some(chunk) => match chunk.data.as_deref() {
                    None | Some("") => {}
                    Some(DONE) => {
                        answer.stop_reason.get_or_insert(StopReason::EndTurn);
                        answer.finish()?;
                    }
                    Some(data) => answer.take(data.as_bytes())?,
                },
                None => answer.finish()?,
            }
        }
    })
}

fn undecodable(error: SseError) -> ModelError {
    match error {
        SseError::Body(source) => match source.downcast::<Broken>() {
            Ok(broken) => (*broken).into(),
            Err(source) => ModelError::Unreachable(source),
        },
        // Whatever is in its fields is a stranger's.
        SseError::Utf8Parse(_) => ModelError::Garbage("an event is not UTF-8".into()),
        _ => ModelError::Garbage("not an event".into()),
    }
}

/// An answer as it comes together.
#[derive(Default)]
struct Assembly {
    /// Not yet taken.
    ready: VecDeque<ModelEvent>,
    calls: Vec<Call>,
    /// Whether the model declined to answer: it stops as if it had.
    is_refused: bool,
    stop_reason: Option<StopReason>,
    is_finished: bool,
}

/// A tool call as it comes together.
struct Call {
    index: Option<usize>,
    id: String,
    name: String,
    arguments: String,
    provider_data: Option<Value>,
}

impl Assembly {
    /// Whether there was neither content nor an end.
    fn is_empty(&self) -> bool {
        let is_silent = self.ready.is_empty() && self.calls.is_empty();
        is_silent && !self.is_refused && self.stop_reason.is_none()
    }

    fn take(&mut self, chunk: &[u8]) -> Result<(), ModelError> {
        let chunk: Chunk = serde_json::from_slice(chunk).map_err(|error| {
            // Where it is wrong, without its text: that may be a customer's words.
            let wrong = format!("{:?} error in column {}", error.classify(), error.column());
            ModelError::Garbage(wrong.into())
        })?;
        if let Some(error) = chunk.error {
            return Err(ModelError::Rejected(refusal_of(&error)));
        }
        // One answer was asked for.
        if let Some(choice) = chunk.choices.into_iter().flatten().next() {
            if let Some(delta) = choice.delta.or(choice.message) {
                self.take_delta(delta)?;
            }
            let reason = choice.finish_reason.filter(|reason| !reason.is_empty());
            if let Some(reason) = reason {
                self.stop_reason = Some(stop_reason(&reason)?);
            }
        }
        if let Some(counts) = chunk.usage {
            self.ready.push_back(ModelEvent::Usage(Usage {
                input_tokens: tokens(&counts.prompt_tokens),
                output_tokens: tokens(&counts.completion_tokens),
            }));
        }
        Ok(())
    }

    fn take_delta(&mut self, delta: Delta) -> Result<(), ModelError> {
        let full = |text: &String| !text.is_empty();
        self.is_refused |= delta.refusal.as_ref().is_some_and(full);
        if let Some(thought) = delta.reasoning_content.or(delta.reasoning).filter(full) {
            self.ready.push_back(ModelEvent::ReasoningDelta(thought));
        }
        if let Some(content) = delta.content.map(Content::text).filter(full) {
            self.ready.push_back(ModelEvent::ContentDelta(content));
        }
        for part in delta.tool_calls.into_iter().flatten() {
            self.take_call(part)?;
        }
        Ok(())
    }

    /// A part belongs to the call of its index, unless it brings an ID of its own; with neither it belongs to the last.
    fn take_call(&mut self, part: CallPart) -> Result<(), ModelError> {
        let id = part.id.unwrap_or_default();
        let known = match part.index {
            Some(index) => self
                .calls
                .iter()
                .rposition(|call| call.index == Some(index) && (id.is_empty() || id == call.id)),
            None if id.is_empty() => self.calls.len().checked_sub(1),
            None => self.calls.iter().position(|call| call.id == id),
        };
        let place = match known {
            Some(place) => place,
            None if self.calls.len() == TOOL_CALLS_MAX => return Err(ModelError::TooLarge),
            None => {
                self.calls.push(Call {
                    index: part.index,
                    id: if id.is_empty() {
                        format!("call_{}", self.calls.len())
                    } else {
                        id
                    },
                    name: String::new(),
                    arguments: String::new(),
                    provider_data: None,
                });
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[place];
        if call.provider_data.is_none() {
            let is_kept = |data: &Value| data.to_string().len() <= PROVIDER_DATA_BYTES_MAX;
            call.provider_data = part.extra_content.filter(is_kept);
        }
        let Some(function) = part.function else {
            return Ok(());
        };
        call.name.push_str(&function.name.unwrap_or_default());
        match function.arguments {
            Some(Value::String(json)) => call.arguments.push_str(&json),
            Some(Value::Null) | None => {}
            Some(object) => call.arguments.push_str(&object.to_string()),
        }
        Ok(())
    }

    /// What is only known at the end.
    fn finish(&mut self) -> Result<(), ModelError> {
        let cut = || ModelError::Unreachable("the answer broke off".into());
        let mut stop_reason = self.stop_reason.ok_or_else(cut)?;
        if !self.calls.is_empty() && stop_reason == StopReason::EndTurn {
            // Some servers call tools and report `stop`.
            stop_reason = StopReason::ToolUse;
        }
        if self.is_refused && stop_reason == StopReason::EndTurn {
            stop_reason = StopReason::Refused;
        }
        let calls = self.calls.drain(..).map(|call| ToolCall {
            provider_data: call.provider_data,
            ..called(call.id, call.name, call.arguments)
        });
        self.ready.extend(calls.map(ModelEvent::ToolCall));
        self.ready.push_back(ModelEvent::End { stop_reason });
        self.is_finished = true;
        Ok(())
    }
}

fn stop_reason(finish_reason: &str) -> Result<StopReason, ModelError> {
    Ok(match finish_reason {
        "length" | "model_length" => StopReason::MaxTokens,
        "tool_calls" | "function_call" => StopReason::ToolUse,
        "content_filter" => StopReason::Refused,
        "error" | "abort" | "insufficient_system_resource" => {
            return Err(ModelError::Rejected(Refusal {
                status: 500,
                reason: known(finish_reason),
            }));
        }
        _ => StopReason::EndTurn,
    })
}

/// An error in place of an answer.
fn refusal_of(error: &Value) -> Refusal {
    let status = error.get("code").and_then(Value::as_u64);
    let status = status.and_then(|code| u16::try_from(code).ok());
    let error_body = ErrorBody::of(error);
    refusal(status.unwrap_or(500), error_body.code, error_body.message)
}
