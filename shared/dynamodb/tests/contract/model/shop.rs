//! The shop itself: actions on tables, and what must hold in them after each.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};

use async_trait::async_trait;
use mostrador_core::{
    actions::{Counter, Outcome, Payload, perform},
    catalogue::Catalogue,
    clock::Clock,
    ids::Owner,
    language::Language,
    price::{Price, Total},
    purchases::{
        CartLine, Order, OrderLine, OrderStatus, Purchases, Reservation, ReservationStatus,
    },
};
use mostrador_dynamodb::import;
use proptest_state_machine::StateMachineTest;
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio::runtime::{Builder, Runtime};
use uuid::Uuid;

use super::reference::{Act, CUSTOMERS, ITEMS, Model, Reply, Step};
use crate::setup::{Stores, item, noon, owner};

/// More than any customer has.
const ALL: usize = 1_000;

/// Copies by item.
type Copies = BTreeMap<u64, u32>;

/// A shop, and what was seen of it so far.
pub(super) struct Shop {
    runtime: Arc<Runtime>,
    stores: Stores,
    counter: Counter,
    clock: Arc<TestClock>,
    owners: Vec<Owner>,
    /// Copies there ever were of each item.
    copies: Copies,
    /// Reservations that have ended, by customer and number.
    ended: BTreeMap<(usize, u32), (Reservation, ReservationStatus)>,
    /// Orders as they were placed, by customer and number.
    placed: BTreeMap<(usize, u32), (Vec<OrderLine>, Total)>,
}

/// Time that is set by hand, and ids that count up.
struct TestClock {
    after_noon_ms: AtomicI64,
    ids: AtomicU64,
}

#[async_trait]
impl Clock for TestClock {
    fn now(&self) -> OffsetDateTime {
        noon() + time::Duration::milliseconds(self.after_noon_ms.load(Ordering::Relaxed))
    }

    fn new_id(&self) -> Uuid {
        Uuid::from_u128(self.ids.fetch_add(1, Ordering::Relaxed).into())
    }

    async fn pause(&self, _: std::time::Duration) {}

    async fn pause_up_to(&self, _: std::time::Duration) {
        panic!("nobody else is at work, and yet a race was lost");
    }
}

impl Shop {
    async fn act(&self, customer: usize, action: &str, payload: Value) -> Reply {
        let Value::Object(payload) = payload else {
            panic!("{payload}");
        };
        let (owner, payload) = (&self.owners[customer], Payload(payload));
        let language = Language::default();
        let done = perform(&self.counter, owner, language, action, &payload, &|_| None).await;
        let Outcome {
            error,
            warnings,
            results,
            data,
            effective,
            ..
        } = done.unwrap();
        Reply {
            error,
            warnings,
            results,
            data,
            effective,
        }
    }

    /// What lies in the tables is what the model has, and holds by itself.
    async fn check(&mut self, model: &Model) {
        let (purchases, catalogue) = (self.stores.purchases(), self.stores.catalogue());
        let mut all = Vec::new();
        for (customer, owner) in self.owners.clone().iter().enumerate() {
            let account = purchases.account(owner).await.unwrap();
            let held: Vec<_> = account.active(model.now).cloned().collect();
            let holdings = Holdings {
                cart: account.cart,
                reservations: purchases.reservations(owner, None, ALL).await.unwrap(),
                orders: purchases.orders(owner, None, ALL).await.unwrap(),
            };
            let cart = holdings.cart.iter();
            let cart: Vec<_> = cart.map(|line| (line.libro_id, line.cantidad)).collect();
            assert_eq!(
                cart,
                model.in_cart(customer),
                "{}'s cart",
                CUSTOMERS[customer]
            );
            let is_active = |r: &&Reservation| r.status(model.now) == ReservationStatus::Activa;
            let active = holdings.reservations.iter().rev().filter(is_active);
            assert!(active.eq(&held), "{}: {held:?}", CUSTOMERS[customer]);
            self.end_once(customer, &holdings.reservations, model.now);
            self.stay_as_placed(customer, &holdings.orders);
            all.push(holdings);
        }
        let reservations = all.iter().flat_map(|holdings| &holdings.reservations);
        let active = reservations
            .filter(|reservation| reservation.status(model.now) == ReservationStatus::Activa);
        let reserved = sum(active.map(|reservation| (reservation.libro_id, reservation.cantidad)));
        let orders = all.iter().flat_map(|holdings| &holdings.orders);
        let lines = orders
            .filter(|order| order.estado != OrderStatus::Cancelado)
            .flat_map(|order| &order.lineas);
        let sold = sum(lines.map(|line| (line.libro_id, line.cantidad)));
        for stocked in catalogue.get(&ITEMS, true).await.unwrap() {
            let (id, free) = (stocked.item.libro_id, stocked.available(model.now));
            let shelf = &model.shelves[&id];
            assert_eq!(
                (stocked.on_hand, stocked.item.precio.minor(), free),
                (shelf.on_hand, shelf.price, model.free(id, None)),
                "copies, price and free copies of book {id}"
            );
            let of = |copies: &Copies| copies.get(&id).copied().unwrap_or(0);
            assert_eq!(stocked.sold, of(&sold), "what was sold of book {id}");
            assert_eq!(
                free + of(&reserved) + of(&sold),
                of(&self.copies),
                "book {id}: {free} free, {reserved:?} reserved, {sold:?} sold"
            );
        }
    }

