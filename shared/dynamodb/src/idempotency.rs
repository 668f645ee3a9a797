//! Idempotent requests in the `limits` table: who is at it, and what came of it.

use async_trait::async_trait;
use aws_sdk_dynamodb::{
    Client,
    error::BuildError,
    operation::update_item::builders::UpdateItemFluentBuilder,
    types::{ReturnValuesOnConditionCheckFailure, Update},
};
use mostrador_core::{
    limits::{
        Idempotency, IdempotentRequest, Kept, KeyState, LimitsError, Settlement, StoredAnswer,
    },
    log::CLOCKS_DIFFER,
};
use serde::de::DeserializeOwned;
use time::{Duration, OffsetDateTime};

use crate::{
    attributes::{Row, n, number, s, text},
    error::{StoreError, WriteFailure},
};

/// How long an answer is remembered.
const REMEMBERED_SECONDS: i64 = 24 * 3_600;
/// How long a request may be at it before another may take over, unless set otherwise; longer than any function may run.
const LEASE: Duration = Duration::seconds(60);

/// [`Idempotency`] on the table of the rate windows.
#[derive(Debug, Clone)]
pub struct DynamoIdempotency {
    client: Client,
    table: String,
    lease: Duration,
    alone_since: Option<OffsetDateTime>,
}

impl DynamoIdempotency {
    #[must_use]
    pub fn new(client: Client, table: impl Into<String>) -> Self {
        Self {
            client,
            table: table.into(),
            lease: LEASE,
            alone_since: None,
        }
    }

    /// Where this process alone serves the table, since when: whoever was at a request before is not any more.
    #[must_use]
    pub fn alone_since(self, alone_since: Option<OffsetDateTime>) -> Self {
        Self {
            alone_since,
            ..self
        }
    }

    /// Whether somebody may still be at the request of this record.
    fn is_leased(&self, record: &Row, now: OffsetDateTime) -> bool {
        let Some(until) = number::<i64>(record, "lease_until") else {
            return true;
        };
        let leased_at: Option<i128> = number(record, "leased_at");
        let has_died = self.alone_since.zip(leased_at);
        let has_died = has_died.is_some_and(|(start, leased_at)| leased_at < millis(start));
        // A lease that is longer than any is of a clock that was put back.
        let latest = now + self.lease + CLOCKS_DIFFER;
        let is_ours = until <= latest.unix_timestamp();
        until > now.unix_timestamp() && is_ours && !has_died
    }

    /// With another time that a request may be at it.
    #[must_use]
    pub fn with_lease(self, lease: Duration) -> Self {
        Self { lease, ..self }
    }
}

fn sort_key(request: &IdempotentRequest) -> String {
    format!("key#{}#{}", request.operation, request.key)
}

fn failed(error: StoreError) -> LimitsError {
    LimitsError(error.boxed())
}

/// What a transaction does to the record of the request that it settles.
pub(crate) fn settle(table: &str, settlement: &Settlement) -> Result<Update, BuildError> {
    let request = &settlement.request;
    let (name, json) = match &settlement.kept {
        Kept::Begun(turn) => ("turn", serde_json::to_string(turn)),
        Kept::Answered(answer) => ("answer", serde_json::to_string(answer)),
    };
    Update::builder()
        .table_name(table)
        .key("subject", s(&request.owner))
        .key("item", s(sort_key(request)))
        .update_expression("SET #kept = :kept")
        .condition_expression("lease = :lease AND attribute_not_exists(answer)")
        .expression_attribute_names("#kept", name)
        .expression_attribute_values(":kept", s(json.unwrap_or_default()))
        .expression_attribute_values(":lease", s(request.lease.to_string()))
        .build()
}

/// Nothing to be done where the record is another attempt's by now.
fn unless_overtaken<T>(written: Result<T, WriteFailure>) -> Result<(), LimitsError> {
    match written {
        Ok(_) | Err(WriteFailure::Condition(_)) => Ok(()),
        Err(WriteFailure::Busy(error) | WriteFailure::Other(error)) => Err(failed(error)),
    }
}

impl DynamoIdempotency {
    /// Changes the request's record.
    fn update(&self, request: &IdempotentRequest) -> UpdateItemFluentBuilder {
        self.client
            .update_item()
            .table_name(&self.table)
            .key("subject", s(&request.owner))
            .key("item", s(sort_key(request)))
    }

