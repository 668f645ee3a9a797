//! Staff among the customers, who speak meanwhile: an order moves only along its states, each step once; its customer gets one message
//! for each, and loses none of their own.

use std::{cell::RefCell, collections::BTreeMap, time::Duration};

use mostrador_core::{
    actions::{
        ActionFailure,
        fulfilment::{Fulfilment, Step, StepFailure, StepOf},
    },
    ids::{ConversationNumber, Owner},
    log::{About, AppendFailure, Commit, Draft, Event, Log, Position, Stored, append},
    purchases::{Order, OrderStatus, ReservationEnd},
};
use mostrador_dynamodb::DynamoLog;
use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{EVERYTHING, Outcome};

/// One step of staff, and what it came to.
pub(super) struct Response {
    pub(super) owner: usize,
    /// Where something was to go.
    to: &'static str,
    outcome: Outcome,
}

impl Response {
    /// For the count of what was tried.
    pub(super) fn what(&self) -> &'static str {
        match self.outcome {
            Outcome::Done => self.to,
            Outcome::Refused(code) => code,
            Outcome::Unknown => "unknown",
        }
    }
}

pub(super) struct Staff<'a> {
    pub(super) fulfilment: Fulfilment,
    pub(super) owners: &'a [Owner],
    pub(super) responses: RefCell<Vec<Response>>,
}

/// What customers with a conversation say in it.
const SAID: &str = "said";

const EVA: &str = "eva";
/// What is tried: mostly what leads on.
const STEPS: [OrderStatus; 9] = [
    OrderStatus::EnProceso,
    OrderStatus::EnProceso,
    OrderStatus::Entregado,
    OrderStatus::Entregado,
    OrderStatus::Entregado,
    OrderStatus::EnDevolucion,
    OrderStatus::Devuelto,
    OrderStatus::Devuelto,
    OrderStatus::Cancelado,
];

impl Staff<'_> {
    pub(super) async fn desk(&self, mut rng: StdRng) {
        let Ok(eva) = Owner::new("shop", EVA) else {
            return;
        };
        for _ in 0..rng.random_range(8..24u32) {
            let owner = rng.random_range(0..self.owners.len());
            let number = rng.random_range(1..4u32);
            let (of, to) = if rng.random_bool(0.8) {
                let to = STEPS.choose(&mut rng).copied();
                let to = to.unwrap_or(OrderStatus::EnProceso);
                let of = StepOf::Order {
                    order_id: number,
                    to,
                    restock: rng.random_bool(0.5),
                };
                (of, to.name())
            } else {
                let (to, name) = if rng.random_bool(0.5) {
                    (ReservationEnd::Vendida, "vendida")
                } else {
                    (ReservationEnd::Cancelada, "cancelada")
                };
                let of = StepOf::Reservation {
                    reservation_id: number,
                    to,
                };
                (of, name)
            };
            let step = Step { of, note: None };
            let customer = &self.owners[owner];
            let taking = self.fulfilment.take(&eva, customer, &step, &|_| None);
            let patience = rng.random_bool(0.1).then(|| rng.random_range(0..2_500));
            let ended = match patience {
                None => Some(taking.await),
                Some(patience) => tokio::time::timeout(Duration::from_millis(patience), taking)
                    .await
                    .ok(),
            };
            let outcome = match ended {
                Some(Ok(_)) => Outcome::Done,
                Some(Err(StepFailure::Action(ActionFailure::Conflict))) => {
                    Outcome::Refused("conflict")
                }
                Some(Err(StepFailure::NotFound)) => Outcome::Refused("not_found"),
                Some(Err(StepFailure::Closed)) => Outcome::Refused("closed"),
                Some(Err(StepFailure::NotAllowed(_))) => Outcome::Refused("move_not_allowed"),
                Some(Err(_)) | None => Outcome::Unknown,
            };
            self.responses
                .borrow_mut()
                .push(Response { owner, to, outcome });
            tokio::time::sleep(Duration::from_millis(rng.random_range(0..40))).await;
        }
    }
}

impl Staff<'_> {
    /// What one customer says beside what they do.
    pub(super) async fn speak(&self, owner: usize, mut rng: StdRng) {
        for _ in 0..rng.random_range(2..12u32) {
            let decide = |newest: Option<&Commit>, _| {
                Ok::<_, std::convert::Infallible>(Draft {
                    position: Position::active(newest),
                    events: vec![question()],
                    settlement: None,
                })
            };
            let Fulfilment { log, counter, .. } = &self.fulfilment;
            let target = (None, counter.clock.new_id());
            let appended = append(
                &**log,
                &*counter.clock,
                &self.owners[owner],
                target,
                None,
                decide,
            );
            let outcome = match appended.await {
                Ok(_) => Outcome::Done,
                Err(AppendFailure::Unknown(_)) => Outcome::Unknown,
                Err(_) => Outcome::Refused("conflict"),
            };
            let to = SAID;
            self.responses
                .borrow_mut()
                .push(Response { owner, to, outcome });
            tokio::time::sleep(Duration::from_millis(rng.random_range(0..40))).await;
        }
    }
}

