//! What is published already.

use mostrador_search::{
    artifact::MANIFEST_KEY,
    load::read_manifest,
    store::{ArtifactStore, StoreError},
};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// When the published index was built, if there is one that can be read.
pub(crate) async fn published_at(
    store: &dyn ArtifactStore,
) -> Result<Option<OffsetDateTime>, StoreError> {
    match store.get_if_changed(MANIFEST_KEY, None).await {
        Ok(found) => Ok(found
            .and_then(|found| read_manifest(&found.bytes).ok())
            .and_then(|manifest| OffsetDateTime::parse(&manifest.built_at, &Rfc3339).ok())),
        Err(StoreError::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
