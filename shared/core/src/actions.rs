//! What a signed-in customer can have done, and how its outcome is rendered.

mod appointments;
pub mod approvals;
mod cart;
mod checkout;
mod choices;
pub mod fulfilment;
mod notes;
mod orders;
mod payload;
mod reservations;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use uuid::Uuid;

pub(crate) use choices::{Choice, choices, of_item};
pub use payload::{Part, Payload};

use crate::{
    booking::{BookingError, Reception},
    catalogue::{Catalogue, CatalogueError, Item, StockedItem},
    clock::Clock,
    ids::Owner,
    language::{Argument, Language},
    limits::Settlement,
    log::{ATTEMPTS, FIRST_PAUSE},
    price::{Price, Total},
    purchases::{Account, Mutation, Order, PurchaseError, Purchases},
    shop::{Locale, Profile, ProfileSource},
    text::name,
};

/// Every action by name.
pub const ACTIONS: [&str; 30] = [
    "add_to_cart",
    "view_cart",
    "set_quantity",
    "remove_from_cart",
    "clear_cart",
    "checkout",
    "reserve_book",
    "reserve_item",
    "list_reservations",
    "cancel_reservation",
    "order_status",
    "list_orders",
    "cancel_order",
    "return_order",
    "view_profile",
    "remember",
    "forget",
    "set_profile",
    "get_services",
    "get_categories",
    "get_service_details",
    "get_available_slots",
    "find_or_create_user",
    "get_user_info",
    "get_user_appointments",
    "create_appointment",
    "cancel_appointment",
    "reschedule_appointment",
    "approve",
    "reject",
];

/// Most lines of details under a message; with it they are as many as an answer has.
const DETAILS: usize = 5;

/// What actions work on.
#[derive(Clone)]
pub struct Counter {
    pub catalogue: Arc<dyn Catalogue>,
    pub purchases: Arc<dyn Purchases>,
    pub clock: Arc<dyn Clock>,
    /// The largest order that is taken, if the shop has set one.
    pub order_total_max: Option<Total>,
    /// What the shop calls what it sells.
    pub shop: Arc<dyn ProfileSource>,
    /// Nothing where the shop takes no appointments.
    pub reception: Option<Reception>,
}

impl Counter {
    /// Tries until a try has not lost its race, or too many have.
    async fn racing<T, E, F: Future<Output = Result<T, E>>>(
        &self,
        try_once: impl Fn() -> F,
        has_lost: impl Fn(&E) -> bool,
    ) -> Result<T, E> {
        for race in 0..ATTEMPTS - 1 {
            match try_once().await {
                Err(failure) if has_lost(&failure) => {
                    self.clock.pause_up_to(FIRST_PAUSE * (1 << race)).await;
                }
                settled => return settled,
            }
        }
        try_once().await
    }
}

/// What came of an action, good or bad.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The code of a refusal.
    pub error: Option<&'static str>,
    /// For people.
    pub message: String,
    /// What the message sums up, a line each; of what was looked up alone.
    pub details: Vec<String>,
    pub warnings: Vec<Warning>,
    /// Cart lines, reservations, orders, what is remembered, services, slots or appointments.
    pub results: Vec<Value>,
    /// Further facts: a total, an id.
    pub data: Value,
    /// Whether something was changed, and the request settled with it.
    pub effective: bool,
}

impl Outcome {
    fn done(message: String, results: Vec<Value>, data: Value) -> Self {
        Self {
            error: None,
            message,
            details: Vec::new(),
            warnings: Vec::new(),
            results,
            data,
            effective: false,
        }
    }

    fn refused(error: &'static str, message: impl Into<String>) -> Self {
        Self {
            error: Some(error),
            message: message.into(),
            details: Vec::new(),
            warnings: Vec::new(),
            results: Vec::new(),
            data: Value::Null,
            effective: false,
        }
    }
}

/// Something that was taken differently from how it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    #[serde(rename = "quantity_raised_to_1")]
    QuantityRaisedTo1,
    #[serde(rename = "quantity_lowered_to_10")]
    QuantityLoweredTo10,
    QuantityNotANumber,
    #[serde(rename = "book_no_longer_sold")]
    ItemNoLongerSold,
}

/// Why an action came to no outcome.
#[derive(Debug, thiserror::Error)]
pub enum ActionFailure {
    #[error("there is no such action")]
    Unknown,
    /// Lost every race.
    #[error("other changes came first")]
    Conflict,
    #[error("another attempt at the request is under way")]
    InProgress,
    #[error(transparent)]
    Purchases(PurchaseError),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error(transparent)]
    Bookings(BookingError),
}

