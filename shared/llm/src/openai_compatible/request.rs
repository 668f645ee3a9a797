//! A request as the wire format has it.

use mostrador_core::model::{ModelMessage, ModelRequest, ToolCall, ToolSpec};
use serde::Serialize;
use serde_json::Value;

use crate::{BEGINNING, TEMPERATURE, forms::Form, schema};

/// The body of `POST …/chat/completions`.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    messages: Vec<WireMessage<'a>>,
    #[serde(flatten)]
    options: Options,
    /// Where it is to think first.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    stream: bool,
}

/// How the model is to answer, as most servers take it, and as models take it that are particular.
#[derive(Serialize)]
#[serde(untagged)]
enum Options {
    Usual {
        max_tokens: u32,
        /// Models that think take none.
        #[serde(skip_serializing_if = "Option::is_none")]
        temperature: Option<f32>,
        stream_options: StreamOptions,
    },
    Plain {
        max_completion_tokens: u32,
    },
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
    parameters: Value,
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
    /// As it came: Gemini takes no call back without its signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<&'a Value>,
}

#[derive(Serialize)]
struct WireFunction<'a> {
    name: &'a str,
    /// JSON, written as a string.
    arguments: String,
}

impl<'a> Body<'a> {
    /// `turns` are the request's.
    pub(super) fn new(
        request: &'a ModelRequest,
        turns: &'a [ModelMessage],
        max_tokens: u32,
        form: Form,
    ) -> Self {
        let thinking = request.thinking.filter(|_| form.thinks);
        // What is thought counts too.
        let max_tokens = max_tokens.saturating_add(thinking.unwrap_or_default());
        let tools = request.tools.iter().filter(|_| form.has_tools);
        Self {
            model: request.model.as_deref(),
            messages: turns.iter().map(wire).collect(),
            options: if form.is_plain {
                Options::Plain {
                    max_completion_tokens: max_tokens,
                }
            } else {
                Options::Usual {
                    max_tokens,
                    temperature: thinking.is_none().then_some(TEMPERATURE),
                    stream_options: StreamOptions {
                        include_usage: true,
                    },
                }
            },
            reasoning_effort: thinking.map(effort),
            tools: tools.map(wire_tool).collect(),
            stream: true,
        }
    }
}

/// What servers that know three efforts are asked for a number of tokens. `OpenAI` names no numbers for them; these are ours.
pub(crate) fn effort(budget: u32) -> &'static str {
    match budget {
        ..=2_048 => "low",
        2_049..=8_192 => "medium",
        _ => "high",
    }
}

/// The messages as strict servers want them: one system text, then users and assistants in turns, a user first.
pub(super) fn turns(messages: &[ModelMessage]) -> Vec<ModelMessage> {
    let (mut system_texts, mut turns) = (Vec::new(), Vec::<ModelMessage>::new());
    for message in messages {
        match (turns.last_mut(), message) {
            (_, ModelMessage::System { content }) => system_texts.push(content.as_str()),
            (Some(ModelMessage::User { content: previous }), ModelMessage::User { content }) => {
                previous.push_str("\n\n");
                previous.push_str(content);
            }
            (
                Some(ModelMessage::Assistant {
                    content: previous,
                    tool_calls: called,
                }),
                ModelMessage::Assistant {
                    content,
                    tool_calls,
                },
            ) if called.is_empty() => {
                previous.push_str("\n\n");
                previous.push_str(content);
                called.clone_from(tool_calls);
            }
            (None, ModelMessage::Assistant { .. }) => {
                let content = BEGINNING.to_owned();
                turns.extend([ModelMessage::User { content }, message.clone()]);
            }
            _ => turns.push(message.clone()),
        }
    }
    if !system_texts.is_empty() {
        let content = system_texts.join("\n\n");
        turns.insert(0, ModelMessage::System { content });
    }
    turns
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
        extra_content: call.provider_data.as_ref(),
    }
}

