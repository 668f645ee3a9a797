//! Language models behind the core's port: Amazon Bedrock, any OpenAI-compatible URL, or none.

mod bedrock;
mod by_name;
mod fallback;
mod forms;
mod openai_compatible;
mod refusal;
mod schema;
mod settings;

use async_trait::async_trait;
use mostrador_core::model::{Completion, Model, ModelError, ModelRequest, ToolCall};
use serde_json::{Map, Value};

pub use bedrock::Bedrock;
pub use openai_compatible::OpenAiCompatible;
pub use settings::{InvalidSetting, model, policy, turn_settings};

/// No model: every turn is answered without one.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoModel;

#[async_trait]
impl Model for NoModel {
    async fn ask(&self, _: ModelRequest) -> Result<Completion, ModelError> {
        Err(ModelError::NotConfigured)
    }
}

/// Said for the user where a conversation would begin with the assistant, which many providers refuse.
const BEGINNING: &str = "…";
/// An invented fact starts with a warm model.
const TEMPERATURE: f32 = 0.2;
/// Largest answer read. A chunk for each token takes some hundreds of bytes.
const ANSWER_BYTES_MAX: usize = 4 << 20;
/// Most tool calls in one answer.
const TOOL_CALLS_MAX: usize = 32;

/// A tool call that has come together.
fn called(id: String, name: String, arguments: String) -> ToolCall {
    let parsed = match arguments.trim() {
        "" => Ok(Value::Object(Map::new())),
        json => serde_json::from_str(json),
    };
    ToolCall {
        id,
        name,
        arguments: parsed.unwrap_or(Value::String(arguments)),
        provider_data: None,
    }
}
