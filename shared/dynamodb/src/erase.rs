//! Taking an owner's content out of every table.

mod appointments;

use std::collections::BTreeMap;

use async_trait::async_trait;
use aws_sdk_dynamodb::{
    Client,
    error::BuildError,
    types::{
        AttributeValue, Delete, DeleteRequest, Put, PutRequest, TransactWriteItem, WriteRequest,
    },
};
use futures_util::{StreamExt, TryStreamExt, stream};
use mostrador_core::{
    erasure::{Appointments, Eraser, ErasureError, KNOWN_DAYS, PLACES_TAKEN_HOURS},
    ids::{ConversationNumber, Owner, Seq},
    log::Commit,
    purchases::Order,
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    attributes::{Row, n, number, s, text},
    error::{StoreError, WriteFailure},
    log::{codec, parts},
    owned::{self, ERASED},
    purchases::{ACCOUNT, document},
    tables::Tables,
    view,
};

/// Most rows of one call, by the service's rules.
const ITEMS_PER_CALL: usize = 25;
/// Calls under way at once.
const CALLS_AT_ONCE: usize = 8;

/// [`Eraser`] on all tables. Only the erasing function's role may delete.
#[derive(Debug, Clone)]
pub struct DynamoEraser {
    client: Client,
    tables: Tables,
}

impl DynamoEraser {
    #[must_use]
    pub fn new(client: Client, tables: &Tables) -> Self {
        Self {
            client,
            tables: tables.clone(),
        }
    }

    /// The keys of an owner's rows in one table.
    async fn keys_of(
        &self,
        (table, partition, sort): (&str, &str, &str),
        owner: &Owner,
        prefix: &str,
    ) -> Result<Vec<Row>, ErasureError> {
        let query = self
            .client
            .query()
            .table_name(table)
            .consistent_read(true)
            .projection_expression("#p, #s, #e, last_seq")
            .expression_attribute_names("#p", partition)
            .expression_attribute_names("#s", sort)
            .expression_attribute_names("#e", ERASED)
            .expression_attribute_values(":o", s(owner.to_string()));
        let query = if prefix.is_empty() {
            query.key_condition_expression("#p = :o")
        } else {
            query
                .key_condition_expression("#p = :o AND begins_with(#s, :prefix)")
                .expression_attribute_values(":prefix", s(prefix))
        };
        let pages = query.into_paginator().items().send();
        let rows: Result<Vec<Row>, _> = pages.collect().await;
        let mut rows = rows.map_err(|error| failed(StoreError::new(error)))?;
        rows.retain(|row| !row.contains_key(ERASED));
        Ok(rows)
    }

    /// Writes all of it, a few calls at once, again what the service did not get to.
    async fn write(&self, table: &str, writes: Vec<WriteRequest>) -> Result<(), ErasureError> {
        let calls: Vec<Vec<WriteRequest>> =
            writes.chunks(ITEMS_PER_CALL).map(<[_]>::to_vec).collect();
        stream::iter(calls)
            .map(|call| self.write_all(table, call))
            .buffer_unordered(CALLS_AT_ONCE)
            .try_collect::<Vec<()>>()
            .await?;
        Ok(())
    }

    async fn write_all(
        &self,
        table: &str,
        mut call: Vec<WriteRequest>,
    ) -> Result<(), ErasureError> {
        while !call.is_empty() {
            let written = self
                .client
                .batch_write_item()
                .request_items(table, call)
                .send()
                .await
                .map_err(|error| failed(StoreError::new(error)))?;
            let left = written.unprocessed_items.unwrap_or_default();
            call = left.into_values().flatten().collect();
        }
        Ok(())
    }

    /// One row as it is now.
    async fn row(&self, table: &str, key: &Row) -> Result<Option<Row>, ErasureError> {
        let found = self
            .client
            .get_item()
            .table_name(table)
            .consistent_read(true)
            .set_key(Some(key.clone()))
            .send()
            .await
            .map_err(|error| failed(StoreError::new(error)))?;
        Ok(found.item)
    }

