//! What a server answers: chunks as server-sent events, or one whole completion where it does not stream.

use std::{collections::VecDeque, fmt};

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt, TryStreamExt};
use mostrador_core::model::{ModelError, ModelEvent, ModelEvents, StopReason, ToolCall, Usage};
use reqwest::{Response, header::CONTENT_TYPE};
use serde::Deserialize;
use serde_json::Value;
use sse_stream::{Error as SseError, SseByteStream};

use super::unreachable;

/// Largest answer read; a message of 800 characters takes a few hundred kilobytes at most, one chunk for each token.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// Most tool calls in one answer.
const TOOL_CALLS_MAX: usize = 32;
/// What ends the events.
const DONE: &str = "[DONE]";

/// A chunk of an answer, or the whole of it: they differ in the name of what is said.
#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<TokenCounts>,
    /// In place of an answer, once the status has been sent.
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(alias = "message")]
    delta: Option<Said>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    content: Option<String>,
    /// What it thinks: the name differs between servers.
    #[serde(alias = "reasoning")]
    reasoning_content: Option<String>,
    tool_calls: Option<Vec<CallPart>>,
}

#[derive(Deserialize)]
struct CallPart {
    index: Option<usize>,
    id: Option<String>,
    function: Option<FunctionPart>,
}

#[derive(Deserialize)]
struct FunctionPart {
    name: Option<String>,
    /// JSON written as a string; some servers send the object itself.
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct TokenCounts {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
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
            match chunks.try_next().await.map_err(undecodable)? {
                Some(chunk) => match chunk.data.as_deref() {
                    None => {}
                    Some(DONE) => answer.finish()?,
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
        other => ModelError::Garbage(Box::new(other)),
    }
}

/// An answer as it comes together.
#[derive(Default)]
struct Assembly {
    /// Not yet taken.
    ready: VecDeque<ModelEvent>,
    calls: Vec<Call>,
    stop_reason: Option<StopReason>,
    is_finished: bool,
}

/// A tool call as it comes together.
struct Call {
    index: Option<usize>,
    id: String,
    name: String,
    arguments: String,
}

impl Assembly {
    /// Whether nothing was said, nor that nothing is.
    fn is_empty(&self) -> bool {
        self.ready.is_empty() && self.calls.is_empty() && self.stop_reason.is_none()
    }

    fn take(&mut self, chunk: &[u8]) -> Result<(), ModelError> {
        let chunk: Chunk =
            serde_json::from_slice(chunk).map_err(|error| ModelError::Garbage(Box::new(error)))?;
        if let Some(error) = chunk.error {
            let status = error.get("code").and_then(Value::as_u64);
            let status = status.and_then(|code| u16::try_from(code).ok());
            return Err(ModelError::Rejected {
                status: status.unwrap_or(500),
            });
        }
        // One answer was asked for.
        if let Some(choice) = chunk.choices.into_iter().next() {
            if let Some(said) = choice.delta {
                self.hear(said)?;
            }
            if let Some(reason) = choice.finish_reason {
                self.stop_reason = Some(stop_reason(&reason));
            }
        }
        if let Some(counts) = chunk.usage {
            self.ready.push_back(ModelEvent::Usage(Usage {
                input_tokens: counts.prompt_tokens,
                output_tokens: counts.completion_tokens,
            }));
        }
        Ok(())
    }

    fn hear(&mut self, said: Said) -> Result<(), ModelError> {
        let full = |text: &String| !text.is_empty();
        if let Some(thought) = said.reasoning_content.filter(full) {
            self.ready.push_back(ModelEvent::ReasoningDelta(thought));
        }
        if let Some(content) = said.content.filter(full) {
            self.ready.push_back(ModelEvent::ContentDelta(content));
        }
        for part in said.tool_calls.into_iter().flatten() {
            self.hear_call(part)?;
        }
        Ok(())
    }

    /// A part belongs to the call of its index, or of its id; with neither to the last.
    fn hear_call(&mut self, part: CallPart) -> Result<(), ModelError> {
        let id = part.id.unwrap_or_default();
        let known = match part.index {
            Some(index) => self.calls.iter().position(|call| call.index == Some(index)),
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
                });
                self.calls.len() - 1
            }
        };
        let Some(function) = part.function else {
            return Ok(());
        };
        let call = &mut self.calls[place];
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
            // Some servers call tools and say that they have stopped.
            stop_reason = StopReason::ToolUse;
        }
        let calls = self.calls.drain(..).map(|call| {
            let arguments = match call.arguments.trim() {
                "" => Ok(Value::Object(serde_json::Map::new())),
                json => serde_json::from_str(json),
            };
            ModelEvent::ToolCall(ToolCall {
                id: call.id,
                name: call.name,
                arguments: arguments.unwrap_or(Value::String(call.arguments)),
            })
        });
        self.ready.extend(calls);
        self.ready.push_back(ModelEvent::End { stop_reason });
        self.is_finished = true;
        Ok(())
    }
}