    /// Makes a record where there is none that counts, or returns the one that stands there.
    async fn first_use(
        &self,
        request: &IdempotentRequest,
        now: OffsetDateTime,
    ) -> Result<FirstUse, LimitsError> {
        let seconds = now.unix_timestamp();
        let put = self
            .client
            .put_item()
            .table_name(&self.table)
            .item("subject", s(&request.owner))
            .item("item", s(sort_key(request)))
            .item("body_hash", s(&request.body_hash))
            .item("lease", s(request.lease.to_string()))
            .item("lease_until", n((now + self.lease).unix_timestamp()))
            .item("leased_at", n(millis(now)))
            .item("expires_at", n(seconds + REMEMBERED_SECONDS))
            // TTL deletes late, so an expired record counts as none.
            .condition_expression("attribute_not_exists(#subject) OR expires_at <= :now")
            .expression_attribute_names("#subject", "subject")
            .expression_attribute_values(":now", n(seconds))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .send()
            .await;
        match put.map_err(WriteFailure::from) {
            Ok(_) => Ok(FirstUse::Ours),
            Err(WriteFailure::Condition(mut stands)) => {
                let record = stands.pop().and_then(|(_, row)| row);
                Ok(FirstUse::Known(record.unwrap_or_default()))
            }
            Err(WriteFailure::Busy(_)) => Ok(FirstUse::BeingSettled),
            Err(WriteFailure::Other(error)) => Err(failed(error)),
        }
    }

    /// Takes over from an attempt whose lease has run out, unless somebody else has.
    async fn take_over(
        &self,
        request: &IdempotentRequest,
        from: &str,
        now: OffsetDateTime,
    ) -> Result<bool, LimitsError> {
        let lease = request.lease.to_string();
        let update = self
            .update(request)
            .update_expression("SET lease = :lease, lease_until = :until, leased_at = :at")
            .condition_expression(
                "(lease = :from OR lease = :lease) AND attribute_not_exists(answer)",
            )
            .expression_attribute_values(":lease", s(lease))
            .expression_attribute_values(":from", s(from))
            .expression_attribute_values(":until", n((now + self.lease).unix_timestamp()))
            .expression_attribute_values(":at", n(millis(now)))
            .send()
            .await;
        match update.map_err(WriteFailure::from) {
            Ok(_) => Ok(true),
            Err(WriteFailure::Condition(_) | WriteFailure::Busy(_)) => Ok(false),
            Err(WriteFailure::Other(error)) => Err(failed(error)),
        }
    }
}

pub(crate) fn millis(at: OffsetDateTime) -> i128 {
    at.unix_timestamp_nanos() / 1_000_000
}

/// What was found where a key is used.
enum FirstUse {
    Ours,
    Known(Row),
    /// The transaction of an effect is at work on it.
    BeingSettled,
}

#[async_trait]
impl Idempotency for DynamoIdempotency {
    async fn acquire(
        &self,
        request: &IdempotentRequest,
        now: OffsetDateTime,
    ) -> Result<KeyState, LimitsError> {
        let record = match self.first_use(request, now).await? {
            FirstUse::Ours => return Ok(KeyState::Acquired(None)),
            FirstUse::BeingSettled => return Ok(KeyState::InProgress),
            FirstUse::Known(record) => record,
        };
        if text(&record, "body_hash") != Some(&request.body_hash) {
            return Ok(KeyState::Mismatch);
        }
        if let Some(answer) = document(&record, "answer") {
            return Ok(KeyState::Answered(answer));
        }
        let acquired = KeyState::Acquired(document(&record, "turn"));
        let Some(lease) = text(&record, "lease") else {
            return Ok(KeyState::InProgress);
        };
        // Our own put, tried again by the client after its answer was lost.
        if lease == request.lease.to_string() {
            return Ok(acquired);
        }
        if self.is_leased(&record, now) || !self.take_over(request, lease, now).await? {
            return Ok(KeyState::InProgress);
        }
        Ok(acquired)
    }

    async fn complete(
        &self,
        request: &IdempotentRequest,
        answer: &StoredAnswer,
    ) -> Result<(), LimitsError> {
        let update = self
            .update(request)
            .update_expression("SET answer = :answer")
            .condition_expression("lease = :lease AND attribute_not_exists(answer)")
            .expression_attribute_values(
                ":answer",
                s(serde_json::to_string(answer).unwrap_or_default()),
            )
            .expression_attribute_values(":lease", s(request.lease.to_string()))
            .send()
            .await;
        // Overtaken, or the effect has come after all: that answer is the one to remember.
        unless_overtaken(update.map_err(WriteFailure::from))
    }

    async fn release(&self, request: &IdempotentRequest) -> Result<(), LimitsError> {
        let deleted = self
            .client
            .delete_item()
            .table_name(&self.table)
            .key("subject", s(&request.owner))
            .key("item", s(sort_key(request)))
            .condition_expression(
                "lease = :lease AND attribute_not_exists(answer) AND attribute_not_exists(turn)",
            )
            .expression_attribute_values(":lease", s(request.lease.to_string()))
            .send()
            .await;
        unless_overtaken(deleted.map_err(WriteFailure::from))
    }
}

fn document<T: DeserializeOwned>(record: &Row, name: &str) -> Option<T> {
    serde_json::from_str(text(record, name)?).ok()
}
