//! A request as the wire format has it.

use mostrador_core::model::{ModelMessage, ModelRequest, ToolCall, ToolSpec};
use serde::Serialize;
use serde_json::Value;

use crate::TEMPERATURE;

/// The body of `POST …/chat/completions`.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    messages: Vec<WireMessage<'a>>,
    max_tokens: u32,
    temperature: f32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    stream: bool,
    stream_options: StreamOptions,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct WireTool<'a> {
    r#type: &'static str,
    function: WireToolSpec<'a>,
}

#[derive(Serialize)]
struct WireToolSpec<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
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

impl<'a> Body<'a> {
    pub(super) fn new(request: &'a ModelRequest, max_tokens: u32) -> Self {
        Self {
            model: request.model.as_deref(),
            messages: request.messages.iter().map(wire).collect(),
            max_tokens,
            temperature: TEMPERATURE,
            tools: request.tools.iter().map(wire_tool).collect(),
            stream: true,
            stream_options: StreamOptions {
                include_usage: true,
            },
        }
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

fn wire_tool(tool: &ToolSpec) -> WireTool<'_> {
    WireTool {
        r#type: "function",
        function: WireToolSpec {
            name: &tool.name,
            description: &tool.description,
            parameters: &tool.parameters,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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

    #[test]
    fn tools_are_named_only_where_there_are_some() {
        let mut request = ModelRequest {
            model: Some("m".into()),
            ..ModelRequest::default()
        };
        let body = |request: &ModelRequest| {
            serde_json::to_value(Body::new(request, 9)).expect("a body is JSON")
        };
        let mut expected = json!({
            "model": "m", "messages": [], "max_tokens": 9, "temperature": TEMPERATURE,
            "stream": true, "stream_options": {"include_usage": true},
        });
        assert_eq!(body(&request), expected);
        let parameters = json!({"type": "object", "properties": {"query": {"type": "string"}}});
        request.tools.push(ToolSpec {
            name: "search_catalog".into(),
            description: "Busca libros.".into(),
            parameters: parameters.clone(),
        });
        let function = json!({"name": "search_catalog", "description": "Busca libros.", "parameters": parameters});
        expected["tools"] = json!([{"type": "function", "function": function}]);
        assert_eq!(body(&request), expected);
    }
}