fn stop_reason(finish_reason: &str) -> StopReason {
    match finish_reason {
        "length" => StopReason::MaxTokens,
        "tool_calls" | "function_call" => StopReason::ToolUse,
        "content_filter" => StopReason::Refused,
        _ => StopReason::EndTurn,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(content: &str) -> ModelEvent {
        ModelEvent::ContentDelta(content.into())
    }

    fn call(id: &str, name: &str, arguments: Value) -> ModelEvent {
        ModelEvent::ToolCall(ToolCall {
            id: id.into(),
            name: name.into(),
            arguments,
        })
    }

    fn end(stop_reason: StopReason) -> ModelEvent {
        ModelEvent::End { stop_reason }
    }

    fn delta(delta: &Value) -> Value {
        json!({"choices": [{"delta": delta, "finish_reason": null}]})
    }

    fn finished(reason: &str) -> Value {
        json!({"choices": [{"delta": {}, "finish_reason": reason}]})
    }

    fn part(part: &Value) -> Value {
        delta(&json!({"tool_calls": [part]}))
    }

    fn check(chunks: &[Value], expected: &[ModelEvent]) {
        let mut answer = Assembly::default();
        for chunk in chunks {
            answer.take(chunk.to_string().as_bytes()).expect("a chunk");
        }
        answer.finish().expect("an end");
        assert_eq!(Vec::from(answer.ready), expected, "{chunks:?}");
    }

    #[test]
    fn what_a_model_says_comes_as_it_is_said() {
        let usage = Usage {
            input_tokens: 7,
            output_tokens: 3,
        };
        check(
            &[
                delta(&json!({"role": "assistant", "content": ""})),
                delta(&json!({"reasoning_content": "Miro"})),
                delta(&json!({"reasoning": " bien."})),
                delta(&json!({"content": "- Ho"})),
                delta(&json!({"content": "la."})),
                finished("length"),
                json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}),
            ],
            &[
                ModelEvent::ReasoningDelta("Miro".into()),
                ModelEvent::ReasoningDelta(" bien.".into()),
                said("- Ho"),
                said("la."),
                ModelEvent::Usage(usage),
                end(StopReason::MaxTokens),
            ],
        );
        for (reason, expected) in [
            ("stop", StopReason::EndTurn),
            ("tool_calls", StopReason::ToolUse),
            ("content_filter", StopReason::Refused),
            ("eos", StopReason::EndTurn),
        ] {
            check(&[finished(reason)], &[end(expected)]);
        }
    }

    #[test]
    fn tool_calls_come_whole_however_they_are_sent() {
        // In parts, two at once.
        check(
            &[
                part(
                    &json!({"index": 0, "id": "a", "function": {"name": "search", "arguments": ""}}),
                ),
                part(&json!({"index": 0, "function": {"arguments": "{\"q\": \"el"}})),
                part(
                    &json!({"index": 1, "id": "b", "function": {"name": "lookup", "arguments": "{}"}}),
                ),
                part(&json!({"index": 0, "function": {"arguments": " mar\"}"}})),
                finished("tool_calls"),
            ],
            &[
                call("a", "search", json!({"q": "el mar"})),
                call("b", "lookup", json!({})),
                end(StopReason::ToolUse),
            ],
        );
        // Whole, without numbers, by a server that says it has stopped.
        check(
            &[
                part(&json!({"id": "a", "function": {"name": "search", "arguments": "{\"q\":1}"}})),
                part(&json!({"id": "b", "function": {"name": "search", "arguments": {"q": 2}}})),
                finished("stop"),
            ],
            &[
                call("a", "search", json!({"q": 1})),
                call("b", "search", json!({"q": 2})),
                end(StopReason::ToolUse),
            ],
        );
        // Without a name of its own, without arguments, and with some that are no JSON.
        check(
            &[
                part(&json!({"index": 0, "function": {"name": "search"}})),
                part(
                    &json!({"index": 1, "id": "", "function": {"name": "search", "arguments": "{\"q\":"}}),
                ),
                finished("tool_calls"),
            ],
            &[
                call("call_0", "search", json!({})),
                call("call_1", "search", json!("{\"q\":")),
                end(StopReason::ToolUse),
            ],
        );
    }

    #[test]
    fn an_error_in_place_of_an_answer_is_one() {
        for (error, expected) in [
            (json!({"code": 429}), 429),
            (json!({"code": "overloaded"}), 500),
            (json!("no"), 500),
        ] {
            let chunk = json!({"error": error}).to_string();
            let taken = Assembly::default().take(chunk.as_bytes());
            let Err(ModelError::Rejected { status }) = taken else {
                panic!("{taken:?}")
            };
            assert_eq!(status, expected);
        }
    }

    #[test]
    fn calls_without_end_are_too_many() {
        let mut answer = Assembly::default();
        let mut taken = Ok(());
        for index in 0..=TOOL_CALLS_MAX {
            let chunk = part(&json!({"index": index, "function": {"name": "search"}}));
            taken = answer.take(chunk.to_string().as_bytes());
        }
        assert!(matches!(taken, Err(ModelError::TooLarge)), "{taken:?}");
    }

    /// What is decoded of bytes that come in pieces of `size`.
    async fn decode(bytes: &[u8], size: usize) -> (Vec<ModelEvent>, Option<ModelError>) {
        let pieces = bytes.chunks(size).map(Bytes::copy_from_slice).map(Ok);
        let pieces = stream::iter(pieces.collect::<Vec<_>>()).boxed();
        let mut events = Box::pin(decoded(SseByteStream::new(pieces)));
        let mut decoded = Vec::new();
        loop {
            match events.next().await {
                Some(Ok(event)) => decoded.push(event),
                Some(Err(error)) => return (decoded, Some(error)),
                None => return (decoded, None),
            }
        }
    }

    #[tokio::test]
    async fn bytes_may_be_cut_anywhere_and_an_answer_that_breaks_off_is_not_whole() {
        let chunks = [
            delta(&json!({"content": "- Sí, «Ficciones» — "})),
            part(
                &json!({"index": 0, "id": "a", "function": {"name": "search", "arguments": "{}"}}),
            ),
            finished("tool_calls"),
        ];
        let mut text = ": hola\r\n\r\n".to_owned();
        for chunk in &chunks {
            text += &format!("data: {chunk}\n\n");
        }
        let unended = text.len();
        text += "data: [DONE]\n\n";
        let expected = [
            said("- Sí, «Ficciones» — "),
            call("a", "search", json!({})),
            end(StopReason::ToolUse),
        ];
        for size in 1..text.len() {
            let (events, error) = decode(text.as_bytes(), size).await;
            assert!(events == expected && error.is_none(), "{size}: {events:?}");
        }
        for length in 0..text.len() {
            let (events, error) = decode(&text.as_bytes()[..length], 64).await;
            if length < unended {
                assert!(events.len() < 2, "{length}: {events:?}");
                assert!(
                    matches!(error, Some(ModelError::Unreachable(_))),
                    "{length}: {error:?}"
                );
            } else {
                // Nothing was missing but the word that nothing is.
                assert!(
                    events == expected && error.is_none(),
                    "{length}: {events:?}"
                );
            }
        }
    }
}
