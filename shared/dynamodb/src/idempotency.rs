//! Idempotent requests in the `limits` table: who is at it, and what came of it.

use async_trait::async_trait;
use aws_sdk_dynamodb::{Client, types::ReturnValuesOnConditionCheckFailure};
use mostrador_core::limits::{Idempotency, IdempotentRequest, KeyState, LimitsError, StoredAnswer};
use time::OffsetDateTime;

use crate::{
    attributes::{Item, n, number, s, text},
    error::{StoreError, WriteFailure},
};

/// How long an answer is remembered.
const REMEMBERED_SECONDS: i64 = 24 * 3_600;
/// How long a request may be at it before another may take over; longer than any function may run.
const LEASE_SECONDS: i64 = 60;

/// [`Idempotency`] on the table of the rate windows.
#[derive(Debug, Clone)]
pub struct DynamoIdempotency {
    client: Client,
    table: String,
}

impl DynamoIdempotency {
    #[must_use]
    pub fn new(client: Client, table: impl Into<String>) -> Self {
        Self {
            client,
            table: table.into(),
        }
    }
}

fn key(request: &IdempotentRequest) -> String {
    format!(
        "key#{}#{}#{}",
        request.operation, request.key, request.owner
    )
}

fn failed(error: StoreError) -> LimitsError {
    LimitsError(error.boxed())
}

#[async_trait]
impl Idempotency for DynamoIdempotency {
    async fn acquire(
        &self,
        request: &IdempotentRequest,
        now: OffsetDateTime,
    ) -> Result<KeyState, LimitsError> {
        let now = now.unix_timestamp();
        let put = self
            .client
            .put_item()
            .table_name(&self.table)
            .item("scope", s(key(request)))
            .item("body_hash", s(&request.body_hash))
            .item("lease", s(request.lease.to_string()))
            .item("lease_until", n(now + LEASE_SECONDS))
            .item("expires_at", n(now + REMEMBERED_SECONDS))
            // TTL deletes late, so an expired record counts as none; so does work whose lease has run out.
            .condition_expression(
                "attribute_not_exists(#scope) OR expires_at <= :now OR \
                 (attribute_not_exists(answer) AND lease_until <= :now AND body_hash = :hash)",
            )
            .expression_attribute_names("#scope", "scope")
            .expression_attribute_values(":now", n(now))
            .expression_attribute_values(":hash", s(&request.body_hash))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        match put.map_err(WriteFailure::from) {
            Ok(_) => Ok(KeyState::Acquired),
            Err(WriteFailure::Condition(Some(item))) => Ok(state(&item, request)),
            Err(WriteFailure::Condition(None)) => Ok(KeyState::InProgress),
            Err(WriteFailure::Busy(error) | WriteFailure::Other(error)) => Err(failed(error)),
        }
    }

    async fn complete(
        &self,
        request: &IdempotentRequest,
        answer: &StoredAnswer,
    ) -> Result<(), LimitsError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .key("scope", s(key(request)))
            .update_expression("SET answer = :answer")
            .condition_expression("lease = :lease")
            .expression_attribute_values(
                ":answer",
                s(serde_json::to_string(answer).unwrap_or_default()),
            )
            .expression_attribute_values(":lease", s(request.lease.to_string()))
            .send()
            .await;
        match update.map_err(WriteFailure::from) {
            // Overtaken: the other request's answer is the one to remember.
            Ok(_) | Err(WriteFailure::Condition(_)) => Ok(()),
            Err(WriteFailure::Busy(error) | WriteFailure::Other(error)) => Err(failed(error)),
        }
    }

    async fn release(&self, request: &IdempotentRequest) -> Result<(), LimitsError> {
        let deleted = self
            .client
            .delete_item()
            .table_name(&self.table)
            .key("scope", s(key(request)))
            .condition_expression("lease = :lease AND attribute_not_exists(answer)")
            .expression_attribute_values(":lease", s(request.lease.to_string()))
            .send()
            .await;
        match deleted {
            Ok(_) => Ok(()),
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(|e| e.is_conditional_check_failed_exception()) =>
            {
                Ok(())
            }
            Err(error) => Err(failed(StoreError::new(error))),
        }
    }
}

fn state(item: &Item, request: &IdempotentRequest) -> KeyState {
    if text(item, "body_hash") != Some(&request.body_hash) {
        return KeyState::Mismatch;
    }
    // Our own put, tried again by the client after its answer was lost.
    if text(item, "lease") == Some(&request.lease.to_string())
        && number::<i64>(item, "lease_until").is_some()
    {
        return KeyState::Acquired;
    }
    match text(item, "answer").and_then(|answer| serde_json::from_str::<StoredAnswer>(answer).ok())
    {
        Some(answer) => KeyState::Answered(answer),
        None => KeyState::InProgress,
    }
}
