//! Thinking as the families of Bedrock's models are asked for it, and as it is given back with their calls of tools.

use aws_sdk_bedrockruntime::{
    error::BuildError,
    types::{ContentBlock, ReasoningContentBlock, ReasoningTextBlock},
};
use aws_smithy_types::Document;
use mostrador_core::model::ToolCall;
use serde_json::{Value, json};

use super::request::document;
use crate::openai_compatible::effort;

/// What a thought is called in what a call carries back.
const REASONING: &str = "reasoning";

/// The fields that have a model of this name think in so many tokens; none where its family does not, or not by request.
pub(super) fn fields(model: &str, budget: u32) -> Option<Document> {
    let fields = if model.contains("anthropic.claude-") {
        json!({"thinking": {"type": "enabled", "budget_tokens": budget}})
    } else if model.contains("amazon.nova-2") {
        json!({"reasoningConfig": {"type": "enabled", "maxReasoningEffort": effort(budget)}})
    } else if model.contains("openai.gpt-oss") {
        json!({"reasoning_effort": effort(budget)})
    } else {
        return None;
    };
    Some(document(&fields))
}

/// A thought as it comes together, with the signature without which it is not taken back.
#[derive(Default)]
pub(super) struct Thought {
    pub(super) text: String,
    pub(super) signature: String,
}

impl Thought {
    /// What each call of the answer carries of it.
    pub(super) fn carried(&self) -> Option<Value> {
        let Self { text, signature } = self;
        (!signature.is_empty()).then(|| json!({REASONING: {"text": text, "signature": signature}}))
    }
}

/// The thought that calls carry, as it goes before them.
pub(super) fn given_back(calls: &[ToolCall]) -> Result<Option<ContentBlock>, BuildError> {
    let mut carried = calls.iter().filter_map(|call| {
        let thought = call.provider_data.as_ref()?.get(REASONING)?;
        Some((thought["text"].as_str()?, thought["signature"].as_str()?))
    });
    let Some((text, signature)) = carried.next() else {
        return Ok(None);
    };
    let thought = ReasoningTextBlock::builder()
        .text(text)
        .signature(signature);
    let thought = ReasoningContentBlock::ReasoningText(thought.build()?);
    Ok(Some(ContentBlock::ReasoningContent(thought)))
}
