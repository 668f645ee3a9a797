//! Chat completions on any URL that speaks the `OpenAI` wire format.

use std::time::Duration;

use async_trait::async_trait;
use futures_util::stream::{self, BoxStream, StreamExt};
use mostrador_core::model::{
    Model, ModelError, ModelEvent, ModelMessage, ModelRequest, StopReason, ToolCall, Usage,
};
use reqwest::{Client, Url, redirect::Policy};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

/// Largest answer read; a message of 800 characters takes a few kilobytes.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// An invented fact starts with a warm model.
const TEMPERATURE: f32 = 0.2;

/// A provider at `<base URL>/chat/completions`.
pub struct OpenAiCompatible {
    client: Client,
    url: Url,
    key: Option<SecretString>,
    timeout: Duration,
    max_tokens: u32,
}

#[derive(Serialize)]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    messages: Vec<WireMessage<'a>>,
    max_tokens: u32,
    temperature: f32,
    stream: bool,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum WireMessage<'a> {
    System {
        content: &'a str,
    },
    User {
        content: &'a str,
    },
    Assistant {
        /// Null where the message only calls tools: some servers refuse an empty text.
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<WireCall<'a>>,
    },
    Tool {
        tool_call_id: &'a str,
        content: &'a str,
    },
}

#[derive(Serialize)]
struct WireCall<'a> {
    id: &'a str,
    r#type: &'static str,
    function: WireFunction<'a>,
}

#[derive(Serialize)]
struct WireFunction<'a> {
    name: &'a str,
    /// JSON, written as a string.
    arguments: String,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    usage: Option<TokenCounts>,
}

#[derive(Deserialize)]
struct Choice {
    message: Said,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    content: Option<String>,
}

#[derive(Deserialize)]
struct TokenCounts {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

impl OpenAiCompatible {
    /// `None` where the base is no URL.
    #[must_use]
    pub fn new(
        base_url: &str,
        key: Option<SecretString>,
        timeout: Duration,
        max_tokens: u32,
    ) -> Option<Self> {
        let url = Url::parse(&format!(
            "{}/chat/completions",
            base_url.trim_end_matches('/')
        ))
        .ok()?;
        // A redirect would carry a caller's key to where the shop did not send it.
        let client = Client::builder()
            .redirect(Policy::none())
            .connect_timeout(Duration::from_secs(3))
            .build()
            .ok()?;
        Some(Self {
            client,
            url,
            key,
            timeout,
            max_tokens,
        })
    }

    async fn complete(&self, request: &ModelRequest) -> Result<Completion, ModelError> {
        let body = Body {
            model: request.model.as_deref(),
            messages: request.messages.iter().map(wire).collect(),
            max_tokens: self.max_tokens,
            temperature: TEMPERATURE,
            stream: false,
        };
        let mut call = self.client.post(self.url.clone()).json(&body);
        if let Some(key) = request.key.as_ref().or(self.key.as_ref()) {
            call = call.bearer_auth(key.expose_secret());
        }
        let mut answer = call.send().await.map_err(unreachable)?;
        let status = answer.status();
        if !status.is_success() {
            return Err(ModelError::Rejected {
                status: status.as_u16(),
            });
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(unreachable)? {
            if bytes.len() + chunk.len() > ANSWER_BYTES_MAX {
                return Err(ModelError::TooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        serde_json::from_slice(&bytes).map_err(|error| ModelError::Garbage(Box::new(error)))
    }
}

/// A message as it goes over the wire.
fn wire(message: &ModelMessage) -> WireMessage<'_> {
    match message {
        ModelMessage::System { content } => WireMessage::System { content },
        ModelMessage::User { content } => WireMessage::User { content },
        ModelMessage::Assistant {
            content,
            tool_calls,
        } => WireMessage::Assistant {
            content: (!content.is_empty() || tool_calls.is_empty()).then_some(content.as_str()),
            tool_calls: tool_calls.iter().map(wire_call).collect(),
        },
        ModelMessage::Tool {
            tool_use_id,
            content,
        } => WireMessage::Tool {
            tool_call_id: tool_use_id,
            content,
        },
    }
}

fn wire_call(call: &ToolCall) -> WireCall<'_> {
    WireCall {
        id: &call.id,
        r#type: "function",
        function: WireFunction {
            name: &call.name,
            arguments: call.arguments.to_string(),
        },
    }
}

/// The URL is left out of the error: it may hold a key.
fn unreachable(error: reqwest::Error) -> ModelError {
    ModelError::Unreachable(Box::new(error.without_url()))
}

#[async_trait]
impl Model for OpenAiCompatible {
    async fn ask(
        &self,
        request: ModelRequest,
    ) -> Result<BoxStream<'static, Result<ModelEvent, ModelError>>, ModelError> {
        // The whole call, the last byte included: a provider that drips is given up like one that is silent.
        let completion = tokio::time::timeout(self.timeout, self.complete(&request))
            .await
            .map_err(|_| ModelError::Timeout)??;
        let Some(choice) = completion.choices.into_iter().next() else {
            return Err(ModelError::Garbage("no choice in the answer".into()));
        };
        let stop_reason = match choice.finish_reason.as_deref() {
            Some("length") => StopReason::MaxTokens,
            Some("content_filter") => StopReason::Refused,
            _ => StopReason::EndTurn,
        };
        let mut events = vec![ModelEvent::ContentDelta(
            choice.message.content.unwrap_or_default(),
        )];
        if let Some(usage) = completion.usage {
            let usage = Usage {
                input_tokens: usage.prompt_tokens,
                output_tokens: usage.completion_tokens,
            };
            events.push(ModelEvent::Usage(usage));
        }
        events.push(ModelEvent::End { stop_reason });
        Ok(stream::iter(events.into_iter().map(Ok)).boxed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn check(message: &ModelMessage, expected: &Value) {
        let written = serde_json::to_value(wire(message)).expect("a message is JSON");
        assert_eq!(&written, expected);
    }

    #[test]
    fn messages_as_the_wire_format_has_them() {
        let call = || ToolCall {
            id: "c1".into(),
            name: "search_catalog".into(),
            arguments: json!({"query": "el \"mar\""}),
        };
        let called = json!({
            "id": "c1", "type": "function",
            "function": {"name": "search_catalog", "arguments": r#"{"query":"el \"mar\""}"#},
        });
        let assistant = |content: &str, tool_calls| ModelMessage::Assistant {
            content: content.into(),
            tool_calls,
        };
        check(
            &ModelMessage::System {
                content: "Eres…".into(),
            },
            &json!({"role": "system", "content": "Eres…"}),
        );
        check(
            &ModelMessage::User {
                content: "hola".into(),
            },
            &json!({"role": "user", "content": "hola"}),
        );
        check(
            &assistant("- Hola.", vec![]),
            &json!({"role": "assistant", "content": "- Hola."}),
        );
        check(
            &assistant("", vec![]),
            &json!({"role": "assistant", "content": ""}),
        );
        check(
            &assistant("", vec![call()]),
            &json!({"role": "assistant", "content": null, "tool_calls": [called]}),
        );
        check(
            &assistant("Miro.", vec![call(), call()]),
            &json!({"role": "assistant", "content": "Miro.", "tool_calls": [called, called]}),
        );
        check(
            &ModelMessage::Tool {
                tool_use_id: "c1".into(),
                content: "[]".into(),
            },
            &json!({"role": "tool", "tool_call_id": "c1", "content": "[]"}),
        );
    }
}
