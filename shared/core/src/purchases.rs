//! Carts, reservations, orders and what is remembered, and the one way they change: a mutation conditioned on everything it assumes.

mod order;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    catalogue::StockedItem,
    effects::{Happened, effects_with, happened},
    ids::Owner,
    language::Language,
    limits::Settlement,
    log::Commit,
};

pub use order::{Order, OrderLine, OrderMove, OrderStatus};

/// How long a reservation keeps its copies.
pub const RESERVATION_HOURS: i64 = 24;
/// Copies of one title a customer may have reserved.
pub const RESERVED_COPIES_PER_TITLE: u32 = 3;
/// Copies a customer may have reserved in all.
pub const RESERVED_COPIES: u32 = 5;
/// Reservations that may hold copies of one item at once, of all customers together: an item ends at 400 KB, and each of them is read
/// with the item's price.
pub const HOLDS_PER_ITEM: usize = 500;
/// Titles a cart may hold; with its order and account they fit one transaction of 100 items.
pub const CART_LINES: usize = 40;
/// Sentences that are remembered of a customer at most: a model is given all of them with every question.
pub const NOTES: usize = 20;
/// The longest of them, in characters: a sentence, and no letter.
pub const NOTE_CHARS: usize = 200;

/// What of a customer changes with every purchase; each mutation is conditioned on its version.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account {
    /// 0 for a customer who has never bought or put aside anything.
    pub version: u64,
    pub cart: Vec<CartLine>,
    /// Reservations that had neither been cancelled nor sold when this version was made, oldest first; some may have lapsed since.
    /// They hold at most [`RESERVED_COPIES`] copies, so there are no more of them.
    pub held: Vec<Reservation>,
    pub reservations_made: u32,
    pub orders_made: u32,
    /// What is remembered of the customer at their wish, in the order in which it is shown.
    pub notes: Vec<Note>,
    pub notes_made: u32,
    /// Who the customer is, as far as they have said so.
    pub contact: Contact,
    /// What made the newest versions, newest last: by it an effect is known again after a lost answer.
    pub effects: Vec<Uuid>,
}

impl Account {
    /// The reservations that hold copies at `now`, oldest first.
    pub fn active(&self, now: OffsetDateTime) -> impl Iterator<Item = &Reservation> {
        let is_active = move |held: &&Reservation| held.status(now) == ReservationStatus::Activa;
        self.held.iter().filter(is_active)
    }

    /// Takes over what has become of reservations, and forgets those that hold nothing any more.
    pub fn hold(&mut self, changed: &[Reservation], now: OffsetDateTime) {
        for reservation in changed {
            let is_same = |held: &&mut Reservation| held.hold == reservation.hold;
            match self.held.iter_mut().find(is_same) {
                Some(held) => *held = reservation.clone(),
                None => self.held.push(reservation.clone()),
            }
        }
        self.held
            .retain(|held| held.status(now) == ReservationStatus::Activa);
    }

    /// The effects to be remembered once `effect_id` has made the next version.
    #[must_use]
    pub fn effects_with(&self, effect_id: Uuid) -> Vec<Uuid> {
        effects_with(&self.effects, effect_id)
    }

    /// Whether `mutation` is among what made this account.
    #[must_use]
    pub fn shows(&self, mutation: &Mutation) -> Happened {
        let made = mutation.account.version + 1;
        happened(&self.effects, self.version, made, mutation.effect_id)
    }
}

/// So many copies of one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CartLine {
    pub libro_id: u64,
    pub cantidad: u32,
}

/// A sentence that a customer has had remembered, in their own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// 1, 2, 3 … in its owner's series; no number comes back.
    pub note_id: u32,
    pub text: String,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// Who a customer is, in their own words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Contact {
    pub full_name: Option<String>,
    pub phone_number: Option<String>,
    pub identification_number: Option<String>,
}

/// Copies set aside for a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// 1, 2, 3 … in its owner's series.
    pub reservation_id: u32,
    /// Names its hold on the item.
    pub hold: Uuid,
    pub libro_id: u64,
    pub titulo: String,
    pub cantidad: u32,
    pub ended: Option<ReservationEnd>,
    /// Who of the staff has ended it; absent where it was the customer, or nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
    /// The tag of the language in which its customer is told of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// How a reservation ended before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReservationEnd {
    Cancelada,
    Vendida,
}

