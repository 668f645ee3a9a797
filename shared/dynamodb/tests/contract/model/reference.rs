//! What a shop with few copies is expected to do, in plain maps.

use std::collections::BTreeMap;

use mostrador_core::actions::Warning;
use proptest::prelude::*;
use proptest_state_machine::ReferenceStateMachine;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::setup::{item, noon};

pub(super) const CUSTOMERS: [&str; 2] = ["ana", "luis"];
pub(super) const ITEMS: [u64; 3] = [1, 2, 3];
const NOT_SOLD: u64 = 9;

/// Something that happens.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// A customer, by their place in [`CUSTOMERS`], acts.
    Act(usize, Act),
    /// The shop imports an item again: at another price, with more copies.
    Import { item: u64, price: i64, more: u32 },
    /// Time passes.
    Pass { ms: i64 },
}

/// What a customer asks for; copies are as they write them.
#[derive(Debug, Clone)]
pub(super) enum Act {
    AddToCart { item: u64, copies: u32 },
    RemoveFromCart { item: u64, copies: Option<u32> },
    ClearCart,
    Checkout,
    ReserveItem { item: u64, copies: u32 },
    CancelReservation { id: usize },
    CancelOrder { id: usize },
}

/// What the customer gets.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Reply {
    pub(super) error: Option<&'static str>,
    pub(super) warnings: Vec<Warning>,
    pub(super) results: Vec<Value>,
    pub(super) data: Value,
    pub(super) effective: bool,
}

/// The shop as it should be.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) now: OffsetDateTime,
    pub(super) shelves: BTreeMap<u64, Shelf>,
    customers: Vec<Customer>,
    /// What the last step came to, where a customer acted.
    pub(super) reply: Reply,
}

#[derive(Debug, Clone)]
pub(super) struct Shelf {
    pub(super) on_hand: u32,
    /// In cents.
    pub(super) price: i64,
}

#[derive(Debug, Clone, Default)]
struct Customer {
    /// Items and copies, in the order in which they came in.
    cart: Vec<(u64, u32)>,
    /// The first has the number 1.
    reservations: Vec<Reserved>,
    orders: Vec<Ordered>,
}

#[derive(Debug, Clone)]
struct Reserved {
    item: u64,
    copies: u32,
    until: OffsetDateTime,
    ended: Option<&'static str>,
}

#[derive(Debug, Clone)]
struct Ordered {
    /// Items, copies and the price of the moment.
    lines: Vec<(u64, u32, i64)>,
    at: OffsetDateTime,
    cancelled: bool,
}

impl Model {
    /// Copies nobody has set aside; without `but`'s own.
    pub(super) fn free(&self, item: u64, but: Option<usize>) -> u32 {
        let others = self.customers.iter().enumerate();
        let others = others.filter(|(customer, _)| Some(*customer) != but);
        let held: u32 = others
            .flat_map(|(_, customer)| &customer.reservations)
            .filter(|reserved| reserved.item == item && self.is_active(reserved))
            .map(|reserved| reserved.copies)
            .sum();
        self.shelves[&item].on_hand - held
    }

    pub(super) fn in_cart(&self, who: usize) -> &[(u64, u32)] {
        &self.customers[who].cart
    }

    fn is_active(&self, reserved: &Reserved) -> bool {
        reserved.ended.is_none() && self.now < reserved.until
    }

    fn act(&mut self, who: usize, act: &Act) -> Reply {
        match *act {
            Act::AddToCart { item, copies } => self.add(who, item, copies),
            Act::RemoveFromCart { item, copies } => self.remove(who, item, copies),
            Act::ClearCart => {
                let effective = !self.customers[who].cart.is_empty();
                self.customers[who].cart.clear();
                Reply {
                    effective,
                    ..self.cart(who)
                }
            }
            Act::Checkout => self.check_out(who),
            Act::ReserveItem { item, copies } => self.reserve(who, item, copies),
            Act::CancelReservation { id } => self.cancel_reservation(who, id),
            Act::CancelOrder { id } => self.cancel_order(who, id),
        }
    }

