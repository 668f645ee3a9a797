//! Artifacts in an S3 bucket.

mod error;

use async_trait::async_trait;
use aws_sdk_s3::{Client, primitives::ByteStream};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};

pub(super) use self::error::unavailable;
use self::error::{get_error, is_not_modified, put_error};
use super::{ArtifactStore, StoreError, Tagged};

/// Large objects are fetched in parts of this size; S3 gives one connection about 80 MB/s, so more of them help.
const PART_BYTES: u64 = 8 << 20;
/// How many parts are under way at once.
const PARTS_AT_ONCE: usize = 16;

/// A bucket, below a key prefix.
#[derive(Debug, Clone)]
pub struct S3Store {
    pub(super) client: Client,
    pub(super) bucket: String,
    prefix: String,
}

impl S3Store {
    /// Objects of `bucket` whose keys begin with `prefix`, which may be empty.
    #[must_use]
    pub fn new(client: Client, bucket: impl Into<String>, prefix: impl Into<String>) -> Self {
        Self {
            client,
            bucket: bucket.into(),
            prefix: prefix.into(),
        }
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// Bytes `first..=last` of an object that has `size_bytes` in all.
    async fn part(
        &self,
        key: &str,
        first: u64,
        last: u64,
        size_bytes: u64,
    ) -> Result<Bytes, StoreError> {
        let request = self.client.get_object().bucket(&self.bucket);
        let part = request
            .key(self.key(key))
            .range(format!("bytes={first}-{last}"))
            .send()
            .await
            .map_err(|error| get_error(key, error))?;
        let range = format!("bytes {first}-{last}/{size_bytes}");
        if part.content_range() != Some(&range) {
            return Err(StoreError::WrongSize { key: key.into() });
        }
        let body = part.body.collect().await.map_err(unavailable)?;
        Ok(body.into_bytes())
    }
}

#[async_trait]
impl ArtifactStore for S3Store {
    async fn get(&self, key: &str, size_bytes: u64) -> Result<Vec<u8>, StoreError> {
        let starts = (0..size_bytes).step_by(usize::try_from(PART_BYTES).unwrap_or(usize::MAX));
        let parts = starts.map(|first| {
            let last = (first + PART_BYTES).min(size_bytes) - 1;
            self.part(key, first, last, size_bytes)
        });
        stream::iter(parts)
            .buffered(PARTS_AT_ONCE)
            .try_fold(Vec::new(), async |mut whole, part| {
                // The size is believed once a part of it has come.
                if whole.is_empty() {
                    whole.reserve_exact(usize::try_from(size_bytes).unwrap_or_default());
                }
                whole.extend_from_slice(&part);
                Ok(whole)
            })
            .await
    }

    async fn get_if_changed(
        &self,
        key: &str,
        etag: Option<&str>,
    ) -> Result<Option<Tagged>, StoreError> {
        let request = self.client.get_object().bucket(&self.bucket);
        let answer = request
            .key(self.key(key))
            .set_if_none_match(etag.map(str::to_owned))
            .send()
            .await;
        let object = match answer {
            Ok(object) => object,
            Err(error) if is_not_modified(&error) => return Ok(None),
            Err(error) => return Err(get_error(key, error)),
        };
        // Not every server minds If-None-Match.
        let tag = object.e_tag().unwrap_or_default().to_owned();
        if !tag.is_empty() && etag == Some(&tag) {
            return Ok(None);
        }
        let body = object.body.collect().await.map_err(unavailable)?;
        Ok(Some(Tagged {
            bytes: body.to_vec(),
            etag: tag,
        }))
    }

    async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError> {
        let request = self.client.put_object().bucket(&self.bucket);
        request
            .key(self.key(key))
            .body(ByteStream::from(bytes))
            .send()
            .await
            .map_err(|error| put_error(key, error))?;
        Ok(())
    }

    async fn put_if(&self, key: &str, bytes: Bytes, etag: Option<&str>) -> Result<(), StoreError> {
        let request = self.client.put_object().bucket(&self.bucket);
        let request = request.key(self.key(key)).body(ByteStream::from(bytes));
        let request = match etag {
            Some(etag) => request.if_match(etag),
            None => request.if_none_match("*"),
        };
        request
            .send()
            .await
            .map_err(|error| put_error(key, error))?;
        Ok(())
    }
}
