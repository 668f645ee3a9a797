//! Where artifacts are kept.

mod buffer;
mod connect;
mod memory;
mod s3;

use async_trait::async_trait;
use bytes::Bytes;

pub use buffer::Buffer;
pub(crate) use buffer::{buffer, copied};
pub use memory::MemoryStore;
pub use s3::S3Store;

/// Why an object could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no object {key}")]
    Missing { key: String },
    /// Or there is none: whoever may not list a bucket gets one answer for both.
    #[error("object {key} may not be read")]
    Denied { key: String },
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
    async fn get(&self, key: &str, size_bytes: u64) -> Result<Buffer, StoreError>;

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

    /// Removes an object; that it is not there is no error.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn delete(&self, key: &str) -> Result<(), StoreError>;
}
