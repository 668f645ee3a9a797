//! The shop's profile, which lies beside the index.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;
use mostrador_core::{
    chain::Chain,
    shop::{Profile, ProfileSource},
};
use tokio::time::{Instant, timeout};

use crate::{
    refresh::{Freshness, Refreshed},
    store::{ArtifactStore, StoreError},
};

/// Where functions that read the index may read.
const KEY: &str = "index/shop.json";
/// A profile older than this is asked for again.
const REFRESH: Duration = Duration::from_secs(60);
/// So long a request waits for a newer one.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why a profile was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("it is no JSON object")]
    Form(#[source] serde_json::Error),
    #[error("{0}")]
    Faults(String),
    #[error("the store did not deliver within {PATIENCE:?}")]
    TooSlow,
}

/// Keeps the published profile in memory: the default where none is published, and the last good one where it is damaged.
pub struct ProfileLoader {
    store: Arc<dyn ArtifactStore>,
    refresh: Duration,
    kept: Refreshed<Kept>,
}

#[derive(Clone, Default)]
struct Kept {
    shop: Arc<Profile>,
    etag: Option<String>,
    /// Why what the store has was not taken the last time.
    refused: Option<String>,
}

impl ProfileLoader {
    /// Asks `store` at most this often (60 s by default).
    #[must_use]
    pub fn new(store: Arc<dyn ArtifactStore>, refresh: Option<Duration>) -> Self {
        Self {
            store,
            refresh: refresh.unwrap_or(REFRESH),
            kept: Refreshed::default(),
        }
    }

    /// The published profile by now, or `kept` where that is it or is refused.
    async fn newer(&self, kept: Kept) -> Kept {
        let newer = newer(&*self.store, kept.etag.as_deref());
        match timeout(PATIENCE, newer)
            .await
            .unwrap_or(Err(LoadError::TooSlow))
        {
            Ok(Newer::Same) => Kept {
                refused: None,
                ..kept
            },
            Ok(Newer::Nothing) => Kept::default(),
            Ok(Newer::Published(shop, etag)) => Kept {
                shop,
                etag: Some(etag),
                refused: None,
            },
            // Without the right to list the bucket, S3 answers so for what is not there.
            Err(LoadError::Store(StoreError::Denied { .. })) if kept.etag.is_none() => Kept {
                refused: None,
                ..kept
            },
            Err(error) => {
                let refused = Some(Chain(&error).to_string());
                // Once: it may stay as it is for days.
                if kept.refused != refused {
                    let name = &kept.shop.name;
                    tracing::warn!(error = refused, kept = name, "the shop's profile refused");
                }
                Kept { refused, ..kept }
            }
        }
    }
}

#[async_trait]
impl ProfileSource for ProfileLoader {
    async fn current(&self) -> Arc<Profile> {
        let freshness = |_: &Kept, checked_at: Option<Instant>| Freshness {
            interval: self.refresh,
            // The callers of a cold start wait for the first answer; later ones have what there is.
            waits: checked_at.is_none(),
        };
        self.kept
            .current(freshness, |kept| self.newer(kept))
            .await
            .shop
    }
}

enum Newer {
    Same,
    Nothing,
    Published(Arc<Profile>, String),
}

async fn newer(store: &dyn ArtifactStore, etag: Option<&str>) -> Result<Newer, LoadError> {
    let changed = match store.get_if_changed(KEY, etag).await {
        Ok(Some(changed)) => changed,
        Ok(None) => return Ok(Newer::Same),
        Err(StoreError::Missing { .. }) => return Ok(Newer::Nothing),
        Err(error) => return Err(error.into()),
    };
    let members = serde_json::from_slice(&changed.bytes).map_err(LoadError::Form)?;
    let shop = Profile::read(members).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        LoadError::Faults(faults.join("; "))
    })?;
    Ok(Newer::Published(Arc::new(shop), changed.etag))
}

