//! What a tenant's staff have to see to: rows of all its customers, by an index.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{AttributeValue, builders::PutBuilder};
use mostrador_core::{
    ids::Owner,
    purchases::{Order, OrderStatus, PurchaseError, QueuePlace, Queued, Queues, Reservation},
};
use serde::de::DeserializeOwned;
use time::OffsetDateTime;

use super::{DynamoPurchases, document, order_key, reservation_key, unavailable};
use crate::{
    attributes::{Row, n, number, s, text},
    error::StoreError,
    idempotency::millis,
    tables::{BY_QUEUE, QUEUE, QUEUED_AT},
};

/// The queue of a tenant's orders that stand there.
pub(super) fn of_orders(tenant: &str, estado: OrderStatus) -> String {
    format!("{tenant}#order#{}", estado.name())
}

/// The queue of a tenant's reservations that hold copies, or have held them until they lapsed.
pub(super) fn of_reservations(tenant: &str) -> String {
    format!("{tenant}#reservation")
}

/// The same row in a queue, at its time.
pub(super) fn queued(put: PutBuilder, queue: String, at: OffsetDateTime) -> PutBuilder {
    put.item(QUEUE, s(queue)).item(QUEUED_AT, n(millis(at)))
}

/// Which part of a queue is read.
struct Part<'a> {
    queue: String,
    /// From then on.
    from: i64,
    newest_first: bool,
    /// From behind this one on, which has that key.
    after: Option<(&'a QueuePlace, String)>,
    limit: usize,
}

impl DynamoPurchases {
    async fn queued<T: DeserializeOwned>(
        &self,
        tenant: &str,
        part: Part<'_>,
        number_of: fn(&T) -> u32,
    ) -> Result<Vec<Queued<T>>, PurchaseError> {
        let mut start_key = part.after.map(|(place, key)| {
            Row::from([
                (QUEUE.to_owned(), s(&part.queue)),
                (QUEUED_AT.to_owned(), n(place.at)),
                ("owner".to_owned(), s(format!("{tenant}#{}", place.user))),
                ("item".to_owned(), s(key)),
            ])
        });
        let mut found = Vec::new();
        loop {
            let left = i32::try_from(part.limit).unwrap_or(i32::MAX);
            let page = self
                .client
                .query()
                .table_name(&self.table)
                .index_name(BY_QUEUE)
                .scan_index_forward(!part.newest_first)
                .limit(left)
                .key_condition_expression("#q = :q AND #at >= :from")
                .expression_attribute_names("#q", QUEUE)
                .expression_attribute_names("#at", QUEUED_AT)
                .expression_attribute_values(":q", s(&part.queue))
                .expression_attribute_values(":from", AttributeValue::N(part.from.to_string()))
                .set_exclusive_start_key(start_key.take())
                .send()
                .await
                .map_err(|error| unavailable(StoreError::new(error)))?;
            start_key = page.last_evaluated_key;
            for row in page.items.unwrap_or_default() {
                match read(&row, number_of) {
                    Some(queued) => found.push(queued),
                    // A damaged one costs itself.
                    None => {
                        let item = text(&row, "item").unwrap_or_default();
                        tracing::error!(
                            item,
                            "something in a queue cannot be read, and is left out"
                        );
                    }
                }
            }
            if start_key.is_none() || found.len() >= part.limit {
                found.truncate(part.limit);
                return Ok(found);
            }
        }
    }
}

fn read<T: DeserializeOwned>(row: &Row, number_of: fn(&T) -> u32) -> Option<Queued<T>> {
    let owner = Owner::from_key(text(row, "owner")?).ok()?;
    let found: T = document(row).ok()?;
    Some(Queued {
        place: QueuePlace {
            at: number(row, QUEUED_AT)?,
            user: owner.user().to_owned(),
            number: number_of(&found),
        },
        found,
    })
}

#[async_trait]
impl Queues for DynamoPurchases {
    async fn queued_orders(
        &self,
        tenant: &str,
        estado: OrderStatus,
        after: Option<&QueuePlace>,
        limit: usize,
    ) -> Result<Vec<Queued<Order>>, PurchaseError> {
        let part = Part {
            queue: of_orders(tenant, estado),
            from: i64::MIN,
            newest_first: true,
            after: after.map(|place| (place, order_key(place.number))),
            limit,
        };
        self.queued(tenant, part, |order: &Order| order.order_id)
            .await
    }

    async fn queued_reservations(
        &self,
        tenant: &str,
        now: OffsetDateTime,
        after: Option<&QueuePlace>,
        limit: usize,
    ) -> Result<Vec<Queued<Reservation>>, PurchaseError> {
        let now = i64::try_from(millis(now)).unwrap_or(i64::MAX);
        let part = Part {
            queue: of_reservations(tenant),
            // One that ends now holds nothing.
            from: now + 1,
            newest_first: false,
            // What has lapsed since is behind no more.
            after: after
                .filter(|place| place.at > now)
                .map(|place| (place, reservation_key(place.number))),
            limit,
        };
        let number_of = |reservation: &Reservation| reservation.reservation_id;
        self.queued(tenant, part, number_of).await
    }
}
