//! Builds the search index again when the catalogue has changed, and publishes it.
//!
//! The catalogue's stream calls with what changed, collected for minutes; a schedule or a person may call as well. Whatever the
//! published index was built after is not built again, so that the many calls after an import end in one build or two.

mod build;
pub mod changes;
mod kept;
mod published;
mod reindex;

use std::sync::Arc;

use mostrador_core::{catalogue::CatalogueError, chain::Chain};
use mostrador_dynamodb::DynamoCatalogue;
use mostrador_search::{
    build::BuildError,
    embedder::Embedder,
    load::LoadError,
    publish::PublishError,
    store::{ArtifactStore, StoreError},
};
use mostrador_wiring::{Wiring, WiringError};
use serde::Serialize;
use time::OffsetDateTime;

pub use build::{Progress, build};
use changes::Event;
pub use reindex::reindex;

/// What the function works with.
pub struct Deps {
    pub catalogue: DynamoCatalogue,
    pub store: Arc<dyn ArtifactStore>,
    /// The service that embeds; without one, the embedder that lies beside the published index.
    pub embedder: Option<Arc<dyn Embedder>>,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub async fn wire(wiring: &Wiring) -> Result<Self, WiringError> {
        Ok(Self {
            catalogue: wiring.catalogue(),
            store: Arc::new(wiring.index_bucket()?),
            embedder: wiring.embedder().await?,
        })
    }
}

/// Why no index was published.
#[derive(Debug, thiserror::Error)]
pub enum ReindexError {
    #[error("the catalogue cannot be read")]
    Catalogue(#[from] CatalogueError),
    #[error("the catalogue is empty")]
    Empty,
    #[error("the build was not done in time; the next call goes on with it")]
    TooLong,
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Publish(#[from] PublishError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no embedder: publish the index once with `mostrador index publish --aws`")]
    Embedder(#[source] LoadError),
    #[error("the temporary folder cannot be used")]
    Folder(#[from] std::io::Error),
}

/// What the function answers: the build that it published, if it did.
#[derive(Debug, Serialize)]
pub struct Answer {
    published: Option<String>,
}

/// Answers an event.
///
/// # Errors
/// Those of [`reindex`]; Lambda then calls again.
pub async fn handle(
    deps: Arc<Deps>,
    event: Event,
) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
    match reindex(&deps, &event, OffsetDateTime::now_utc()).await {
        Ok(published) => {
            tracing::info!(build_id = published, "what is published is as it should be");
            Ok(Answer { published })
        }
        Err(error) => {
            tracing::error!(error = %Chain(&error), "the index was not built");
            Err(error.into())
        }
    }
}
