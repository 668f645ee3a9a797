//! A few customers, each with more than one device at hand, few copies, and staff who see to it all: the responses they got, against
//! stock, reservations, orders, and what the customers' conversations hold.

mod staff;

use std::{cell::RefCell, collections::BTreeMap, sync::Arc, time::Duration};

use futures_util::future::join_all;
use mostrador_core::{
    actions::{ActionFailure, Counter, Payload, fulfilment::Fulfilment, perform},
    catalogue::{Catalogue, Details, Hold, Item},
    clock::Clock,
    ids::Owner,
    language::Language,
    price::{Price, Total},
    purchases::{Order, OrderStatus, Purchases, Reservation, ReservationEnd, ReservationStatus},
    shop::Profile,
};
use mostrador_dynamodb::{DynamoCatalogue, DynamoLog, DynamoPurchases, connect, import};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio::time::timeout;

use super::{LATE_IS_DONE, World, clock::SeededClock};

/// The item that is only ever put into carts, and of which there is plenty.
const PLENTY: u64 = 1;
/// More than any customer of a world has.
const EVERYTHING: usize = 10_000;

/// One action of one customer, and what it came to.
struct Response {
    owner: usize,
    action: &'static str,
    /// What it was about, or what it made: a reservation or an order.
    id: Option<u64>,
    outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    /// Nothing was changed, for this reason.
    Refused(&'static str),
    /// It happened once or not at all.
    Unknown,
}

struct Customers<'a> {
    counter: Counter,
    owners: &'a [Owner],
    items: Vec<u64>,
    responses: RefCell<Vec<Response>>,
}

impl Customers<'_> {
    async fn device(&self, owner: usize, mut rng: StdRng) {
        for _ in 0..rng.random_range(2..7u32) {
            let item = self.items.choose(&mut rng).copied().unwrap_or(PLENTY);
            let id = rng.random_range(1..4u32);
            let (action, payload) = match rng.random_range(0..13u32) {
                0..=2 => ("add_to_cart", json!({"book_id": PLENTY, "cantidad": 1})),
                3 | 4 => ("add_to_cart", json!({"book_id": item, "cantidad": 1})),
                5 | 6 => ("checkout", json!({})),
                7 | 8 => (
                    "reserve_book",
                    json!({"book_id": item, "cantidad": rng.random_range(1..3u32)}),
                ),
                9 => ("cancel_reservation", json!({"reservation_id": id})),
                10 => ("cancel_order", json!({"order_id": id})),
                11 => ("return_order", json!({"order_id": id})),
                _ => ("remove_from_cart", json!({"book_id": item})),
            };
            let patience = rng.random_bool(0.1).then(|| rng.random_range(0..2_500));
            self.perform(owner, action, payload, patience).await;
            // Now and then so long that reservations lapse.
            let pause = if rng.random_bool(0.03) {
                Duration::from_secs(25 * 3_600)
            } else {
                Duration::from_millis(rng.random_range(0..20))
            };
            tokio::time::sleep(pause).await;
        }
    }

    async fn perform(
        &self,
        owner: usize,
        action: &'static str,
        payload: Value,
        patience_ms: Option<u64>,
    ) {
        let about = ["reservation_id", "order_id", "book_id"]
            .into_iter()
            .find_map(|name| payload[name].as_u64());
        let Value::Object(payload) = payload else {
            return;
        };
        let payload = Payload(payload);
        let performing = perform(
            &self.counter,
            &self.owners[owner],
            Language::default(),
            action,
            &payload,
            &|_| None,
        );
        let ended = match patience_ms {
            None => Some(performing.await),
            Some(patience) => timeout(Duration::from_millis(patience), performing)
                .await
                .ok(),
        };
        let (outcome, id) = match ended {
            Some(Ok(done)) => match done.error {
                Some(code) => (Outcome::Refused(code), about),
                None => {
                    let made = match action {
                        "reserve_book" => done.data["reservation_id"].as_u64(),
                        "checkout" => done.data["order_id"].as_u64(),
                        _ => about,
                    };
                    (Outcome::Done, made)
                }
            },
            Some(Err(ActionFailure::Conflict)) => (Outcome::Refused("conflict"), about),
            Some(Err(_)) | None => (Outcome::Unknown, about),
        };
        self.responses.borrow_mut().push(Response {
            owner,
            action,
            id,
            outcome,
        });
    }
}