    /// Gives one order to nobody.
    async fn disown(&self, owner: &Owner, key: Row) -> Result<(), ErasureError> {
        let table = &self.tables.purchases;
        let Some(mut order) = self.row(table, &key).await? else {
            return Ok(());
        };
        let nobody = owner.replaced_by(&format!("erased-{}", Uuid::now_v7()));
        let read = order.get("document").cloned();
        order.insert("owner".into(), s(nobody.to_string()));
        if let Ok(mut document) = document::<Order>(&order) {
            // Staff may have written there to whom and where.
            document.moves.iter_mut().for_each(|step| step.note = None);
            let document = serde_json::to_string(&document).unwrap_or_default();
            order.insert("document".into(), s(document));
        }
        let put = Put::builder()
            .table_name(table)
            .set_item(Some(order))
            .build()
            .map_err(unbuilt)?;
        let delete = Delete::builder()
            .table_name(table)
            .set_key(Some(key))
            // Another call may have been quicker, and staff may have moved it.
            .condition_expression("#d = :read")
            .expression_attribute_names("#d", "document")
            .set_expression_attribute_values(read.map(|read| Row::from([(":read".into(), read)])))
            .build()
            .map_err(unbuilt)?;
        self.client
            .transact_write_items()
            .transact_items(TransactWriteItem::builder().put(put).build())
            .transact_items(TransactWriteItem::builder().delete(delete).build())
            .send()
            .await
            .map_err(|error| match WriteFailure::from(error) {
                WriteFailure::Condition(_) | WriteFailure::Busy(_) => ErasureError::Conflict,
                WriteFailure::Other(error) => failed(error),
            })?;
        Ok(())
    }
}

fn failed(error: StoreError) -> ErasureError {
    ErasureError::Unavailable(error.boxed())
}

fn unbuilt(error: BuildError) -> ErasureError {
    failed(StoreError::new(error))
}

fn put(row: Row) -> Result<WriteRequest, ErasureError> {
    let put = PutRequest::builder().set_item(Some(row)).build();
    Ok(WriteRequest::builder()
        .put_request(put.map_err(unbuilt)?)
        .build())
}

fn delete(key: Row) -> Result<WriteRequest, ErasureError> {
    let delete = DeleteRequest::builder().set_key(Some(key)).build();
    Ok(WriteRequest::builder()
        .delete_request(delete.map_err(unbuilt)?)
        .build())
}

/// A row that holds its place until nobody can be about to write there.
fn without_content(mut key: Row, now: OffsetDateTime) -> Row {
    let free_at = now + Duration::hours(PLACES_TAKEN_HOURS);
    key.insert(ERASED.into(), AttributeValue::Bool(true));
    key.insert("expires_at".into(), n(free_at.unix_timestamp()));
    key
}

#[async_trait]
impl Eraser for DynamoEraser {
    async fn commits(
        &self,
        owner: &Owner,
        newest: &Commit,
        now: OffsetDateTime,
    ) -> Result<(), ErasureError> {
        let table = &self.tables.events;
        let keys = self.keys_of((table, "owner", "commit"), owner, "").await?;
        // A late answer goes behind the last commit of its conversation, even of one that was archived long ago: so these places
        // are taken first, and while it is still known which they are.
        let ends = keys.iter().filter_map(|key| {
            let (conversation, first_seq) = text(key, "commit")?.split_once('#')?;
            // Of a damaged commit its place at least.
            let last_seq = number(key, "last_seq").or_else(|| first_seq.parse().ok())?;
            Some((conversation.parse().ok()?, last_seq))
        });
        let ends: BTreeMap<u32, u64> = ends.collect();
        let behind = ends
            .range(..newest.conversation.0)
            .map(|(conversation, last_seq)| {
                codec::sort_key(ConversationNumber(*conversation), Seq(last_seq + 1))
            })
            .collect();
        let last = codec::sort_key(newest.conversation, newest.first_seq);
        let (mut before, mut deleted) = (Vec::new(), Vec::new());
        for key in keys {
            let name = text(&key, "commit").unwrap_or_default();
            match parts::place(name) {
                // Of a commit that is erased, or lost its place to this one.
                Some(place) if *place <= *last => deleted.push(delete(key)?),
                None if *name < *last => before.push(name.to_owned()),
                // What came after it stays.
                Some(_) | None => {}
            }
        }
        for places in [behind, before] {
            let emptied = places.into_iter().map(|place| {
                let key = Row::from([
                    ("owner".into(), s(owner.to_string())),
                    ("commit".into(), s(place)),
                ]);
                put(without_content(key, now))
            });
            self.write(table, emptied.collect::<Result<_, _>>()?)
                .await?;
        }
        self.write(table, deleted).await?;
        let mut known = codec::encode(owner, newest)
            .map_err(|error| ErasureError::Unavailable(Box::new(error)))?
            .commit;
        let until = now + Duration::days(KNOWN_DAYS);
        known.insert("expires_at".into(), n(until.unix_timestamp()));
        self.write(table, vec![put(known)?]).await
    }

