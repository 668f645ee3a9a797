//! What a mapping is set to, and what its tasks share.

use std::{path::PathBuf, sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    checkpoint::Checkpoint, consumer::Consumer, failures::FailureQueue, progress::Progress,
    source::Source,
};

/// Whether a record reaches the consumer, by its JSON in the event. One that does not counts as done.
pub type Filter = Arc<dyn Fn(&Value) -> bool + Send + Sync>;

/// How a mapping delivers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Delivery {
    /// Each record comes again only if its batch failed.
    #[default]
    InOrder,
    /// For harnesses: whatever an event source mapping may do, by a seeded generator, with the same on the same stream.
    ///
    /// Batches have any size up to the mapping's. A `share` of them, from 0 to 1, meets one of these: it comes again; what came before
    /// comes again after it, from some record on and cut elsewhere; an old batch comes again after it, or at the same time; some
    /// records that are done come again in front of it, in the same batch; the records of some items come before the others', as
    /// from another shard, and then all. Within a delivery each item keeps its order. How these extra calls end is not looked at.
    Faulty { seed: u64, share: f64 },
}

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
            delivery: Delivery::InOrder,
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
