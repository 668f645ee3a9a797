//! A turn, which needs nearly everything.

use std::sync::Arc;

use mostrador_core::{
    limits::Idempotency,
    shop::ProfileSource,
    turn::{TurnEngine, TurnSettings},
};
use mostrador_llm::turn_settings;
use mostrador_search::{files::FileStore, load::Loader};
use mostrador_web::{Gate, SystemClock};

use crate::{Wiring, WiringError};

impl Wiring {
    /// What a function runs turns by.
    ///
    /// # Errors
    /// [`WiringError`].
    #[inline]
    pub async fn turn_engine_of_function(&self) -> Result<TurnEngine, WiringError> {
        // Before anything else: the index is the longest part of a cold start.
        let (index, shop) = tokio::try_join!(self.index(), self.shop())?;
        let files = self.files(index.clone())?;
        self.turn_engine(index, files, shop).await
    }

    /// What turns are run by.
    ///
    /// # Errors
    /// [`WiringError::Setting`] and [`WiringError::Other`].
    #[inline]
    pub async fn turn_engine(
        &self,
        index: Arc<Loader>,
        files: Arc<FileStore>,
        shop: Arc<dyn ProfileSource>,
    ) -> Result<TurnEngine, WiringError> {
        Ok(TurnEngine {
            log: self.log(),
            view: self.view(),
            retrieval: self.retrieval(index, shop.clone()),
            approvals: self.approvals(self.idempotency(), shop.clone())?,
            files,
            model: self.model().await?,
            clock: Arc::new(SystemClock),
            shop,
            settings: self.turn_settings()?,
        })
    }

    /// How turns go.
    ///
    /// # Errors
    /// [`WiringError::Other`].
    #[inline]
    pub fn turn_settings(&self) -> Result<TurnSettings, WiringError> {
        let settings = turn_settings(self.policy()?, &|name| self.environment().text(name));
        let settings = settings.map_err(WiringError::other)?;
        Ok(TurnSettings {
            alone_since: self.alone_since,
            ..settings
        })
    }

    /// The gate of an endpoint that runs turns: a key is an attempt's for as long as a turn may take.
    ///
    /// # Errors
    /// [`WiringError::Setting`] and [`WiringError::Other`].
    #[inline]
    pub fn turn_gate(&self) -> Result<Gate, WiringError> {
        let lease = self.turn_settings()?.lease();
        let idempotency: Arc<dyn Idempotency> = Arc::new(self.answers_by_key().with_lease(lease));
        self.gate(Some(idempotency))
    }
}