impl From<PurchaseError> for ActionFailure {
    fn from(error: PurchaseError) -> Self {
        match error {
            PurchaseError::Conflict => Self::Conflict,
            PurchaseError::Overtaken => Self::InProgress,
            other => Self::Purchases(other),
        }
    }
}

/// One attempt at an action: whose, when, and in which language it is answered.
struct Attempt<'a> {
    counter: &'a Counter,
    owner: &'a Owner,
    language: Language,
    shop: &'a Profile,
    now: OffsetDateTime,
    effect_id: Uuid,
    /// Nothing where the customer is to be asked before anything is done.
    settle: Option<Settle<'a>>,
}

/// What becomes of the request once this outcome is in, if it is to be known again.
pub type Settle<'a> = &'a (dyn Fn(&Outcome) -> Option<Settlement> + Sync);

impl<'a> Attempt<'a> {
    fn new(
        counter: &'a Counter,
        (owner, language): (&'a Owner, Language),
        shop: &'a Profile,
        effect_id: Uuid,
        settle: Option<Settle<'a>>,
    ) -> Self {
        Self {
            counter,
            owner,
            language,
            shop,
            now: counter.clock.now(),
            effect_id,
            settle,
        }
    }

    async fn item(&self, libro_id: Option<u64>) -> Result<Option<StockedItem>, ActionFailure> {
        let Some(libro_id) = libro_id else {
            return Ok(None);
        };
        Ok(self.counter.catalogue.get(&[libro_id], true).await?.pop())
    }

    async fn account(&self) -> Result<Account, ActionFailure> {
        Ok(self.counter.purchases.account(self.owner).await?)
    }

    fn mutation(&self, account: Account) -> Mutation {
        Mutation::of(self.effect_id, account)
    }

    /// The same, to somebody of that language.
    fn in_language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The items of an order as if it had not been placed, as far as they are still sold; with its copies back in stock, or without.
    async fn unsold(
        &self,
        order: &Order,
        goes_back: bool,
    ) -> Result<Vec<StockedItem>, ActionFailure> {
        let ids: Vec<u64> = order.lineas.iter().map(|line| line.libro_id).collect();
        let mut items = self.counter.catalogue.get(&ids, true).await?;
        for stocked in &mut items {
            let of_item = order.lineas.iter();
            let of_item = of_item.filter(|line| line.libro_id == stocked.item.libro_id);
            let copies = of_item.map(|line| line.cantidad).sum::<u32>();
            stocked.sold = stocked.sold.saturating_sub(copies);
            if goes_back {
                stocked.on_hand += copies;
            }
        }
        Ok(items)
    }

    /// Makes the mutation happen, and with it its outcome; or asks the `question` whether it is to happen.
    async fn commit(
        &self,
        mut mutation: Mutation,
        mut outcome: Outcome,
        question: impl FnOnce() -> String + Send,
    ) -> Result<Outcome, ActionFailure> {
        outcome.effective = true;
        let Some(settle) = self.settle else {
            outcome.message = question();
            return Ok(outcome);
        };
        mutation.settlement = settle(&outcome);
        self.make(&mutation).await?;
        Ok(outcome)
    }

    /// Makes the mutation happen, again while another change is at work.
    async fn make(&self, mutation: &Mutation) -> Result<(), ActionFailure> {
        let Counter {
            purchases, clock, ..
        } = self.counter;
        for race in 0..ATTEMPTS {
            match purchases.commit(self.owner, mutation).await {
                Err(PurchaseError::Busy) => clock.pause_up_to(FIRST_PAUSE * (1 << race)).await,
                done => return Ok(done?),
            }
        }
        Err(PurchaseError::Busy.into())
    }

    fn message(&self, key: &str, arguments: &[(&'static str, Argument<'_>)]) -> String {
        self.locale().message(key, arguments)
    }

    /// The customer's language, and the shop's words and currency in it.
    fn locale(&self) -> Locale<'_> {
        self.shop.locale(self.language)
    }

    /// A line for each of these, of which there are `count`; the last line counts those without room.
    fn listed<T>(&self, things: &[T], count: usize, line: impl Fn(&T) -> String) -> Vec<String> {
        let fitting = if count > DETAILS {
            DETAILS - 1
        } else {
            DETAILS
        };
        let mut lines: Vec<String> = things.iter().take(fitting).map(line).collect();
        if let Some(more @ 1..) = count.checked_sub(fitting) {
            lines.push(self.message("and-more", &[("count", more.into())]));
        }
        lines
    }

