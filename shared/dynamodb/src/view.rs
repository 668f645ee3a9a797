//! The `conversations` table: for each conversation a row that a list shows, one with its summary, and
//! one whose change calls for another.

use std::collections::HashMap;

use async_trait::async_trait;
use aws_sdk_dynamodb::Client;
use mostrador_core::{
    ids::{ConversationNumber, Owner, Seq},
    log::Summary,
    view::{AllWaiting, Projected, View, ViewError, Waiting, WaitingPlace},
};
use time::{Duration, OffsetDateTime};

use crate::{
    attributes::{Row, n, number, s, text},
    error::{StoreError, WriteFailure},
    owned::{self, is_current},
    queue::{After, Part, queued},
    tables::{BY_QUEUE, QUEUE, QUEUED_AT, Tables, expires},
};

/// [`View`] on a table with partition key `owner` and sort key `item`: `conversation#00000001`, `summary#00000001`, and
/// `due#00000001` where a summary is called for.
#[derive(Debug, Clone)]
pub struct DynamoView {
    client: Client,
    table: String,
    retention: Option<Duration>,
}

impl DynamoView {
    #[must_use]
    pub fn new(client: Client, tables: &Tables) -> Self {
        Self {
            client,
            table: tables.conversations.clone(),
            retention: tables.retention,
        }
    }

    fn attributes(&self, owner: &Owner, projected: &Projected) -> Row {
        let state = serde_json::to_string(&projected.state).unwrap_or_default();
        let attributes = [
            ("at".into(), n(millis(projected.updated_at))),
            ("state".into(), s(state)),
        ];
        let lapses = expires(self.retention, projected.updated_at);
        // What waits for a person is in the queue of its tenant.
        let escalation = projected.state.escalation.as_ref();
        let queued = escalation.map(|escalation| {
            [
                (QUEUE.into(), s(queue_of(owner.tenant()))),
                (QUEUED_AT.into(), n(millis(escalation.since))),
            ]
        });
        let queued = queued.into_iter().flatten();
        attributes.into_iter().chain(lapses).chain(queued).collect()
    }

    /// The newest rows of one kind whose conversations are below `before`, at most `limit` of those that count.
    async fn newest(
        &self,
        owner: &Owner,
        key: fn(ConversationNumber) -> String,
        (before, limit): (Option<ConversationNumber>, usize),
        counts: impl Fn(&Row) -> bool,
    ) -> Result<Vec<Row>, ViewError> {
        let last = before.map_or(ConversationNumber::MAX, |before| {
            ConversationNumber(before.0.saturating_sub(1))
        });
        let (from, to) = (key(ConversationNumber(0)), key(last));
        let found = owned::newest(
            &self.client,
            &self.table,
            owner,
            (&from, &to),
            limit,
            |row| is_current(row) && counts(row),
        );
        found.await.map_err(unavailable)
    }

    /// Writes attributes of one row, as of `at`, if its `through` meets the condition; returns whether they were written.
    async fn write(
        &self,
        owner: &Owner,
        key: String,
        (condition, through, at): (&str, Seq, OffsetDateTime),
        attributes: Row,
    ) -> Result<bool, ViewError> {
        let mut put = self
            .client
            .put_item()
            .table_name(&self.table)
            .item("owner", s(owner.to_string()))
            .item("item", s(key))
            .item("through", n(through.0))
            // TTL deletes late, so what has lapsed counts as none: its number may be another conversation's by now.
            .condition_expression(format!("{condition} OR expires_at <= :at"))
            .expression_attribute_names("#through", "through")
            .expression_attribute_values(":through", n(through.0))
            .expression_attribute_values(":at", n(at.unix_timestamp()));
        if condition.contains(":number") {
            put = put.expression_attribute_values(":number", s("N"));
        }
        for (name, value) in attributes {
            put = put.item(name, value);
        }
        match put.send().await.map_err(WriteFailure::from) {
            Ok(_) => Ok(true),
            Err(WriteFailure::Condition(_)) => Ok(false),
            Err(WriteFailure::Busy(error) | WriteFailure::Other(error)) => Err(unavailable(error)),
        }
    }