    async fn view(
        &self,
        owner: &Owner,
        last: ConversationNumber,
        now: OffsetDateTime,
    ) -> Result<(), ErasureError> {
        let sort_keys = (1..=last.0).flat_map(|number| view::keys(ConversationNumber(number)));
        let emptied = sort_keys.map(|sort_key| {
            let key = Row::from([
                ("owner".into(), s(owner.to_string())),
                ("item".into(), s(sort_key)),
                // Nothing is further, so nothing is written over it.
                ("through".into(), n(Seq::MAX.0)),
            ]);
            put(without_content(key, now))
        });
        let emptied: Vec<_> = emptied.collect::<Result<_, _>>()?;
        self.write(&self.tables.conversations, emptied).await
    }

    async fn keys(&self, owner: &Owner) -> Result<(), ErasureError> {
        let table = &self.tables.limits;
        let keys = self
            .keys_of((table, "subject", "item"), owner, "key#")
            .await?;
        let deleted = keys.into_iter().map(delete);
        self.write(table, deleted.collect::<Result<_, _>>()?).await
    }

    async fn purchases(&self, owner: &Owner, version: u64) -> Result<usize, ErasureError> {
        let table = &self.tables.purchases;
        let keys = self.keys_of((table, "owner", "item"), owner, "").await?;
        // What had come before the list was made is in it, and what comes later is left alone.
        let account = owned::get(&self.client, table, owner, ACCOUNT).await;
        let account = account.map_err(failed)?;
        let now = account.and_then(|account| number(&account, "version"));
        if now.unwrap_or(0) != version {
            return Err(ErasureError::Conflict);
        }
        let of_kind =
            |key: &Row, prefix| text(key, "item").is_some_and(|key| key.starts_with(prefix));
        let (orders, rest): (Vec<Row>, Vec<Row>) =
            keys.into_iter().partition(|key| of_kind(key, "order#"));
        let kept = orders.len();
        for order in orders {
            self.disown(owner, order).await?;
        }
        let reservations = rest.into_iter().filter(|key| of_kind(key, "reservation#"));
        let deleted = reservations.map(delete).collect::<Result<_, _>>()?;
        self.write(table, deleted).await?;
        // The account last: as long as it is there, and at that version, nothing has come that was not in the list.
        let deleted = self
            .client
            .delete_item()
            .table_name(table)
            .key("owner", s(owner.to_string()))
            .key("item", s(ACCOUNT))
            .condition_expression("attribute_not_exists(#o) OR version = :read")
            .expression_attribute_names("#o", "owner")
            .expression_attribute_values(":read", n(version))
            .send()
            .await;
        match deleted.map_err(WriteFailure::from) {
            Ok(_) => Ok(kept),
            Err(WriteFailure::Condition(_) | WriteFailure::Busy(_)) => Err(ErasureError::Conflict),
            Err(WriteFailure::Other(error)) => Err(failed(error)),
        }
    }

    async fn appointments(
        &self,
        owner: &Owner,
        now: OffsetDateTime,
    ) -> Result<Appointments, ErasureError> {
        self.erase_appointments(owner, now).await
    }
}
