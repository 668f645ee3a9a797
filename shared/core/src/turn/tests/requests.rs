//! Answers to requests, in memory.

use std::{collections::HashMap, sync::Mutex};

use async_trait::async_trait;
use time::OffsetDateTime;

use crate::limits::{Idempotency, IdempotentRequest, KeyState, LimitsError, StoredAnswer};

/// Answers by their requests' keys.
#[derive(Default)]
pub(super) struct Requests(Mutex<HashMap<String, Option<StoredAnswer>>>);

impl Requests {
    /// Keeps an answer with the effect of its request.
    pub(super) fn keep(&self, key: &str, answer: &StoredAnswer) {
        let answer = Some(answer.clone());
        self.0.lock().unwrap().insert(key.to_owned(), answer);
    }
}

#[async_trait]
impl Idempotency for Requests {
    async fn acquire(
        &self,
        request: &IdempotentRequest,
        _: OffsetDateTime,
    ) -> Result<KeyState, LimitsError> {
        let mut requests = self.0.lock().unwrap();
        Ok(match requests.get(&request.key) {
            None => {
                requests.insert(request.key.clone(), None);
                KeyState::Acquired(None)
            }
            Some(None) => KeyState::InProgress,
            Some(Some(answer)) => KeyState::Answered(answer.clone()),
        })
    }

    async fn complete(
        &self,
        request: &IdempotentRequest,
        answer: &StoredAnswer,
    ) -> Result<(), LimitsError> {
        self.keep(&request.key, answer);
        Ok(())
    }

    async fn release(&self, request: &IdempotentRequest) -> Result<(), LimitsError> {
        self.0.lock().unwrap().remove(&request.key);
        Ok(())
    }
}
