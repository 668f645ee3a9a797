//! What is published already.

use mostrador_search::{
    load::{LoadError, published},
    store::{ArtifactStore, StoreError},
};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// When the published index was built, if there is one that can be read.
pub(crate) async fn published_at(
    store: &dyn ArtifactStore,
) -> Result<Option<OffsetDateTime>, StoreError> {
    match published(store).await {
        Ok(manifest) => {
            Ok(manifest
                .and_then(|manifest| OffsetDateTime::parse(&manifest.built_at, &Rfc3339).ok()))
        }
        Err(LoadError::Store(error)) => Err(error),
        // A build replaces what nobody can read.
        Err(_) => Ok(None),
    }
}
