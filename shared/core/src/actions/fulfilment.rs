//! What the shop's staff do with their customers' orders and reservations. Each move is one effect, and the customer's conversation is
//! told of it with it.

use std::sync::Arc;

use uuid::Uuid;

use super::{ActionFailure, Attempt, Counter};
use crate::{
    ids::Owner,
    language::Language,
    limits::Settlement,
    log::{About, Commit, Event, Log, Position, ReadError, Stored},
    purchases::{
        Mutation, Order, OrderLine, OrderMove, OrderStatus, Queues, Reservation, ReservationEnd,
        ReservationStatus,
    },
    text::name,
};

/// What staff work with.
#[derive(Clone)]
pub struct Fulfilment {
    pub counter: Counter,
    pub log: Arc<dyn Log>,
    pub queues: Arc<dyn Queues>,
}

/// A step of something that is a customer's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub of: StepOf,
    /// What the customer is told beside it.
    pub note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOf {
    Order {
        order_id: u32,
        to: OrderStatus,
        /// Whether the copies of an order that is cancelled or returned go back into stock.
        restock: bool,
    },
    Reservation {
        reservation_id: u32,
        /// Handed over and paid, or called off.
        to: ReservationEnd,
    },
}

/// What has become of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    pub reservation: Option<Reservation>,
    /// The order that was moved, or that a reservation has become.
    pub order: Option<Order>,
}

/// Why nothing was moved.
#[derive(Debug, thiserror::Error)]
pub enum StepFailure {
    #[error("there is no such order or reservation")]
    NotFound,
    #[error("it has come to its end")]
    Closed,
    #[error("from {} staff may not move it there", .0.name())]
    NotAllowed(OrderStatus),
    /// A reservation of what the shop has no more.
    #[error("the item is no longer sold")]
    ItemGone,
    #[error(transparent)]
    Action(#[from] ActionFailure),
    #[error(transparent)]
    Log(#[from] ReadError),
}

/// What becomes of the request once this has happened, if it is to be known again.
pub type SettleStep<'a> = &'a (dyn Fn(&Moved) -> Option<Settlement> + Sync);

impl Fulfilment {
    /// Has `staff` take a step with what is `customer`'s; another try after every lost race.
    ///
    /// # Errors
    /// [`StepFailure`]; nothing was changed, unless the store did not answer.
    pub async fn take(
        &self,
        staff: &Owner,
        customer: &Owner,
        step: &Step,
        settle: SettleStep<'_>,
    ) -> Result<Moved, StepFailure> {
        let shop = self.counter.shop.current().await;
        let effect_id = self.counter.clock.new_id();
        let once = || async {
            // Its language is found with the order.
            let who = (customer, Language::default());
            let attempt = Attempt::new(&self.counter, who, &shop, effect_id, None);
            self.once(attempt, staff, step, settle).await
        };
        self.counter
            .racing(once, |failure| {
                matches!(failure, StepFailure::Action(ActionFailure::Conflict))
            })
            .await
    }

    async fn once(
        &self,
        attempt: Attempt<'_>,
        staff: &Owner,
        step: &Step,
        settle: SettleStep<'_>,
    ) -> Result<Moved, StepFailure> {
        let by = staff.user();
        let taken = match step.of {
            StepOf::Order {
                order_id,
                to,
                restock,
            } => move_order(attempt, order_id, (to, restock), by, step.note.clone()).await?,
            StepOf::Reservation { reservation_id, to } => {
                end_reservation(attempt, reservation_id, to, by, step.note.clone()).await?
            }
        };
        let Taken {
            attempt,
            mut mutation,
            moved,
            content,
            about,
        } = taken;
        let content = match &step.note {
            Some(note) => {
                let note = attempt.message("notice-note", &[("note", note.into())]);
                format!("{content}\n{note}")
            }
            None => content,
        };
        let event = Event::StaffMessageSent {
            content,
            by: by.to_owned(),
            about: Some(about),
        };
        mutation.notice = self.notice(&attempt, event).await?;
        mutation.settlement = settle(&moved);
        attempt.make(&mutation).await?;
        Ok(moved)
    }

    /// The commit that tells the customer, where they have a conversation.
    async fn notice(
        &self,
        attempt: &Attempt<'_>,
        event: Event,
    ) -> Result<Option<Commit>, ReadError> {
        let newest = self.log.newest(attempt.owner, None, 1).await?.pop();
        // One that was erased is not begun again.
        let Some(newest) = newest.filter(|newest| !newest.state.erased) else {
            return Ok(None);
        };
        let position = Position::active(Some(&newest));
        let start = position.is_start().then_some(Event::ConversationStarted {});
        let events = start
            .into_iter()
            .chain([event])
            .map(Stored::Known)
            .collect();
        let new_id = || attempt.counter.clock.new_id();
        let (commit_id, turn_id): (Uuid, Uuid) = (new_id(), new_id());
        let commit = Commit::at(position, events, commit_id, turn_id, attempt.now);
        Ok(Some(commit))
    }
}

/// A step that can be taken.
struct Taken<'a> {
    /// In the customer's language.
    attempt: Attempt<'a>,
    mutation: Mutation,
    moved: Moved,
    /// What the customer is told.
    content: String,
    about: About,
}

async fn move_order<'a>(
    attempt: Attempt<'a>,
    order_id: u32,
    (to, restock): (OrderStatus, bool),
    by: &str,
    note: Option<String>,
) -> Result<Taken<'a>, StepFailure> {
    let account = attempt.account().await?;
    let found = attempt.counter.purchases.order(attempt.owner, order_id);
    let found = found.await.map_err(ActionFailure::from)?;
    let mut order = found.ok_or(StepFailure::NotFound)?;
    let from = order.estado;
    if from.next().is_empty() {
        return Err(StepFailure::Closed);
    }
    if !from.next().contains(&to) {
        return Err(StepFailure::NotAllowed(from));
    }
    let attempt = attempt.in_language(order.language());
    let mut mutation = attempt.mutation(account);
    let is_undone = match to {
        OrderStatus::Cancelado | OrderStatus::Devuelto => true,
        OrderStatus::Pendiente
        | OrderStatus::EnProceso
        | OrderStatus::Entregado
        | OrderStatus::EnDevolucion => false,
    };
    let goes_back = is_undone && restock;
    if is_undone {
        mutation.items = attempt.unsold(&order, goes_back).await?;
    }
    order.take(OrderMove {
        to,
        at: attempt.now,
        by: Some(by.to_owned()),
        note,
        restocked: goes_back,
    });
    mutation.orders.push((order.clone(), Some(from)));
    let key = match (from, to) {
        (OrderStatus::EnDevolucion, OrderStatus::Entregado) => "notice-return-declined",
        (_, OrderStatus::EnProceso) => "notice-order-in-process",
        (_, OrderStatus::Entregado) => "notice-order-delivered",
        (_, OrderStatus::EnDevolucion) => "notice-order-in-return",
        (_, OrderStatus::Devuelto) => "notice-order-returned",
        (_, OrderStatus::Cancelado) => "notice-order-called-off",
        (_, OrderStatus::Pendiente) => return Err(StepFailure::NotAllowed(from)),
    };
    Ok(Taken {
        content: attempt.message(key, &[("id", order_id.into())]),
        about: of_order(&order),
        mutation,
        moved: Moved {
            reservation: None,
            order: Some(order),
        },
        attempt,
    })
}