    /// A reservation that was sold, cancelled or has lapsed stays as it was then.
    fn end_once(&mut self, customer: usize, reservations: &[Reservation], now: OffsetDateTime) {
        for reservation in reservations {
            let is_now = (reservation.clone(), reservation.status(now));
            let key = (customer, reservation.reservation_id);
            match self.ended.get(&key) {
                Some(ended) => assert_eq!(is_now, *ended, "it ended once"),
                None if is_now.1 == ReservationStatus::Activa => {}
                None => {
                    self.ended.insert(key, is_now);
                }
            }
        }
    }

    /// An order's total is the sum of its lines, at the prices at which they were bought.
    fn stay_as_placed(&mut self, customer: usize, orders: &[Order]) {
        for order in orders {
            let lines = order.lineas.iter();
            let sum = lines.map(|line| line.precio.minor() * i64::from(line.cantidad));
            assert_eq!(order.total.minor(), sum.sum::<i64>(), "{order:?}");
            let is_now = (order.lineas.clone(), order.total);
            let placed = self.placed.entry((customer, order.order_id));
            assert_eq!(
                *placed.or_insert_with(|| is_now.clone()),
                is_now,
                "prices are pinned"
            );
        }
    }

    /// Customers' lists are what the model has.
    async fn compare_lists(&self, model: &Model) {
        for (customer, name) in CUSTOMERS.iter().enumerate() {
            for (action, expected) in [
                ("view_cart", model.cart(customer)),
                ("list_reservations", model.reservations(customer)),
                ("list_orders", model.orders(customer)),
            ] {
                let reply = self.act(customer, action, json!({})).await;
                assert_eq!(reply, expected, "{action} of {name}");
            }
        }
    }
}

/// What a customer has.
struct Holdings {
    cart: Vec<CartLine>,
    reservations: Vec<Reservation>,
    orders: Vec<Order>,
}

fn sum(copies: impl Iterator<Item = (u64, u32)>) -> Copies {
    let mut sums = Copies::new();
    for (item, copies) in copies {
        *sums.entry(item).or_default() += copies;
    }
    sums
}

/// An action by its name, and its arguments.
fn call(act: &Act) -> (&'static str, Value) {
    match act {
        Act::AddToCart { item, copies } => {
            ("add_to_cart", json!({"book_id": item, "cantidad": copies}))
        }
        Act::RemoveFromCart { item, copies } => (
            "remove_from_cart",
            json!({"book_id": item, "cantidad": copies}),
        ),
        Act::ClearCart => ("clear_cart", json!({})),
        Act::Checkout => ("checkout", json!({})),
        Act::ReserveItem { item, copies } => {
            ("reserve_book", json!({"book_id": item, "cantidad": copies}))
        }
        Act::CancelReservation { id } => ("cancel_reservation", json!({"reservation_id": id})),
        Act::CancelOrder { id } => ("cancel_order", json!({"order_id": id})),
    }
}

impl StateMachineTest for Shop {
    type SystemUnderTest = Self;
    type Reference = Model;

    fn init_test(model: &Model) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let copies: Vec<(u64, u32)> = model
            .shelves
            .iter()
            .map(|(id, shelf)| (*id, shelf.on_hand))
            .collect();
        let stores = runtime.block_on(async {
            let stores = Stores::embedded().await;
            stores.stock(&copies).await;
            stores
        });
        let after_noon_ms = (model.now - noon()).whole_milliseconds();
        let clock = Arc::new(TestClock {
            after_noon_ms: AtomicI64::new(after_noon_ms.try_into().unwrap()),
            ids: AtomicU64::new(1),
        });
        Self {
            counter: stores.counter(clock.clone()),
            runtime: Arc::new(runtime),
            stores,
            clock,
            owners: CUSTOMERS.map(owner).to_vec(),
            copies: copies.into_iter().collect(),
            ended: BTreeMap::new(),
            placed: BTreeMap::new(),
        }
    }

    fn apply(mut shop: Self, model: &Model, step: Step) -> Self {
        let runtime = Arc::clone(&shop.runtime);
        runtime.block_on(async {
            match step {
                Step::Act(customer, act) => {
                    let (action, payload) = call(&act);
                    let reply = shop.act(customer, action, payload).await;
                    assert_eq!(reply, model.reply, "{act:?} of {}", CUSTOMERS[customer]);
                }
                Step::Import {
                    item: id,
                    price,
                    more,
                } => {
                    let catalogue = shop.stores.catalogue();
                    let on_hand = catalogue.get(&[id], true).await.unwrap()[0].on_hand;
                    *shop.copies.entry(id).or_default() += more;
                    let mut repriced = item(id);
                    repriced.precio = Price::from_minor(price);
                    import(&catalogue, &[(repriced, on_hand + more)], |_| {})
                        .await
                        .unwrap();
                }
                Step::Pass { ms } => {
                    shop.clock.after_noon_ms.fetch_add(ms, Ordering::Relaxed);
                }
            }
            shop.check(model).await;
        });
        shop
    }

    fn teardown(shop: Self, model: Model) {
        let runtime = Arc::clone(&shop.runtime);
        runtime.block_on(shop.compare_lists(&model));
    }
}
