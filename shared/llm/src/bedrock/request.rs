//! A conversation as `Converse` takes it: system texts apart, then users' and assistants' turns by turns.

use std::collections::HashMap;

use aws_sdk_bedrockruntime::{
    error::BuildError,
    types::{
        ContentBlock, ConversationRole, Message, SystemContentBlock, Tool, ToolConfiguration,
        ToolInputSchema, ToolResultBlock, ToolResultContentBlock, ToolSpecification, ToolUseBlock,
    },
};
use aws_smithy_types::{Document, Number};
use mostrador_core::model::{ModelError, ModelMessage, ToolCall, ToolSpec};
use serde_json::Value;

use super::thinking::given_back;
use crate::{BEGINNING, schema};

/// Tells a model that sees it what was wrong with its call.
const NOT_AN_OBJECT: &str = "INVALID_JSON";

/// The instructions and the messages. Turns of one side are one; empty texts, which are refused, are left out, and so
/// are calls of tools where none are offered, which would be refused too: what came of them stays as text. A model that thinks is
/// given back what it thought before its calls.
pub(super) fn conversation(
    messages: &[ModelMessage],
    offers_tools: bool,
    thinks: bool,
) -> Result<(Vec<SystemContentBlock>, Vec<Message>), ModelError> {
    let (mut system, mut turns) = (
        Vec::new(),
        Vec::<(ConversationRole, Vec<ContentBlock>)>::new(),
    );
    let mut push = |role: ConversationRole, blocks: Vec<ContentBlock>| match turns.last_mut() {
        _ if blocks.is_empty() => {}
        Some((last, existing)) if *last == role => existing.extend(blocks),
        None if role == ConversationRole::Assistant => {
            let beginning = ContentBlock::Text(BEGINNING.to_owned());
            turns.push((ConversationRole::User, vec![beginning]));
            turns.push((role, blocks));
        }
        _ => turns.push((role, blocks)),
    };
    for message in messages {
        match message {
            ModelMessage::System { content } => {
                if !content.trim().is_empty() {
                    system.push(SystemContentBlock::Text(content.clone()));
                }
            }
            ModelMessage::User { content } => push(ConversationRole::User, text(content)),
            ModelMessage::Assistant {
                content,
                tool_calls,
            } => {
                // Who thinks wants its thought back before its words and calls.
                let thoughts = if thinks && offers_tools {
                    given_back(tool_calls).map_err(unbuilt)?
                } else {
                    Vec::new()
                };
                let mut blocks: Vec<ContentBlock> =
                    thoughts.into_iter().chain(text(content)).collect();
                for call in tool_calls.iter().filter(|_| offers_tools) {
                    blocks.push(ContentBlock::ToolUse(used(call).map_err(unbuilt)?));
                }
                push(ConversationRole::Assistant, blocks);
            }
            ModelMessage::Tool { content, .. } if !offers_tools => {
                push(ConversationRole::User, text(content));
            }
            ModelMessage::Tool {
                tool_use_id,
                content,
            } => {
                let result = ToolResultBlock::builder()
                    .tool_use_id(tool_use_id)
                    .content(ToolResultContentBlock::Text(content.clone()))
                    .build()
                    .map_err(unbuilt)?;
                push(
                    ConversationRole::User,
                    vec![ContentBlock::ToolResult(result)],
                );
            }
        }
    }
    let turns = turns.into_iter().map(|(role, blocks)| {
        let turn = Message::builder().role(role).set_content(Some(blocks));
        turn.build().map_err(unbuilt)
    });
    Ok((system, turns.collect::<Result<_, _>>()?))
}

/// The tools, where there are some.
pub(super) fn tool_config(tools: &[ToolSpec]) -> Result<Option<ToolConfiguration>, ModelError> {
    if tools.is_empty() {
        return Ok(None);
    }
    let tools = tools.iter().map(|tool| {
        let schema = document(&schema::plain(&tool.parameters));
        let spec = ToolSpecification::builder()
            .name(&tool.name)
            .description(&tool.description)
            .input_schema(ToolInputSchema::Json(schema));
        Ok(Tool::ToolSpec(spec.build().map_err(unbuilt)?))
    });
    let tools = tools.collect::<Result<Vec<_>, ModelError>>()?;
    let config = ToolConfiguration::builder().set_tools(Some(tools));
    Ok(Some(config.build().map_err(unbuilt)?))
}

fn text(content: &str) -> Vec<ContentBlock> {
    let existing = Some(content).filter(|content| !content.trim().is_empty());
    Vec::from_iter(existing.map(|content| ContentBlock::Text(content.to_owned())))
}

/// Arguments that are no object, which are refused, become the one member of an object.
fn used(call: &ToolCall) -> Result<ToolUseBlock, BuildError> {
    let input = match document(&call.arguments) {
        Document::Object(members) => members,
        other => HashMap::from([(NOT_AN_OBJECT.to_owned(), other)]),
    };
    ToolUseBlock::builder()
        .tool_use_id(&call.id)
        .name(&call.name)
        .input(Document::Object(input))
        .build()
}

/// A part of a request that cannot be: nothing in a conversation leads to it.
fn unbuilt(error: BuildError) -> ModelError {
    ModelError::Garbage(error.into())
}

pub(super) fn document(json: &Value) -> Document {
    match json {
        Value::Null => Document::Null,
        Value::Bool(flag) => Document::Bool(*flag),
        Value::Number(number) => Document::Number(match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Number::PosInt(number),
            (None, Some(number)) => Number::NegInt(number),
            (None, None) => Number::Float(number.as_f64().unwrap_or_default()),
        }),
        Value::String(text) => Document::String(text.clone()),
        Value::Array(items) => Document::Array(items.iter().map(document).collect()),
        Value::Object(members) => {
            let members = members.iter();
            Document::Object(
                members
                    .map(|(name, value)| (name.clone(), document(value)))
                    .collect(),
            )
        }
    }
}
