//! Where artifacts are kept: the port, and how a build is published through it.

mod connect;
mod memory;
mod s3;

use async_trait::async_trait;
use bytes::Bytes;

pub use memory::MemoryStore;
pub use s3::S3Store;

use crate::artifact::{Artifact, FileName, MANIFEST_KEY, Manifest, embedder_record};

/// Why an object could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no object {key}")]
    Missing { key: String },
    #[error("object {key} is not of the size it should have")]
    WrongSize { key: String },
    #[error("object {key} was changed by somebody else")]
    Conflict { key: String },
    #[error("the object store cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// An object's bytes with the tag its store gave them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    pub bytes: Vec<u8>,
    pub etag: String,
}

/// An object store, as far as artifacts need one. Keys are relative to what the store was opened on.
#[async_trait]
pub trait ArtifactStore: Send + Sync {
    /// An immutable object of a known size, fetched in parts at once where it is large.
    ///
    /// # Errors
    /// [`StoreError`], [`StoreError::WrongSize`] among them.
    async fn get(&self, key: &str, size_bytes: u64) -> Result<Vec<u8>, StoreError>;

    /// An object that changes; `None` where it still carries `etag`.
    ///
    /// # Errors
    /// [`StoreError`], [`StoreError::Missing`] among them.
    async fn get_if_changed(
        &self,
        key: &str,
        etag: Option<&str>,
    ) -> Result<Option<Tagged>, StoreError>;

    /// Writes an object, whatever was there.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError>;

    /// Writes an object only if it still carries `etag`, or with none only if there is no such object.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] where that is not so.
    async fn put_if(&self, key: &str, bytes: Bytes, etag: Option<&str>) -> Result<(), StoreError>;
}

/// Uploads a build and makes it the current one: its files, the embedder's (none where a service embeds), and last the
/// manifest, only if nobody else published since this began. Gives the manifest as published.
///
/// # Errors
/// [`StoreError::Conflict`] where somebody did; the current build is then theirs.
pub async fn publish(
    store: &dyn ArtifactStore,
    artifact: &Artifact,
    embedder_file: Option<&Bytes>,
) -> Result<Manifest, StoreError> {
    let current = match store.get_if_changed(MANIFEST_KEY, None).await {
        Ok(current) => current.map(|tagged| tagged.etag),
        Err(StoreError::Missing { .. }) => None,
        Err(error) => return Err(error),
    };
    let mut manifest = artifact.manifest.clone();
    if let Some(file) = embedder_file {
        let record = embedder_record(file);
        store.put(&record.key, file.clone()).await?;
        manifest.embedder_file = Some(record);
    }
    for name in FileName::ALL {
        let bytes = Bytes::copy_from_slice(artifact.file(name));
        store.put(&manifest.file(name).key, bytes).await?;
    }
    let json = serde_json::to_vec_pretty(&manifest)
        .map_err(|error| StoreError::Unavailable(Box::new(error)))?;
    store
        .put_if(MANIFEST_KEY, json.into(), current.as_deref())
        .await?;
    Ok(manifest)
}