pub(super) fn item(libro_id: u64) -> Item {
    Item {
        libro_id,
        titulo: format!("Libro {libro_id}"),
        autor: String::new(),
        isbn: String::new(),
        precio: Price::from_minor(995 + 100 * libro_id.cast_signed()),
        categoria: String::new(),
        editorial: String::new(),
        publicado: None,
        descripcion: String::new(),
        details: Details::default(),
    }
}

/// What a customer has in the end.
struct Holdings {
    orders: Vec<Order>,
    reservations: Vec<Reservation>,
    plenty_in_cart: u32,
}

/// One world: its customers' time, and the check of what they leave.
pub(super) async fn world(world: &mut World) -> Result<(), String> {
    let mut rng = StdRng::seed_from_u64(world.seed);
    let owners: Vec<Owner> = (0..rng.random_range(1..4u32))
        .filter_map(|number| Owner::new("shop", &format!("customer-{number}")).ok())
        .collect();
    let mut stock = BTreeMap::from([(PLENTY, 1_000)]);
    stock.extend((2..rng.random_range(3..6u64)).map(|id| (id, rng.random_range(1..7u32))));
    let clock: Arc<dyn Clock> = Arc::new(SeededClock::new(world.seed));
    let clean = connect(&world.engine.configuration().await);
    let catalogue = DynamoCatalogue::new(clean.clone(), &world.tables.catalogue);
    let items: Vec<(Item, u32)> = stock
        .iter()
        .map(|(id, copies)| (item(*id), *copies))
        .collect();
    import(&catalogue, &items, |_| {})
        .await
        .map_err(|error| error.to_string())?;

    let client = connect(&world.faulty.configuration().await);
    let purchases = Arc::new(DynamoPurchases::new(client.clone(), &world.tables));
    let counter = Counter {
        catalogue: Arc::new(DynamoCatalogue::new(
            client.clone(),
            &world.tables.catalogue,
        )),
        purchases: purchases.clone(),
        clock: Arc::clone(&clock),
        order_total_max: None,
        shop: Arc::new(Arc::<Profile>::default()),
        reception: None,
    };
    let log = DynamoLog::new(clean.clone(), &world.tables);
    let speakers: Vec<usize> = (0..owners.len()).filter(|_| rng.random_bool(0.7)).collect();
    for speaker in &speakers {
        staff::begin_conversation(&log, &owners[*speaker], clock.now()).await?;
    }
    let staff = staff::Staff {
        fulfilment: Fulfilment {
            counter: counter.clone(),
            log: Arc::new(DynamoLog::new(client, &world.tables)),
            queues: purchases,
        },
        owners: &owners,
        responses: RefCell::default(),
    };
    let customers = Customers {
        counter,
        owners: &owners,
        items: stock.keys().copied().filter(|id| *id != PLENTY).collect(),
        responses: RefCell::default(),
    };
    let devices = (0..owners.len()).flat_map(|owner| [owner; 2]);
    let devices: Vec<_> = devices
        .map(|owner| customers.device(owner, StdRng::seed_from_u64(rng.random())))
        .collect();
    let desks: Vec<_> = (0..2)
        .map(|_| staff.desk(StdRng::seed_from_u64(rng.random())))
        .collect();
    let speeches: Vec<_> = speakers
        .iter()
        .map(|speaker| staff.speak(*speaker, StdRng::seed_from_u64(rng.random())))
        .collect();
    tokio::join!(join_all(devices), join_all(desks), join_all(speeches));
    tokio::time::sleep(LATE_IS_DONE).await;

    let purchases = DynamoPurchases::new(clean, &world.tables);
    let now = clock.now();
    let responses = customers.responses.take();
    let steps = staff.responses.take();
    let mut all = Vec::new();
    for (place, owner) in owners.iter().enumerate() {
        let holdings = holdings(&purchases, owner)
            .await
            .map_err(|error| error.to_string())?;
        let of_owner: Vec<&Response> = responses
            .iter()
            .filter(|response| response.owner == place)
            .collect();
        let of_staff: Vec<_> = steps.iter().filter(|step| step.owner == place).collect();
        check_responses(&of_owner, &of_staff, &holdings)?;
        staff::check(&of_staff, &holdings.orders, &log, owner).await?;
        all.push(holdings);
    }
    check_stock(&catalogue, &stock, &all, now).await?;
    for response in &responses {
        let what = match response.outcome {
            Outcome::Done => response.action,
            Outcome::Refused(code) => code,
            Outcome::Unknown => "unknown",
        };
        world.tried.count(what, 1);
    }
    for step in &steps {
        world.tried.count(step.what(), 1);
    }
    Ok(())
}

