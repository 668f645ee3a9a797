//! The index, and customers' documents, which are embedded alike.

use std::sync::Arc;

use mostrador_core::{
    erasure::Erasure,
    history::Exporter,
    retrieval::Retrieval,
    shop::{Profile, ProfileSource},
};
use mostrador_search::{
    embedder::{Embedder, configured},
    files::{FileStore, S3Shelves},
    load::Loader,
    shop::ProfileLoader,
    store::S3Store,
};
use mostrador_web::SystemClock;
use tokio::sync::OnceCell;

use crate::{Wiring, WiringError};

/// What keeps something in memory, so that one process has one of it.
#[derive(Default)]
pub(crate) struct Shared {
    index: OnceCell<Arc<Loader>>,
    files: OnceCell<Arc<FileStore>>,
    shop: OnceCell<Arc<ProfileLoader>>,
}

impl Wiring {
    /// The bucket that the index lies in.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    pub fn index_bucket(&self) -> Result<S3Store, WiringError> {
        self.bucket("INDEX_BUCKET", "the search index lies in it")
    }

    /// The index, loaded at once where it can be.
    ///
    /// # Errors
    /// [`WiringError::Setting`] and [`WiringError::Embedder`].
    pub async fn index(&self) -> Result<Arc<Loader>, WiringError> {
        let load = async || {
            let bucket = self.index_bucket()?;
            let refresh = self.environment().seconds("INDEX_REFRESH_SECONDS")?;
            let embedder = self.embedder().await?;
            Ok(Loader::from_bucket(bucket, refresh, embedder).await)
        };
        self.shared.index.get_or_try_init(load).await.cloned()
    }

    /// The service that embeds, if one is set.
    ///
    /// # Errors
    /// [`WiringError::Embedder`].
    pub async fn embedder(&self) -> Result<Option<Arc<dyn Embedder>>, WiringError> {
        Ok(configured(&*self.read).await?)
    }

    /// The shop's profile, asked for at once where none is kept.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    pub async fn shop(&self) -> Result<Arc<ProfileLoader>, WiringError> {
        let load = async || {
            let refresh = self.environment().seconds("INDEX_REFRESH_SECONDS")?;
            let loader = ProfileLoader::new(Arc::new(self.index_bucket()?), refresh);
            loader.current().await;
            Ok(Arc::new(loader))
        };
        self.shared.shop.get_or_try_init(load).await.cloned()
    }

    /// What finds books, by the index and the catalogue.
    ///
    /// # Errors
    /// Those of [`Wiring::index`].
    pub async fn retrieval(&self) -> Result<Retrieval, WiringError> {
        Ok(Retrieval {
            index: self.index().await?,
            catalogue: Arc::new(self.catalogue()),
        })
    }

    /// Where customers' documents lie.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    pub fn shelves(&self) -> Result<S3Shelves, WiringError> {
        let bucket = self.bucket("FILES_BUCKET", "customers' documents lie in it")?;
        Ok(S3Shelves::new(bucket, Arc::new(SystemClock)))
    }

    /// Customers' documents, to be read and looked into.
    ///
    /// # Errors
    /// Those of [`Wiring::index`].
    pub async fn files(&self) -> Result<Arc<FileStore>, WiringError> {
        let open = async || {
            let index = self.index().await?;
            Ok(Arc::new(FileStore::new(self.shelves()?, index)))
        };
        self.shared.files.get_or_try_init(open).await.cloned()
    }

    /// Everything that is kept of a customer.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    pub fn exporter(&self) -> Result<Exporter, WiringError> {
        Ok(Exporter {
            log: self.log(),
            view: self.view(),
            purchases: self.purchases(),
            shelves: Arc::new(self.shelves()?),
        })
    }

    /// What forgets a customer.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    pub fn erasure(&self) -> Result<Erasure, WiringError> {
        Ok(Erasure {
            log: self.log(),
            // It says nothing to anybody.
            counter: self.counter(Arc::new(Arc::<Profile>::default()))?,
            shelves: Arc::new(self.shelves()?),
            eraser: self.eraser(),
        })
    }

    fn bucket(&self, name: &'static str, why: &'static str) -> Result<S3Store, WiringError> {
        let bucket = self.environment().required(name, why)?;
        Ok(S3Store::connect(&self.s3, &bucket))
    }
}