fn wire_tool(tool: &ToolSpec) -> WireTool<'_> {
    WireTool {
        r#type: "function",
        function: WireToolSpec {
            name: &tool.name,
            description: &tool.description,
            parameters: schema::plain(&tool.parameters),
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
            provider_data: None,
        };
        let signature = json!({"google": {"thought_signature": "ZmlybWE="}});
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
        let signed = ToolCall {
            provider_data: Some(signature.clone()),
            ..call()
        };
        let mut expected = json!({"role": "assistant", "content": null, "tool_calls": [called]});
        expected["tool_calls"][0]["extra_content"] = signature;
        check(&assistant("", vec![signed]), &expected);
        check(
            &ModelMessage::Tool {
                tool_use_id: "c1".into(),
                content: "[]".into(),
            },
            &json!({"role": "tool", "tool_call_id": "c1", "content": "[]"}),
        );
    }

    #[test]
    fn thinking_is_requested_with_tokens_of_its_own() {
        let body = |thinking, form| {
            let request = ModelRequest {
                thinking,
                ..ModelRequest::default()
            };
            serde_json::to_value(Body::new(&request, &[], 400, form)).expect("a body is JSON")
        };
        let thinks = Form {
            thinks: true,
            ..Form::USUAL
        };
        for (budget, expected) in [(1_024, "low"), (2_049, "medium"), (100_000, "high")] {
            let sent = body(Some(budget), thinks);
            assert_eq!(sent["reasoning_effort"], expected, "{budget}");
            assert_eq!(sent["max_tokens"], 400 + budget);
            assert_eq!(sent["temperature"], Value::Null);
        }
        let plain = Form {
            is_plain: true,
            ..thinks
        };
        let sent = body(Some(4_096), plain);
        assert_eq!(sent["max_completion_tokens"], 4_496);
        assert_eq!(sent["reasoning_effort"], "medium");
        for sent in [body(None, Form::USUAL), body(Some(4_096), Form::USUAL)] {
            assert_eq!(sent["reasoning_effort"], Value::Null);
            assert_eq!(sent["max_tokens"], 400);
        }
    }

    #[test]
    fn tools_are_named_only_where_there_are_some() {
        let mut request = ModelRequest {
            model: Some("m".into()),
            ..ModelRequest::default()
        };
        let body = |request: &ModelRequest| {
            serde_json::to_value(Body::new(request, &[], 9, Form::USUAL)).expect("a body is JSON")
        };
        let mut expected = json!({
            "model": "m", "messages": [], "max_tokens": 9, "temperature": TEMPERATURE,
            "stream": true, "stream_options": {"include_usage": true},
        });
        assert_eq!(body(&request), expected);
        let parameters = json!({"type": "object", "properties": {"query": {"type": "string"}}});
        let mut strict = parameters.clone();
        strict["additionalProperties"] = json!(false);
        request.tools.push(ToolSpec {
            name: "search_catalog".into(),
            description: "Busca libros.".into(),
            parameters: strict,
        });
        let function = json!({"name": "search_catalog", "description": "Busca libros.", "parameters": parameters});
        expected["tools"] = json!([{"type": "function", "function": function}]);
        assert_eq!(body(&request), expected);
    }

    #[test]
    fn particular_models_get_less() {
        let request = ModelRequest {
            tools: vec![ToolSpec {
                name: "search_catalog".into(),
                description: "Busca libros.".into(),
                parameters: json!({"type": "object"}),
            }],
            ..ModelRequest::default()
        };
        let form = Form {
            is_plain: true,
            has_tools: false,
            thinks: false,
        };
        let body = Body::new(&request, &[], 9, form);
        assert_eq!(
            serde_json::to_value(body).expect("a body is JSON"),
            json!({"messages": [], "max_completion_tokens": 9, "stream": true})
        );
    }

    #[test]
    fn turns_are_by_turns() {
        let system = |content: &str| ModelMessage::System {
            content: content.into(),
        };
        let user = |content: &str| ModelMessage::User {
            content: content.into(),
        };
        let assistant = |content: &str| ModelMessage::Assistant {
            content: content.into(),
            tool_calls: vec![],
        };
        let orderly = [system("a"), user("b"), assistant("c"), user("d")];
        assert_eq!(turns(&orderly), orderly);
        assert_eq!(
            turns(&[
                system("a"),
                system("resumen"),
                assistant("b"),
                assistant("c"),
                user("d"),
                user("e"),
            ]),
            [
                system("a\n\nresumen"),
                user(BEGINNING),
                assistant("b\n\nc"),
                user("d\n\ne"),
            ]
        );
    }
}