async fn holdings(
    purchases: &DynamoPurchases,
    owner: &Owner,
) -> Result<Holdings, mostrador_core::purchases::PurchaseError> {
    let account = purchases.account(owner).await?;
    let plenty = account.cart.iter().filter(|line| line.libro_id == PLENTY);
    Ok(Holdings {
        orders: purchases.orders(owner, None, EVERYTHING).await?,
        reservations: purchases.reservations(owner, None, EVERYTHING).await?,
        plenty_in_cart: plenty.map(|line| line.cantidad).sum(),
    })
}

/// Every effect that was acknowledged is there once, none that was refused, and of the unknown ones at most as many as there were.
fn check_responses(
    responses: &[&Response],
    of_staff: &[&staff::Response],
    holdings: &Holdings,
) -> Result<(), String> {
    let as_responded = |action: &str, there: usize| {
        let count = |outcome| {
            // Of what is put into carts only the item there is plenty of is never taken out again.
            let counts =
                |response: &&&Response| action != "add_to_cart" || response.id == Some(PLENTY);
            let of_action = responses
                .iter()
                .filter(|response| response.action == action)
                .filter(counts);
            of_action
                .filter(|response| response.outcome == outcome)
                .count()
        };
        let (done, unknown) = (count(Outcome::Done), count(Outcome::Unknown));
        // A reservation is called off by either side, and has no mark of which.
        let others = |outcome| match action {
            "cancel_reservation" => staff::count_of(of_staff, "cancelada", outcome),
            _ => 0,
        };
        let done = done + others(Outcome::Done);
        let unknown = unknown + others(Outcome::Unknown);
        if (done..=done + unknown).contains(&there) {
            Ok(())
        } else {
            Err(format!(
                "{action}: {done} done, {unknown} unknown, {there} there"
            ))
        }
    };
    let orders: Vec<u64> = holdings
        .orders
        .iter()
        .map(|order| order.order_id.into())
        .collect();
    let reservations: Vec<u64> = holdings
        .reservations
        .iter()
        .map(|reservation| reservation.reservation_id.into())
        .collect();
    for (action, made) in [("checkout", &orders), ("reserve_book", &reservations)] {
        let mut numbers = made.clone();
        numbers.sort_unstable();
        if !numbers.iter().copied().eq(1..=numbers.len() as u64) {
            return Err(format!("{action}: the numbers {numbers:?} have gaps"));
        }
        let sold_there = holdings
            .orders
            .iter()
            .filter(|order| staff::is_sold_there(order));
        let by_staff = if action == "checkout" {
            sold_there.count()
        } else {
            0
        };
        as_responded(action, made.len() - by_staff)?;
        let mut ids: Vec<_> = responses
            .iter()
            .filter(|response| response.action == action && response.outcome == Outcome::Done)
            .filter_map(|response| response.id)
            .collect();
        ids.sort_unstable();
        let distinct = ids.windows(2).all(|pair| pair[0] != pair[1]);
        if !distinct || ids.iter().any(|id| !made.contains(id)) {
            return Err(format!("{action}: {ids:?} were told, {made:?} are there"));
        }
    }
    for (action, to) in [
        ("cancel_order", OrderStatus::Cancelado),
        ("return_order", OrderStatus::EnDevolucion),
    ] {
        let steps = holdings.orders.iter().flat_map(|order| &order.moves);
        let own = steps.filter(|step| step.by.is_none() && step.to == to);
        as_responded(action, own.count())?;
    }
    let cancelled = holdings.reservations.iter();
    let cancelled = cancelled.filter(|held| held.ended == Some(ReservationEnd::Cancelada));
    as_responded("cancel_reservation", cancelled.count())?;
    let bought = holdings
        .orders
        .iter()
        .flat_map(|order| &order.lineas)
        .filter(|line| line.libro_id == PLENTY);
    let there =
        usize::try_from(holdings.plenty_in_cart + bought.map(|line| line.cantidad).sum::<u32>())
            .unwrap_or(usize::MAX);
    as_responded("add_to_cart", there)?;
    for order in &holdings.orders {
        let sum: Total = order
            .lineas
            .iter()
            .map(|line| line.precio.times(line.cantidad))
            .sum();
        if sum != order.total {
            return Err(format!(
                "order {}: its total is not the sum of its lines",
                order.order_id
            ));
        }
    }
    Ok(())
}

