//! One batch until it is done: called, called again, cut in two, given up.
//!
//! The rules are those of Lambda's documentation for streams. An answer that names failures cuts the batch at the lowest one, and
//! only what lies from there on comes again. A batch that failed altogether is cut in two halves where `bisect` is set. To cut a
//! batch uses up no retries, hence what remains after a cut has all of them; only a batch that comes again as it was uses one up. One
//! without retries left is given up whole: with `bisect` that is a single record, without it every record of it.

use std::{collections::VecDeque, ops::ControlFlow, sync::Arc, time::SystemTime};

use serde_json::json;
use time::OffsetDateTime;

use crate::{
    checkpoint::Place,
    consumer::{Verdict, verdict},
    failures::{Condition, FailedRecord},
    mapping::Context,
    progress::Stop,
    record::StreamRecord,
};

/// Where batches come from, and who gets them.
pub(crate) struct Batches<'a> {
    pub(crate) context: &'a Context,
    pub(crate) stream: &'a str,
    pub(crate) shard: &'a str,
    pub(crate) stop: &'a mut Stop,
}

/// What is left of a batch.
struct Rest {
    records: Vec<StreamRecord>,
    /// How often it came again as it is.
    retries: u32,
    /// How often the consumer was called with these records, in this batch or those it was cut from.
    calls: u32,
}

impl Batches<'_> {
    /// Delivers records until each is done or given up; breaks off when it is time to stop.
    pub(crate) async fn deliver(&mut self, records: Vec<StreamRecord>) -> ControlFlow<()> {
        let mapping = &self.context.mapping;
        let mut waiting = VecDeque::from([Rest {
            records,
            retries: 0,
            calls: 0,
        }]);
        while let Some(mut batch) = waiting.pop_front() {
            if self.stop.requested() {
                return ControlFlow::Break(());
            }
            if let Some(young) = batch.cut_off_old(mapping.max_age) {
                waiting.push_front(young);
                self.give_up(batch, Condition::MaximumRecordAgeExceeded)
                    .await?;
                continue;
            }
            batch.calls += 1;
            let failed_from = match self.context.invoke(&batch.records).await {
                Verdict::Done => {
                    self.advance(batch.records.last()).await;
                    continue;
                }
                Verdict::FailedFrom(place) => place,
                Verdict::Failed => 0,
            };
            tracing::debug!(
                consumer = mapping.consumer,
                stream = self.stream,
                records = batch.records.len(),
                failed_from,
                "a batch failed"
            );
            let retries = batch.retries;
            if failed_from > 0 {
                let rest = batch.cut(failed_from);
                self.advance(batch.records.last()).await;
                waiting.push_front(rest);
            } else if mapping.bisect && batch.records.len() > 1 {
                let second = batch.cut(batch.records.len() / 2);
                waiting.push_front(second);
                waiting.push_front(Rest {
                    retries: 0,
                    ..batch
                });
            } else if retries < mapping.retries {
                batch.retries += 1;
                waiting.push_front(batch);
            } else {
                self.give_up(batch, Condition::RetryAttemptsExhausted)
                    .await?;
                continue;
            }
            self.stop.pause(mapping.pause_after(retries + 1)).await;
        }
        ControlFlow::Continue(())
    }

    async fn advance(&self, done: Option<&StreamRecord>) {
        if let Some(done) = done {
            let place = Place::Through(done.through.clone());
            self.context.checkpoint.advance(self.shard, place).await;
        }
    }

    /// Puts each record of a batch by. What cannot be put by is not passed over: a failed record is kept, whatever it takes.
    async fn give_up(&mut self, batch: Rest, condition: Condition) -> ControlFlow<()> {
        let Context {
            mapping, failures, ..
        } = self.context;
        for record in batch.records {
            tracing::error!(
                consumer = mapping.consumer,
                stream = self.stream,
                number = record.number,
                ?condition,
                attempts = batch.calls,
                "a record was given up"
            );
            let failed = FailedRecord {
                at: OffsetDateTime::now_utc(),
                stream: self.stream.to_owned(),
                consumer: mapping.consumer.clone(),
                condition,
                attempts: batch.calls,
                record: record.json.clone(),
            };
            let mut refusals = 0;
            while let Err(error) = failures.keep(failed.clone()).await {
                refusals += 1;
                if refusals == 1 {
                    tracing::error!(
                        consumer = mapping.consumer,
                        number = record.number,
                        error = error.as_ref() as &dyn std::error::Error,
                        "a record that was given up cannot be kept; trying on"
                    );
                }
                self.stop.pause(mapping.pause_after(refusals)).await;
                if self.stop.requested() {
                    return ControlFlow::Break(());
                }
            }
            self.advance(Some(&record)).await;
        }
        ControlFlow::Continue(())
    }
}

impl Rest {
    /// Cuts itself at a place and gives what lies from there on.
    fn cut(&mut self, place: usize) -> Self {
        Self {
            records: self.records.split_off(place),
            retries: 0,
            calls: self.calls,
        }
    }

    /// Where its first records are too old: leaves those here and gives the others.
    fn cut_off_old(&mut self, max_age: std::time::Duration) -> Option<Self> {
        let now = SystemTime::now();
        let too_old = |record: &&StreamRecord| {
            let age = record.created_at.map(|at| now.duration_since(at));
            age.is_some_and(|age| age.is_ok_and(|age| age > max_age))
        };
        let old = self.records.iter().take_while(too_old).count();
        let retries = self.retries;
        (old > 0).then(|| Self {
            retries,
            ..self.cut(old)
        })
    }
}

impl Context {
    /// Calls the consumer once. A panic is its own and no other's.
    pub(crate) async fn invoke(&self, records: &[StreamRecord]) -> Verdict {
        if records.is_empty() {
            return Verdict::Done;
        }
        let documents: Vec<_> = records.iter().map(|record| &record.json).collect();
        let event = json!({"Records": documents});
        let consumer = Arc::clone(&self.consumer);
        let mut call = tokio::spawn(async move { consumer.consume(event).await });
        match tokio::time::timeout(self.mapping.timeout, &mut call).await {
            Ok(Ok(Ok(response))) => {
                let numbers: Vec<_> = records.iter().map(|r| r.number.as_str()).collect();
                verdict(&response, &numbers)
            }
            Ok(_) => Verdict::Failed,
            Err(_) => {
                call.abort();
                Verdict::Failed
            }
        }
    }
}