    /// So many copies of a title at a price.
    fn bought(&self, titulo: &str, copies: u32, price: Price) -> String {
        let (titulo, price) = (name(titulo), price.display(self.locale()));
        let arguments = [
            ("title", (&titulo).into()),
            ("count", copies.into()),
            ("price", (&price).into()),
        ];
        self.message("bought", &arguments)
    }

    /// A message about so many copies of an item, of which so many are `there` already.
    fn of_copies(&self, key: &str, item: &Item, copies: u32, there: u32) -> String {
        let (titulo, price) = (name(&item.titulo), item.precio.display(self.locale()));
        let arguments = [
            ("title", (&titulo).into()),
            ("price", (&price).into()),
            ("count", copies.into()),
            ("there", there.into()),
        ];
        self.message(key, &arguments)
    }

    /// A refusal, in the words that its code stands for.
    fn refused(&self, code: &'static str, arguments: &[(&'static str, Argument<'_>)]) -> Outcome {
        Outcome::refused(code, self.message(code, arguments))
    }

    fn insufficient_stock(&self, titulo: &str, available: u32) -> Outcome {
        let arguments = [("title", titulo.into()), ("count", available.into())];
        let mut outcome = self.refused("insufficient_stock", &arguments);
        outcome.data = serde_json::json!({"available": available});
        outcome
    }
}

/// Performs `action` for `owner`; another try after every lost race.
///
/// # Errors
/// [`ActionFailure`]; nothing was changed, unless the store did not answer.
pub async fn perform(
    counter: &Counter,
    owner: &Owner,
    language: Language,
    action: &str,
    payload: &Payload,
    settle: Settle<'_>,
) -> Result<Outcome, ActionFailure> {
    let asked = (owner, language, action, payload);
    attempt(counter, asked, Some(settle)).await
}

/// What `action` would do now, and nothing is done: an outcome that is effective has the question to the customer for its message,
/// any other is what the action would come to.
///
/// # Errors
/// [`ActionFailure`].
pub(crate) async fn propose(
    counter: &Counter,
    owner: &Owner,
    language: Language,
    action: &str,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    attempt(counter, (owner, language, action, payload), None).await
}

/// What a business offers or has free, for whoever asks: the outcome of an action that changes nothing and is of nobody.
///
/// # Errors
/// [`ActionFailure`].
pub(crate) async fn offered(
    counter: &Counter,
    language: Language,
    action: &str,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    if !appointments::OFFERED.contains(&action) {
        return Err(ActionFailure::Unknown);
    }
    let nobody = Owner::new("nobody", "nobody").map_err(|_| ActionFailure::Unknown)?;
    attempt(counter, (&nobody, language, action, payload), None).await
}

async fn attempt(
    counter: &Counter,
    (owner, language, action, payload): (&Owner, Language, &str, &Payload),
    settle: Option<Settle<'_>>,
) -> Result<Outcome, ActionFailure> {
    let effect_id = counter.clock.new_id();
    let shop = counter.shop.current().await;
    let try_once = || async {
        let attempt = Attempt::new(counter, (owner, language), &shop, effect_id, settle);
        once(&attempt, action, payload).await
    };
    let has_lost = |failure: &ActionFailure| matches!(failure, ActionFailure::Conflict);
    counter.racing(try_once, has_lost).await
}

async fn once(
    attempt: &Attempt<'_>,
    action: &str,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    match action {
        "add_to_cart" => cart::add(attempt, payload).await,
        "view_cart" => cart::view(attempt).await,
        "set_quantity" => cart::set(attempt, payload).await,
        "remove_from_cart" => cart::remove(attempt, payload).await,
        "clear_cart" => cart::clear(attempt).await,
        "checkout" => checkout::checkout(attempt, payload).await,
        "reserve_book" | "reserve_item" => reservations::reserve(attempt, payload).await,
        "list_reservations" => reservations::list(attempt, payload).await,
        "cancel_reservation" => reservations::cancel(attempt, payload).await,
        "order_status" => orders::status(attempt, payload).await,
        "list_orders" => orders::list(attempt, payload).await,
        "cancel_order" => orders::cancel(attempt, payload).await,
        "return_order" => orders::give_back(attempt, payload).await,
        "view_profile" => notes::view(attempt).await,
        "remember" => notes::remember(attempt, payload).await,
        "forget" => notes::forget(attempt, payload).await,
        "set_profile" => notes::set(attempt, payload).await,
        other => appointments::act(attempt, other, payload).await,
    }
}

/// A time as people and programs read it, to the second.
fn seconds(at: OffsetDateTime) -> Option<String> {
    at.replace_nanosecond(0).unwrap_or(at).format(&Rfc3339).ok()
}
