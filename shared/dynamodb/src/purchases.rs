//! The `purchases` table: an account row per owner, and a row for each reservation and order. What staff have to see to is found by its
//! index: orders by where they stand, and reservations while they hold copies.

mod queues;

use async_trait::async_trait;
use aws_sdk_dynamodb::{
    Client,
    error::BuildError,
    types::{Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update},
};
use mostrador_core::{
    catalogue::StockedItem,
    chain::Chain,
    effects::Happened,
    ids::Owner,
    log::Commit,
    purchases::{
        Account, CartLine, Contact, Mutation, Note, Order, OrderStatus, PurchaseError, Purchases,
        Reservation,
    },
};
use serde::de::DeserializeOwned;
use time::Duration;

use crate::{
    attributes::{Row, n, number, s, text},
    catalogue::{encode_holds, encode_sold},
    error::{StoreError, WriteFailure},
    idempotency,
    log::{self, codec},
    owned,
    tables::{BEST, SOLD, Tables, expires},
};

/// [`Purchases`] on a table with partition key `owner` and sort key `item`; stock is in the catalogue's table, and what an effect
/// settles in the limits table.
#[derive(Debug, Clone)]
pub struct DynamoPurchases {
    client: Client,
    table: String,
    catalogue: String,
    limits: String,
    events: String,
    retention: Option<Duration>,
}

/// Reservations read at once where all that may hold copies are looked for.
const RESERVATIONS_PER_PAGE: usize = 100;
/// The key of the account row.
pub(crate) const ACCOUNT: &str = "account";

impl DynamoPurchases {
    #[must_use]
    pub fn new(client: Client, tables: &Tables) -> Self {
        Self {
            client,
            table: tables.purchases.clone(),
            catalogue: tables.catalogue.clone(),
            limits: tables.limits.clone(),
            events: tables.events.clone(),
            retention: tables.retention,
        }
    }

    async fn get(&self, owner: &Owner, key: &str) -> Result<Option<Row>, PurchaseError> {
        let found = owned::get(&self.client, &self.table, owner, key).await;
        found.map_err(unavailable)
    }

    async fn newest<T: DeserializeOwned>(
        &self,
        owner: &Owner,
        key: fn(u32) -> String,
        before: Option<u32>,
        limit: usize,
    ) -> Result<Vec<T>, PurchaseError> {
        let last = before.map_or(u32::MAX, |before| before.saturating_sub(1));
        let (from, to) = (key(0), key(last));
        // A damaged one costs itself: the others are there.
        let is_whole = |row: &Row| match document::<T>(row) {
            Ok(_) => true,
            Err(error) => {
                let item = text(row, "item").unwrap_or_default();
                tracing::error!(item, error = %Chain(&error), "left out");
                false
            }
        };
        let range = (from.as_str(), to.as_str());
        let found = owned::newest(&self.client, &self.table, owner, range, limit, is_whole);
        let found = found.await.map_err(unavailable)?;
        found.iter().map(document).collect()
    }

    /// The reservations that may hold copies, oldest first, of an account without that count: one of an earlier version, or damaged.
    async fn may_hold(&self, owner: &Owner) -> Result<Vec<Reservation>, PurchaseError> {
        let mut held: Vec<Reservation> = Vec::new();
        let mut before = None;
        loop {
            let page = self.reservations(owner, before, RESERVATIONS_PER_PAGE);
            let page = page.await?;
            let Some(newest) = held.first().or(page.first()).map(|first| first.created_at) else {
                break;
            };
            // The newest was made before now, so what ended before it was made holds nothing.
            let is_over = |reservation: &Reservation| reservation.expires_at < newest;
            let (more, oldest) = (page.len() == RESERVATIONS_PER_PAGE, page.last());
            before = oldest.map(|oldest| oldest.reservation_id);
            let has_more = more && oldest.is_some_and(|oldest| !is_over(oldest));
            held.extend(page.into_iter().filter(|each| !is_over(each)));
            if !has_more {
                break;
            }
        }
        held.retain(|reservation| reservation.ended.is_none());
        held.reverse();
        Ok(held)
    }

