//! Artifacts in an S3 bucket.

mod error;

use std::time::Duration;

use async_trait::async_trait;
use aws_config::timeout::TimeoutConfig;
use aws_sdk_s3::{
    Client, Config, operation::put_object::builders::PutObjectFluentBuilder, primitives::ByteStream,
};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};

pub(super) use self::error::unavailable;
use self::error::{get_error, is_not_modified, put_error};
use super::{ArtifactStore, Buffer, StoreError, Tagged, buffer};

/// Large objects are fetched in parts of this size; S3 gives one connection about 80 MB/s, so more of them help.
const PART_BYTES: usize = 8 << 20;
/// How many parts are under way at once.
const PARTS_AT_ONCE: usize = 16;

/// A bucket, below a key prefix.
#[derive(Debug, Clone)]
pub struct S3Store {
    pub(crate) client: Client,
    pub(crate) bucket: String,
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

    /// The keys of all objects that begin with `prefix`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn keys(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let request = self.client.list_objects_v2().bucket(&self.bucket);
        let mut pages = request.prefix(self.key(prefix)).into_paginator().send();
        let mut keys = Vec::new();
        while let Some(page) = pages.next().await {
            let page = page.map_err(unavailable)?;
            let objects = page.contents().iter().filter_map(|object| object.key());
            let own = objects.filter_map(|key| key.strip_prefix(&self.prefix));
            keys.extend(own.map(str::to_owned));
        }
        Ok(keys)
    }

    /// Puts an object on `condition`, within a time by its size.
    async fn upload(
        &self,
        key: &str,
        bytes: Bytes,
        condition: impl FnOnce(PutObjectFluentBuilder) -> PutObjectFluentBuilder,
    ) -> Result<(), StoreError> {
        let timeouts = upload_timeouts(bytes.len());
        let request = self.client.put_object().bucket(&self.bucket);
        condition(request.key(self.key(key)).body(ByteStream::from(bytes)))
            .customize()
            .config_override(Config::builder().timeout_config(timeouts))
            .send()
            .await
            .map_err(|error| put_error(key, error))?;
        Ok(())
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// `len` bytes from `first` on of an object that must have `size_bytes` in all.
    async fn open(
        &self,
        key: &str,
        first: u64,
        len: usize,
        size_bytes: u64,
    ) -> Result<ByteStream, StoreError> {
        let last = first + u64::try_from(len).unwrap_or(u64::MAX) - 1;
        let request = self.client.get_object().bucket(&self.bucket);
        let part = request
            .key(self.key(key))
            .range(format!("bytes={first}-{last}"))
            .send()
            .await
            .map_err(|error| get_error(key, error))?;
        if part.content_range() == Some(&format!("bytes {first}-{last}/{size_bytes}")) {
            Ok(part.body)
        } else {
            Err(wrong_size(key))
        }
    }
}

/// Writes a body straight to its place, frame by frame: a cold start has no time for copies.
async fn fill(key: &str, mut body: ByteStream, mut place: &mut [u8]) -> Result<(), StoreError> {
    while let Some(frame) = body.try_next().await.map_err(unavailable)? {
        let (filled, left) = place
            .split_at_mut_checked(frame.len())
            .ok_or_else(|| wrong_size(key))?;
        filled.copy_from_slice(&frame);
        place = left;
    }
    if place.is_empty() {
        Ok(())
    } else {
        Err(wrong_size(key))
    }
}

/// An object goes up in one piece, over whatever line the shop has: ten seconds, and one more for each 64 KiB.
fn upload_timeouts(bytes: usize) -> TimeoutConfig {
    const BYTES_PER_SECOND: u64 = 64 << 10;
    let within = Duration::from_secs(10 + bytes as u64 / BYTES_PER_SECOND);
    TimeoutConfig::builder()
        .operation_attempt_timeout(within)
        .operation_timeout(2 * within)
        .build()
}

fn wrong_size(key: &str) -> StoreError {
    StoreError::WrongSize { key: key.into() }
}

#[async_trait]
impl ArtifactStore for S3Store {
    async fn get(&self, key: &str, size_bytes: u64) -> Result<Buffer, StoreError> {
        let size = usize::try_from(size_bytes).map_err(|_| wrong_size(key))?;
        if size == 0 {
            return buffer(0).map_err(unavailable);
        }
        // Room for all of it is made once the store has confirmed that size: a damaged manifest must not cost the memory.
        let head_len = size.min(PART_BYTES);
        let head = self.open(key, 0, head_len, size_bytes).await?;
        let mut whole = buffer(size).map_err(unavailable)?;
        let (head_place, tail) = whole.split_at_mut(head_len);
        // Collected, since a stream that makes them while it runs is not known to be `Send`.
        let parts: Vec<_> = (0..)
            .step_by(PART_BYTES)
            .skip(1)
            .zip(tail.chunks_mut(PART_BYTES))
            .map(|(first, place)| async move {
                let body = self.open(key, first, place.len(), size_bytes).await?;
                fill(key, body, place).await
            })
            .collect();
        let parts = stream::iter(parts)
            .buffer_unordered(PARTS_AT_ONCE)
            .try_collect::<()>();
        futures_util::future::try_join(fill(key, head, head_place), parts).await?;
        Ok(whole)
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
        self.upload(key, bytes, |request| request).await
    }

    async fn put_if(&self, key: &str, bytes: Bytes, etag: Option<&str>) -> Result<(), StoreError> {
        let condition = |request: PutObjectFluentBuilder| match etag {
            Some(etag) => request.if_match(etag),
            None => request.if_none_match("*"),
        };
        self.upload(key, bytes, condition).await
    }

    async fn delete(&self, key: &str) -> Result<(), StoreError> {
        let request = self.client.delete_object().bucket(&self.bucket);
        request
            .key(self.key(key))
            .send()
            .await
            .map_err(unavailable)?;
        Ok(())
    }
}