/// Ends a reservation. One that is handed over is an order that was delivered: so it can be returned, and is in the books.
async fn end_reservation<'a>(
    attempt: Attempt<'a>,
    reservation_id: u32,
    to: ReservationEnd,
    by: &str,
    note: Option<String>,
) -> Result<Taken<'a>, StepFailure> {
    let mut account = attempt.account().await?;
    let purchases = &attempt.counter.purchases;
    let found = purchases.reservation(attempt.owner, reservation_id).await;
    let found = found.map_err(ActionFailure::from)?;
    let mut reservation = found.ok_or(StepFailure::NotFound)?;
    if reservation.status(attempt.now) != ReservationStatus::Activa {
        return Err(StepFailure::Closed);
    }
    let attempt = attempt.in_language(reservation.language());
    reservation.ended = Some(to);
    reservation.ended_by = Some(by.to_owned());
    account.hold(std::slice::from_ref(&reservation), attempt.now);
    let stocked = attempt.item(Some(reservation.libro_id)).await?;
    let (mut order, mut items) = (None, Vec::new());
    if let Some(mut stocked) = stocked {
        stocked
            .holds
            .retain(|hold| hold.reservation != reservation.hold && hold.until > attempt.now);
        if to == ReservationEnd::Vendida {
            stocked.on_hand = stocked.on_hand.saturating_sub(reservation.cantidad);
            stocked.sold = stocked.sold.saturating_add(reservation.cantidad);
            account.orders_made += 1;
            let line = OrderLine {
                libro_id: reservation.libro_id,
                titulo: stocked.item.titulo.clone(),
                cantidad: reservation.cantidad,
                precio: stocked.item.precio,
            };
            let mut sold = Order::new(account.orders_made, vec![line], attempt.now);
            sold = sold.for_language(attempt.language);
            sold.take(OrderMove {
                to: OrderStatus::Entregado,
                at: attempt.now,
                by: Some(by.to_owned()),
                note,
                restocked: false,
            });
            order = Some(sold);
        }
        items.push(stocked);
    } else if to == ReservationEnd::Vendida {
        return Err(StepFailure::ItemGone);
    }
    let titulo = name(&reservation.titulo);
    let mut arguments = vec![
        ("title", (&titulo).into()),
        ("count", reservation.cantidad.into()),
    ];
    let (key, about) = match &order {
        Some(order) => {
            arguments.push(("id", order.order_id.into()));
            ("notice-reservation-collected", of_order(order))
        }
        None => (
            "notice-reservation-cancelled",
            About::Reservation { reservation_id },
        ),
    };
    let content = attempt.message(key, &arguments);
    let mut mutation = attempt.mutation(account);
    mutation.items = items;
    mutation.reservations.push(reservation.clone());
    mutation
        .orders
        .extend(order.clone().map(|order| (order, None)));
    Ok(Taken {
        content,
        about,
        mutation,
        moved: Moved {
            reservation: Some(reservation),
            order,
        },
        attempt,
    })
}

fn of_order(order: &Order) -> About {
    About::Order {
        order_id: order.order_id,
        estado: order.estado.name().to_owned(),
    }
}
