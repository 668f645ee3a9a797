//! From what changed to a published index.

use std::time::Duration;

use mostrador_search::{
    load::{published, published_embedder},
    publish::{PublishError, publish},
    store::StoreError,
};
use time::OffsetDateTime;
use tokio::time::timeout;

use crate::{
    Deps, ReindexError, build, changes::Event, kept::KeptVectors, published::published_at,
};

/// So long a build may take: two minutes less than the function in `template.yaml`.
const WITHIN: Duration = Duration::from_secs(13 * 60);

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
