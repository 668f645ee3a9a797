//! A shop of three books in memory, with a scripted model.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use super::requests::Requests;
use crate::{
    actions::{Counter, approvals::Approvals},
    answer::Answer,
    catalogue::{Catalogue, CatalogueError, Details, Item, StockedItem},
    clock::Clock,
    files::NoFiles,
    ids::{ConversationNumber, Owner},
    index::{Index, IndexSource},
    language::Language,
    limits::{Kept, Settlement},
    log::{Commit, Log, MemoryLog, Summary},
    model::{
        Completion, CostMode, Model, ModelError, ModelEvent, ModelPolicy, ModelRequest, StopReason,
        ToolCall, Usage,
    },
    price::Price,
    purchases::{
        Account, CartLine, Contact, Mutation, Order, OrderLine, OrderStatus, PurchaseError,
        Purchases, Reservation,
    },
    retrieval::Retrieval,
    shop::Profile,
    turn::{Caller, ChatRequest, Ending, KeptAs, TurnEngine, TurnEvent, TurnFailure, TurnSettings},
    view::{AllWaiting, Projected, View, ViewError, Waiting, WaitingPlace},
};

/// What a model does when it is called.
pub(super) enum Does {
    /// Writes it, calls the tools, and stops for this reason.
    Replies(&'static str, Vec<(&'static str, Value)>, StopReason),
    Fails(ModelError),
    Hangs,
}

struct Scripted(Mutex<VecDeque<Does>>);

#[async_trait]
impl Model for Scripted {
    async fn ask(&self, _: ModelRequest) -> Result<Completion, ModelError> {
        let does = self.0.lock().unwrap().pop_front();
        let (text, calls, stop_reason) = match does.expect("asked once more") {
            Does::Replies(text, calls, stop_reason) => (text, calls, stop_reason),
            Does::Fails(error) => return Err(error),
            Does::Hangs => return std::future::pending().await,
        };
        let calls = calls.into_iter().enumerate().map(|(number, call)| {
            ModelEvent::ToolCall(ToolCall {
                id: format!("{}-{number}", call.0),
                name: call.0.to_owned(),
                arguments: call.1,
                provider_data: None,
            })
        });
        let usage = ModelEvent::Usage(Usage {
            input_tokens: 100,
            output_tokens: 10,
        });
        let events: Vec<_> = [ModelEvent::ContentDelta(text.to_owned())]
            .into_iter()
            .chain(calls)
            .chain([usage, ModelEvent::End { stop_reason }])
            .map(Ok)
            .collect();
        Ok(Completion {
            model: Some("scripted".to_owned()),
            events: stream::iter(events).boxed(),
        })
    }
}

/// Tokio's time from noon of a day on, and ids that count.
struct TestClock {
    start: tokio::time::Instant,
    ids: AtomicU64,
}

#[async_trait]
impl Clock for TestClock {
    fn now(&self) -> OffsetDateTime {
        let noon = OffsetDateTime::from_unix_timestamp(1_790_000_000).unwrap();
        noon + self.start.elapsed()
    }

    fn new_id(&self) -> Uuid {
        // A UUIDv7 tells when it was made.
        let made = u128::try_from(self.now().unix_timestamp_nanos() / 1_000_000).unwrap();
        let count = u128::from(self.ids.fetch_add(1, Ordering::Relaxed));
        Uuid::from_u128(made << 80 | 7 << 76 | 2 << 62 | count)
    }

    async fn pause(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    async fn pause_up_to(&self, longest: Duration) {
        tokio::time::sleep(longest).await;
    }
}

struct Shelf(Vec<StockedItem>);

#[async_trait]
impl Catalogue for Shelf {
    async fn get(&self, ids: &[u64], _: bool) -> Result<Vec<StockedItem>, CatalogueError> {
        let items = self
            .0
            .iter()
            .filter(|stocked| ids.contains(&stocked.item.libro_id));
        Ok(items.cloned().collect())
    }

    async fn find_isbn(&self, _: &str) -> Result<Option<u64>, CatalogueError> {
        Ok(None)
    }

    async fn most_sold(&self, _: usize) -> Result<Vec<u64>, CatalogueError> {
        Ok(Vec::new())
    }

    async fn scan(&self, limit: usize) -> Result<Vec<StockedItem>, CatalogueError> {
        Ok(self.0.iter().take(limit).cloned().collect())
    }
}

/// What Ana has in her cart, ordered and reserved; nobody else has anything.
struct Anas(Mutex<AnasOwn>);

struct AnasOwn {
    account: Account,
    orders: Vec<Order>,
    /// The requests that were settled with a change.
    requests: Arc<Requests>,
}

#[async_trait]
impl Purchases for Anas {
    async fn account(&self, owner: &Owner) -> Result<Account, PurchaseError> {
        let own = self.0.lock().unwrap();
        let account = (*owner == ana()).then(|| own.account.clone());
        Ok(account.unwrap_or_default())
    }

