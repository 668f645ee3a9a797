//! A client whose calls always end.

use std::time::Duration;

use aws_config::{
    SdkConfig, retry::RetryConfig, stalled_stream_protection::StalledStreamProtectionConfig,
    timeout::TimeoutConfig,
};
use aws_sdk_dynamodb::{Client, config::Builder};

use crate::cost::Meter;

/// A client for the account, region and endpoint that `shared` names.
#[must_use]
pub fn connect(shared: &SdkConfig) -> Client {
    // A single-digit-millisecond service that has not answered within a second will not; three tries fit a turn.
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_millis(1_000))
        .operation_attempt_timeout(Duration::from_millis(1_500))
        .operation_timeout(Duration::from_millis(5_000))
        .build();
    let retries = RetryConfig::standard()
        .with_max_attempts(3)
        .with_initial_backoff(Duration::from_millis(50));
    let settings = Builder::from(shared)
        .timeout_config(timeouts)
        .retry_config(retries)
        .interceptor(Meter)
        // Answers are small and come whole; the times above end a call that stalls.
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled());
    Client::from_conf(settings.build())
}
