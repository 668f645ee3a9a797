//! The `events` table: one row a commit, put only where none is, and what is too long for it in parts beside it.

pub(crate) mod codec;
pub(crate) mod parts;

use std::collections::BTreeSet;

use async_trait::async_trait;
use aws_sdk_dynamodb::{
    Client,
    error::BuildError,
    operation::query::QueryOutput,
    types::{AttributeValue, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use mostrador_core::{
    chain::Chain,
    erasure::PLACES_TAKEN_HOURS,
    ids::{ConversationNumber, Owner},
    limits::Settlement,
    log::{Commit, ConversationState, Log, Order, Place, PutError, ReadError, Stretch},
};

use codec::Encoded;
use parts::Parts;
use time::{Duration, OffsetDateTime};

use crate::{
    attributes::{Row, n, number, s, text},
    error::{StoreError, WriteFailure, text_of},
    idempotency,
    owned::ERASED,
    tables::{Tables, expires},
};

/// [`Log`] on a table with partition key `owner` and sort key `commit` (`00000001#000000000042`; `part#…` for what is too long for
/// one row); what a commit settles lies in the limits table.
#[derive(Debug, Clone)]
pub struct DynamoLog {
    client: Client,
    table: String,
    limits: String,
    retention: Option<Duration>,
}

impl DynamoLog {
    #[must_use]
    pub fn new(client: Client, tables: &Tables) -> Self {
        Self {
            client,
            table: tables.events.clone(),
            limits: tables.limits.clone(),
            retention: tables.retention,
        }
    }

    /// Every conversation that there is, of all owners, by reading the whole table.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn conversations(&self) -> Result<BTreeSet<(Owner, ConversationNumber)>, StoreError> {
        let mut rows = self
            .client
            .scan()
            .table_name(&self.table)
            .projection_expression("#o, #c")
            .expression_attribute_names("#o", "owner")
            .expression_attribute_names("#c", "commit")
            .into_paginator()
            .items()
            .send();
        let mut found = BTreeSet::new();
        while let Some(row) = rows.next().await {
            let row = row.map_err(StoreError::new)?;
            let read = || {
                let owner = Owner::from_key(text_of(row.get("owner"))?).ok()?;
                let (conversation, _) = text_of(row.get("commit"))?.split_once('#')?;
                Some((owner, ConversationNumber(conversation.parse().ok()?)))
            };
            found.extend(read());
        }
        Ok(found)
    }

    async fn write(
        &self,
        Encoded { commit: row, parts }: Encoded,
        settlement: Option<&Settlement>,
    ) -> Result<(), WriteFailure> {
        // Before the commit: whoever finds it finds them.
        self.put_all(parts).await.map_err(WriteFailure::Other)?;
        let Some(settlement) = settlement else {
            self.client
                .put_item()
                .table_name(&self.table)
                .set_item(Some(row))
                .condition_expression(FREE)
                .expression_attribute_names("#o", "owner")
                .return_values_on_condition_check_failure(
                    ReturnValuesOnConditionCheckFailure::AllOld,
                )
                .send()
                .await?;
            return Ok(());
        };
        let built = |error: BuildError| WriteFailure::Other(StoreError::new(error));
        let put = put_where_free(&self.table, row).map_err(built)?;
        let settled = idempotency::settle(&self.limits, settlement).map_err(built)?;
        self.client
            .transact_write_items()
            .transact_items(TransactWriteItem::builder().put(put).build())
            .transact_items(TransactWriteItem::builder().update(settled).build())
            .send()
            .await?;
        Ok(())
    }

    /// Puts rows that stand in nobody's way.
    async fn put_all(&self, rows: Vec<Row>) -> Result<(), StoreError> {
        let puts = stream::iter(rows).map(|row| async {
            let put = self.client.put_item().table_name(&self.table);
            put.set_item(Some(row))
                .send()
                .await
                .map_err(StoreError::new)
        });
        let mut puts = puts.buffer_unordered(PARTS_AT_ONCE);
        while puts.try_next().await?.is_some() {}
        Ok(())
    }

    /// The commit of a row, or what is left of it; `None` where it went while its parts were being read.
    async fn whole(&self, owner: &Owner, row: &Row) -> Result<Option<Commit>, StoreError> {
        let read = match Parts::of(row) {
            None => codec::decode(row, None),
            Some(parts) => {
                let found = self.parts(owner, &parts.prefix).await?;
                let key = text(row, "commit").unwrap_or_default();
                match parts.join(&found) {
                    Some(bytes) => codec::decode(row, Some(&bytes)),
                    None if found.len() < parts.count && self.has_gone(owner, key).await? => {
                        return Ok(None);
                    }
                    None => None,
                }
            }
        };
        match read {
            Some(commit) => Ok(Some(commit)),
            None => self.damaged(owner, row).await,
        }
    }

    /// What is left of a commit that cannot be read.
    async fn damaged(&self, owner: &Owner, row: &Row) -> Result<Option<Commit>, StoreError> {
        let commit = text(row, "commit").unwrap_or_default();
        tracing::error!(
            commit,
            "a commit cannot be read; the conversation goes on without what it held"
        );
        let state = match (codec::state(row), codec::place(row)) {
            (None, Some(place)) => self.state_before(owner, place).await?,
            _ => None,
        };
        Ok(codec::damaged(row, state))
    }

    /// The state that the last commit before `place` whose state can be read has left its conversation in.
    async fn state_before(
        &self,
        owner: &Owner,
        (conversation, seq): Place,
    ) -> Result<Option<ConversationState>, StoreError> {
        let stretch = Stretch::of(conversation).before((conversation, seq));
        let Some(stretch) = stretch else {
            return Ok(None);
        };
        let page = self.page(owner, stretch, Order::NewestFirst, PAGE_MIN, None);
        let page = page.await?;
        Ok(page.items().iter().find_map(codec::state))
    }

    /// Some of the rows of a stretch, from behind `after` on.
    async fn page(
        &self,
        owner: &Owner,
        Stretch { from, to }: Stretch,
        order: Order,
        limit: usize,
        after: Option<Row>,
    ) -> Result<QueryOutput, StoreError> {
        self.client
            .query()
            .table_name(&self.table)
            .consistent_read(true)
            .scan_index_forward(order == Order::OldestFirst)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .key_condition_expression("#o = :o AND #c BETWEEN :from AND :to")
            .expression_attribute_names("#o", "owner")
            .expression_attribute_names("#c", "commit")
            .expression_attribute_values(":o", s(owner.to_string()))
            .expression_attribute_values(":from", s(codec::sort_key(from.0, from.1)))
            .expression_attribute_values(":to", s(codec::sort_key(to.0, to.1)))
            .set_exclusive_start_key(after)
            .send()
            .await
            .map_err(StoreError::new)
    }

    async fn parts(&self, owner: &Owner, prefix: &str) -> Result<Vec<Row>, StoreError> {
        let pages = self
            .client
            .query()
            .table_name(&self.table)
            .consistent_read(true)
            .key_condition_expression("#o = :o AND begins_with(#c, :prefix)")
            .expression_attribute_names("#o", "owner")
            .expression_attribute_names("#c", "commit")
            .expression_attribute_values(":o", s(owner.to_string()))
            .expression_attribute_values(":prefix", s(prefix))
            .into_paginator()
            .items()
            .send();
        let rows: Result<Vec<Row>, _> = pages.collect().await;
        rows.map_err(StoreError::new)
    }

    /// Whether a commit was erased, or its time is over: its parts may end before it does.
    async fn has_gone(&self, owner: &Owner, key: &str) -> Result<bool, StoreError> {
        let row = self.at(owner, key).await?;
        Ok(row.is_none_or(|row| {
            let now = OffsetDateTime::now_utc().unix_timestamp();
            row.contains_key(ERASED)
                || number(&row, "expires_at").is_some_and(|end: i64| end <= now)
        }))
    }

    /// After an answer that never came: is the commit there?
    async fn is_there(&self, owner: &Owner, commit: &Commit) -> Result<Presence, StoreError> {
        let key = codec::sort_key(commit.conversation, commit.first_seq);
        Ok(match self.at(owner, &key).await? {
            None => Presence::Free,
            Some(row) if is_ours(&row, commit) => Presence::Ours,
            Some(_) => Presence::Taken,
        })
    }

    async fn at(&self, owner: &Owner, key: &str) -> Result<Option<Row>, StoreError> {
        // A query and not a get: the functions' roles may do nothing else with this table.
        let found = self
            .client
            .query()
            .table_name(&self.table)
            .consistent_read(true)
            .key_condition_expression("#o = :o AND #c = :c")
            .expression_attribute_names("#o", "owner")
            .expression_attribute_names("#c", "commit")
            .expression_attribute_values(":o", s(owner.to_string()))
            .expression_attribute_values(":c", s(key))
            .send()
            .await
            .map_err(StoreError::new)?;
        Ok(found.items.and_then(|mut rows| rows.pop()))
    }
}

/// That nothing stands where a commit is to go.
const FREE: &str = "attribute_not_exists(#o)";

/// A commit's row as part of a transaction, which does not happen where another one has its place.
pub(crate) fn put_where_free(table: &str, row: Row) -> Result<Put, BuildError> {
    Put::builder()
        .table_name(table)
        .set_item(Some(row))
        .condition_expression(FREE)
        .expression_attribute_names("#o", "owner")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .build()
}

enum Presence {
    Free,
    Ours,
    Taken,
}

fn is_ours(row: &Row, commit: &Commit) -> bool {
    text_of(row.get("commit_id")) == Some(commit.commit_id.to_string().as_str())
}

/// Parts without what they held, which end by themselves.
fn without_content(parts: &[Row], at: OffsetDateTime) -> Vec<Row> {
    let end = at + Duration::hours(PLACES_TAKEN_HOURS);
    let emptied = parts.iter().map(|part| {
        let key = part.iter().filter(|(name, _)| *name != "bytes");
        let mut emptied: Row = key
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        emptied.insert(ERASED.into(), AttributeValue::Bool(true));
        emptied.insert("expires_at".into(), n(end.unix_timestamp()));
        emptied
    });
    emptied.collect()
}

/// Items read at once where one page was not enough.
const PAGE_MIN: usize = 100;
/// Parts of one commit that are being written at once.
const PARTS_AT_ONCE: usize = 4;

#[async_trait]
impl Log for DynamoLog {
    async fn read(
        &self,
        owner: &Owner,
        stretch: Stretch,
        order: Order,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError> {
        let failed = |error: StoreError| ReadError(error.boxed());
        let mut commits = Vec::new();
        let mut start_key = None;
        loop {
            // What follows an erased commit is often erased too, and is not to be read one by one.
            let left = limit - commits.len();
            let left = if start_key.is_some() {
                left.max(PAGE_MIN)
            } else {
                left
            };
            let page = self.page(owner, stretch, order, left, start_key.take());
            let page = page.await.map_err(failed)?;
            let there = page.items().iter().filter(|row| !row.contains_key(ERASED));
            for row in there {
                if commits.len() >= limit {
                    break;
                }
                commits.extend(self.whole(owner, row).await.map_err(failed)?);
            }
            start_key = page.last_evaluated_key;
            if start_key.is_none() || commits.len() >= limit {
                return Ok(commits);
            }
        }
    }

    async fn put(
        &self,
        owner: &Owner,
        commit: &Commit,
        settlement: Option<&Settlement>,
    ) -> Result<(), PutError> {
        let mut encoded = codec::encode(owner, commit).map_err(PutError::TooLarge)?;
        for row in encoded.parts.iter_mut().chain([&mut encoded.commit]) {
            row.extend(expires(self.retention, commit.at));
        }
        let taken_back = without_content(&encoded.parts, commit.at);
        let failure = match self.write(encoded, settlement).await {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        // The client tries again by itself: the commit that stands in the way may be our own first try.
        let presence = match &failure {
            WriteFailure::Condition(failed) => match &failed[..] {
                [(0, Some(row)), ..] if is_ours(row, commit) => Ok(Presence::Ours),
                [(0, Some(_)), ..] => Ok(Presence::Taken),
                _ => self.is_there(owner, commit).await,
            },
            WriteFailure::Busy(_) | WriteFailure::Other(_) => self.is_there(owner, commit).await,
        };
        let error = match (failure, presence) {
            (_, Ok(Presence::Ours)) => return Ok(()),
            (_, Ok(Presence::Taken)) => PutError::Conflict,
            // The place is free, so it was the request's record that would not have it.
            (WriteFailure::Condition(_), Ok(Presence::Free)) if settlement.is_some() => {
                PutError::Overtaken
            }
            (WriteFailure::Condition(_), Ok(Presence::Free)) => PutError::Conflict,
            (WriteFailure::Condition(_), Err(error)) => PutError::Unavailable(error.boxed()),
            (WriteFailure::Busy(error), _) => PutError::Busy(error.boxed()),
            (WriteFailure::Other(error), _) => PutError::Unavailable(error.boxed()),
        };
        if matches!(error, PutError::Conflict | PutError::Overtaken) {
            // It will never be in the log. What is left of it without this is out of reach, and erased with the rest.
            if let Err(error) = self.put_all(taken_back).await {
                tracing::warn!(error = %Chain(&error), "parts of a commit that lost its race stay");
            }
        }
        Err(error)
    }
}
