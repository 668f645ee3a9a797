//! One load: the manifest, then all files at once, each verified while the others still come in.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use tokio::task;

use crate::{
    artifact::{FORMAT_VERSION, FileName, FileRecord, MANIFEST_KEY, Manifest},
    embedder::{Embedder, InvalidEmbedder, StaticEmbedder},
    query::{Files, Generation, OpenError},
    store::{ArtifactStore, Buffer, StoreError},
};

/// A generation with what is needed to see that another has come.
pub(super) struct Current {
    pub(super) generation: Arc<Generation>,
    manifest: Manifest,
    etag: String,
}

/// Why what the store has was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the manifest cannot be read")]
    Manifest(#[source] serde_json::Error),
    #[error(
        "the index has format {found}, not {FORMAT_VERSION}: publish it anew with `mostrador index publish`"
    )]
    Format { found: u32 },
    #[error("object {key} is not what the manifest says")]
    Corrupt { key: String },
    #[error("the artifact brings no embedder and none is configured")]
    NoEmbedder,
    #[error("the artifact's embedder cannot be used")]
    Embedder(#[source] InvalidEmbedder),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the store did not deliver within {patience:?}")]
    TooSlow { patience: Duration },
    #[error("the work on a file was broken off")]
    BrokenOff(#[source] task::JoinError),
}

/// The store's generation where it is another than `current`, completely verified.
pub(super) async fn newer(
    store: &dyn ArtifactStore,
    embedder: Option<&Arc<dyn Embedder>>,
    current: Option<&Current>,
) -> Result<Option<Current>, LoadError> {
    let etag = current.map(|current| current.etag.as_str());
    let Some(changed) = store.get_if_changed(MANIFEST_KEY, etag).await? else {
        return Ok(None);
    };
    let manifest = read_manifest(&changed.bytes)?;
    let current = current.filter(|_| manifest.format == FORMAT_VERSION);
    if let Some(current) = current.filter(|current| current.manifest.is_same_build(&manifest)) {
        return Ok(Some(Current {
            generation: current.generation.clone(),
            manifest,
            etag: changed.etag,
        }));
    }
    let (embedder, vectors, items, keywords) = futures_util::future::try_join4(
        embedder_of(store, embedder, &manifest, current),
        verified(store, manifest.file(FileName::Vectors)),
        verified(store, manifest.file(FileName::Items)),
        verified(store, manifest.file(FileName::Keywords)),
    )
    .await?;
    let files = Files {
        vectors,
        items,
        keywords,
    };
    let open = {
        let manifest = manifest.clone();
        move || Generation::open(&manifest, files, embedder)
    };
    let generation = task::spawn_blocking(open)
        .await
        .map_err(LoadError::BrokenOff)??;
    Ok(Some(Current {
        generation: Arc::new(generation),
        manifest,
        etag: changed.etag,
    }))
}

/// The manifest of the published build, if there is any.
///
/// # Errors
/// [`LoadError`] where the store does not answer, or what it has is no manifest of this format.
pub async fn published(store: &dyn ArtifactStore) -> Result<Option<Manifest>, LoadError> {
    match store.get_if_changed(MANIFEST_KEY, None).await {
        Ok(Some(found)) => Ok(Some(read_manifest(&found.bytes)?)),
        Ok(None) | Err(StoreError::Missing { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Looks at the format before anything else: another format's manifest may have other fields.
pub(crate) fn read_manifest(bytes: &[u8]) -> Result<Manifest, LoadError> {
    #[derive(serde::Deserialize)]
    struct Head {
        format: u32,
    }
    let head: Head = serde_json::from_slice(bytes).map_err(LoadError::Manifest)?;
    if head.format != FORMAT_VERSION {
        return Err(LoadError::Format { found: head.format });
    }
    serde_json::from_slice(bytes).map_err(LoadError::Manifest)
}

/// The embedder that lies beside the published index, with its file.
///
/// # Errors
/// [`LoadError`] where there is no index, or it was built with another kind of embedder.
pub async fn published_embedder(
    store: &dyn ArtifactStore,
) -> Result<(Arc<dyn Embedder>, Bytes), LoadError> {
    let manifest = published(store).await?.ok_or(LoadError::NoEmbedder)?;
    let record = manifest.embedder_file.ok_or(LoadError::NoEmbedder)?;
    let file = Bytes::from_owner(verified(store, &record).await?);
    let embedder = StaticEmbedder::from_prepared(file.clone()).map_err(LoadError::Embedder)?;
    Ok((Arc::new(embedder), file))
}

/// The configured embedder, the one already in memory, or the one that lies beside the artifact.
async fn embedder_of(
    store: &dyn ArtifactStore,
    configured: Option<&Arc<dyn Embedder>>,
    manifest: &Manifest,
    current: Option<&Current>,
) -> Result<Arc<dyn Embedder>, LoadError> {
    if let Some(embedder) = configured {
        return Ok(embedder.clone());
    }
    let record = manifest
        .embedder_file
        .as_ref()
        .ok_or(LoadError::NoEmbedder)?;
    if let Some(current) = current
        && current.manifest.embedder_file.as_ref() == Some(record)
    {
        return Ok(current.generation.embedder().clone());
    }
    let file = verified(store, record).await?;
    let file = Bytes::from_owner(file);
    let embedder = StaticEmbedder::from_prepared(file).map_err(LoadError::Embedder)?;
    Ok(Arc::new(embedder))
}

/// An object whose size and hash are those recorded; hashed on a thread of its own.
async fn verified(store: &dyn ArtifactStore, record: &FileRecord) -> Result<Buffer, LoadError> {
    let bytes = store.get(&record.key, record.size_bytes).await?;
    let expected = record.clone();
    let check = move || expected.verifies(&bytes).then_some(bytes);
    task::spawn_blocking(check)
        .await
        .map_err(LoadError::BrokenOff)?
        .ok_or_else(|| LoadError::Corrupt {
            key: record.key.clone(),
        })
}