    fn account_put(&self, owner: &Owner, mutation: &Mutation) -> Result<Put, BuildError> {
        let account = &mutation.account;
        let put = Put::builder()
            .table_name(&self.table)
            .item("owner", s(owner.to_string()))
            .item("item", s(ACCOUNT))
            .item("version", n(account.version + 1))
            .item(
                "cart",
                s(serde_json::to_string(&account.cart).unwrap_or_default()),
            )
            .item(
                "held",
                s(serde_json::to_string(&account.held).unwrap_or_default()),
            )
            .item("reservations_made", n(account.reservations_made))
            .item("orders_made", n(account.orders_made))
            .item(
                "effects",
                s(
                    serde_json::to_string(&account.effects_with(mutation.effect_id))
                        .unwrap_or_default(),
                ),
            );
        let put = if account.notes.is_empty() && account.notes_made == 0 {
            put
        } else {
            let notes = serde_json::to_string(&account.notes).unwrap_or_default();
            put.item("notes", s(notes))
                .item("notes_made", n(account.notes_made))
        };
        let put = if account.contact == Contact::default() {
            put
        } else {
            let contact = serde_json::to_string(&account.contact).unwrap_or_default();
            put.item("contact", s(contact))
        };
        let put = if account.version == 0 {
            put.condition_expression("attribute_not_exists(#o)")
                .expression_attribute_names("#o", "owner")
        } else {
            put.condition_expression("version = :read")
                .expression_attribute_values(":read", n(account.version))
        };
        put.build()
    }

    fn stock_update(&self, stocked: &StockedItem) -> Result<Update, BuildError> {
        let sold = encode_sold(stocked.sold);
        let counted = match sold.is_empty() {
            true => format!(" REMOVE {SOLD}, {BEST}"),
            false => format!(", {SOLD} = :{SOLD}, {BEST} = :{BEST}"),
        };
        let mut update = Update::builder();
        for (name, value) in sold {
            update = update.expression_attribute_values(format!(":{name}"), value);
        }
        update
            .table_name(&self.catalogue)
            .key("libro_id", n(stocked.item.libro_id))
            .update_expression(format!(
                "SET on_hand = :on_hand, holds = :holds, version = :next{counted}"
            ))
            // The price is pinned by the version too: the shop cannot change it in between.
            .condition_expression("version = :read")
            .expression_attribute_values(":on_hand", n(stocked.on_hand))
            .expression_attribute_values(":holds", encode_holds(&stocked.holds))
            .expression_attribute_values(":next", n(stocked.version + 1))
            .expression_attribute_values(":read", n(stocked.version))
            .build()
    }

    fn reservation_put(&self, owner: &Owner, reservation: &Reservation) -> Result<Put, BuildError> {
        let put = Put::builder()
            .table_name(&self.table)
            .item("owner", s(owner.to_string()))
            .item("item", s(reservation_key(reservation.reservation_id)))
            .item(
                "document",
                s(serde_json::to_string(reservation).unwrap_or_default()),
            );
        match reservation.ended {
            None => queues::placed(
                put,
                queues::of_reservations(owner.tenant()),
                reservation.expires_at,
            ),
            Some(_) => put,
        }
        .build()
    }

    fn order_put(
        &self,
        owner: &Owner,
        order: &Order,
        expected: Option<OrderStatus>,
    ) -> Result<Put, BuildError> {
        let put = Put::builder()
            .table_name(&self.table)
            .item("owner", s(owner.to_string()))
            .item("item", s(order_key(order.order_id)))
            .item("estado", s(order.estado.name()))
            .item(
                "document",
                s(serde_json::to_string(order).unwrap_or_default()),
            );
        let queue = queues::of_orders(owner.tenant(), order.estado);
        let put = queues::placed(put, queue, order.created_at);
        match expected {
            None => put
                .condition_expression("attribute_not_exists(#o)")
                .expression_attribute_names("#o", "owner"),
            Some(estado) => put
                .condition_expression("estado = :read")
                .expression_attribute_values(":read", s(estado.name())),
        }
        .build()
    }

