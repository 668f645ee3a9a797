//! A mapping's start and its end.

use std::sync::Arc;

use aws_sdk_dynamodbstreams::Client;
use tokio::{sync::watch, task::JoinHandle};

use crate::{
    checkpoint::Checkpoint,
    consumer::Consumer,
    failures::FailureQueue,
    lineage,
    mapping::{Context, Mapping},
    progress::{Progress, Stop},
    source::Source,
};

impl Mapping {
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
        let (stop, requested) = Stop::new();
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
            task: tokio::spawn(lineage::run(Arc::clone(&context), requested)),
            context,
        }
    }
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
    /// Exact on the embedded engine. Elsewhere a stream has a write a little later, and may answer that there is nothing new
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
