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

use crate::{Wiring, WiringError};

impl Wiring {
    /// The bucket that the index lies in.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    #[inline]
    pub fn index_bucket(&self) -> Result<S3Store, WiringError> {
        self.bucket("INDEX_BUCKET", "the search index lies in it")
    }

    /// The index, loaded at once where it can be. It stays in memory, so a process makes one.
    ///
    /// # Errors
    /// [`WiringError::Setting`] and [`WiringError::Other`].
    #[inline]
    pub async fn index(&self) -> Result<Arc<Loader>, WiringError> {
        let bucket = self.index_bucket()?;
        let refresh = self.environment().seconds("INDEX_REFRESH_SECONDS")?;
        let embedder = self.embedder().await?;
        Ok(Loader::from_bucket(bucket, refresh, embedder).await)
    }

    /// The service that embeds, if one is set.
    ///
    /// # Errors
    /// [`WiringError::Other`].
    #[inline]
    pub async fn embedder(&self) -> Result<Option<Arc<dyn Embedder>>, WiringError> {
        configured(&*self.read).await.map_err(WiringError::other)
    }

    /// The shop's profile, asked for at once. It stays in memory, so a process makes one.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    #[inline]
    pub async fn shop(&self) -> Result<Arc<ProfileLoader>, WiringError> {
        let refresh = self.environment().seconds("INDEX_REFRESH_SECONDS")?;
        let loader = ProfileLoader::new(Arc::new(self.index_bucket()?), refresh);
        loader.current().await;
        Ok(Arc::new(loader))
    }

    /// What finds items, by the index and the catalogue.
    #[must_use]
    #[inline]
    pub fn retrieval(&self, index: Arc<Loader>, shop: Arc<dyn ProfileSource>) -> Retrieval {
        Retrieval {
            index,
            catalogue: Arc::new(self.catalogue()),
            shop,
        }
    }

    /// Where customers' documents lie.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    #[inline]
    pub fn shelves(&self) -> Result<S3Shelves, WiringError> {
        let bucket = self.bucket("FILES_BUCKET", "customers' documents lie in it")?;
        Ok(S3Shelves::new(bucket, Arc::new(SystemClock)))
    }

    /// Customers' documents, to be read and looked into. They stay in memory, so a process makes one.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    #[inline]
    pub fn files(&self, index: Arc<Loader>) -> Result<Arc<FileStore>, WiringError> {
        Ok(Arc::new(FileStore::new(self.shelves()?, index)))
    }

    /// Everything that is kept of a customer.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    #[inline]
    pub fn exporter(&self) -> Result<Exporter, WiringError> {
        Ok(Exporter {
            log: self.log(),
            view: self.view(),
            purchases: self.purchases(),
            bookings: self.bookings(),
            shelves: Arc::new(self.shelves()?),
        })
    }

    /// What forgets a customer.
    ///
    /// # Errors
    /// [`WiringError::Setting`].
    #[inline]
    pub fn erasure(&self) -> Result<Erasure, WiringError> {
        Ok(Erasure {
            log: self.log(),
            // It answers nobody.
            counter: self.counter(Arc::new(Arc::<Profile>::default()))?,
            shelves: Arc::new(self.shelves()?),
            eraser: self.eraser(),
        })
    }

    #[inline]
    fn bucket(&self, name: &'static str, why: &'static str) -> Result<S3Store, WiringError> {
        let bucket = self.environment().required(name, why)?;
        Ok(S3Store::connect(&self.s3, &bucket))
    }
}