/// The profile that is published; nothing where there is none.
///
/// # Errors
/// [`LoadError`] where that cannot be found out, or what is published cannot be used.
pub async fn published(store: &dyn ArtifactStore) -> Result<Option<Arc<Profile>>, LoadError> {
    match newer(store, None).await? {
        Newer::Published(shop, _) => Ok(Some(shop)),
        Newer::Nothing | Newer::Same => Ok(None),
    }
}

/// Publishes a profile over whatever was there; running functions take it up when they ask next.
///
/// # Errors
/// [`StoreError`].
pub async fn publish(store: &dyn ArtifactStore, shop: &Profile) -> Result<(), StoreError> {
    let bytes = serde_json::to_vec(shop).map_err(|error| StoreError::Unavailable(error.into()))?;
    store.put(KEY, Bytes::from(bytes)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Buffer, MemoryStore, Tagged};

    #[tokio::test(start_paused = true)]
    async fn the_last_good_profile_stays() {
        let store = Arc::new(MemoryStore::default());
        let loader = ProfileLoader::new(store.clone(), None);
        let name = async || {
            tokio::time::advance(REFRESH).await;
            loader.current().await.name.clone()
        };
        let default = Profile::default().name;
        assert_eq!(name().await, default);
        assert_eq!(published(&*store).await.unwrap(), None);
        publish(&*store, &Profile::named("Ana")).await.unwrap();
        assert_eq!(
            loader.current().await.name,
            default,
            "it is not asked for at once"
        );
        assert_eq!(name().await, "Ana");
        for damaged in ["{", "[]", "{}", "{\"name\": \"Eva\", \"currency\": \"€\"}"] {
            store.put(KEY, damaged.into()).await.unwrap();
            assert_eq!(name().await, "Ana", "{damaged}");
            published(&*store).await.expect_err(damaged);
        }
        publish(&*store, &Profile::named("Eva")).await.unwrap();
        assert_eq!(name().await, "Eva");
        store.delete(KEY).await.unwrap();
        assert_eq!(name().await, default);
    }

    /// A store that answers as S3 answers who may not list the bucket.
    struct Closed(MemoryStore);

    #[async_trait]
    impl ArtifactStore for Closed {
        async fn get(&self, key: &str, size_bytes: u64) -> Result<Buffer, StoreError> {
            self.0.get(key, size_bytes).await
        }

        async fn get_if_changed(
            &self,
            key: &str,
            etag: Option<&str>,
        ) -> Result<Option<Tagged>, StoreError> {
            match self.0.get_if_changed(key, etag).await {
                Err(StoreError::Missing { key }) => Err(StoreError::Denied { key }),
                answer => answer,
            }
        }

        async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError> {
            self.0.put(key, bytes).await
        }

        async fn put_if(
            &self,
            key: &str,
            bytes: Bytes,
            etag: Option<&str>,
        ) -> Result<(), StoreError> {
            self.0.put_if(key, bytes, etag).await
        }

        async fn delete(&self, key: &str) -> Result<(), StoreError> {
            self.0.delete(key).await
        }
    }

    #[tokio::test(start_paused = true)]
    async fn where_the_bucket_may_not_be_listed_nothing_is_published_yet() {
        let store = Arc::new(Closed(MemoryStore::default()));
        let loader = ProfileLoader::new(store.clone(), None);
        assert_eq!(*loader.current().await, Profile::default());
        assert_eq!(loader.newer(Kept::default()).await.refused, None);
        publish(&*store, &Profile::named("Ana")).await.unwrap();
        tokio::time::advance(REFRESH).await;
        assert_eq!(loader.current().await.name, "Ana");
        // What was there may still be there.
        store.delete(KEY).await.unwrap();
        tokio::time::advance(REFRESH).await;
        assert_eq!(loader.current().await.name, "Ana");
        let kept = Kept {
            etag: Some("1".to_owned()),
            ..Kept::default()
        };
        assert!(loader.newer(kept).await.refused.is_some());
    }

    #[tokio::test]
    async fn a_damaged_one_leaves_the_default() {
        let store = Arc::new(MemoryStore::default());
        store.put(KEY, "{".into()).await.unwrap();
        let loader = ProfileLoader::new(store, None);
        assert_eq!(*loader.current().await, Profile::default());
    }
}