    /// Writes attributes as of `projected`, unless what stands there does not meet the condition.
    async fn write_as_of(
        &self,
        owner: &Owner,
        key: String,
        condition: &str,
        projected: &Projected,
        attributes: Row,
    ) -> Result<(), ViewError> {
        let as_of = (condition, projected.through, projected.updated_at);
        self.write(owner, key, as_of, attributes).await?;
        Ok(())
    }
}

/// The view only ever goes forward.
const FURTHER: &str = "attribute_not_exists(#through) OR #through < :through";

/// How the key of what calls for a summary begins; the stream's filter knows it too.
pub(crate) const DUE: &str = "due#";

/// The keys of everything that the view may have of a conversation.
pub(crate) fn keys(conversation: ConversationNumber) -> [String; 3] {
    let due = format!("{DUE}{conversation}");
    [
        conversation_key(conversation),
        summary_key(conversation),
        due,
    ]
}

/// The queue of a tenant's conversations that wait for a person.
fn queue_of(tenant: &str) -> String {
    format!("{tenant}#waiting")
}

fn conversation_key(conversation: ConversationNumber) -> String {
    format!("conversation#{conversation}")
}

fn summary_key(conversation: ConversationNumber) -> String {
    format!("summary#{conversation}")
}

fn current(found: Result<Option<Row>, StoreError>) -> Result<Option<Row>, ViewError> {
    Ok(found.map_err(unavailable)?.filter(is_current))
}

/// What was read of a row. A damaged one counts as none, and is rebuilt from the log.
fn readable<T>(row: &Row, read: Option<T>) -> Option<T> {
    if read.is_none() {
        tracing::error!(
            item = text(row, "item").unwrap_or_default(),
            "an item of the view cannot be read; `mostrador rebuild-view` makes it again"
        );
    }
    read
}

fn unavailable(error: StoreError) -> ViewError {
    ViewError(error.boxed())
}

fn millis(at: OffsetDateTime) -> i128 {
    at.unix_timestamp_nanos() / 1_000_000
}

fn number_of(row: &Row) -> Option<ConversationNumber> {
    let (_, conversation) = text(row, "item")?.split_once('#')?;
    Some(ConversationNumber(conversation.parse().ok()?))
}

fn projected(row: &Row) -> Option<Projected> {
    let millis: i128 = number(row, "at")?;
    Some(Projected {
        conversation: number_of(row)?,
        through: Seq(number(row, "through")?),
        updated_at: OffsetDateTime::from_unix_timestamp_nanos(millis.checked_mul(1_000_000)?)
            .ok()?,
        state: serde_json::from_str(text(row, "state")?).ok()?,
    })
}

fn summary(row: &Row) -> Option<Summary> {
    Some(Summary {
        text: text(row, "text")?.to_owned(),
        through: Seq(number(row, "through")?),
        messages: number(row, "messages")?,
        made_by: text(row, "made_by")?.to_owned(),
    })
}

#[async_trait]
impl View for DynamoView {
    async fn conversations(
        &self,
        owner: &Owner,
        before: Option<ConversationNumber>,
        limit: usize,
    ) -> Result<Vec<Projected>, ViewError> {
        let is_whole = |row: &Row| readable(row, projected(row)).is_some();
        let rows = self.newest(owner, conversation_key, (before, limit), is_whole);
        Ok(rows.await?.iter().filter_map(projected).collect())
    }

    async fn summaries(
        &self,
        owner: &Owner,
        before: Option<ConversationNumber>,
        limit: usize,
    ) -> Result<HashMap<ConversationNumber, Summary>, ViewError> {
        let read = |row: &Row| number_of(row).zip(summary(row));
        let is_whole = |row: &Row| readable(row, read(row)).is_some();
        let rows = self.newest(owner, summary_key, (before, limit), is_whole);
        Ok(rows.await?.iter().filter_map(read).collect())
    }

