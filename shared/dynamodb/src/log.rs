//! The `events` table: one item a commit, put only where none is.

pub(crate) mod codec;

use std::collections::BTreeSet;

use async_trait::async_trait;
use aws_sdk_dynamodb::{
    Client,
    error::BuildError,
    types::{Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem},
};
use mostrador_core::{
    ids::{ConversationNumber, Owner},
    limits::Settlement,
    log::{Commit, Log, Order, PutError, ReadError, Stretch},
};

use crate::{
    attributes::{Item, s},
    erase::ERASED,
    error::{StoreError, WriteFailure, text_of},
    idempotency,
    tables::{Tables, expires},
};
use time::Duration;

/// [`Log`] on a table with partition key `owner` and sort key `commit` (`00000001#000000000042`); what a commit settles lies in the
/// limits table.
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
        let mut items = self
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
        while let Some(item) = items.next().await {
            let item = item.map_err(StoreError::new)?;
            let read = || {
                let owner = Owner::from_key(text_of(item.get("owner"))?).ok()?;
                let (conversation, _) = text_of(item.get("commit"))?.split_once('#')?;
                Some((owner, ConversationNumber(conversation.parse().ok()?)))
            };
            found.extend(read());
        }
        Ok(found)
    }

    async fn write(
        &self,
        owner: &Owner,
        commit: &Commit,
        settlement: Option<&Settlement>,
    ) -> Result<(), WriteFailure> {
        let mut item = codec::encode(owner, commit);
        item.extend(expires(self.retention, commit.at));
        let free = "attribute_not_exists(#o)";
        let with_what_stands = ReturnValuesOnConditionCheckFailure::AllOld;
        let Some(settlement) = settlement else {
            self.client
                .put_item()
                .table_name(&self.table)
                .set_item(Some(item))
                .condition_expression(free)
                .expression_attribute_names("#o", "owner")
                .return_values_on_condition_check_failure(with_what_stands)
                .send()
                .await?;
            return Ok(());
        };
        let built = |error: BuildError| WriteFailure::Other(StoreError::new(error));
        let put = Put::builder()
            .table_name(&self.table)
            .set_item(Some(item))
            .condition_expression(free)
            .expression_attribute_names("#o", "owner")
            .return_values_on_condition_check_failure(with_what_stands)
            .build()
            .map_err(built)?;
        let settled = idempotency::settle(&self.limits, settlement).map_err(built)?;
        self.client
            .transact_write_items()
            .transact_items(TransactWriteItem::builder().put(put).build())
            .transact_items(TransactWriteItem::builder().update(settled).build())
            .send()
            .await?;
        Ok(())
    }

    /// After an answer that never came: is the commit there?
    async fn is_there(&self, owner: &Owner, commit: &Commit) -> Result<Presence, StoreError> {
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
            .expression_attribute_values(
                ":c",
                s(codec::sort_key(commit.conversation, commit.first_seq)),
            )
            .send()
            .await
            .map_err(StoreError::new)?;
        Ok(match found.items().first() {
            None => Presence::Free,
            Some(item) if is_ours(item, commit) => Presence::Ours,
            Some(_) => Presence::Taken,
        })
    }
}

enum Presence {
    Free,
    Ours,
    Taken,
}

fn is_ours(item: &Item, commit: &Commit) -> bool {
    text_of(item.get("commit_id")) == Some(commit.commit_id.to_string().as_str())
}

/// Items read at once where one page was not enough.
const PAGE_MIN: usize = 100;

#[async_trait]
impl Log for DynamoLog {
    async fn read(
        &self,
        owner: &Owner,
        Stretch { from, to }: Stretch,
        order: Order,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError> {
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
            let left = i32::try_from(left).unwrap_or(i32::MAX);
            let page = self
                .client
                .query()
                .table_name(&self.table)
                .consistent_read(true)
                .scan_index_forward(order == Order::OldestFirst)
                .limit(left)
                .key_condition_expression("#o = :o AND #c BETWEEN :from AND :to")
                .expression_attribute_names("#o", "owner")
                .expression_attribute_names("#c", "commit")
                .expression_attribute_values(":o", s(owner.to_string()))
                .expression_attribute_values(":from", s(codec::sort_key(from.0, from.1)))
                .expression_attribute_values(":to", s(codec::sort_key(to.0, to.1)))
                .set_exclusive_start_key(start_key.take())
                .send()
                .await
                .map_err(|error| ReadError::Unavailable(StoreError::new(error).boxed()))?;
            let there = page
                .items()
                .iter()
                .filter(|item| !item.contains_key(ERASED));
            for item in there.take(limit - commits.len()) {
                commits.push(codec::decode(item)?);
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
        let failure = match self.write(owner, commit, settlement).await {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        // The client tries again by itself: the commit that stands in the way may be our own first try.
        let presence = match &failure {
            WriteFailure::Condition(failed) => match &failed[..] {
                [(0, Some(item)), ..] if is_ours(item, commit) => Ok(Presence::Ours),
                [(0, Some(_)), ..] => Ok(Presence::Taken),
                _ => self.is_there(owner, commit).await,
            },
            WriteFailure::Busy(_) | WriteFailure::Other(_) => self.is_there(owner, commit).await,
        };
        match (failure, presence) {
            (_, Ok(Presence::Ours)) => Ok(()),
            (_, Ok(Presence::Taken)) => Err(PutError::Conflict),
            // The place is free, so it was the request's record that would not have it.
            (WriteFailure::Condition(_), Ok(Presence::Free)) if settlement.is_some() => {
                Err(PutError::Overtaken)
            }
            (WriteFailure::Condition(_), Ok(Presence::Free)) => Err(PutError::Conflict),
            (WriteFailure::Condition(_), Err(error)) => Err(PutError::Unavailable(error.boxed())),
            (WriteFailure::Busy(error), _) => Err(PutError::Busy(error.boxed())),
            (WriteFailure::Other(error), _) => Err(PutError::Unavailable(error.boxed())),
        }
    }
}
