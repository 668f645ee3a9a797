//! Language models behind the core's port: any OpenAI-compatible URL, or none.

mod chain;
mod openai_compatible;
mod settings;
mod tokens;

use async_trait::async_trait;
use mostrador_core::model::{Model, ModelError, ModelRequest, Speech};

pub use openai_compatible::OpenAiCompatible;
pub use settings::{Configured, InvalidSetting, configure, turn_settings};

/// No model: every turn is answered without one.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoModel;

#[async_trait]
impl Model for NoModel {
    async fn ask(&self, _: ModelRequest) -> Result<Speech, ModelError> {
        Err(ModelError::NotConfigured)
    }
}