/// Where a reservation stands at a moment; expiry needs nobody to write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReservationStatus {
    Activa,
    Cancelada,
    Vendida,
    Expirada,
}

impl Reservation {
    /// The language in which its customer is told of it.
    #[must_use]
    pub fn language(&self) -> Language {
        order::language_of(self.language.as_deref())
    }

    #[must_use]
    pub fn status(&self, now: OffsetDateTime) -> ReservationStatus {
        match self.ended {
            Some(ReservationEnd::Cancelada) => ReservationStatus::Cancelada,
            Some(ReservationEnd::Vendida) => ReservationStatus::Vendida,
            None if self.expires_at <= now => ReservationStatus::Expirada,
            None => ReservationStatus::Activa,
        }
    }
}

/// One effect, all or nothing: holds only if the account and every item are still as they were read.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutation {
    /// Recognises the effect after a lost answer.
    pub effect_id: Uuid,
    /// The account to be, with the version that was read.
    pub account: Account,
    /// Items with their copies to be, with the version that was read.
    pub items: Vec<StockedItem>,
    pub reservations: Vec<Reservation>,
    /// Orders to be, with the status they must have now; `None` for a new one.
    pub orders: Vec<(Order, Option<OrderStatus>)>,
    /// What becomes of the request with this effect.
    pub settlement: Option<Settlement>,
    /// What their conversation is told of it.
    pub notice: Option<Commit>,
}

impl Mutation {
    /// One of the account alone.
    #[must_use]
    pub fn of(effect_id: Uuid, account: Account) -> Self {
        Self {
            effect_id,
            account,
            items: Vec::new(),
            reservations: Vec::new(),
            orders: Vec::new(),
            settlement: None,
            notice: None,
        }
    }
}

/// Why purchases could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum PurchaseError {
    /// Something it assumed has changed; nothing was written.
    #[error("another change came first")]
    Conflict,
    /// The request is another attempt's now; nothing was written.
    #[error("another attempt has taken the request over")]
    Overtaken,
    /// Another change was at work. The same mutation may be sent again: it happens once.
    #[error("another change is under way")]
    Busy,
    #[error("the purchases table cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("a purchase record cannot be read")]
    Corrupt,
}

/// The purchases table. Reads are consistent and reach nothing of another owner.
#[async_trait]
pub trait Purchases: Send + Sync {
    async fn account(&self, owner: &Owner) -> Result<Account, PurchaseError>;
    /// Those with a number below `before`, newest first. One that cannot be read is left out, and logged.
    async fn reservations(
        &self,
        owner: &Owner,
        before: Option<u32>,
        limit: usize,
    ) -> Result<Vec<Reservation>, PurchaseError>;
    async fn reservation(
        &self,
        owner: &Owner,
        reservation_id: u32,
    ) -> Result<Option<Reservation>, PurchaseError>;
    /// Those with a number below `before`, newest first. One that cannot be read is left out, and logged.
    async fn orders(
        &self,
        owner: &Owner,
        before: Option<u32>,
        limit: usize,
    ) -> Result<Vec<Order>, PurchaseError>;
    async fn order(&self, owner: &Owner, order_id: u32) -> Result<Option<Order>, PurchaseError>;
    /// Makes the effect happen once, or not at all.
    async fn commit(&self, owner: &Owner, mutation: &Mutation) -> Result<(), PurchaseError>;
}

/// What a tenant's staff have to see to, of all its customers. Reads may be a moment behind.
#[async_trait]
pub trait Queues: Send + Sync {
    /// The orders that stand there, the newest first, from behind `after` on.
    async fn queued_orders(
        &self,
        tenant: &str,
        estado: OrderStatus,
        after: Option<&QueuePlace>,
        limit: usize,
    ) -> Result<Vec<Queued<Order>>, PurchaseError>;

    /// The reservations that hold copies at `now`, the first to lapse first, from behind `after` on.
    async fn queued_reservations(
        &self,
        tenant: &str,
        now: OffsetDateTime,
        after: Option<&QueuePlace>,
        limit: usize,
    ) -> Result<Vec<Queued<Reservation>>, PurchaseError>;
}

/// Where something is in a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuePlace {
    /// Milliseconds since 1970: when an order was placed, or a reservation ends.
    pub at: i64,
    /// The customer whose it is.
    pub user: String,
    /// Its number in their series.
    pub number: u32,
}

/// Something in a queue, with its place there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queued<T> {
    pub place: QueuePlace,
    pub found: T,
}
