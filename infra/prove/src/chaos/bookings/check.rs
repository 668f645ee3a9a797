//! What a world's responses and what it leaves say of each other.

use std::collections::BTreeMap;

use jiff::{Timestamp, civil::date};
use mostrador_core::booking::{AppointmentId, Bookings, Business, Dates, Kept, Place, State};
use mostrador_dynamodb::DynamoBookings;

use super::{Outcome, Response};

/// Every change that was acknowledged was made once, none that was refused, and of the unknown ones at most as many as there were.
pub(super) fn check_responses(responses: &[&Response], kept: &[Kept]) -> Result<(), String> {
    for response in responses
        .iter()
        .filter(|response| response.outcome == Outcome::Done)
    {
        if !kept
            .iter()
            .any(|kept| kept.appointment.booking.id == response.id)
        {
            return Err(format!(
                "{} was {}, and is not there",
                response.id, response.wish
            ));
        }
    }
    for one in kept {
        let id = &one.appointment.booking.id;
        let count = |outcome| {
            let own = responses.iter().filter(|response| response.id == *id);
            own.filter(|response| response.outcome == outcome).count() as u64
        };
        let (done, unknown) = (count(Outcome::Done), count(Outcome::Unknown));
        if !(done..=done + unknown).contains(&one.version) {
            return Err(format!(
                "{id}: {done} changes done, {unknown} unknown, and {} made",
                one.version
            ));
        }
        let is_done = |wish: &str| {
            let mut own = responses.iter().filter(|response| response.id == *id);
            own.any(|response| response.wish == wish && response.outcome == Outcome::Done)
        };
        let state = one.appointment.state;
        let may_be: [(&str, &[State]); 7] = [
            (
                "booked",
                &[
                    State::Confirmed,
                    State::Cancelled,
                    State::Completed,
                    State::NoShow,
                ],
            ),
            (
                "confirmed",
                &[
                    State::Confirmed,
                    State::Cancelled,
                    State::Completed,
                    State::NoShow,
                ],
            ),
            (
                "rescheduled",
                &[
                    State::Confirmed,
                    State::Cancelled,
                    State::Completed,
                    State::NoShow,
                ],
            ),
            ("released", &[State::Cancelled]),
            ("cancelled", &[State::Cancelled]),
            ("completed", &[State::Completed]),
            ("missed", &[State::NoShow, State::Completed]),
        ];
        for (wish, states) in may_be {
            if is_done(wish) && !states.contains(&state) {
                return Err(format!("{id} was {wish}, and is {state:?}"));
            }
        }
        // It is where one of its moves has brought it, or where it was held or booked if none has.
        let at = |wishes: &[&str], is_sure: bool| {
            let own = responses.iter().filter(|response| response.id == *id);
            let own = own.filter(|response| wishes.contains(&response.wish));
            let own = own.filter(|response| match response.outcome {
                Outcome::Done => true,
                Outcome::Unknown => !is_sure,
                Outcome::Refused(_) | Outcome::Broken(_) => false,
            });
            own.filter_map(|response| response.place.clone())
                .collect::<Vec<_>>()
        };
        let places = match at(&["rescheduled"], true).is_empty() {
            true => at(&["held", "booked", "rescheduled"], false),
            false => at(&["rescheduled"], false),
        };
        let place = (
            one.appointment.calendar.clone(),
            one.appointment.booking.start_at,
        );
        if !places.contains(&place) {
            return Err(format!(
                "{id} is at {place:?}, and was to be at one of {places:?}"
            ));
        }
    }
    Ok(())
}

/// Whoever is confirmed has a place, and one; nobody else has one; and no two of a calendar's overlap, as a day is held to when it is read.
pub(super) async fn check_days(
    bookings: &DynamoBookings,
    business: &Business,
    kept: &[Kept],
) -> Result<(), String> {
    let dates = Dates {
        from: date(2099, 12, 1),
        to: date(2100, 3, 1),
    };
    let mut places: BTreeMap<AppointmentId, Vec<String>> = BTreeMap::new();
    for calendar in &business.calendars {
        let days = bookings.days(&business.id, &calendar.id, dates).await;
        let days = days.map_err(|error| error.to_string())?;
        if !days.damaged.is_empty() {
            return Err(format!(
                "{}: {:?} cannot be read",
                calendar.id, days.damaged
            ));
        }
        for day in &days.days {
            // Every hold counts at the beginning of time.
            for entry in day.entries(Timestamp::UNIX_EPOCH) {
                let id = &entry.booking.id;
                let place = format!("{} {}", calendar.id, entry.booking.start_at);
                places.entry(id.clone()).or_default().push(place);
                let owner = kept.iter().find(|kept| kept.appointment.booking.id == *id);
                let Some(owner) = owner.map(|owner| &owner.appointment) else {
                    return Err(format!("{id} has a place, and is no appointment"));
                };
                let is_its = owner.booking == entry.booking && owner.calendar == calendar.id;
                let may_have = match entry.place {
                    Place::Confirmed => matches!(
                        owner.state,
                        State::Confirmed | State::Completed | State::NoShow
                    ),
                    Place::HeldUntil(_) => owner.state == State::Held,
                };
                // A hold that had ended when it was let go may still be written there.
                let is_ended =
                    matches!(entry.place, Place::HeldUntil(_)) && owner.state == State::Cancelled;
                if !(is_ended || is_its && may_have) {
                    return Err(format!(
                        "{id} is {:?} at {}, and {:?} in the day",
                        owner.state, owner.booking.start_at, entry
                    ));
                }
            }
        }
    }
    for one in kept {
        let appointment = &one.appointment;
        let id = &appointment.booking.id;
        let places = places.get(id).map_or(&[][..], Vec::as_slice);
        let has = matches!(
            appointment.state,
            State::Confirmed | State::Completed | State::NoShow
        );
        if places.len() > 1 || (has && places.len() != 1) {
            return Err(format!(
                "{id} is {:?}, and has {places:?}",
                appointment.state
            ));
        }
    }
    Ok(())
}
