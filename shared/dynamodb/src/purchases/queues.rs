//! What a tenant's staff have to see to: rows of all its customers, by an index.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::builders::PutBuilder;
use mostrador_core::{
    ids::Owner,
    purchases::{Order, OrderStatus, PurchaseError, QueuePlace, Queued, Queues, Reservation},
};
use serde::de::DeserializeOwned;
use time::OffsetDateTime;

use super::{DynamoPurchases, document, order_key, reservation_key, unavailable};
use crate::{
    attributes::{Row, n, number, s, text},
    idempotency::millis,
    queue::{After, Part, queued},
    tables::{QUEUE, QUEUED_AT},
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
pub(super) fn placed(put: PutBuilder, queue: String, at: OffsetDateTime) -> PutBuilder {
    put.item(QUEUE, s(queue)).item(QUEUED_AT, n(millis(at)))
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

/// Behind that place, whose row has that key.
fn after(tenant: &str, place: &QueuePlace, item: String) -> After {
    After {
        at: place.at,
        owner: format!("{tenant}#{}", place.user),
        item,
    }
}

#[async_trait]
impl Queues for DynamoPurchases {
    async fn queued_orders(
        &self,
        tenant: &str,
        estado: OrderStatus,
        place: Option<&QueuePlace>,
        limit: usize,
    ) -> Result<Vec<Queued<Order>>, PurchaseError> {
        let part = Part {
            queue: of_orders(tenant, estado),
            from: i64::MIN,
            newest_first: true,
            after: place.map(|place| after(tenant, place, order_key(place.number))),
            limit,
        };
        let number_of = |order: &Order| order.order_id;
        let read = |row: &Row| read(row, number_of);
        let found = queued(&self.client, &self.table, part, read).await;
        found.map_err(unavailable)
    }

    async fn queued_reservations(
        &self,
        tenant: &str,
        now: OffsetDateTime,
        place: Option<&QueuePlace>,
        limit: usize,
    ) -> Result<Vec<Queued<Reservation>>, PurchaseError> {
        let now = i64::try_from(millis(now)).unwrap_or(i64::MAX);
        let part = Part {
            queue: of_reservations(tenant),
            // One that ends now holds nothing.
            from: now + 1,
            newest_first: false,
            // What has lapsed since is behind no more.
            after: place
                .filter(|place| place.at > now)
                .map(|place| after(tenant, place, reservation_key(place.number))),
            limit,
        };
        let number_of = |reservation: &Reservation| reservation.reservation_id;
        let read = |row: &Row| read(row, number_of);
        let found = queued(&self.client, &self.table, part, read).await;
        found.map_err(unavailable)
    }
}
