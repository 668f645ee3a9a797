//! When a mapping has to stop, and whether it has read everything.

use std::{collections::BTreeMap, time::Duration};

use tokio::sync::watch;

/// Tells the tasks of a mapping to stop. A mapping whose handle is gone has to stop as well.
#[derive(Clone)]
pub(crate) struct Stop(watch::Receiver<bool>);

impl Stop {
    pub(crate) fn new() -> (watch::Sender<bool>, Self) {
        let (sender, receiver) = watch::channel(false);
        (sender, Self(receiver))
    }

    pub(crate) fn requested(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }

    pub(crate) async fn wait(&mut self) {
        let _ = self.0.wait_for(|requested| *requested).await;
    }

    /// Lets some time go by, or less where it is time to stop.
    pub(crate) async fn pause(&mut self, pause: Duration) {
        tokio::select! {
            () = self.wait() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Answers the question whether all that was in the stream when it was asked is consumed.
///
/// Questions are numbered. A shard has answered one when a read that began after it found nothing, with nothing left from before.
pub(crate) struct Progress {
    requested: watch::Sender<u64>,
    answered: watch::Sender<Answers>,
}

#[derive(Default)]
struct Answers {
    /// Whether the stream's shards are known.
    known: bool,
    over: bool,
    shards: BTreeMap<String, u64>,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self {
            requested: watch::Sender::new(0),
            answered: watch::Sender::new(Answers::default()),
        }
    }

    /// Returns when every shard has answered, or when the mapping has stopped.
    pub(crate) async fn drained(&self) {
        let mut answers = self.answered.subscribe();
        self.requested.send_modify(|requested| *requested += 1);
        let question = *self.requested.borrow();
        let all = |answers: &Answers| {
            answers.over || answers.known && answers.shards.values().all(|last| *last >= question)
        };
        let _ = answers.wait_for(all).await;
    }

    pub(crate) fn question(&self) -> u64 {
        *self.requested.borrow()
    }

    /// Returns when a question was asked after `last`.
    pub(crate) async fn requested_after(&self, last: u64) {
        let _ = self
            .requested
            .subscribe()
            .wait_for(|requested| *requested > last)
            .await;
    }

    pub(crate) fn answer(&self, shard: &str, question: u64) {
        self.answered.send_if_modified(|answers| {
            let last = answers.shards.get_mut(shard);
            let newer = last.filter(|last| **last < question);
            newer.map(|last| *last = question).is_some()
        });
    }

    /// Takes note of the shards that are not done yet.
    pub(crate) fn know(&self, unfinished: &[&str]) {
        self.answered.send_modify(|answers| {
            answers.known = true;
            answers
                .shards
                .retain(|shard, _| unfinished.contains(&shard.as_str()));
            for shard in unfinished {
                answers.shards.entry((*shard).to_owned()).or_default();
            }
        });
    }

    pub(crate) fn over(&self) {
        self.answered.send_modify(|answers| answers.over = true);
    }
}
