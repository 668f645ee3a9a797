//! Erasing a customer: every message, and everything that identifies them as the buyer.
//!
//! What is erased leaves its place taken for a while, without content: so a turn that had read the log before cannot write behind
//! the erasure's back, and a projection that is under way cannot bring back what it had read.

use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::{
    actions::{ActionFailure, Counter, Payload, perform},
    files::{FilesUnavailable, Shelves},
    ids::{ConversationNumber, Owner},
    language::Language,
    log::{ATTEMPTS, AppendFailure, Commit, Draft, Event, FIRST_PAUSE, Log, Position, append},
    purchases::{OrderStatus, PurchaseError},
};

/// Longer than any turn, summary or action may be at work.
pub const PLACES_TAKEN_HOURS: i64 = 1;
/// So long is known that there was an erasure, and nothing else.
pub const KNOWN_DAYS: i64 = 30;
/// Orders looked at at once.
const ORDERS_PER_READ: usize = 100;

/// What was erased.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Erased {
    pub conversations: usize,
    /// Reservations and pending orders that were cancelled; their copies are back in stock.
    pub cancelled: usize,
    /// Orders that stay in the shop's books, without telling whose they were.
    pub orders_kept: usize,
    /// Of every business; the places of those to come are free again.
    pub appointments: usize,
    /// Documents.
    pub files: usize,
}

/// What has become of a customer's appointments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Appointments {
    pub erased: usize,
    /// Those that had changed meanwhile, or their calendars' days.
    pub left: usize,
}

/// Why not everything was erased; another call goes on with it.
#[derive(Debug, thiserror::Error)]
pub enum ErasureError {
    #[error("other changes came first")]
    Conflict,
    #[error("a store cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<FilesUnavailable> for ErasureError {
    fn from(error: FilesUnavailable) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

/// The stores that a customer can be erased from. Everything may be done again.
#[async_trait]
pub trait Eraser: Send + Sync {
    /// Takes the content out of every commit but the newest, which [`Event::HistoryErased`] has left without.
    async fn commits(
        &self,
        owner: &Owner,
        newest: &Commit,
        now: OffsetDateTime,
    ) -> Result<(), ErasureError>;

    /// Takes the content out of the view of all conversations up to `last`.
    async fn view(
        &self,
        owner: &Owner,
        last: ConversationNumber,
        now: OffsetDateTime,
    ) -> Result<(), ErasureError>;

    /// Forgets the answers kept for the owner's requests. A request under way has no effect any more.
    async fn keys(&self, owner: &Owner) -> Result<(), ErasureError>;

    /// Gives the owner's orders to nobody, and forgets the rest of what they had; returns how many orders there were.
    ///
    /// # Errors
    /// [`ErasureError::Conflict`] where the account has changed since it was at `version`: something may have come.
    async fn purchases(&self, owner: &Owner, version: u64) -> Result<usize, ErasureError>;

    /// Takes the owner's appointments out of every business, and their places out of its calendars.
    async fn appointments(
        &self,
        owner: &Owner,
        now: OffsetDateTime,
    ) -> Result<Appointments, ErasureError>;
}

/// What erasing works with.
#[derive(Clone)]
pub struct Erasure {
    pub log: Arc<dyn Log>,
    pub counter: Counter,
    pub shelves: Arc<dyn Shelves>,
    pub eraser: Arc<dyn Eraser>,
}

impl Erasure {
    /// Erases `owner`. What they are doing meanwhile comes before it, and is erased, or after it.
    ///
    /// # Errors
    /// [`ErasureError`]; what was erased stays so.
    pub async fn erase(&self, owner: &Owner) -> Result<Erased, ErasureError> {
        // Requests first: none of those under way is to add to what is erased.
        self.eraser.keys(owner).await?;
        let conversations = self.history(owner).await?;
        let (cancelled, orders_kept) = self.purchases(owner).await?;
        let appointments = self.appointments(owner).await?;
        let files = self.shelves.erase(owner).await?;
        self.eraser.keys(owner).await?;
        Ok(Erased {
            conversations,
            cancelled,
            orders_kept,
            appointments,
            files,
        })
    }

