//! Thinking as the families of Bedrock's models are asked for it, and as it is given back with their calls of tools.

use std::collections::BTreeMap;

use aws_sdk_bedrockruntime::{
    error::BuildError,
    types::{ContentBlock, ReasoningContentBlock, ReasoningTextBlock},
};
use aws_smithy_types::{Blob, Document, base64};
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

/// The thoughts of an answer as they come together, by the number of their block.
#[derive(Default)]
pub(super) struct Thoughts(BTreeMap<i32, Thought>);

#[derive(Default)]
struct Thought {
    text: String,
    /// Without it a text is not taken back.
    signature: String,
    /// What the provider does not let be read, in the place of text and signature.
    redacted: Vec<u8>,
}

impl Thoughts {
    pub(super) fn push_text(&mut self, block: i32, text: &str) {
        self.block(block).text.push_str(text);
    }

    pub(super) fn push_signature(&mut self, block: i32, part: &str) {
        self.block(block).signature.push_str(part);
    }

    pub(super) fn push_redacted(&mut self, block: i32, part: &[u8]) {
        self.block(block).redacted.extend(part);
    }

    fn block(&mut self, number: i32) -> &mut Thought {
        self.0.entry(number).or_default()
    }

    /// What each call of the answer carries of them, in their order.
    pub(super) fn carried(&self) -> Option<Value> {
        let carried = self.0.values().filter_map(|thought| {
            let Thought {
                text,
                signature,
                redacted,
            } = thought;
            if !redacted.is_empty() {
                return Some(json!({"redacted": base64::encode(redacted)}));
            }
            (!signature.is_empty()).then(|| json!({"text": text, "signature": signature}))
        });
        let carried: Vec<Value> = carried.collect();
        (!carried.is_empty()).then(|| json!({REASONING: carried}))
    }
}

/// The thoughts that calls carry, as they go before them. Calls of one answer carry the same, the later ones perhaps more.
pub(super) fn given_back(calls: &[ToolCall]) -> Result<Vec<ContentBlock>, BuildError> {
    let carried = calls.iter().rev().find_map(|call| {
        let thoughts = call.provider_data.as_ref()?.get(REASONING)?;
        thoughts.as_array()
    });
    let thoughts = carried.into_iter().flatten();
    let blocks = thoughts.filter_map(|thought| block(thought).transpose());
    blocks
        .map(|block| Ok(ContentBlock::ReasoningContent(block?)))
        .collect()
}

fn block(thought: &Value) -> Result<Option<ReasoningContentBlock>, BuildError> {
    let redacted = thought["redacted"].as_str();
    if let Some(redacted) = redacted.and_then(|text| base64::decode(text).ok()) {
        let redacted = Blob::new(redacted);
        return Ok(Some(ReasoningContentBlock::RedactedContent(redacted)));
    }
    let (Some(text), Some(signature)) = (thought["text"].as_str(), thought["signature"].as_str())
    else {
        return Ok(None);
    };
    let block = ReasoningTextBlock::builder()
        .text(text)
        .signature(signature);
    Ok(Some(ReasoningContentBlock::ReasoningText(block.build()?)))
}
