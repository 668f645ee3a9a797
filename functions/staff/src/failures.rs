//! What a caller is told where nothing was read or moved.

use mostrador_core::{
    actions::{
        ActionFailure,
        fulfilment::{StepFailure, StepOf},
    },
    purchases::{OrderStatus, PurchaseError},
};
use mostrador_web::Problem;

/// States as they are listed for programmers.
pub(crate) fn names(states: &[OrderStatus]) -> String {
    let names: Vec<String> = states
        .iter()
        .map(|state| format!("`{}`", state.name()))
        .collect();
    names.join(", ")
}

pub(crate) fn unread(error: PurchaseError) -> Problem {
    Problem::unavailable(error)
}

pub(crate) fn not_taken(failure: StepFailure, of: StepOf) -> Problem {
    match failure {
        StepFailure::NotFound => Problem::NotFound,
        StepFailure::Closed => match of {
            StepOf::Order { .. } => Problem::OrderClosed,
            StepOf::Reservation { .. } => Problem::ReservationClosed,
        },
        StepFailure::NotAllowed(from) => Problem::MoveNotAllowed {
            detail: format!(
                "from `{}` an order goes to {}",
                from.name(),
                names(from.next())
            ),
        },
        StepFailure::ItemGone => Problem::ItemGone,
        StepFailure::Action(ActionFailure::Conflict) => Problem::Conflict,
        StepFailure::Action(ActionFailure::InProgress) => Problem::InProgress,
        StepFailure::Action(error) => Problem::unavailable(error),
        StepFailure::Log(error) => Problem::unavailable(error),
    }
}
