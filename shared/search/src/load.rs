//! Keeps the current generation in memory: loaded when first asked for, looked after from then on, never replaced by
//! anything that does not check out.

mod fetch;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use mostrador_core::index::{Index, IndexSource};
use tokio::time::timeout;

use crate::{
    embedder::Embedder,
    query::Generation,
    refresh::{Freshness, Refreshed},
    store::ArtifactStore,
};
use fetch::Current;
pub(crate) use fetch::read_manifest;
pub use fetch::{LoadError, published, published_embedder};

/// A manifest older than this is asked for again.
const REFRESH: Duration = Duration::from_secs(60);
/// While there is no generation at all, another try is made only after this.
const RETRY: Duration = Duration::from_secs(5);
/// So long a request waits for a newer generation while there is an older one, and for the first one.
const PATIENCE: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(30)];

/// Where the search functions get the index from.
pub struct Loader {
    store: Arc<dyn ArtifactStore>,
    embedder: Option<Arc<dyn Embedder>>,
    refresh: Duration,
    current: Refreshed<Option<Arc<Current>>>,
}

impl Loader {
    /// Loads from `store`; the embedder comes with the artifact.
    #[must_use]
    pub fn new(store: Arc<dyn ArtifactStore>) -> Self {
        Self {
            store,
            embedder: None,
            refresh: REFRESH,
            current: Refreshed::default(),
        }
    }

    /// Uses this embedder, if there is one, and refuses artifacts built with another.
    #[must_use]
    pub fn with_embedder(mut self, embedder: Option<Arc<dyn Embedder>>) -> Self {
        self.embedder = embedder;
        self
    }

    /// Asks for the manifest at most this often (60 s by default).
    #[must_use]
    pub fn with_refresh(mut self, refresh: Option<Duration>) -> Self {
        self.refresh = refresh.unwrap_or(REFRESH);
        self
    }

    /// The current generation; `None` where none could be loaded yet.
    pub async fn generation(&self) -> Option<Arc<Generation>> {
        let freshness = |current: &Option<Arc<Current>>, _| Freshness {
            interval: match current {
                Some(_) => self.refresh,
                None => self.refresh.min(RETRY),
            },
            // Who has a generation does not wait for somebody else's refresh; who has none does.
            waits: current.is_none(),
        };
        let current = self
            .current
            .current(freshness, |current| self.newer(current))
            .await;
        current.map(|current| current.generation.clone())
    }

    /// What is published by now, or `current` where that is it or is refused.
    async fn newer(&self, current: Option<Arc<Current>>) -> Option<Arc<Current>> {
        let patience = PATIENCE[usize::from(current.is_none())];
        let newer = fetch::newer(&*self.store, self.embedder.as_ref(), current.as_deref());
        let loaded = timeout(patience, newer)
            .await
            .unwrap_or(Err(LoadError::TooSlow { patience }));
        match loaded {
            Ok(None) => current,
            Ok(Some(loaded)) => {
                let info = loaded.generation.info();
                tracing::info!(build_id = info.build_id, items = info.items, "index loaded");
                Some(Arc::new(loaded))
            }
            Err(error) => {
                let kept = current.as_ref();
                let kept = kept.map(|current| current.generation.info().build_id.clone());
                tracing::warn!(
                    error = %mostrador_core::chain::Chain(&error),
                    kept,
                    "index refused"
                );
                current
            }
        }
    }
}

#[async_trait]
impl IndexSource for Loader {
    async fn current(&self) -> Option<Arc<dyn Index>> {
        let generation = self.generation().await?;
        Some(generation)
    }
}
