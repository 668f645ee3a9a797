//! A client for the bucket whose calls always end.

use std::{sync::Arc, time::Duration};

use aws_config::{BehaviorVersion, Region, retry::RetryConfig, timeout::TimeoutConfig};
use aws_sdk_s3::{
    Client,
    config::{Builder, Credentials, RequestChecksumCalculation, ResponseChecksumValidation},
};

use super::{S3Store, StoreError, s3::unavailable};
use crate::load::Loader;

/// Where the bucket is.
#[derive(Debug, Clone)]
pub enum S3Connection {
    /// In the account, region and endpoint that the environment names.
    Environment,
    /// At a local endpoint that asks for no real credentials.
    Local(String),
}

impl S3Store {
    /// The bucket at `connection`.
    pub async fn connect(connection: &S3Connection, bucket: &str) -> Self {
        let mut loader = aws_config::defaults(BehaviorVersion::latest());
        if let S3Connection::Local(url) = connection {
            let credentials = Credentials::new("local", "local", None, None, "local");
            loader = loader
                .region(Region::new("us-east-1"))
                .credentials_provider(credentials)
                .endpoint_url(url);
        }
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(Duration::from_secs(2))
            .operation_attempt_timeout(Duration::from_secs(10))
            .operation_timeout(Duration::from_secs(25))
            .build();
        let shared = loader
            .timeout_config(timeouts)
            .retry_config(RetryConfig::standard().with_max_attempts(3))
            .load()
            .await;
        // We verify all content ourselves. Local servers know buckets by path, and some of AWS's own endpoints are set up so.
        let local = std::env::var_os("AWS_ENDPOINT_URL_S3").is_some()
            || matches!(connection, S3Connection::Local(_));
        let settings = Builder::from(&shared)
            .force_path_style(local)
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
    pub async fn from_bucket(bucket: &str) -> Arc<Self> {
        let store = S3Store::connect(&S3Connection::Environment, bucket).await;
        let loader = Arc::new(Self::new(Arc::new(store)));
        // What stands in the way has been logged, and is tried again by the requests that need it.
        let _ = loader.generation().await;
        loader
    }
}
