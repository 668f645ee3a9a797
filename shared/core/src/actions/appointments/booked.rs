//! A customer's appointments: made, moved, cancelled and listed.

use futures_util::future::try_join;
use serde_json::json;

use super::{ActionFailure, Attempt, Outcome, Payload, Stopped, Visit, contact, data};
use crate::{
    booking::{Appointment, AppointmentId, Calendar, Kept, Order, State, Wanted, Wish},
    price::Price,
    text::{plain, truncate},
};

/// Longest reason that is kept, in characters.
const REASON_CHARS: usize = 200;

/// So many of the newest appointments are looked through for those to come.
const LISTED: usize = 100;

/// The messages of a change, by their keys.
struct Texts {
    done: &'static str,
    question: &'static str,
}

pub(super) async fn book(attempt: &Attempt<'_>, payload: &Payload) -> Result<Outcome, Stopped> {
    let visit = Visit::open(attempt, payload).await?;
    let branch = visit.branch(payload)?;
    let service = visit.service(payload, branch)?;
    let calendars = visit.calendars(payload, branch, service)?;
    let start = visit.start(payload, "")?;
    let told = payload.0.get("price").filter(|told| !told.is_null());
    let told = told.map(|told| match told.as_str() {
        Some(text) => Price::parse(text),
        None => Price::parse(&told.to_string()),
    });
    if told.is_some_and(|told| told != Ok(service.price)) {
        let price = visit.price(service.price);
        let arguments = [
            ("service", (&service.name).into()),
            ("price", (&price).into()),
        ];
        return Err(attempt.refused("price_changed", &arguments).into());
    }
    let scheduler = visit.scheduler;
    let whoever = async {
        let found = scheduler.whoever(&visit.business, service, &calendars, start);
        Ok::<_, Stopped>(found.await?)
    };
    let (calendar, account) = try_join(whoever, async { Ok(attempt.account().await?) }).await?;
    let Some(calendar) = calendar else {
        return Err(attempt
            .refused("calendar_not_found", &[("list", "".into())])
            .into());
    };
    let said = match payload.text("full_name") {
        Some(said) => Some(contact::name_of(said).ok_or_else(|| contact::invalid(attempt))?),
        None => None,
    };
    let texts = Texts {
        done: "appointment-booked",
        question: "propose-appointment",
    };
    let wish = Wish::Book {
        wanted: Wanted {
            service,
            calendar,
            start,
        },
        full_name: said.as_deref().or(account.contact.full_name.as_deref()),
    };
    let Some(id) = AppointmentId::read(&attempt.effect_id.to_string()) else {
        return Err(ActionFailure::Unknown.into());
    };
    visit.change(&id, wish, &texts).await
}

pub(super) async fn cancel(attempt: &Attempt<'_>, payload: &Payload) -> Result<Outcome, Stopped> {
    let visit = Visit::open(attempt, payload).await?;
    let id = visit.named(payload).await?;
    let texts = Texts {
        done: "appointment-cancelled",
        question: "propose-appointment-cancellation",
    };
    let reason = payload.text("reason");
    let reason = reason.map(|reason| truncate(&plain(reason), REASON_CHARS));
    let wish = Wish::Cancel {
        reason: reason.as_deref(),
    };
    visit.change(&id, wish, &texts).await
}

pub(super) async fn reschedule(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, Stopped> {
    let visit = Visit::open(attempt, payload).await?;
    let not_found = || attempt.refused("appointment_not_found", &[]);
    let id = visit.named(payload).await?;
    let kept = visit.kept(&id).await?;
    let appointment = kept.ok_or_else(not_found)?.appointment;
    let start = visit.start(payload, "new_")?;
    let calendar = visit.new_calendar(payload, &appointment)?;
    let texts = Texts {
        done: "appointment-moved",
        question: "propose-appointment-move",
    };
    let wish = Wish::Reschedule { calendar, start };
    visit.change(&appointment.booking.id, wish, &texts).await
}

pub(super) async fn list(attempt: &Attempt<'_>, payload: &Payload) -> Result<Outcome, Stopped> {
    let visit = Visit::open(attempt, payload).await?;
    let before = payload.text("before").and_then(AppointmentId::read);
    let limit = payload.part().limit;
    let bookings = &visit.scheduler.bookings;
    let business = &visit.business.id;
    // One more than the page has: then there are more.
    let found = bookings.appointments(business, attempt.owner, before.as_ref(), limit + 1);
    let mut found = found.await?;
    let has_more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| has_more);
    let next = next.map(|last| last.appointment.booking.id.clone());
    let mut appointments: Vec<Appointment> =
        found.into_iter().map(|kept| kept.appointment).collect();
    appointments.sort_by_key(|one| one.booking.start_at);
    // A part of the list says how many there are in all.
    let is_whole = before.is_none() && limit >= LISTED;
    let to_come = match is_whole {
        true => visit.to_come(appointments.iter().cloned()),
        false => visit.newest_to_come().await?,
    };
    let mut outcome = Outcome::done(
        attempt.message("appointments", &[("count", to_come.len().into())]),
        appointments
            .iter()
            .map(|one| visit.appointment(one))
            .collect(),
        json!({"to_come": to_come.len(), "business_id": business, "next": next}),
    );
    outcome.details = attempt.listed(&to_come, to_come.len(), |one| {
        visit.of_appointment("appointment-line", one)
    });
    Ok(outcome)
}

