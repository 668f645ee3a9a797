//! A step with what is a customer's: what both orders and reservations are moved by.

use mostrador_core::{
    actions::fulfilment::{Fulfilment, Moved, Step, StepOf},
    ids::Owner,
};
use mostrador_web::{Call, Problem, Reply};
use serde_json::{Map, Value};

use crate::{
    body,
    describe::{StaffOrder, StaffReservation, StepAnswer},
    failures::not_taken,
    place,
};

/// Takes the step that `read` finds in the body, with what has that number in its customer's series.
pub(crate) async fn take(
    fulfilment: &Fulfilment,
    staff: &Owner,
    id: &str,
    call: &Call,
    read: impl FnOnce(u32, &Map<String, Value>) -> Result<StepOf, Problem>,
) -> Result<Reply, Problem> {
    let (customer, number) = place::read_id(staff, id).ok_or(Problem::NotFound)?;
    let body = call.json()?;
    let step = Step {
        of: read(number, &body)?,
        note: body::note(&body)?,
    };
    let reply = |moved: &Moved| Reply::ok(&answer(&customer, moved, call));
    let settle = |moved: &Moved| call.settlement(&reply(moved));
    let moved = fulfilment.take(staff, &customer, &step, &settle).await;
    let moved = moved.map_err(|failure| not_taken(failure, step.of))?;
    Ok(Reply {
        settled: true,
        ..reply(&moved)
    })
}

fn answer(customer: &Owner, moved: &Moved, call: &Call) -> StepAnswer {
    let Moved { reservation, order } = moved.clone();
    let user = customer.user();
    StepAnswer {
        reservation: reservation
            .map(|reservation| StaffReservation::new(user, reservation, call.now)),
        order: order.map(|order| StaffOrder::new(user, order)),
    }
}
