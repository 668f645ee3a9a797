//! A client for the bucket whose calls always end.

use std::{sync::Arc, time::Duration};

use aws_config::{SdkConfig, retry::RetryConfig, timeout::TimeoutConfig};
use aws_sdk_s3::{
    Client,
    config::{Builder, RequestChecksumCalculation, ResponseChecksumValidation},
};

use super::{S3Store, StoreError, s3::unavailable};
use crate::{embedder::Embedder, load::Loader};

impl S3Store {
    /// The bucket in the account, region and endpoint that `shared` names.
    #[must_use]
    pub fn connect(shared: &SdkConfig, bucket: &str) -> Self {
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(Duration::from_secs(2))
            .operation_attempt_timeout(Duration::from_secs(10))
            .operation_timeout(Duration::from_secs(25))
            .build();
        // Local servers know buckets by path, and some of AWS's own endpoints are set up so.
        let by_path =
            shared.endpoint_url().is_some() || std::env::var_os("AWS_ENDPOINT_URL_S3").is_some();
        let settings = Builder::from(shared)
            .timeout_config(timeouts)
            .retry_config(RetryConfig::standard().with_max_attempts(3))
            .force_path_style(by_path)
            // We verify all content ourselves.
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired)
            .build();
        Self::new(Client::from_conf(settings), bucket, "")
    }

    /// Makes the bucket if there is none; the template makes it in the cloud.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn create_bucket(&self) -> Result<(), StoreError> {
        match self
            .client
            .create_bucket()
            .bucket(&self.bucket)
            .send()
            .await
        {
            Ok(_) => Ok(()),
            Err(error)
                if error.as_service_error().is_some_and(|error| {
                    error.is_bucket_already_owned_by_you() || error.is_bucket_already_exists()
                }) =>
            {
                Ok(())
            }
            Err(error) => Err(unavailable(error)),
        }
    }
}

impl Loader {
    /// A loader of the bucket's index, which is loaded at once where it can be.
    pub async fn from_bucket(
        bucket: S3Store,
        refresh: Option<Duration>,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Arc<Self> {
        let loader = Self::new(Arc::new(bucket))
            .with_refresh(refresh)
            .with_embedder(embedder);
        let loader = Arc::new(loader);
        // What stands in the way has been logged, and is tried again by the requests that need it.
        let _ = loader.generation().await;
        loader
    }
}