    /// What the conversation is told, as a commit of the log.
    fn notice_put(&self, owner: &Owner, notice: &Commit) -> Result<Put, StoreError> {
        let encoded = codec::encode(owner, notice).map_err(StoreError::new)?;
        // What is too long for one row would need to be there before it; a notice is short.
        let mut row = encoded.commit;
        row.extend(expires(self.retention, notice.at));
        log::put_where_free(&self.events, row).map_err(StoreError::new)
    }

    fn transaction(
        &self,
        owner: &Owner,
        mutation: &Mutation,
        notice: Option<Put>,
    ) -> Result<Vec<TransactWriteItem>, BuildError> {
        let put = |put: Put| TransactWriteItem::builder().put(put).build();
        let mut writes = vec![put(self.account_put(owner, mutation)?)];
        for stocked in &mutation.items {
            writes.push(
                TransactWriteItem::builder()
                    .update(self.stock_update(stocked)?)
                    .build(),
            );
        }
        for reservation in &mutation.reservations {
            writes.push(put(self.reservation_put(owner, reservation)?));
        }
        for (order, expected) in &mutation.orders {
            writes.push(put(self.order_put(owner, order, *expected)?));
        }
        writes.extend(notice.map(put));
        if let Some(settlement) = &mutation.settlement {
            let settled = idempotency::settle(&self.limits, settlement)?;
            writes.push(TransactWriteItem::builder().update(settled).build());
        }
        Ok(writes)
    }

    async fn write(&self, owner: &Owner, mutation: &Mutation) -> Result<(), WriteFailure> {
        let build = |error: BuildError| WriteFailure::Other(StoreError::new(error));
        let alone = mutation.items.is_empty()
            && mutation.reservations.is_empty()
            && mutation.orders.is_empty()
            && mutation.settlement.is_none()
            && mutation.notice.is_none();
        if alone {
            // A single conditional put is atomic too, at half a transaction's price.
            let put = self.account_put(owner, mutation).map_err(build)?;
            self.client
                .put_item()
                .table_name(&self.table)
                .set_item(Some(put.item))
                .set_condition_expression(put.condition_expression)
                .set_expression_attribute_names(put.expression_attribute_names)
                .set_expression_attribute_values(put.expression_attribute_values)
                .return_values_on_condition_check_failure(
                    ReturnValuesOnConditionCheckFailure::AllOld,
                )
                .send()
                .await?;
        } else {
            let notice = mutation.notice.as_ref();
            let notice = notice.map(|notice| self.notice_put(owner, notice));
            let notice = notice.transpose().map_err(WriteFailure::Other)?;
            let writes = self.transaction(owner, mutation, notice).map_err(build)?;
            self.client
                .transact_write_items()
                .set_transact_items(Some(writes))
                .send()
                .await?;
        }
        Ok(())
    }
}

fn reservation_key(id: u32) -> String {
    format!("reservation#{id:010}")
}

fn order_key(id: u32) -> String {
    format!("order#{id:010}")
}

fn unavailable(error: StoreError) -> PurchaseError {
    PurchaseError::Unavailable(error.boxed())
}

/// The cart's lines; a damaged cart is an empty one, and its owner goes on.
fn cart(account: &Row) -> Vec<CartLine> {
    let cart = text(account, "cart").and_then(|cart| serde_json::from_str(cart).ok());
    cart.unwrap_or_else(|| {
        tracing::error!("a cart cannot be read, and counts as empty");
        Vec::new()
    })
}

/// What is remembered of a customer, and how many numbers that has had. An account of before has none; damaged ones count as none, too.
fn remembered(account: &Row) -> (Vec<Note>, u32) {
    if !account.contains_key("notes") && !account.contains_key("notes_made") {
        return Default::default();
    }
    let notes = text(account, "notes").and_then(|notes| serde_json::from_str(notes).ok());
    let notes: Vec<Note> = notes.unwrap_or_else(|| {
        tracing::error!("what is remembered of a customer cannot be read, and counts as nothing");
        Vec::new()
    });
    let largest = notes.iter().map(|note| note.note_id).max();
    let made = number(account, "notes_made").max(largest);
    (notes, made.unwrap_or_default())
}