/// What there was is on hand or sold, what was sold is counted, and what is held is what is reserved.
async fn check_stock(
    catalogue: &DynamoCatalogue,
    stock: &BTreeMap<u64, u32>,
    all: &[Holdings],
    now: OffsetDateTime,
) -> Result<(), String> {
    let ids: Vec<u64> = stock.keys().copied().collect();
    let items = catalogue
        .get(&ids, true)
        .await
        .map_err(|error| error.to_string())?;
    for stocked in &items {
        let id = stocked.item.libro_id;
        let orders = all.iter().flat_map(|holdings| &holdings.orders);
        let sold: u32 = orders
            .filter(|order| !order.is_restocked())
            .flat_map(|order| &order.lineas)
            .filter(|line| line.libro_id == id)
            .map(|line| line.cantidad)
            .sum();
        if stock.get(&id) != Some(&(stocked.on_hand + sold)) {
            return Err(format!(
                "book {id}: {} on hand and {sold} sold of {:?}",
                stocked.on_hand,
                stock.get(&id)
            ));
        }
        let orders = all.iter().flat_map(|holdings| &holdings.orders);
        let counted: u32 = orders
            .filter(|order| !matches!(order.estado, OrderStatus::Cancelado | OrderStatus::Devuelto))
            .flat_map(|order| &order.lineas)
            .filter(|line| line.libro_id == id)
            .map(|line| line.cantidad)
            .sum();
        if stocked.sold != counted {
            return Err(format!(
                "book {id}: {} counted as sold, {counted} in orders",
                stocked.sold
            ));
        }
        let mut held: Vec<_> = stocked
            .holds
            .iter()
            .filter(|hold| hold.until > now)
            .map(
                |Hold {
                     reservation,
                     copies,
                     ..
                 }| (*reservation, *copies),
            )
            .collect();
        let reservations = all.iter().flat_map(|holdings| &holdings.reservations);
        let mut reserved: Vec<_> = reservations
            .filter(|reservation| {
                reservation.libro_id == id && reservation.status(now) == ReservationStatus::Activa
            })
            .map(|reservation| (reservation.hold, reservation.cantidad))
            .collect();
        held.sort_unstable();
        reserved.sort_unstable();
        if held != reserved {
            return Err(format!(
                "book {id}: {held:?} are held, {reserved:?} reserved"
            ));
        }
        if held.iter().map(|(_, copies)| copies).sum::<u32>() > stocked.on_hand {
            return Err(format!("book {id}: more is held than there is"));
        }
    }
    Ok(())
}

/// What purchases rest on, and what becomes of them without.
pub(super) const GUARDS: &[(&str, mostrador_engine::Tamper)] = &[
    (
        "a customer's account is as it was read",
        |_, request, answer| {
            if answer.is_none() {
                super::without_condition(request, "purchases");
            }
        },
    ),
    (
        "a book's copies are as they were read",
        |_, request, answer| {
            if answer.is_none() {
                super::without_condition(request, "catalogue");
            }
        },
    ),
    ("an effect is known again", |_, _, answer| {
        if let Some(answer) = answer {
            super::rename(answer, "effects");
        }
    }),
    (
        "a message to a customer takes nobody's place",
        |_, request, answer| {
            if answer.is_none() {
                super::without_condition(request, "events");
            }
        },
    ),
];
