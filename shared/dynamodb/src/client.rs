//! A client whose calls always end.

use std::time::Duration;

use aws_config::{BehaviorVersion, Region, retry::RetryConfig, timeout::TimeoutConfig};
use aws_sdk_dynamodb::{
    Client,
    config::{Credentials, SharedHttpClient},
};

/// Where the tables are.
#[derive(Debug, Clone)]
pub enum Connection {
    /// In the account, region and endpoint that the environment names.
    Environment,
    /// At a local endpoint that asks for no real credentials.
    Local(String),
    /// In this process.
    InProcess(SharedHttpClient),
}

/// A client for `connection`.
pub async fn connect(connection: &Connection) -> Client {
    let mut loader = aws_config::defaults(BehaviorVersion::latest());
    if !matches!(connection, Connection::Environment) {
        let credentials = Credentials::new("local", "local", None, None, "local");
        loader = loader
            .region(Region::new("us-east-1"))
            .credentials_provider(credentials);
    }
    loader = match connection {
        Connection::Environment => loader,
        Connection::Local(url) => loader.endpoint_url(url),
        Connection::InProcess(http_client) => loader
            .endpoint_url("http://in-process.invalid")
            .http_client(http_client.clone()),
    };
    // A single-digit-millisecond service that has not answered within a second will not; three tries fit a turn.
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_millis(1_000))
        .operation_attempt_timeout(Duration::from_millis(1_500))
        .operation_timeout(Duration::from_millis(5_000))
        .build();
    let retries = RetryConfig::standard()
        .with_max_attempts(3)
        .with_initial_backoff(Duration::from_millis(50));
    Client::new(
        &loader
            .timeout_config(timeouts)
            .retry_config(retries)
            .load()
            .await,
    )
}
