//! One shard from its checkpoint on: reading, gathering, and batch after batch.

use std::{collections::VecDeque, ops::ControlFlow, sync::Arc, time::Duration};

use tokio::time::Instant;

use crate::{
    batch::Batches,
    checkpoint::Place,
    faulty_delivery::FaultyDelivery,
    mapping::Context,
    progress::Stop,
    record::StreamRecord,
    source::{Page, ReadError},
};

/// What an invocation takes at most, by Lambda's rules.
const BATCH_BYTES: usize = 6 * 1024 * 1024;

/// Why a shard is not followed any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It is done, and its children may begin.
    Closed,
    /// It is not there.
    Gone,
    Stopped,
}

/// Follows a shard to its end.
pub(crate) async fn follow(
    context: Arc<Context>,
    stream: String,
    shard: String,
    stop: Stop,
) -> End {
    let read_through = match context.checkpoint.of(&shard).await {
        Some(Place::Through(number)) => Some(number),
        _ => None,
    };
    let faulty_delivery = FaultyDelivery::of(&context.mapping.delivery, &shard);
    let follower = Follower {
        context,
        stream,
        shard,
        stop,
        read_through,
        iterator: None,
        end: None,
        buffer: VecDeque::new(),
        failures: 0,
        faulty_delivery,
    };
    follower.run().await
}

struct Follower {
    context: Arc<Context>,
    stream: String,
    shard: String,
    stop: Stop,
    /// The last number that was read; none before the oldest record.
    read_through: Option<String>,
    iterator: Option<String>,
    /// Why there is nothing more to read.
    end: Option<End>,
    /// What was read and has not been delivered.
    buffer: VecDeque<StreamRecord>,
    /// Reads that failed in a row.
    failures: u32,
    faulty_delivery: Option<FaultyDelivery>,
}

impl Follower {
    async fn run(mut self) -> End {
        loop {
            if let ControlFlow::Break(end) = self.gather().await {
                if end == End::Closed {
                    let done = self.context.checkpoint.advance(&self.shard, Place::Closed);
                    done.await;
                }
                return end;
            }
            let records = self.next_batch();
            let mut batches = Batches {
                context: &self.context,
                stream: &self.stream,
                shard: &self.shard,
                stop: &mut self.stop,
            };
            let delivered = match &mut self.faulty_delivery {
                Some(faulty_delivery) => faulty_delivery.deliver(&mut batches, records).await,
                None => batches.deliver(records).await,
            };
            if delivered.is_break() {
                return End::Stopped;
            }
        }
    }

    /// Reads until there is a batch to deliver.
    async fn gather(&mut self) -> ControlFlow<End> {
        let context = Arc::clone(&self.context);
        let mapping = &context.mapping;
        let mut first_at = None;
        loop {
            if self.stop.requested() {
                return ControlFlow::Break(End::Stopped);
            }
            match self.end {
                Some(end) if self.buffer.is_empty() => return ControlFlow::Break(end),
                Some(_) => return ControlFlow::Continue(()),
                None if self.buffer.len() >= mapping.batch_size => {
                    return ControlFlow::Continue(());
                }
                None => {}
            }
            let question = context.progress.question();
            let read = self.read().await;
            if self.buffer.is_empty() {
                match read {
                    Some(0) if self.end.is_none() => {
                        context.progress.answer(&self.shard, question);
                        self.wait(mapping.poll, question).await;
                    }
                    Some(_) => {}
                    None => self.stop.pause(mapping.poll).await,
                }
                continue;
            }
            let gathered = first_at.get_or_insert_with(Instant::now).elapsed();
            let left = mapping.window.saturating_sub(gathered);
            if left.is_zero() {
                return ControlFlow::Continue(());
            }
            if self.buffer.len() < mapping.batch_size {
                self.stop.pause(left.min(mapping.poll)).await;
            }
        }
    }

    /// Lets time go by until there may be something new, or somebody asks whether there is.
    async fn wait(&mut self, pause: Duration, question: u64) {
        tokio::select! {
            () = self.stop.pause(pause) => {}
            () = self.context.progress.requested_after(question) => {}
        }
    }

    /// Reads one page; returns how many records it had, or none where it could not be read.
    async fn read(&mut self) -> Option<usize> {
        let error = match self.page().await {
            Ok(page) => {
                if self.failures > 0 {
                    self.failures = 0;
                    tracing::info!(stream = self.stream, "the stream answers again");
                }
                let records = page.records.len();
                self.put_by(page).await;
                return Some(records);
            }
            Err(error) => error,
        };
        self.iterator = None;
        match error {
            ReadError::Gone => self.end = Some(End::Gone),
            ReadError::Expired => {}
            ReadError::Trimmed if self.read_through.is_some() => {
                tracing::warn!(
                    stream = self.stream,
                    shard = self.shard,
                    after = self.read_through,
                    "the stream does not know the checkpoint; it is read from its oldest record on"
                );
                self.read_through = None;
            }
            ReadError::Trimmed | ReadError::Away(_) => {
                self.failures = self.failures.saturating_add(1);
                if self.failures == 1 {
                    tracing::warn!(
                        stream = self.stream,
                        error = &error as &dyn std::error::Error,
                        "the stream cannot be read; trying on"
                    );
                }
                let pause = self.context.mapping.pause_after(self.failures);
                self.stop.pause(pause).await;
            }
        }
        None
    }

    async fn page(&mut self) -> Result<Page, ReadError> {
        let source = &self.context.source;
        let iterator = match &self.iterator {
            Some(iterator) => iterator.clone(),
            None => {
                let after = self.read_through.as_deref();
                source.iterator(&self.stream, &self.shard, after).await?
            }
        };
        source.read(&self.stream, &iterator).await
    }

    async fn put_by(&mut self, page: Page) {
        if page.next.is_none() {
            self.end = Some(End::Closed);
        }
        self.iterator = page.next;
        if let Some(last) = page.records.last() {
            self.read_through = Some(last.number.clone());
        }
        let mut skipped = None;
        for record in page.records {
            match (&self.context.mapping.filter, self.buffer.back_mut()) {
                (Some(filter), None) if !filter(&record.json) => skipped = Some(record.number),
                (Some(filter), Some(before)) if !filter(&record.json) => {
                    before.through = record.number;
                }
                _ => self.buffer.push_back(record),
            }
        }
        if let (Some(number), true) = (skipped, self.buffer.is_empty()) {
            let place = Place::Through(number);
            self.context.checkpoint.advance(&self.shard, place).await;
        }
    }

    fn next_batch(&mut self) -> Vec<StreamRecord> {
        let most = match &mut self.faulty_delivery {
            Some(faulty_delivery) => faulty_delivery.cut(self.context.mapping.batch_size),
            None => self.context.mapping.batch_size,
        };
        let mut bytes = 0;
        let fitting = self.buffer.iter().take(most.max(1)).take_while(|record| {
            bytes += record.size_bytes;
            bytes <= BATCH_BYTES
        });
        let records = fitting.count().max(1).min(self.buffer.len());
        self.buffer.drain(..records).collect()
    }
}
