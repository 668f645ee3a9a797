//! A turn, which needs nearly everything.

use std::sync::Arc;

use mostrador_core::{
    limits::Idempotency,
    turn::{TurnEngine, TurnSettings},
};
use mostrador_llm::turn_settings;
use mostrador_web::{Gate, SystemClock};

use crate::{Wiring, WiringError};

impl Wiring {
    /// What turns are run by.
    ///
    /// # Errors
    /// Those of [`Wiring::index`] and [`Wiring::model`].
    pub async fn turn_engine(&self) -> Result<TurnEngine, WiringError> {
        // Before anything else: the index is the longest part of a cold start.
        let (retrieval, shop) = tokio::join!(self.retrieval(), self.shop());
        let retrieval = retrieval?;
        Ok(TurnEngine {
            log: self.log(),
            view: self.view(),
            retrieval,
            files: self.files().await?,
            model: self.model().await?,
            clock: Arc::new(SystemClock),
            shop: shop?,
            settings: self.turn_settings()?,
        })
    }

    /// How turns go.
    ///
    /// # Errors
    /// [`WiringError::Model`].
    pub fn turn_settings(&self) -> Result<TurnSettings, WiringError> {
        let settings = turn_settings(self.policy()?, &|name| self.environment().text(name))?;
        Ok(TurnSettings {
            alone_since: self.alone_since,
            ..settings
        })
    }

    /// The gate of an endpoint that runs turns: a key is an attempt's for as long as a turn may take.
    ///
    /// # Errors
    /// [`WiringError::Setting`] and [`WiringError::Model`].
    pub fn turn_gate(&self) -> Result<Gate, WiringError> {
        let lease = self.turn_settings()?.lease();
        let idempotency: Arc<dyn Idempotency> = Arc::new(self.answers_by_key().with_lease(lease));
        self.gate(Some(idempotency))
    }
}