impl Visit<'_> {
    /// The appointment that the payload names, by its id or by its place among those to come, from 1 on.
    async fn named(&self, payload: &Payload) -> Result<AppointmentId, Stopped> {
        let not_found = || self.attempt.refused("appointment_not_found", &[]);
        let Some(place) = payload.small_id("appointment_id") else {
            let id = payload.text("appointment_id").and_then(AppointmentId::read);
            return Ok(id.ok_or_else(not_found)?);
        };
        let place = usize::try_from(place).unwrap_or(usize::MAX) - 1;
        let to_come = self.newest_to_come().await?;
        let one = to_come.into_iter().nth(place).ok_or_else(not_found)?;
        Ok(one.booking.id)
    }

    /// Those that are not over, of the newest that were made.
    async fn newest_to_come(&self) -> Result<Vec<Appointment>, Stopped> {
        let bookings = &self.scheduler.bookings;
        let (business, owner) = (&self.business.id, self.attempt.owner);
        let found = bookings.appointments(business, owner, None, LISTED).await?;
        Ok(self.to_come(found.into_iter().map(|kept| kept.appointment)))
    }

    /// Those that are not over, by time.
    fn to_come(&self, all: impl Iterator<Item = Appointment>) -> Vec<Appointment> {
        let now = self.now();
        let is_to_come =
            |one: &Appointment| one.state == State::Confirmed && one.booking.time().end() > now;
        let mut to_come: Vec<Appointment> = all.filter(is_to_come).collect();
        to_come.sort_by_key(|one| one.booking.start_at);
        to_come
    }

    async fn kept(&self, id: &AppointmentId) -> Result<Option<Kept>, Stopped> {
        let bookings = &self.scheduler.bookings;
        let kept = bookings.appointment(&self.business.id, self.attempt.owner, id);
        Ok(kept.await?)
    }

    /// With whom an appointment is to be: whom the payload names at its branch, or with whom it is.
    fn new_calendar(
        &self,
        payload: &Payload,
        appointment: &Appointment,
    ) -> Result<&Calendar, Stopped> {
        let business = &self.business;
        let is_named = ["calendar_name", "calendar", "calendar_id"].map(|name| payload.text(name));
        let is_named = is_named.iter().any(Option::is_some);
        // Whom it is moved to may be elsewhere.
        let branch = business.branch(&appointment.branch).filter(|_| !is_named);
        let named = match business.service(&appointment.booking.service) {
            Some(service) => self.calendars(payload, branch, service)?,
            None => Vec::new(),
        };
        if let [calendar] = named[..] {
            return Ok(calendar);
        }
        // It names nobody.
        let same = business.calendar(&appointment.calendar);
        let not_found = || {
            let list = [("list", "".into())];
            self.attempt.refused("calendar_not_found", &list)
        };
        Ok(same.ok_or_else(not_found)?)
    }

    /// Makes the change happen, and with it its outcome; or asks whether it is to happen.
    async fn change(
        &self,
        id: &AppointmentId,
        wish: Wish<'_>,
        texts: &Texts,
    ) -> Result<Outcome, Stopped> {
        let attempt = self.attempt;
        let outcome = |key: &str, appointment: &Appointment| {
            let message = self.of_appointment(key, appointment);
            let results = vec![self.appointment(appointment)];
            Outcome {
                effective: true,
                ..Outcome::done(message, results, data(appointment))
            }
        };
        let settle = |appointment: &Appointment| {
            let settle = attempt.settle?;
            settle(&outcome(texts.done, appointment))
        };
        let order = Order {
            business: &self.business,
            customer: attempt.owner,
            id,
            wish,
            settle: Some(&settle),
        };
        let scheduler = self.scheduler;
        let (key, changed) = match attempt.settle {
            Some(_) => (texts.done, scheduler.take(order).await),
            None => (texts.question, scheduler.would_be(order).await),
        };
        match changed {
            Ok(appointment) => Ok(outcome(key, &appointment)),
            Err(reason) => Err(self.not_booked(reason)),
        }
    }
}