    fn add(&mut self, who: usize, item: u64, requested: u32) -> Reply {
        if !self.shelves.contains_key(&item) {
            return refused("book_not_found");
        }
        let (copies, warnings) = taken_as(requested);
        let free = self.free(item, Some(who));
        let cart = &mut self.customers[who].cart;
        let line = cart.iter().position(|(other, _)| *other == item);
        let wanted = copies + line.map_or(0, |line| cart[line].1);
        if wanted > free {
            return insufficient(free);
        }
        match line {
            Some(line) => cart[line].1 = wanted,
            None => cart.push((item, wanted)),
        }
        Reply {
            effective: true,
            warnings,
            ..self.cart(who)
        }
    }

    fn remove(&mut self, who: usize, item: u64, requested: Option<u32>) -> Reply {
        let cart = &mut self.customers[who].cart;
        let Some(line) = cart.iter().position(|(other, _)| *other == item) else {
            return refused("book_not_found");
        };
        let (copies, warnings) = requested.map_or((cart[line].1, vec![]), taken_as);
        cart[line].1 = cart[line].1.saturating_sub(copies);
        cart.retain(|(_, copies)| *copies > 0);
        Reply {
            effective: true,
            warnings,
            ..self.cart(who)
        }
    }

    fn check_out(&mut self, who: usize) -> Reply {
        let cart = self.customers[who].cart.clone();
        if cart.is_empty() {
            return refused("empty_cart");
        }
        let frees = cart.iter().map(|(item, _)| self.free(*item, Some(who)));
        let short = frees.zip(&cart).find(|(free, (_, copies))| copies > free);
        if let Some((free, _)) = short {
            return insufficient(free);
        }
        let now = self.now;
        let customer = &mut self.customers[who];
        let mut lines = Vec::new();
        for (item, copies) in std::mem::take(&mut customer.cart) {
            let shelf = self.shelves.entry(item);
            let shelf = shelf.and_modify(|shelf| shelf.on_hand -= copies);
            lines.push((item, copies, shelf.or_insert_with(|| unreachable!()).price));
            let mut left = copies;
            let mine = customer.reservations.iter_mut();
            for reserved in mine.filter(|reserved| reserved.item == item) {
                if reserved.ended.is_some() || reserved.until <= now {
                    continue;
                }
                if left >= reserved.copies {
                    left -= reserved.copies;
                    reserved.ended = Some("vendida");
                } else {
                    reserved.copies -= left;
                    left = 0;
                }
            }
        }
        customer.orders.push(Ordered {
            lines,
            at: now,
            cancelled: false,
        });
        self.order(who, self.customers[who].orders.len())
    }

    fn reserve(&mut self, who: usize, item: u64, requested: u32) -> Reply {
        if !self.shelves.contains_key(&item) {
            return refused("book_not_found");
        }
        let (copies, warnings) = taken_as(requested);
        let mine = self.customers[who].reservations.iter();
        let mine: Vec<_> = mine.filter(|reserved| self.is_active(reserved)).collect();
        let of_item = mine.iter().filter(|reserved| reserved.item == item);
        let of_item: u32 = of_item.map(|reserved| reserved.copies).sum();
        let in_all: u32 = mine.iter().map(|reserved| reserved.copies).sum();
        if of_item + copies > 3 || in_all + copies > 5 {
            return refused("reservation_limit");
        }
        let free = self.free(item, None);
        if copies > free {
            return insufficient(free);
        }
        // To the second, as the customer gets it.
        let until = (self.now + Duration::days(1))
            .replace_nanosecond(0)
            .unwrap();
        self.customers[who].reservations.push(Reserved {
            item,
            copies,
            until,
            ended: None,
        });
        Reply {
            warnings,
            ..self.reservation(who, self.customers[who].reservations.len())
        }
    }

    fn cancel_reservation(&mut self, who: usize, id: usize) -> Reply {
        let Some(reserved) = self.customers[who].reservations.get(id.wrapping_sub(1)) else {
            return refused("reservation_not_found");
        };
        if !self.is_active(reserved) {
            return refused("reservation_closed");
        }
        self.customers[who].reservations[id - 1].ended = Some("cancelada");
        self.reservation(who, id)
    }

