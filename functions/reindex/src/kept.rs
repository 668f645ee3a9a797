//! A service's vectors, kept in the bucket between builds.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use mostrador_search::store::{ArtifactStore, StoreError};
use tempfile::TempDir;

use crate::ReindexError;

const KEY: &str = "index/embeddings.cache";

/// The cache in a temporary folder.
pub(crate) struct KeptVectors {
    file: PathBuf,
    etag: Option<String>,
    _folder: TempDir,
}

impl KeptVectors {
    /// What there is in the bucket, or nothing yet.
    pub(crate) async fn fetch(store: &dyn ArtifactStore) -> Result<Self, ReindexError> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("embeddings.cache");
        let etag = match store.get_if_changed(KEY, None).await {
            Ok(Some(kept)) => {
                std::fs::write(&file, kept.bytes)?;
                Some(kept.etag)
            }
            Ok(None) | Err(StoreError::Missing { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        Ok(Self {
            file,
            etag,
            _folder: folder,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.file
    }

    /// Puts it back, unless somebody else did meanwhile: theirs is as good.
    pub(crate) async fn keep(&self, store: &dyn ArtifactStore) -> Result<(), ReindexError> {
        if !self.file.exists() {
            return Ok(());
        }
        let bytes = Bytes::from(std::fs::read(&self.file)?);
        match store.put_if(KEY, bytes, self.etag.as_deref()).await {
            Ok(()) | Err(StoreError::Conflict { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
