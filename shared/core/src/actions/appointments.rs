//! Appointments: what is offered, what is free, and a customer's own.

mod arguments;
mod booked;
mod contact;
mod free;
mod offered;
mod render;

use std::sync::Arc;

use serde_json::{Value, json};

use super::{ActionFailure, Attempt, Outcome, Payload};
use crate::booking::{
    Appointment, BookingError, Business, ChangeError, NotBooked, Refusal, Scheduler,
};

/// Why an action ends before it has done anything.
enum Stopped {
    Refused(Box<Outcome>),
    Failed(ActionFailure),
}

impl From<Outcome> for Stopped {
    fn from(refused: Outcome) -> Self {
        Self::Refused(Box::new(refused))
    }
}

impl From<ActionFailure> for Stopped {
    fn from(failure: ActionFailure) -> Self {
        Self::Failed(failure)
    }
}

impl From<BookingError> for Stopped {
    fn from(error: BookingError) -> Self {
        Self::Failed(error.into())
    }
}

/// What is of no customer, and changes nothing.
pub(super) const OFFERED: [&str; 4] = [
    "get_services",
    "get_categories",
    "get_service_details",
    "get_available_slots",
];

/// Performs an action that is about appointments.
pub(super) async fn act(
    attempt: &Attempt<'_>,
    action: &str,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let done = match action {
        "get_services" => offered::services(attempt, payload).await,
        "get_categories" => offered::categories(attempt, payload).await,
        "get_service_details" => offered::details(attempt, payload).await,
        "get_available_slots" => free::slots(attempt, payload).await,
        "find_or_create_user" => contact::find_or_create(attempt, payload).await,
        "get_user_info" => contact::view(attempt, payload).await,
        "get_user_appointments" => booked::list(attempt, payload).await,
        "create_appointment" => booked::book(attempt, payload).await,
        "cancel_appointment" => booked::cancel(attempt, payload).await,
        "reschedule_appointment" => booked::reschedule(attempt, payload).await,
        _ => return Err(ActionFailure::Unknown),
    };
    match done {
        Ok(outcome) => Ok(outcome),
        Err(Stopped::Refused(refused)) => Ok(*refused),
        Err(Stopped::Failed(failure)) => Err(failure),
    }
}

/// One attempt, with the business that it is about.
struct Visit<'a> {
    attempt: &'a Attempt<'a>,
    business: Arc<Business>,
    scheduler: &'a Scheduler,
}

impl<'a> Visit<'a> {
    /// With the business that the payload names, or the one that is meant without.
    async fn open(attempt: &'a Attempt<'_>, payload: &Payload) -> Result<Self, Stopped> {
        is_own(attempt, payload)?;
        let not_found = || attempt.refused("business_not_found", &[]);
        let reception = attempt.counter.reception.as_ref();
        let reception = reception.ok_or_else(not_found)?;
        let business = reception.business(payload.text("business_id")).await?;
        Ok(Self {
            attempt,
            business: business.ok_or_else(not_found)?,
            scheduler: &reception.scheduler,
        })
    }

    /// Why an appointment is not made or changed, for people and programs.
    fn not_booked(&self, reason: NotBooked<'_>) -> Stopped {
        let attempt = self.attempt;
        match reason {
            NotBooked::NotFound => attempt.refused("appointment_not_found", &[]).into(),
            NotBooked::Closed(error) => {
                let key = match error {
                    ChangeError::Begun => "appointment-begun",
                    _ => "appointment_closed",
                };
                Outcome::refused("appointment_closed", attempt.message(key, &[])).into()
            }
            NotBooked::Unavailable {
                reason,
                alternatives,
            } => {
                let code = match reason {
                    Refusal::NotOffered => "calendar_not_found",
                    Refusal::Taken => "slot_taken",
                    Refusal::OutsideWindow => "outside_window",
                    Refusal::BetweenSteps | Refusal::TooSoon | Refusal::Closed => {
                        "slot_unavailable"
                    }
                };
                let mut outcome = attempt.refused(code, &[]);
                if !alternatives.is_empty() {
                    let lines = alternatives.iter().map(|slot| self.slot_line(slot));
                    let list = lines.collect::<Vec<_>>().join("; ");
                    let others = attempt.message("slots-instead", &[("list", (&list).into())]);
                    outcome.message = format!("{} {others}", outcome.message);
                }
                let alternatives = alternatives.iter().map(|slot| self.slot(slot));
                outcome.data = json!({"alternatives": alternatives.collect::<Vec<_>>()});
                outcome.into()
            }
            NotBooked::Store(error) => error.into(),
        }
    }
}

/// Nobody asks for somebody else's.
fn is_own(attempt: &Attempt<'_>, payload: &Payload) -> Result<(), Stopped> {
    let user = payload.text("user_id");
    match user.is_none_or(|user| user == attempt.owner.user()) {
        true => Ok(()),
        false => Err(attempt.refused("user_not_found", &[]).into()),
    }
}

/// What an appointment is called in an answer's `data`.
fn data(appointment: &Appointment) -> Value {
    json!({
        "appointment_id": appointment.booking.id,
        "state": appointment.state,
        "calendar": appointment.calendar,
        "price": appointment.price,
    })
}

impl From<BookingError> for ActionFailure {
    fn from(error: BookingError) -> Self {
        match error {
            BookingError::Conflict => Self::Conflict,
            BookingError::Overtaken => Self::InProgress,
            other => Self::Bookings(other),
        }
    }
}