/// Who a customer is; of one that cannot be read nothing is known.
fn contact(account: &Row) -> Contact {
    let Some(contact) = text(account, "contact") else {
        return Contact::default();
    };
    serde_json::from_str(contact).unwrap_or_else(|_| {
        tracing::error!("who a customer is cannot be read, and counts as unknown");
        Contact::default()
    })
}

pub(crate) fn document<T: DeserializeOwned>(row: &Row) -> Result<T, PurchaseError> {
    text(row, "document")
        .and_then(|json| serde_json::from_str(json).ok())
        .ok_or(PurchaseError::Corrupt)
}

#[async_trait]
impl Purchases for DynamoPurchases {
    async fn account(&self, owner: &Owner) -> Result<Account, PurchaseError> {
        let Some(row) = self.get(owner, ACCOUNT).await? else {
            return Ok(Account::default());
        };
        let read = || -> Option<Account> {
            let (notes, notes_made) = remembered(&row);
            Some(Account {
                version: number(&row, "version")?,
                cart: cart(&row),
                held: Vec::new(),
                reservations_made: number(&row, "reservations_made")?,
                orders_made: number(&row, "orders_made")?,
                notes,
                notes_made,
                contact: contact(&row),
                effects: text(&row, "effects")
                    .and_then(|effects| serde_json::from_str(effects).ok())
                    .unwrap_or_default(),
            })
        };
        let account = read().ok_or(PurchaseError::Corrupt)?;
        let held = text(&row, "held").and_then(|held| serde_json::from_str(held).ok());
        let held = match held {
            Some(held) => held,
            None if account.reservations_made == 0 => Vec::new(),
            None => self.may_hold(owner).await?,
        };
        Ok(Account { held, ..account })
    }

    async fn reservations(
        &self,
        owner: &Owner,
        before: Option<u32>,
        limit: usize,
    ) -> Result<Vec<Reservation>, PurchaseError> {
        self.newest(owner, reservation_key, before, limit).await
    }

    async fn reservation(
        &self,
        owner: &Owner,
        reservation_id: u32,
    ) -> Result<Option<Reservation>, PurchaseError> {
        self.get(owner, &reservation_key(reservation_id))
            .await?
            .as_ref()
            .map(document)
            .transpose()
    }

    async fn orders(
        &self,
        owner: &Owner,
        before: Option<u32>,
        limit: usize,
    ) -> Result<Vec<Order>, PurchaseError> {
        self.newest(owner, order_key, before, limit).await
    }

    async fn order(&self, owner: &Owner, order_id: u32) -> Result<Option<Order>, PurchaseError> {
        self.get(owner, &order_key(order_id))
            .await?
            .as_ref()
            .map(document)
            .transpose()
    }

    async fn commit(&self, owner: &Owner, mutation: &Mutation) -> Result<(), PurchaseError> {
        let Err(failure) = self.write(owner, mutation).await else {
            return Ok(());
        };
        // The client tries again by itself: what stands in the way may be our own first try.
        let happened = self.account(owner).await.map(|now| now.shows(mutation));
        match (failure, happened) {
            (_, Ok(Happened::Yes)) => Ok(()),
            (WriteFailure::Condition(failed), Ok(Happened::No)) => {
                let settlement = 1
                    + mutation.items.len()
                    + mutation.reservations.len()
                    + mutation.orders.len()
                    + usize::from(mutation.notice.is_some());
                let overtaken = failed.iter().all(|(place, _)| *place == settlement);
                Err(if overtaken {
                    PurchaseError::Overtaken
                } else {
                    PurchaseError::Conflict
                })
            }
            (WriteFailure::Condition(_), Ok(Happened::Unknown)) => Err(PurchaseError::Busy),
            (WriteFailure::Condition(_), Err(error)) => Err(error),
            (WriteFailure::Busy(_), _) => Err(PurchaseError::Busy),
            (WriteFailure::Other(error), _) => Err(unavailable(error)),
        }
    }
}
