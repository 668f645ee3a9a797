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
enum LoadError {
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

/// Whether a profile is published, in whatever state.
///
/// # Errors
/// [`StoreError`] where that cannot be found out.
pub async fn is_published(store: &dyn ArtifactStore) -> Result<bool, StoreError> {
    match store.get_if_changed(KEY, None).await {
        Ok(_) => Ok(true),
        Err(StoreError::Missing { .. }) => Ok(false),
        Err(error) => Err(error),
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
    use crate::store::MemoryStore;

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
        assert!(!is_published(&*store).await.unwrap());
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
        }
        publish(&*store, &Profile::named("Eva")).await.unwrap();
        assert_eq!(name().await, "Eva");
        store.delete(KEY).await.unwrap();
        assert_eq!(name().await, default);
    }

    #[tokio::test]
    async fn a_damaged_one_leaves_the_default() {
        let store = Arc::new(MemoryStore::default());
        store.put(KEY, "{".into()).await.unwrap();
        let loader = ProfileLoader::new(store, None);
        assert_eq!(*loader.current().await, Profile::default());
    }
}
