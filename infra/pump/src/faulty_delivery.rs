//! Batches as badly as Lambda may bring them.

use std::{collections::VecDeque, ops::ControlFlow, time::Duration};

use fastrand::Rng;
use serde_json::Value;

use crate::{batch::Batches, mapping::Delivery, record::StreamRecord};

/// How many delivered records may come again.
const REMEMBERED: usize = 500;
/// How much later than another a call may begin that runs at the same time.
const APART: Duration = Duration::from_millis(20);

#[derive(Clone, Copy)]
enum Trick {
    Repeated,
    FromEarlier,
    Late,
    Overlapping,
    InFront,
    Ahead,
}

const TRICKS: [Trick; 6] = [
    Trick::Repeated,
    Trick::FromEarlier,
    Trick::Late,
    Trick::Overlapping,
    Trick::InFront,
    Trick::Ahead,
];

/// A shard's faulty delivery.
pub(crate) struct FaultyDelivery {
    rng: Rng,
    share: f64,
    past: VecDeque<StreamRecord>,
}

impl FaultyDelivery {
    pub(crate) fn of(delivery: &Delivery, shard: &str) -> Option<Self> {
        let Delivery::Faulty { seed, share } = *delivery else {
            return None;
        };
        let mixed = hash(seed, shard.as_bytes());
        Some(Self {
            rng: Rng::with_seed(mixed),
            share,
            past: VecDeque::new(),
        })
    }

    /// How many records the next batch has at most.
    pub(crate) fn cut(&mut self, most: usize) -> usize {
        self.rng.usize(1..=most.max(1))
    }

    pub(crate) async fn deliver(
        &mut self,
        batches: &mut Batches<'_>,
        records: Vec<StreamRecord>,
    ) -> ControlFlow<()> {
        let context = batches.context;
        let goes_wrong = self.rng.f64() < self.share;
        let trick = goes_wrong.then(|| TRICKS[self.rng.usize(..TRICKS.len())]);
        let mut batch = records.clone();
        let mut after = Vec::new();
        match trick {
            None | Some(Trick::Overlapping) => {}
            Some(Trick::Repeated) => after.push(records.clone()),
            Some(Trick::FromEarlier) => {
                let mut repeated = self.some_past_and_all_since();
                repeated.extend(records.iter().cloned());
                while !repeated.is_empty() {
                    let rest = repeated.split_off(self.rng.usize(1..=repeated.len()));
                    after.push(std::mem::replace(&mut repeated, rest));
                }
            }
            Some(Trick::Late) => after.push(self.some_past()),
            Some(Trick::InFront) => {
                batch = self.some_past_and_all_since();
                batch.extend(records.iter().cloned());
            }
            Some(Trick::Ahead) => {
                let salt = self.rng.u64(..);
                let ahead = |record: &&StreamRecord| item(record, salt).is_multiple_of(2);
                let some: Vec<_> = records.iter().filter(ahead).cloned().collect();
                context.invoke(&some).await;
            }
        }
        if let Some(Trick::Overlapping) = trick {
            let old = self.some_past();
            let (first, second) = (self.some_time(), self.some_time());
            let (_, delivered) = futures_util::future::join(
                async {
                    tokio::time::sleep(first).await;
                    context.invoke(&old).await
                },
                async {
                    tokio::time::sleep(second).await;
                    batches.deliver(batch).await
                },
            )
            .await;
            delivered?;
        } else {
            batches.deliver(batch).await?;
        }
        for repeated in after {
            context.invoke(&repeated).await;
        }
        self.past.extend(records);
        let forgotten = self.past.len().saturating_sub(REMEMBERED);
        self.past.drain(..forgotten);
        ControlFlow::Continue(())
    }

    fn some_time(&mut self) -> Duration {
        APART.mul_f64(self.rng.f64())
    }

    fn some_past_and_all_since(&mut self) -> Vec<StreamRecord> {
        let from = self.rng.usize(..=self.past.len());
        self.past.range(from..).cloned().collect()
    }

    fn some_past(&mut self) -> Vec<StreamRecord> {
        let mut past = self.some_past_and_all_since();
        past.truncate(self.rng.usize(..=past.len()));
        past
    }
}

/// A number for the item that a record is about.
fn item(record: &StreamRecord, salt: u64) -> u64 {
    let keys = &record.json["dynamodb"]["Keys"];
    hash(salt, Value::to_string(keys).as_bytes())
}

/// FNV-1a: the same on every machine, which the standard library's does not promise.
fn hash(salt: u64, bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ salt;
    let stir = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let mixed = bytes.iter().fold(start, stir);
    mixed ^ (mixed >> 32)
}