    async fn history(&self, owner: &Owner) -> Result<usize, ErasureError> {
        let clock = &*self.counter.clock;
        let decide = |newest: Option<&Commit>, _: OffsetDateTime| {
            let newest = newest.ok_or(Nothing)?;
            if newest.state.erased {
                return Err(Nothing);
            }
            Ok(Draft {
                position: Position::after(newest),
                events: vec![Event::HistoryErased {}],
                settlement: None,
            })
        };
        let target = (None, clock.new_id());
        let appended = append(&*self.log, clock, owner, target, None, decide).await;
        let newest = match appended {
            Ok(commit) => commit,
            // Erased before, perhaps not to the end.
            Err(AppendFailure::Refused(Nothing)) => {
                match self
                    .log
                    .newest(owner, None, 1)
                    .await
                    .map_err(unavailable)?
                    .pop()
                {
                    Some(newest) => newest,
                    None => return Ok(0),
                }
            }
            Err(AppendFailure::Conflict | AppendFailure::Overtaken) => {
                return Err(ErasureError::Conflict);
            }
            Err(AppendFailure::Read(error)) => return Err(unavailable(error)),
            Err(AppendFailure::TooLarge(error)) => return Err(unavailable(error)),
            Err(AppendFailure::Unknown(source)) => return Err(ErasureError::Unavailable(source)),
        };
        let now = clock.now();
        self.eraser.commits(owner, &newest, now).await?;
        self.eraser.view(owner, newest.conversation, now).await?;
        Ok(usize::try_from(newest.conversation.0).unwrap_or(usize::MAX))
    }

    /// Ends what is open and takes the name from the rest, again where the customer did something meanwhile: each of their actions
    /// changes the account.
    async fn purchases(&self, owner: &Owner) -> Result<(usize, usize), ErasureError> {
        let mut cancelled = 0;
        for race in 0..ATTEMPTS {
            let version = self.counter.purchases.account(owner).await?.version;
            let cancelled_now = self.cancel(owner).await?;
            cancelled += cancelled_now;
            if cancelled_now > 0 {
                // That has changed the account too.
                continue;
            }
            match self.eraser.purchases(owner, version).await {
                Err(ErasureError::Conflict) => {
                    let clock = &self.counter.clock;
                    clock.pause_up_to(FIRST_PAUSE * (1 << race)).await;
                }
                done => return Ok((cancelled, done?)),
            }
        }
        Err(ErasureError::Conflict)
    }

    /// Again where a calendar was busy.
    async fn appointments(&self, owner: &Owner) -> Result<usize, ErasureError> {
        let (clock, mut erased) = (&self.counter.clock, 0);
        for race in 0..ATTEMPTS {
            let appointments = self.eraser.appointments(owner, clock.now()).await?;
            erased += appointments.erased;
            if appointments.left == 0 {
                return Ok(erased);
            }
            clock.pause_up_to(FIRST_PAUSE * (1 << race)).await;
        }
        Err(ErasureError::Conflict)
    }

    /// Ends what the shop would still have to do for the customer, as the customer would.
    async fn cancel(&self, owner: &Owner) -> Result<usize, ErasureError> {
        let purchases = &self.counter.purchases;
        let mut cancelled = 0;
        let account = purchases.account(owner).await?;
        for held in account.active(self.counter.clock.now()) {
            let id = held.reservation_id;
            self.act(owner, "cancel_reservation", ("reservation_id", id))
                .await?;
            cancelled += 1;
        }
        let mut before = None;
        loop {
            let page = purchases.orders(owner, before, ORDERS_PER_READ).await?;
            before = page.last().map(|oldest| oldest.order_id);
            for order in &page {
                if order.estado == OrderStatus::Pendiente {
                    self.act(owner, "cancel_order", ("order_id", order.order_id))
                        .await?;
                    cancelled += 1;
                }
            }
            if page.len() < ORDERS_PER_READ {
                return Ok(cancelled);
            }
        }
    }

    async fn act(
        &self,
        owner: &Owner,
        action: &str,
        (name, id): (&str, u32),
    ) -> Result<(), ErasureError> {
        let payload = Payload([(name.to_owned(), id.into())].into_iter().collect());
        let done = perform(
            &self.counter,
            owner,
            Language::default(),
            action,
            &payload,
            &|_| None,
        )
        .await;
        match done {
            // Refused: it has ended meanwhile.
            Ok(_) => Ok(()),
            Err(ActionFailure::Conflict | ActionFailure::InProgress | ActionFailure::Unknown) => {
                Err(ErasureError::Conflict)
            }
            Err(ActionFailure::Purchases(error)) => Err(unavailable(error)),
            Err(ActionFailure::Catalogue(error)) => Err(unavailable(error)),
            Err(ActionFailure::Bookings(error)) => Err(unavailable(error)),
        }
    }
}

/// There is nothing to erase in the log.
struct Nothing;

impl From<PurchaseError> for ErasureError {
    fn from(error: PurchaseError) -> Self {
        unavailable(error)
    }
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> ErasureError {
    ErasureError::Unavailable(Box::new(error))
}