    fn cancel_order(&mut self, who: usize, id: usize) -> Reply {
        let Some(order) = self.customers[who].orders.get_mut(id.wrapping_sub(1)) else {
            return refused("order_not_found");
        };
        if order.cancelled {
            return refused("order_closed");
        }
        order.cancelled = true;
        for (item, copies, _) in &order.lines {
            let shelf = self.shelves.get_mut(item);
            shelf.unwrap().on_hand += copies;
        }
        self.order(who, id)
    }

    /// The cart at the prices of now.
    pub(super) fn cart(&self, who: usize) -> Reply {
        let mut total = 0;
        let lines = self.customers[who].cart.iter().map(|(id, copies)| {
            let (described, price) = (item(*id), self.shelves[id].price);
            let subtotal = price * i64::from(*copies);
            total += subtotal;
            json!({
                "id": id.to_string(), "libro_id": id, "titulo": described.titulo, "autor": described.autor, "cantidad": copies,
                "precio": euros(price), "subtotal": euros(subtotal),
            })
        });
        Reply {
            results: lines.collect(),
            data: json!({"total": euros(total)}),
            ..Reply::default()
        }
    }

    /// Every reservation, newest first.
    pub(super) fn reservations(&self, who: usize) -> Reply {
        let reservations = &self.customers[who].reservations;
        let ids = (1..=reservations.len()).rev();
        let active = reservations
            .iter()
            .filter(|reserved| self.is_active(reserved));
        Reply {
            results: ids.map(|id| self.described_reservation(who, id)).collect(),
            data: json!({"active": active.count(), "next": null}),
            ..Reply::default()
        }
    }

    /// Every order, newest first.
    pub(super) fn orders(&self, who: usize) -> Reply {
        let count = self.customers[who].orders.len();
        let ids = (1..=count).rev();
        Reply {
            results: ids.map(|id| self.described_order(who, id)).collect(),
            data: json!({"count": count, "next": null}),
            ..Reply::default()
        }
    }

    fn reservation(&self, who: usize, id: usize) -> Reply {
        Reply {
            results: vec![self.described_reservation(who, id)],
            data: json!({"reservation_id": id}),
            effective: true,
            ..Reply::default()
        }
    }

    fn order(&self, who: usize, id: usize) -> Reply {
        let described = self.described_order(who, id);
        Reply {
            data: json!({"order_id": id, "estado": described["estado"], "total": described["total"]}),
            results: vec![described],
            effective: true,
            ..Reply::default()
        }
    }

    fn described_reservation(&self, who: usize, id: usize) -> Value {
        let reserved = &self.customers[who].reservations[id - 1];
        let lapsed = if self.is_active(reserved) {
            "activa"
        } else {
            "expirada"
        };
        json!({
            "reservation_id": id,
            "libro_id": reserved.item,
            "titulo": item(reserved.item).titulo,
            "cantidad": reserved.copies,
            "estado": reserved.ended.unwrap_or(lapsed),
            "expires_at": seconds(reserved.until),
        })
    }

    fn described_order(&self, who: usize, id: usize) -> Value {
        let order = &self.customers[who].orders[id - 1];
        let lines = order.lines.iter().map(|(id, copies, price)| {
            json!({"libro_id": id, "titulo": item(*id).titulo, "cantidad": copies, "precio": euros(*price)})
        });
        let total = order
            .lines
            .iter()
            .map(|(_, copies, price)| i64::from(*copies) * price);
        json!({
            "order_id": id,
            "estado": if order.cancelled { "Cancelado" } else { "Pendiente" },
            "lineas": lines.collect::<Vec<_>>(),
            "total": euros(total.sum()),
            "created_at": seconds(order.at),
        })
    }
}

fn refused(error: &'static str) -> Reply {
    Reply {
        error: Some(error),
        ..Reply::default()
    }
}

fn insufficient(free: u32) -> Reply {
    Reply {
        data: json!({"available": free}),
        ..refused("insufficient_stock")
    }
}

