//! A store in memory, for tests and for one process that builds and serves.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use bytes::Bytes;

use super::{ArtifactStore, Buffer, StoreError, Tagged, copied, s3::unavailable};

/// Objects in memory; every write gives a tag that was never given before.
#[derive(Debug, Default)]
pub struct MemoryStore {
    contents: Mutex<Contents>,
}

#[derive(Debug, Default)]
struct Contents {
    objects: BTreeMap<String, (Bytes, String)>,
    writes: u64,
}

impl Contents {
    fn write(&mut self, key: &str, bytes: Bytes) {
        self.writes += 1;
        let tag = self.writes.to_string();
        self.objects.insert(key.to_owned(), (bytes, tag));
    }
}

impl MemoryStore {
    /// Everything stored, by key.
    #[must_use]
    pub fn objects(&self) -> BTreeMap<String, Bytes> {
        let contents = self.lock();
        let objects = contents.objects.iter();
        objects
            .map(|(key, (bytes, _))| (key.clone(), bytes.clone()))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ArtifactStore for MemoryStore {
    async fn get(&self, key: &str, size_bytes: u64) -> Result<Buffer, StoreError> {
        let contents = self.lock();
        match contents.objects.get(key) {
            None => Err(StoreError::Missing { key: key.into() }),
            Some((bytes, _)) if u64::try_from(bytes.len()) != Ok(size_bytes) => {
                Err(StoreError::WrongSize { key: key.into() })
            }
            Some((bytes, _)) => copied(bytes).map_err(unavailable),
        }
    }

    async fn get_if_changed(
        &self,
        key: &str,
        etag: Option<&str>,
    ) -> Result<Option<Tagged>, StoreError> {
        let contents = self.lock();
        match contents.objects.get(key) {
            None => Err(StoreError::Missing { key: key.into() }),
            Some((_, tag)) if etag == Some(tag) => Ok(None),
            Some((bytes, tag)) => Ok(Some(Tagged {
                bytes: bytes.to_vec(),
                etag: tag.clone(),
            })),
        }
    }

    async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError> {
        self.lock().write(key, bytes);
        Ok(())
    }

    async fn put_if(&self, key: &str, bytes: Bytes, etag: Option<&str>) -> Result<(), StoreError> {
        let mut contents = self.lock();
        if contents.objects.get(key).map(|(_, tag)| tag.as_str()) != etag {
            return Err(StoreError::Conflict { key: key.into() });
        }
        contents.write(key, bytes);
        Ok(())
    }

    async fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.lock().objects.remove(key);
        Ok(())
    }
}
