//! What a program works with, made of its settings and its stores: in one place for every function on Lambda and for the local
//! runner, which differ in where both come from.
//!
//! A function's `Deps::wire` takes the parts that the function needs. Only those are made, and what is behind a feature is only built
//! where it is asked for. Functions that are built together share all features: so what is behind one is `#[inline]`, made in the
//! crate of whoever calls it, and [`Wiring`] and [`WiringError`] hold nothing of its types. Else each function would carry the code
//! that searches and that calls models.

#[cfg(feature = "model")]
mod model;
mod requests;
#[cfg(feature = "search")]
mod search;
mod tables;
#[cfg(feature = "turn")]
mod turn;

use aws_config::{BehaviorVersion, SdkConfig};
use mostrador_dynamodb::{Client, InvalidRetention, Tables, connect};
use mostrador_web::{Environment, SettingError, logging};
use time::OffsetDateTime;

/// Where a variable is read from.
pub type Read = dyn Fn(&str) -> Option<String> + Send + Sync;

/// A program's settings and stores, and what is made of them.
pub struct Wiring {
    read: Box<Read>,
    dynamodb: Client,
    tables: Tables,
    #[cfg_attr(not(feature = "search"), expect(dead_code))]
    s3: SdkConfig,
    alone_since: Option<OffsetDateTime>,
    #[cfg(feature = "model")]
    model: model::Shared,
}

/// Why a program cannot be wired: a variable that is missing, or does not hold what it should.
#[derive(Debug, thiserror::Error)]
pub enum WiringError {
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error(transparent)]
    Retention(#[from] InvalidRetention),
    /// Of an embedder or a model.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl WiringError {
    #[cfg(any(feature = "model", feature = "search"))]
    #[inline]
    fn other(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Other(Box::new(error))
    }
}

impl Wiring {
    /// Of a function on Lambda: the process's environment, and the stores of its account. Starts the function's log.
    ///
    /// # Errors
    /// [`WiringError::Retention`].
    pub async fn of_function() -> Result<Self, WiringError> {
        logging::start();
        let read = |name: &str| std::env::var(name).ok();
        let environment = Environment::new(&read);
        let tables = Tables::from_variables(|name| environment.text(name))?;
        let aws = aws_config::load_defaults(BehaviorVersion::latest()).await;
        Ok(Self::new(Box::new(read), connect(&aws), tables, aws))
    }

    /// Of settings that `read` gives, and stores of the caller's. The buckets' names are settings.
    #[must_use]
    pub fn new(read: Box<Read>, dynamodb: Client, tables: Tables, s3: SdkConfig) -> Self {
        Self {
            read,
            dynamodb,
            tables,
            s3,
            alone_since: None,
            #[cfg(feature = "model")]
            model: model::Shared::default(),
        }
    }

    /// Where this process alone serves the stores, since when.
    #[must_use]
    pub fn alone_since(self, alone_since: Option<OffsetDateTime>) -> Self {
        Self {
            alone_since,
            ..self
        }
    }

    /// The settings.
    #[must_use]
    pub fn environment(&self) -> Environment<'_> {
        Environment::new(&*self.read)
    }
}
