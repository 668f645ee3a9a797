//! Which model there is, and what it does outside of turns.

use std::sync::Arc;

use mostrador_core::{
    model::{Model, ModelPolicy},
    projection::{SUMMARY_CHARS, Summariser},
};
use tokio::sync::OnceCell;

use crate::{Wiring, WiringError};

/// A model remembers what its server refuses, so one process has one.
pub(crate) type Shared = OnceCell<Arc<dyn Model>>;

impl Wiring {
    /// Who pays, which models, and how long they may take.
    ///
    /// # Errors
    /// [`WiringError::Model`].
    pub fn policy(&self) -> Result<ModelPolicy, WiringError> {
        Ok(mostrador_llm::policy(&|name| {
            self.environment().text(name)
        })?)
    }

    /// The model, which is none where none is set.
    ///
    /// # Errors
    /// [`WiringError::Model`].
    pub async fn model(&self) -> Result<Arc<dyn Model>, WiringError> {
        let connect = async || {
            let setting = |name: &str| self.environment().text(name);
            Ok(mostrador_llm::model(&self.policy()?, &setting).await?)
        };
        self.model.get_or_try_init(connect).await.cloned()
    }

    /// What summarises conversations.
    ///
    /// # Errors
    /// [`WiringError::Model`].
    pub async fn summariser(&self) -> Result<Summariser, WiringError> {
        Ok(Summariser {
            log: self.log(),
            view: self.view(),
            model: self.model().await?,
            policy: self.policy()?,
            max_chars: SUMMARY_CHARS,
        })
    }
}
