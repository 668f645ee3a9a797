//! The stream itself: its shards, and what is read from them.

use std::{collections::BTreeSet, time::Duration};

use aws_config::{
    SdkConfig, retry::RetryConfig, stalled_stream_protection::StalledStreamProtectionConfig,
    timeout::TimeoutConfig,
};
use aws_sdk_dynamodbstreams::{
    Client,
    config::Builder,
    error::SdkError,
    operation::{
        describe_stream::DescribeStreamError, get_records::GetRecordsError,
        get_shard_iterator::GetShardIteratorError,
    },
    types::ShardIteratorType,
};

use crate::{consumer::BoxError, record::StreamRecord};

/// The most that one read gives, by the service's rules.
const PAGE: i32 = 1_000;

/// A client for the account, region and endpoint that `shared` names.
#[must_use]
pub fn connect(shared: &SdkConfig) -> Client {
    // A page may be a thousand records. Whoever reads asks again anyway, so two tries are enough.
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_millis(1_000))
        .operation_attempt_timeout(Duration::from_millis(5_000))
        .build();
    let settings = Builder::from(shared)
        .timeout_config(timeouts)
        .retry_config(RetryConfig::standard().with_max_attempts(2))
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled());
    Client::from_conf(settings.build())
}

/// Why nothing was read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// There is no such stream or shard any more.
    #[error("the stream is not there")]
    Gone,
    /// What was asked for is older than what the stream keeps, or was never in it.
    #[error("the stream does not have what comes after the checkpoint")]
    Trimmed,
    /// An iterator lapses after a quarter of an hour.
    #[error("the iterator has expired")]
    Expired,
    #[error("the stream does not answer")]
    Away(#[source] BoxError),
}

impl ReadError {
    fn away(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Away(Box::new(error))
    }
}

impl From<SdkError<DescribeStreamError>> for ReadError {
    fn from(error: SdkError<DescribeStreamError>) -> Self {
        match error.as_service_error() {
            Some(DescribeStreamError::ResourceNotFoundException(_)) => Self::Gone,
            _ => Self::away(error),
        }
    }
}

impl From<SdkError<GetShardIteratorError>> for ReadError {
    fn from(error: SdkError<GetShardIteratorError>) -> Self {
        match error.as_service_error() {
            Some(GetShardIteratorError::ResourceNotFoundException(_)) => Self::Gone,
            Some(GetShardIteratorError::TrimmedDataAccessException(_)) => Self::Trimmed,
            // A number that the shard cannot have had, as in a checkpoint of another engine's.
            Some(error) if error.meta().code() == Some("ValidationException") => Self::Trimmed,
            _ => Self::away(error),
        }
    }
}

impl From<SdkError<GetRecordsError>> for ReadError {
    fn from(error: SdkError<GetRecordsError>) -> Self {
        match error.as_service_error() {
            Some(GetRecordsError::ResourceNotFoundException(_)) => Self::Gone,
            Some(GetRecordsError::TrimmedDataAccessException(_)) => Self::Trimmed,
            Some(GetRecordsError::ExpiredIteratorException(_)) => Self::Expired,
            _ => Self::away(error),
        }
    }
}

/// A stream and its shards, parents first or not.
pub(crate) struct Stream {
    pub(crate) arn: String,
    pub(crate) shards: Vec<Shard>,
}

pub(crate) struct Shard {
    pub(crate) id: String,
    /// The shard that has to be done before this one; none where it is gone from the stream.
    pub(crate) parent: Option<String>,
}

/// What one read gave.
pub(crate) struct Page {
    pub(crate) records: Vec<StreamRecord>,
    /// Where to read on; none at the end of a closed shard.
    pub(crate) next: Option<String>,
}

/// A table's stream.
pub(crate) struct Source {
    pub(crate) client: Client,
    pub(crate) table: String,
}

impl Source {
    /// The table's newest stream: one that was switched off stays readable for a day beside the next one.
    pub(crate) async fn stream(&self) -> Result<Stream, ReadError> {
        let mut newest: Option<(String, String)> = None;
        let mut after = None;
        loop {
            let page = self
                .client
                .list_streams()
                .table_name(&self.table)
                .set_exclusive_start_stream_arn(after.take())
                .send()
                .await
                .map_err(ReadError::away)?;
            for stream in page.streams.unwrap_or_default() {
                let found = stream.stream_label.zip(stream.stream_arn);
                newest = newest.max(found);
            }
            after = page.last_evaluated_stream_arn;
            if after.is_none() {
                break;
            }
        }
        let (_, arn) = newest.ok_or(ReadError::Gone)?;
        let shards = self.shards(&arn).await?;
        Ok(Stream { arn, shards })
    }

    async fn shards(&self, stream: &str) -> Result<Vec<Shard>, ReadError> {
        let mut found = Vec::new();
        let mut after = None;
        loop {
            let page = self
                .client
                .describe_stream()
                .stream_arn(stream)
                .set_exclusive_start_shard_id(after.take())
                .send()
                .await?;
            let Some(description) = page.stream_description else {
                break;
            };
            found.extend(description.shards.unwrap_or_default());
            after = description.last_evaluated_shard_id;
            if after.is_none() {
                break;
            }
        }
        let ids: BTreeSet<String> = found.iter().filter_map(|s| s.shard_id.clone()).collect();
        Ok(found
            .into_iter()
            .filter_map(|shard| {
                let parent = shard.parent_shard_id.filter(|parent| ids.contains(parent));
                shard.shard_id.map(|id| Shard { id, parent })
            })
            .collect())
    }

    /// An iterator right after a sequence number, or at the oldest record there is.
    pub(crate) async fn iterator(
        &self,
        stream: &str,
        shard: &str,
        after: Option<&str>,
    ) -> Result<String, ReadError> {
        let kind = match after {
            Some(_) => ShardIteratorType::AfterSequenceNumber,
            None => ShardIteratorType::TrimHorizon,
        };
        let answer = self
            .client
            .get_shard_iterator()
            .stream_arn(stream)
            .shard_id(shard)
            .shard_iterator_type(kind)
            .set_sequence_number(after.map(ToOwned::to_owned))
            .send()
            .await?;
        answer.shard_iterator.ok_or(ReadError::Gone)
    }

    pub(crate) async fn read(&self, stream: &str, iterator: &str) -> Result<Page, ReadError> {
        let answer = self
            .client
            .get_records()
            .shard_iterator(iterator)
            .limit(PAGE)
            .send()
            .await?;
        Ok(Page {
            records: answer
                .records
                .unwrap_or_default()
                .into_iter()
                .filter_map(|record| StreamRecord::of(record, stream))
                .collect(),
            next: answer.next_shard_iterator,
        })
    }
}