    async fn reservations(
        &self,
        owner: &Owner,
        _: Option<u32>,
        _: usize,
    ) -> Result<Vec<Reservation>, PurchaseError> {
        Ok(self.account(owner).await?.held)
    }

    async fn reservation(
        &self,
        owner: &Owner,
        number: u32,
    ) -> Result<Option<Reservation>, PurchaseError> {
        let held = self.account(owner).await?.held;
        Ok(held
            .into_iter()
            .find(|reservation| reservation.reservation_id == number))
    }

    async fn orders(
        &self,
        owner: &Owner,
        _: Option<u32>,
        _: usize,
    ) -> Result<Vec<Order>, PurchaseError> {
        let own = self.0.lock().unwrap();
        let orders = (*owner == ana()).then(|| own.orders.clone());
        Ok(orders.unwrap_or_default())
    }

    async fn order(&self, owner: &Owner, order_id: u32) -> Result<Option<Order>, PurchaseError> {
        let orders = self.orders(owner, None, usize::MAX).await?;
        Ok(orders.into_iter().find(|order| order.order_id == order_id))
    }

    /// The account and the orders as they are wanted; the shelf stays as it is.
    async fn commit(&self, owner: &Owner, mutation: &Mutation) -> Result<(), PurchaseError> {
        assert_eq!(*owner, ana());
        let mut own = self.0.lock().unwrap();
        assert_eq!(own.account.version, mutation.account.version);
        own.account = mutation.account.clone();
        own.account.version += 1;
        for (order, _) in &mutation.orders {
            let mut orders = own.orders.iter_mut();
            match orders.find(|known| known.order_id == order.order_id) {
                Some(known) => *known = order.clone(),
                None => own.orders.insert(0, order.clone()),
            }
        }
        if let Some(Settlement {
            request,
            kept: Kept::Answered(answer),
        }) = &mutation.settlement
        {
            own.requests.keep(&request.key, answer);
        }
        Ok(())
    }
}

/// Two titles in the cart, two orders, and a copy reserved for twenty hours more.
fn anas(now: OffsetDateTime, requests: Arc<Requests>) -> Anas {
    let line = |libro_id, titulo: &str, cantidad, cents| OrderLine {
        libro_id,
        titulo: titulo.to_owned(),
        cantidad,
        precio: Price::from_minor(cents),
    };
    let mut delivered = Order::new(1, vec![line(2, "Ficciones", 1, 1_100)], now);
    delivered.estado = OrderStatus::Entregado;
    let lines = vec![
        line(1, "Rayuela", 2, 1_795),
        line(3, "Pedro Páramo", 1, 950),
    ];
    let pending = Order::new(2, lines, now);
    let reservation = Reservation {
        reservation_id: 1,
        hold: Uuid::nil(),
        libro_id: 3,
        titulo: "Pedro Páramo".to_owned(),
        cantidad: 1,
        ended: None,
        ended_by: None,
        created_at: now,
        expires_at: now + time::Duration::hours(20) + time::Duration::minutes(5),
        language: None,
    };
    Anas(Mutex::new(AnasOwn {
        requests,
        account: Account {
            version: 5,
            cart: [(1, 2), (3, 1)]
                .map(|(libro_id, cantidad)| CartLine { libro_id, cantidad })
                .into(),
            held: vec![reservation],
            reservations_made: 1,
            orders_made: 2,
            notes: Vec::new(),
            notes_made: 0,
            contact: Contact::default(),
            effects: Vec::new(),
        },
        orders: vec![pending, delivered],
    }))
}

struct NoIndex;

#[async_trait]
impl IndexSource for NoIndex {
    async fn current(&self) -> Option<Arc<dyn Index>> {
        None
    }
}

struct NoView;

#[async_trait]
impl View for NoView {
    async fn conversations(
        &self,
        _: &Owner,
        _: Option<ConversationNumber>,
        _: usize,
    ) -> Result<Vec<Projected>, ViewError> {
        Ok(Vec::new())
    }

    async fn conversation(
        &self,
        _: &Owner,
        _: ConversationNumber,
    ) -> Result<Option<Projected>, ViewError> {
        Ok(None)
    }

    async fn summaries(
        &self,
        _: &Owner,
        _: Option<ConversationNumber>,
        _: usize,
    ) -> Result<HashMap<ConversationNumber, Summary>, ViewError> {
        Ok(HashMap::new())
    }

    async fn summary(
        &self,
        _: &Owner,
        _: ConversationNumber,
    ) -> Result<Option<Summary>, ViewError> {
        Ok(None)
    }

    async fn waiting(
        &self,
        _: &str,
        _: Option<&WaitingPlace>,
        _: usize,
    ) -> Result<Vec<Waiting>, ViewError> {
        Ok(Vec::new())
    }

    async fn all_waiting(&self) -> Result<AllWaiting, ViewError> {
        Ok(AllWaiting::default())
    }

    async fn advance(&self, _: &Owner, _: &Projected) -> Result<(), ViewError> {
        Ok(())
    }