/// From 1 to 10, with a warning.
fn taken_as(requested: u32) -> (u32, Vec<Warning>) {
    match requested {
        0 => (1, vec![Warning::QuantityRaisedTo1]),
        11.. => (10, vec![Warning::QuantityLoweredTo10]),
        _ => (requested, vec![]),
    }
}

fn euros(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn seconds(at: OffsetDateTime) -> String {
    at.replace_nanosecond(0).unwrap().format(&Rfc3339).unwrap()
}

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Self> {
        let shelves = prop::array::uniform3(1..=6u32).prop_map(|copies| {
            let shelf = |(id, on_hand)| {
                let price = item(id).precio.minor();
                (id, Shelf { on_hand, price })
            };
            ITEMS.into_iter().zip(copies).map(shelf).collect()
        });
        // Time does not begin with a second.
        let start = (0..1_000i64).prop_map(|ms| noon() + Duration::milliseconds(ms));
        (shelves, start)
            .prop_map(|(shelves, now)| Self {
                now,
                shelves,
                customers: vec![Customer::default(); CUSTOMERS.len()],
                reply: Reply::default(),
            })
            .boxed()
    }

    fn transitions(model: &Self) -> BoxedStrategy<Step> {
        let acting = (0..CUSTOMERS.len()).prop_flat_map({
            let made: Vec<_> = model
                .customers
                .iter()
                .map(|c| (c.reservations.len(), c.orders.len()))
                .collect();
            move |who| acts(made[who]).prop_map(move |act| Step::Act(who, act))
        });
        let importing = (
            prop::sample::select(&ITEMS[..]),
            1..2_000i64,
            prop_oneof![3 => Just(0), 1 => 1..3u32],
        );
        // Up to the ends of what is reserved, and to just before them.
        let all = model
            .customers
            .iter()
            .flat_map(|customer| &customer.reservations);
        let ends = all.filter(|reserved| model.is_active(reserved));
        let ends = ends.map(|reserved| (reserved.until - model.now).whole_milliseconds());
        let ends = ends.filter_map(|ms| i64::try_from(ms).ok());
        let mut pauses: Vec<i64> = ends.flat_map(|ms| [ms - 1, ms, ms - 300]).collect();
        pauses.retain(|ms| *ms > 0);
        pauses.extend([1, 700, 3_600_000, 13 * 3_600_000]);
        prop_oneof![
            14 => acting,
            1 => importing.prop_map(|(item, price, more)| Step::Import { item, price, more }),
            2 => prop::sample::select(pauses).prop_map(|ms| Step::Pass { ms }),
        ]
        .boxed()
    }

    fn apply(mut model: Self, step: &Step) -> Self {
        match step {
            Step::Act(who, act) => model.reply = model.act(*who, act),
            Step::Import { item, price, more } => {
                let shelf = model.shelves.get_mut(item).unwrap();
                shelf.price = *price;
                shelf.on_hand += more;
            }
            Step::Pass { ms } => model.now += Duration::milliseconds(*ms),
        }
        model
    }
}

/// What a customer may do who has made so many reservations and orders.
fn acts((reservations, orders): (usize, usize)) -> BoxedStrategy<Act> {
    let items = prop_oneof![12 => prop::sample::select(&ITEMS[..]), 1 => Just(NOT_SOLD)];
    let copies = prop_oneof![8 => 1..=3u32, 1 => 0..=12u32];
    let some = (items.clone(), copies.clone());
    prop_oneof![
        6 => some.clone().prop_map(|(item, copies)| Act::AddToCart { item, copies }),
        1 => (items, prop::option::of(copies))
            .prop_map(|(item, copies)| Act::RemoveFromCart { item, copies }),
        1 => Just(Act::ClearCart),
        4 => Just(Act::Checkout),
        4 => some.prop_map(|(item, copies)| Act::ReserveItem { item, copies }),
        2 => (0..=reservations + 1).prop_map(|id| Act::CancelReservation { id }),
        2 => (0..=orders + 1).prop_map(|id| Act::CancelOrder { id }),
    ]
    .boxed()
}