fn question() -> Event {
    Event::UserMessageSent {
        content: "hola".to_owned(),
    }
}

/// A customer's first message, without which there is nowhere to send them one.
pub(super) async fn begin_conversation(
    log: &DynamoLog,
    owner: &Owner,
    at: OffsetDateTime,
) -> Result<(), String> {
    let said = Stored::Known(question());
    let start = Position::start_of(ConversationNumber::FIRST);
    let commit = Commit::at(start, vec![said], Uuid::now_v7(), Uuid::now_v7(), at);
    let put = log.put(owner, &commit, None).await;
    put.map_err(|error| error.to_string())
}

/// How many steps there had that outcome.
pub(super) fn count_of(responses: &[&Response], to: &str, outcome: Outcome) -> usize {
    let of = responses.iter().filter(|response| response.to == to);
    of.filter(|response| response.outcome == outcome).count()
}

/// As many are there as were acknowledged, and of the unknown ones at most as many as there were.
fn as_responded(responses: &[&Response], to: &str, there: usize) -> Result<(), String> {
    let done = count_of(responses, to, Outcome::Done);
    let unknown = count_of(responses, to, Outcome::Unknown);
    if (done..=done + unknown).contains(&there) {
        Ok(())
    } else {
        Err(format!(
            "staff, {to}: {done} done, {unknown} unknown, {there} there"
        ))
    }
}

/// Whether an order is a reservation that was handed over.
pub(super) fn is_sold_there(order: &Order) -> bool {
    let first = order.moves.first();
    first.is_some_and(|first| first.to == OrderStatus::Entregado)
}

/// Of one customer: every step was allowed where it was taken, is there as often as it was acknowledged, and has as many messages as it is
/// there; and what the customer said is there.
pub(super) async fn check(
    responses: &[&Response],
    orders: &[Order],
    log: &DynamoLog,
    owner: &Owner,
) -> Result<(), String> {
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    for order in orders {
        let mut stands = OrderStatus::Pendiente;
        for (place, step) in order.moves.iter().enumerate() {
            let is_sale = place == 0 && is_sold_there(order);
            let is_allowed = match &step.by {
                Some(_) => is_sale || stands.next().contains(&step.to),
                None => stands.next_by_customer() == Some(step.to),
            };
            if !is_allowed {
                let (from, to) = (stands.name(), step.to.name());
                return Err(format!("order {}: from {from} to {to}", order.order_id));
            }
            if step.by.is_some() {
                let to = if is_sale { "vendida" } else { step.to.name() };
                *taken.entry(to).or_default() += 1;
            }
            stands = step.to;
        }
        if stands != order.estado {
            return Err(format!("order {}: it stands elsewhere", order.order_id));
        }
    }
    for to in OrderStatus::ALL
        .map(OrderStatus::name)
        .iter()
        .chain(&["vendida"])
    {
        as_responded(responses, to, taken.get(to).copied().unwrap_or_default())?;
    }
    let commits = log.newest(owner, None, EVERYTHING).await;
    let commits = commits.map_err(|error| error.to_string())?;
    let mut sent: BTreeMap<(u32, &str), usize> = BTreeMap::new();
    // The first message was before them all.
    let (mut questions, first) = (0, usize::from(!commits.is_empty()));
    let events = commits.iter().flat_map(|commit| &commit.events);
    for event in events.filter_map(Stored::known) {
        match event {
            Event::StaffMessageSent {
                about: Some(About::Order { order_id, estado }),
                ..
            } => *sent.entry((*order_id, estado)).or_default() += 1,
            Event::UserMessageSent { .. } => questions += 1,
            _ => {}
        }
    }
    as_responded(responses, SAID, questions - first)?;
    let mut expected: BTreeMap<(u32, &str), usize> = BTreeMap::new();
    if !commits.is_empty() {
        for order in orders {
            for step in order.moves.iter().filter(|step| step.by.is_some()) {
                *expected
                    .entry((order.order_id, step.to.name()))
                    .or_default() += 1;
            }
        }
    }
    if sent != expected {
        return Err(format!("{sent:?} were sent of {expected:?}"));
    }
    Ok(())
}
