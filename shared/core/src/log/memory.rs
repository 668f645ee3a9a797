//! A log in memory, with the memory of requests that goes with it: for tests and harnesses. It promises what the tables do, and
//! passes what they are tested with.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    ids::Owner,
    limits::{
        BegunTurn, Idempotency, IdempotentRequest, Kept, KeyState, LimitsError, Settlement,
        StoredAnswer,
    },
    log::{
        COMMIT_BYTES_MAX, Commit, Log, Order, Place, PutError, ReadError, Stored, Stretch, TooLarge,
    },
};

/// How long a request may be at it before another attempt may take over.
const LEASE: Duration = Duration::seconds(60);
/// How long an answer is remembered.
const REMEMBERED: Duration = Duration::hours(24);

/// [`Log`] and [`Idempotency`] until the process ends.
#[derive(Debug, Default)]
pub struct MemoryLog(Mutex<Memory>);

#[derive(Debug, Default)]
struct Memory {
    commits: HashMap<Owner, BTreeMap<Place, Commit>>,
    /// By owner, operation and key.
    requests: HashMap<(String, String, String), Request>,
}

#[derive(Debug)]
struct Request {
    body_hash: String,
    lease: Uuid,
    leased_at: OffsetDateTime,
    turn: Option<BegunTurn>,
    answer: Option<StoredAnswer>,
}

impl MemoryLog {
    /// What is whole stays whole, whoever panicked while it was held.
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    /// The record of a request that this attempt may still settle.
    fn open(&mut self, request: &IdempotentRequest) -> Option<&mut Request> {
        let record = self.requests.get_mut(&key(request))?;
        (record.lease == request.lease && record.answer.is_none()).then_some(record)
    }
}

fn key(request: &IdempotentRequest) -> (String, String, String) {
    let IdempotentRequest {
        owner,
        operation,
        key,
        ..
    } = request;
    (owner.clone(), operation.clone(), key.clone())
}

#[async_trait]
impl Log for MemoryLog {
    async fn read(
        &self,
        owner: &Owner,
        Stretch { from, to }: Stretch,
        order: Order,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError> {
        let memory = self.memory();
        let Some(commits) = memory.commits.get(owner) else {
            return Ok(Vec::new());
        };
        let stretch = commits.range(from..=to).map(|(_, commit)| commit.clone());
        Ok(match order {
            Order::OldestFirst => stretch.take(limit).collect(),
            Order::NewestFirst => stretch.rev().take(limit).collect(),
        })
    }

    async fn put(
        &self,
        owner: &Owner,
        commit: &Commit,
        settlement: Option<&Settlement>,
    ) -> Result<(), PutError> {
        let documents: Vec<_> = commit.events.iter().map(Stored::encode).collect();
        let bytes = serde_json::to_string(&documents).unwrap_or_default().len();
        if bytes > COMMIT_BYTES_MAX {
            let most = COMMIT_BYTES_MAX;
            return Err(PutError::TooLarge(TooLarge { bytes, most }));
        }
        let mut memory = self.memory();
        let place = (commit.conversation, commit.first_seq);
        let there = memory.commits.get(owner).and_then(|of| of.get(&place));
        match there {
            Some(there) if there.commit_id == commit.commit_id => return Ok(()),
            Some(_) => return Err(PutError::Conflict),
            None => {}
        }
        if let Some(Settlement { request, kept }) = settlement {
            let record = memory.open(request).ok_or(PutError::Overtaken)?;
            match kept {
                Kept::Begun(turn) => record.turn = Some(*turn),
                Kept::Answered(answer) => record.answer = Some(answer.clone()),
            }
        }
        let read = Commit {
            events: documents.into_iter().map(Stored::decode).collect(),
            ..commit.clone()
        };
        let commits = memory.commits.entry(owner.clone()).or_default();
        commits.insert(place, read);
        Ok(())
    }
}

#[async_trait]
impl Idempotency for MemoryLog {
    async fn acquire(
        &self,
        request: &IdempotentRequest,
        now: OffsetDateTime,
    ) -> Result<KeyState, LimitsError> {
        let mut memory = self.memory();
        let record = memory.requests.get(&key(request));
        let record = record.filter(|record| now < record.leased_at + REMEMBERED);
        let turn = match record {
            None => None,
            Some(record) if record.body_hash != request.body_hash => return Ok(KeyState::Mismatch),
            Some(record) => {
                if let Some(answer) = &record.answer {
                    return Ok(KeyState::Answered(answer.clone()));
                }
                if now < record.leased_at + LEASE {
                    return Ok(KeyState::InProgress);
                }
                record.turn
            }
        };
        let acquired = Request {
            body_hash: request.body_hash.clone(),
            lease: request.lease,
            leased_at: now,
            turn,
            answer: None,
        };
        memory.requests.insert(key(request), acquired);
        Ok(KeyState::Acquired(turn))
    }

    async fn complete(
        &self,
        request: &IdempotentRequest,
        answer: &StoredAnswer,
    ) -> Result<(), LimitsError> {
        if let Some(record) = self.memory().open(request) {
            record.answer = Some(answer.clone());
        }
        Ok(())
    }

    async fn release(&self, request: &IdempotentRequest) -> Result<(), LimitsError> {
        let mut memory = self.memory();
        let is_free = memory
            .open(request)
            .is_some_and(|record| record.turn.is_none());
        if is_free {
            memory.requests.remove(&key(request));
        }
        Ok(())
    }
}
