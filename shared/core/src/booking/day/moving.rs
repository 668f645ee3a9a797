//! An appointment that moves to another time, and perhaps to another calendar.

use jiff::Timestamp;

use super::{AppointmentId, Booking, Day, NoRoom, Place};

/// What is to move where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reschedule<'a> {
    pub id: &'a AppointmentId,
    pub start_at: Timestamp,
    /// The hold by which the customer has kept the new place meanwhile.
    pub hold: Option<&'a AppointmentId>,
}

/// The days after a move: to be stored together, or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    Within(Day),
    Between { from: Day, to: Day },
}

/// Why an appointment stays where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RescheduleError {
    /// It is not there, or only held.
    #[error("it is not confirmed")]
    NotConfirmed,
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    #[error("it has begun")]
    Past,
    /// The hold of the new place is another customer's, or a confirmed appointment.
    #[error("what holds the new place is something else")]
    Different,
    /// There is an appointment of its id in the other day already.
    #[error("there is an appointment of that id")]
    IdInUse,
}

/// Moves a confirmed appointment from one day to another, or within one: afterwards it has its new place and no other. Its own old place
/// is not in its way. `to` is `from` itself where both are the same calendar's same date.
///
/// # Errors
/// [`RescheduleError`]. A hold that has ended is no hindrance, if its place is still free.
pub fn reschedule(
    from: &Day,
    to: &Day,
    wanted: &Reschedule<'_>,
    now: Timestamp,
) -> Result<Moved, RescheduleError> {
    let Reschedule { id, start_at, hold } = *wanted;
    let entry = from.entry(id, now);
    let entry = entry.filter(|entry| entry.place == Place::Confirmed);
    let entry = entry.ok_or(RescheduleError::NotConfirmed)?;
    let booking = Booking {
        start_at,
        ..entry.booking.clone()
    };
    if booking.is_past(now) {
        return Err(RescheduleError::Past);
    }
    if let Some(held) = hold.and_then(|hold| to.entry(hold, now)) {
        let is_own = held.booking.customer == booking.customer;
        if !is_own || held.place == Place::Confirmed {
            return Err(RescheduleError::Different);
        }
    }
    let place = |day: &Day, instead_of: &[&AppointmentId]| {
        day.with(&booking, Place::Confirmed, now, instead_of)
    };
    let hold: Vec<&AppointmentId> = hold.into_iter().collect();
    if (&from.calendar, from.date) == (&to.calendar, to.date) {
        let moved = place(from, &[&[id], hold.as_slice()].concat())?;
        return Ok(Moved::Within(moved));
    }
    if to.entry(id, now).is_some() {
        return Err(RescheduleError::IdInUse);
    }
    let to = place(to, &hold)?;
    let from = from.without(&[id], now);
    Ok(Moved::Between { from, to })
}
