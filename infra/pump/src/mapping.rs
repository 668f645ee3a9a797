//! A mapping's settings, its start and its end.

use std::{path::PathBuf, sync::Arc, time::Duration};

use aws_sdk_dynamodbstreams::Client;
use serde_json::Value;
use tokio::{sync::watch, task::JoinHandle};

use crate::{
    checkpoint::Checkpoint,
    consumer::Consumer,
    delivery::Delivery,
    failures::FailureQueue,
    lineage,
    progress::{Progress, Stop},
    source::Source,
};

/// Whether a record reaches the consumer, told from its JSON in the event. One that does not counts as done.
pub type Filter = Arc<dyn Fn(&Value) -> bool + Send + Sync>;

/// What an event source mapping is set to, in the words of Lambda's own.
#[derive(Clone)]
pub struct Mapping {
    /// Its name: in logs, beside failed records, and in the checkpoint file's name. Two of one folder have different ones.
    pub consumer: String,
    /// The most records of a batch. One whose records come to 6 MB has fewer, as with Lambda.
    pub batch_size: usize,
    /// How long a batch gathers after its first record; nothing is waited for where it is zero.
    pub window: Duration,
    /// How often the same batch comes again after it failed, before its records are given up.
    pub retries: u32,
    /// How old a record may be when it is delivered. An older one is given up, even if it was never tried.
    pub max_age: Duration,
    /// Whether a failed batch is cut in two.
    pub bisect: bool,
    /// How long the consumer may take for a batch.
    pub timeout: Duration,
    /// How long to wait when the stream has nothing new.
    pub poll: Duration,
    /// The first pause after a failure. Each further one is twice as long, up to `pause_max`.
    pub pause: Duration,
    pub pause_max: Duration,
    pub filter: Option<Filter>,
    /// Where the checkpoint lies, in `stream-<consumer>.json`. Without a folder every start reads the stream from its beginning.
    pub folder: Option<PathBuf>,
    pub delivery: Delivery,
}

impl Mapping {
    /// A mapping as a template would set it: batches of up to 100, cut in two when they fail, 10 retries, a day.
    ///
    /// Ten retries with these pauses take about 11 seconds. A day is what the service keeps of a stream.
    #[must_use]
    pub fn of(consumer: &str) -> Self {
        Self {
            consumer: consumer.to_owned(),
            batch_size: 100,
            window: Duration::ZERO,
            retries: 10,
            max_age: Duration::from_hours(24),
            bisect: true,
            timeout: Duration::from_mins(1),
            poll: Duration::from_millis(50),
            pause: Duration::from_millis(50),
            pause_max: Duration::from_secs(2),
            filter: None,
            folder: None,
            delivery: Delivery::Kind,
        }
    }

    /// Starts to read a table's stream and to call the consumer. A table or stream that is not there yet is waited for.
    ///
    /// Must be called on a tokio runtime.
    #[must_use]
    pub fn start(
        self,
        client: Client,
        table: &str,
        consumer: Arc<dyn Consumer>,
        failures: Arc<dyn FailureQueue>,
    ) -> Running {
        let (stop, asked) = Stop::new();
        let context = Arc::new(Context {
            checkpoint: Checkpoint::open(self.folder.as_deref(), &self.consumer),
            mapping: self,
            consumer,
            failures,
            source: Source {
                client,
                table: table.to_owned(),
            },
            progress: Progress::new(),
        });
        Running {
            stop,
            task: tokio::spawn(lineage::run(Arc::clone(&context), asked)),
            context,
        }
    }

    pub(crate) fn pause_after(&self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(30);
        self.pause
            .saturating_mul(1 << doublings)
            .min(self.pause_max)
    }
}

/// What the tasks of a mapping share.
pub(crate) struct Context {
    pub(crate) mapping: Mapping,
    pub(crate) consumer: Arc<dyn Consumer>,
    pub(crate) failures: Arc<dyn FailureQueue>,
    pub(crate) source: Source,
    pub(crate) checkpoint: Checkpoint,
    pub(crate) progress: Progress,
}

/// A mapping at work. It stops by itself when this is dropped, after the batch in hand.
pub struct Running {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    context: Arc<Context>,
}

impl Running {
    /// Returns when everything that was in the stream at the call has been consumed or given up, or the mapping has stopped.
    ///
    /// Exact on the embedded engine. Elsewhere a stream tells of a write a little later, and may answer that there is nothing new
    /// while there is.
    pub async fn drained(&self) {
        self.context.progress.drained().await;
    }

    /// Lets the batch in hand be finished, notes how far it got, and returns when nothing is called any more.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            tracing::error!(consumer = self.context.mapping.consumer, %error, "the mapping did not end as it should");
        }
    }
}
