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
    /// [`WiringError::Other`].
    #[inline]
    pub fn policy(&self) -> Result<ModelPolicy, WiringError> {
        let policy = mostrador_llm::policy(&|name| self.environment().text(name));
        policy.map_err(WiringError::other)
    }

    /// The model, which is none where none is set.
    ///
    /// # Errors
    /// [`WiringError::Other`].
    #[inline]
    pub async fn model(&self) -> Result<Arc<dyn Model>, WiringError> {
        let connect = async || {
            let setting = |name: &str| self.environment().text(name);
            let model = mostrador_llm::model(&self.policy()?, &setting).await;
            model.map_err(WiringError::other)
        };
        self.model.get_or_try_init(connect).await.cloned()
    }

    /// What summarises conversations.
    ///
    /// # Errors
    /// [`WiringError::Other`].
    #[inline]
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