    async fn conversation(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
    ) -> Result<Option<Projected>, ViewError> {
        let key = conversation_key(conversation);
        let found = owned::get(&self.client, &self.table, owner, &key).await;
        Ok(current(found)?.and_then(|row| readable(&row, projected(&row))))
    }

    async fn summary(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
    ) -> Result<Option<Summary>, ViewError> {
        let key = summary_key(conversation);
        let found = owned::get_cheaply(&self.client, &self.table, owner, &key).await;
        Ok(current(found)?.and_then(|row| readable(&row, summary(&row))))
    }

    async fn waiting(
        &self,
        tenant: &str,
        after: Option<&WaitingPlace>,
        limit: usize,
    ) -> Result<Vec<Waiting>, ViewError> {
        let part = Part {
            queue: queue_of(tenant),
            from: i64::MIN,
            newest_first: false,
            after: after.map(|place| After {
                at: place.since,
                owner: format!("{tenant}#{}", place.user),
                item: conversation_key(place.conversation),
            }),
            limit,
        };
        let read = |row: &Row| {
            Some(Waiting {
                owner: Owner::from_key(text(row, "owner")?).ok()?,
                found: projected(row)?,
            })
        };
        let found = queued(&self.client, &self.table, part, read).await;
        found.map_err(unavailable)
    }

    async fn all_waiting(&self) -> Result<AllWaiting, ViewError> {
        let mut all = AllWaiting::default();
        let mut oldest: Option<i64> = None;
        // The index has the rows that wait, and no others.
        let mut rows = self
            .client
            .scan()
            .table_name(&self.table)
            .index_name(BY_QUEUE)
            .into_paginator()
            .items()
            .send();
        while let Some(row) = rows.next().await {
            let row = row.map_err(|error| unavailable(StoreError::new(error)))?;
            if is_current(&row) {
                all.conversations += 1;
                oldest = oldest.into_iter().chain(number(&row, QUEUED_AT)).min();
            }
        }
        let nanos = oldest.map(|oldest| i128::from(oldest) * 1_000_000);
        all.since = nanos.and_then(|at| OffsetDateTime::from_unix_timestamp_nanos(at).ok());
        Ok(all)
    }

    async fn advance(&self, owner: &Owner, projected: &Projected) -> Result<(), ViewError> {
        let key = conversation_key(projected.conversation);
        let attributes = self.attributes(owner, projected);
        self.write_as_of(owner, key, FURTHER, projected, attributes)
            .await
    }

    async fn restore(&self, owner: &Owner, projected: &Projected) -> Result<(), ViewError> {
        let key = conversation_key(projected.conversation);
        let attributes = self.attributes(owner, projected);
        let as_far = "attribute_not_exists(#through) OR #through <= :through OR NOT attribute_type(#through, :number)";
        self.write_as_of(owner, key, as_far, projected, attributes)
            .await
    }

    async fn call_for_summary(
        &self,
        owner: &Owner,
        projected: &Projected,
    ) -> Result<(), ViewError> {
        let lapses = expires(self.retention, projected.updated_at);
        let key = format!("{DUE}{}", projected.conversation);
        let attributes = Row::from_iter(lapses);
        self.write_as_of(owner, key, FURTHER, projected, attributes)
            .await
    }

    async fn summarise(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
        summary: &Summary,
        now: OffsetDateTime,
    ) -> Result<bool, ViewError> {
        let mut attributes = Row::from([
            ("text".into(), s(&summary.text)),
            ("messages".into(), n(summary.messages)),
            ("made_by".into(), s(&summary.made_by)),
        ]);
        attributes.extend(expires(self.retention, now));
        let key = summary_key(conversation);
        self.write(owner, key, (FURTHER, summary.through, now), attributes)
            .await
    }
}
