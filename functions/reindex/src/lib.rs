//! Builds the search index again when the catalogue has changed, and publishes it.
//!
//! The catalogue's stream calls with what changed, collected for minutes; a schedule or a person may call as well. Whatever the
//! published index was built after is not built again, so that the many calls after an import end in one build or two.

mod build;
pub mod changes;
mod kept;
mod published;

use std::{sync::Arc, time::Duration};

use mostrador_core::{catalogue::CatalogueError, chain::Chain};
use mostrador_dynamodb::DynamoCatalogue;
use mostrador_search::{
    build::BuildError,
    embedder::Embedder,
    load::{LoadError, published, published_embedder},
    publish::{PublishError, publish},
    store::{ArtifactStore, StoreError},
};
use serde::Serialize;
use time::OffsetDateTime;
use tokio::time::timeout;

pub use build::{Progress, build};
use changes::Event;
use kept::KeptVectors;
use published::published_at;

/// So long a build may take: two minutes less than the function in `template.yaml`.
const WITHIN: Duration = Duration::from_secs(13 * 60);

/// What the function works with.
pub struct Deps {
    pub catalogue: DynamoCatalogue,
    pub store: Arc<dyn ArtifactStore>,
    /// The service that embeds; without one, the embedder that lies beside the published index.
    pub embedder: Option<Arc<dyn Embedder>>,
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

/// Builds and publishes, unless the published index has it all. Gives the new build's id, if there is one.
///
/// # Errors
/// [`ReindexError`]; the published index is then what it was.
pub async fn reindex(
    deps: &Deps,
    event: &Event,
    now: OffsetDateTime,
) -> Result<Option<String>, ReindexError> {
    let built_at = published_at(&*deps.store).await?;
    if !event.outdates(built_at) {
        return Ok(None);
    }
    let (embedder, file) = match &deps.embedder {
        Some(embedder) => (embedder.clone(), None),
        // A shop that has just been deployed imports its catalogue before anything is published.
        None if published(&*deps.store)
            .await
            .is_ok_and(|found| found.is_none()) =>
        {
            tracing::warn!(
                "nothing is published yet: `mostrador index publish --aws` does it once, and changes follow by themselves"
            );
            return Ok(None);
        }
        None => {
            let (embedder, file) = published_embedder(&*deps.store)
                .await
                .map_err(ReindexError::Embedder)?;
            (embedder, Some(file))
        }
    };
    // The embedder that lies beside the index is quicker than a cache.
    let kept = match deps.embedder {
        Some(_) => Some(KeptVectors::fetch(&*deps.store).await?),
        None => None,
    };
    let cache = kept.as_ref().map(KeptVectors::path);
    let mut untold = |_| {};
    let building = build(&deps.catalogue, &*embedder, cache, now, &mut untold);
    let built = timeout(WITHIN, building).await;
    // What was paid for is kept even if the build came to nothing: the next call goes on from there.
    if let Some(kept) = &kept {
        kept.keep(&*deps.store).await?;
    }
    let built = built.map_err(|_| ReindexError::TooLong)??;
    match publish(&*deps.store, &built, file.as_ref()).await {
        Ok(manifest) => Ok(Some(manifest.build_id)),
        // Somebody else published meanwhile, and may have had it all.
        Err(PublishError::Store(StoreError::Conflict { .. }) | PublishError::Later { .. })
            if !event.outdates(published_at(&*deps.store).await?) =>
        {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