    async fn restore(&self, _: &Owner, _: &Projected) -> Result<(), ViewError> {
        Ok(())
    }

    async fn call_for_summary(&self, _: &Owner, _: &Projected) -> Result<(), ViewError> {
        Ok(())
    }

    async fn summarise(
        &self,
        _: &Owner,
        _: ConversationNumber,
        _: &Summary,
        _: OffsetDateTime,
    ) -> Result<bool, ViewError> {
        Ok(false)
    }
}

fn item(libro_id: u64, titulo: &str, autor: &str, cents: i64, on_hand: u32) -> StockedItem {
    StockedItem {
        item: Item {
            libro_id,
            titulo: titulo.to_owned(),
            autor: autor.to_owned(),
            isbn: String::new(),
            precio: Price::from_minor(cents),
            categoria: "Novela".to_owned(),
            editorial: String::new(),
            publicado: Some(1963),
            descripcion: String::new(),
            details: Details::default(),
        },
        on_hand,
        holds: Vec::new(),
        sold: 0,
        version: 1,
    }
}

pub(super) fn ana() -> Owner {
    Owner::new("default", "ana").unwrap()
}

/// An engine whose model does this, one after the other; without a script there is no model.
pub(super) fn engine(script: Vec<Does>) -> TurnEngine {
    let mut policy = ModelPolicy::none();
    if !script.is_empty() {
        policy.provider = "openai_compatible";
        policy.cost_mode = CostMode::Paid;
        policy.timeout_seconds = 20;
    }
    let clock = TestClock {
        start: tokio::time::Instant::now(),
        ids: AtomicU64::new(1),
    };
    let clock = Arc::new(clock);
    let log = Arc::new(MemoryLog::default());
    let shop = Arc::new(Arc::<Profile>::default());
    let catalogue = Arc::new(Shelf(vec![
        item(1, "Rayuela", "Julio Cortázar", 1_895, 4),
        item(2, "Ficciones", "Jorge Luis Borges", 1_200, 0),
        item(3, "Pedro Páramo", "Juan Rulfo", 950, 1),
    ]));
    let requests = Arc::<Requests>::default();
    TurnEngine {
        log: log.clone(),
        view: Arc::new(NoView),
        retrieval: Retrieval {
            index: Arc::new(NoIndex),
            catalogue: catalogue.clone(),
            shop: shop.clone(),
        },
        approvals: Approvals {
            log,
            idempotency: requests.clone(),
            counter: Counter {
                catalogue,
                purchases: Arc::new(anas(clock.now(), requests)),
                clock: clock.clone(),
                order_total_max: None,
                shop: shop.clone(),
                reception: None,
            },
        },
        files: Arc::new(NoFiles),
        model: Arc::new(Scripted(Mutex::new(script.into()))),
        clock,
        shop,
        settings: TurnSettings {
            policy,
            ..TurnSettings::default()
        },
    }
}

pub(super) fn caller(owner: Option<Owner>) -> Caller {
    Caller {
        owner,
        language: Language::default(),
        request_id: Uuid::nil(),
        byo_key: None,
        keyed: None,
        begun: None,
        kept_as: KeptAs::Answer,
    }
}

pub(super) fn question(message: &str) -> ChatRequest {
    let body = json!({"message": message});
    ChatRequest::read(body.as_object().unwrap()).unwrap()
}

/// A turn, from its question to its end: its events, and what came of it.
pub(super) struct Turn {
    pub(super) turn_id: Uuid,
    pub(super) events: Vec<TurnEvent>,
    pub(super) answer: Answer,
    pub(super) ending: Ending,
}

/// Has a turn go from its beginning to its end, with `meanwhile` between the two.
pub(super) async fn turn(
    engine: &TurnEngine,
    owner: Option<Owner>,
    message: &str,
    meanwhile: impl AsyncFnOnce(Uuid),
) -> Result<Turn, TurnFailure> {
    turn_of(engine, owner, question(message), meanwhile).await
}

/// The same of a whole request.
pub(super) async fn turn_of(
    engine: &TurnEngine,
    owner: Option<Owner>,
    question: ChatRequest,
    meanwhile: impl AsyncFnOnce(Uuid),
) -> Result<Turn, TurnFailure> {
    let mut caller = caller(owner);
    let prepared = engine.prepare(&mut caller, question).await?;
    let begun = engine.begin(&caller, prepared).await?;
    let turn_id = begun.turn_id;
    meanwhile(turn_id).await;
    let events = Mutex::new(Vec::new());
    let listener = |event: TurnEvent| events.lock().unwrap().push(event);
    let (answer, ending) = engine.finish(&caller, begun, &listener).await;
    Ok(Turn {
        turn_id,
        events: events.into_inner().unwrap(),
        answer,
        ending,
    })
}

/// All of Ana's log, oldest first.
pub(super) async fn kept(log: &dyn Log) -> Vec<Commit> {
    use crate::log::{Order, Stretch};
    log.read(&ana(), Stretch::ALL, Order::OldestFirst, usize::MAX)
        .await
        .unwrap()
}
