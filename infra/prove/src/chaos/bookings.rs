//! A few customers, each with more than one device at hand, two calendars with few places, and staff who tell who came: the responses
//! they got, against what the calendars' days and the appointments hold.

mod check;

use std::{cell::RefCell, collections::BTreeMap, sync::Arc, time::Duration};

use anyhow::Context;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp, ToSpan};
use mostrador_core::{
    booking::{
        AppointmentId, BookingError, Bookings, Business, Calendar, CalendarId, Dates, Kept,
        NotBooked, Order, Place, Scheduler, Service, State, Wanted, Wish,
    },
    clock::{Clock, timestamp},
    ids::Owner,
    shop::Weekday,
};
use mostrador_dynamodb::{DynamoBookings, connect};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use tokio::time::timeout;
use uuid::Uuid;

use self::check::{check_days, check_responses};
use super::{LATE_IS_DONE, World, clock::SeededClock};

/// More than any customer of a world has.
const EVERYTHING: usize = 10_000;

/// One change that was asked for, and what it came to.
struct Response {
    customer: usize,
    id: AppointmentId,
    wish: &'static str,
    /// Where the appointment was to be, of a hold and of a move.
    place: Option<(CalendarId, Timestamp)>,
    outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    /// It came to what it never may.
    Broken(&'static str),
    /// Nothing was changed, for this reason.
    Refused(&'static str),
    /// It happened once or not at all.
    Unknown,
}

struct Customers<'a> {
    scheduler: Scheduler,
    /// The same without faults.
    kept: DynamoBookings,
    business: &'a Business,
    customers: &'a [Owner],
    /// What each has asked for so far.
    ids: RefCell<BTreeMap<usize, Vec<AppointmentId>>>,
    responses: RefCell<Vec<Response>>,
    broken: RefCell<Vec<String>>,
}

/// Two calendars that are open three hours on each day of a week, so that many want the same place.
fn salon(zone: &str) -> anyhow::Result<Business> {
    let hours: serde_json::Map<String, Value> = Weekday::ALL
        .map(|day| (day.name().to_owned(), json!(["10:00-13:00"])))
        .into_iter()
        .collect();
    let file = json!({
        "id": "alba", "business_name": "Peluquería Alba", "time_zone": zone, "currency": "EUR", "booking_window_days": 6,
        "branches": [{"id": "centro", "name": "Centro", "address": "Calle del Peine, 1", "hours": hours}],
        "categories": [{"id": "pelo", "name": "Pelo"}],
        "services": [
            {"id": "corte", "name": "Corte", "category": "pelo", "price": "25.00", "duration_minutes": 30, "buffer_after_minutes": 10},
            {"id": "color", "name": "Color", "category": "pelo", "price": "60.00", "duration_minutes": 90, "buffer_before_minutes": 15}],
        "calendars": [{"id": "ana", "name": "Ana", "branch": "centro", "offers": ["corte", "color"]},
            {"id": "luis", "name": "Luis", "branch": "centro", "offers": ["corte"]}]
    });
    let file = file.as_object().cloned().context("an object")?;
    Business::read(file).map_err(|faults| anyhow::anyhow!("{faults:?}"))
}

impl Customers<'_> {
    fn now(&self) -> Timestamp {
        timestamp(self.scheduler.clock.now())
    }

    fn new_id(&self) -> Uuid {
        self.scheduler.clock.new_id()
    }

    /// A time of one of the next days at which something may begin, and with whom.
    fn place<'a>(
        &'a self,
        service: &Service,
        rng: &mut StdRng,
    ) -> Option<(&'a Calendar, Timestamp)> {
        let today = self.business.date_of(self.now());
        let day = today.saturating_add(i64::from(rng.random_range(0..3u32)).days());
        let minutes = i64::from(rng.random_range(0..7u32)) * 30;
        let calendars: Vec<&Calendar> = self
            .business
            .calendars
            .iter()
            .filter(|calendar| calendar.offers(&service.id))
            .collect();
        let opens = self.business.time_zone.to_timestamp(day.at(10, 0, 0, 0));
        let start = opens.ok()? + SignedDuration::from_mins(minutes);
        Some((calendars.choose(rng).copied()?, start))
    }

    async fn device(&self, customer: usize, mut rng: StdRng) {
        for _ in 0..rng.random_range(2..7u32) {
            let own = self
                .ids
                .borrow()
                .get(&customer)
                .cloned()
                .unwrap_or_default();
            let id = own.choose(&mut rng).cloned();
            match (id, rng.random_range(0..12_usize)) {
                (Some(id), wish @ 0..=3) => {
                    let wish = [
                        Wish::Confirm,
                        Wish::Confirm,
                        Wish::Cancel { reason: None },
                        Wish::Release,
                    ][wish];
                    self.ask(customer, &id, wish, &mut rng).await;
                }
                (Some(id), 4..=6) => self.move_one(customer, &id, &mut rng).await,
                _ => self.book(customer, &mut rng).await,
            }
            // Now and then so long that holds end, or that days go by.
            let pause = match rng.random_range(0..20u32) {
                0 => Duration::from_secs(20 * 3_600),
                1 | 2 => Duration::from_secs(299 + u64::from(rng.random_range(0..3u32))),
                _ => Duration::from_millis(rng.random_range(0..20)),
            };
            tokio::time::sleep(pause).await;
        }
    }

    async fn book(&self, customer: usize, rng: &mut StdRng) {
        let Some(service) = self.business.services.choose(rng) else {
            return;
        };
        let Some((calendar, start)) = self.place(service, rng) else {
            return;
        };
        let Some(id) = AppointmentId::read(&self.new_id().to_string()) else {
            return;
        };
        self.ids
            .borrow_mut()
            .entry(customer)
            .or_default()
            .push(id.clone());
        let wanted = Wanted {
            service,
            calendar,
            start,
        };
        if rng.random_bool(0.4) {
            let wish = Wish::Book {
                wanted,
                full_name: None,
            };
            self.ask(customer, &id, wish, rng).await;
            return;
        }
        let held = self.ask(customer, &id, Wish::Hold(wanted), rng).await;
        // Most of those that are not held are not asked for again.
        let is_refused = matches!(held, Outcome::Refused(_));
        if rng.random_bool(if is_refused { 0.1 } else { 0.8 }) {
            self.ask(customer, &id, Wish::Confirm, rng).await;
        }
    }

    async fn move_one(&self, customer: usize, id: &AppointmentId, rng: &mut StdRng) {
        let Some(service) = self.business.services.first() else {
            return;
        };
        if let Some((calendar, start)) = self.place(service, rng) {
            self.ask(customer, id, Wish::Reschedule { calendar, start }, rng)
                .await;
        }
    }

    /// Staff who tell of everybody's who came.
    async fn desk(&self, mut rng: StdRng) {
        for _ in 0..rng.random_range(1..5u32) {
            tokio::time::sleep(Duration::from_secs(rng.random_range(0..40 * 3_600))).await;
            let all: Vec<(usize, AppointmentId)> = {
                let ids = self.ids.borrow();
                let ids = ids.iter();
                ids.flat_map(|(customer, ids)| ids.iter().map(|id| (*customer, id.clone())))
                    .collect()
            };
            if let Some((customer, id)) = all.choose(&mut rng) {
                let wish = match rng.random_bool(0.5) {
                    true => Wish::Complete,
                    false => Wish::MarkNoShow,
                };
                self.ask(*customer, id, wish, &mut rng).await;
            }
        }
    }

    /// Asks for a change, and looks whether it is one.
    async fn ask(
        &self,
        customer: usize,
        id: &AppointmentId,
        wish: Wish<'_>,
        rng: &mut StdRng,
    ) -> Outcome {
        let order = Order {
            business: self.business,
            customer: &self.customers[customer],
            id,
            wish,
            settle: None,
        };
        let outcome = self.once(order, rng).await;
        if outcome == Outcome::Done
            && let Err(broken) = self.look_at(&self.customers[customer], id).await
        {
            self.broken.borrow_mut().push(broken);
        }
        let (wish, place) = match wish {
            Wish::Hold(wanted) => ("held", Some((wanted.calendar, wanted.start))),
            Wish::Book { wanted, .. } => ("booked", Some((wanted.calendar, wanted.start))),
            Wish::Confirm => ("confirmed", None),
            Wish::Release => ("released", None),
            Wish::Reschedule { calendar, start } => ("rescheduled", Some((calendar, start))),
            Wish::Cancel { .. } => ("cancelled", None),
            Wish::Complete => ("completed", None),
            Wish::MarkNoShow => ("missed", None),
        };
        self.responses.borrow_mut().push(Response {
            customer,
            id: id.clone(),
            wish,
            place: place.map(|(calendar, start)| (calendar.id.clone(), start)),
            outcome,
        });
        outcome
    }

    /// Whether an appointment that has just been changed has the place that it says it has, if nobody has changed it since.
    async fn look_at(&self, customer: &Owner, id: &AppointmentId) -> Result<(), String> {
        let read = || async {
            let kept = self.kept.appointment(&self.business.id, customer, id).await;
            kept.map_err(|error| error.to_string())
        };
        let kept = read().await?;
        let Some(Kept { appointment, .. }) = &kept else {
            return Err(format!("{id} was changed, and is not there"));
        };
        let start = appointment.booking.start_at;
        let dates = Dates::on(self.business.date_of(start));
        let calendar = &appointment.calendar;
        let days = self.kept.days(&self.business.id, calendar, dates).await;
        let days = days.map_err(|error| error.to_string())?.days;
        let now = self.now();
        if read().await? != kept {
            return Ok(());
        }
        let entry = days.first().and_then(|day| day.entry(id, now));
        let place = entry.filter(|entry| entry.booking == appointment.booking);
        let has_its = match appointment.state {
            // It has just been held: nothing else leads there.
            State::Held => place.is_some_and(|entry| entry.place != Place::Confirmed),
            State::Confirmed | State::Completed | State::NoShow => {
                place.is_some_and(|entry| entry.place == Place::Confirmed)
            }
            State::Cancelled => entry.is_none(),
        };
        match has_its {
            true => Ok(()),
            false => Err(format!(
                "{id} is {:?} at {start}, and {entry:?} in its day",
                appointment.state
            )),
        }
    }

    async fn once(&self, order: Order<'_>, rng: &mut StdRng) -> Outcome {
        let patience = rng.random_bool(0.1).then(|| rng.random_range(0..2_500));
        let taking = self.scheduler.take(order);
        let ended = match patience {
            None => Some(taking.await),
            Some(patience) => timeout(Duration::from_millis(patience), taking).await.ok(),
        };
        match ended {
            Some(Ok(booked)) => {
                let place = match order.wish {
                    Wish::Hold(wanted) => Some((wanted.calendar, wanted.start)),
                    Wish::Reschedule { calendar, start } => Some((calendar, start)),
                    _ => None,
                };
                let is_there = place.is_none_or(|(calendar, start)| {
                    booked.calendar == calendar.id && booked.booking.start_at == start
                });
                match is_there {
                    true => Outcome::Done,
                    false => Outcome::Broken("it was told another place than what was wanted"),
                }
            }
            Some(Err(NotBooked::Unavailable { alternatives, .. })) => {
                Outcome::Refused(match alternatives.is_empty() {
                    true => "refused, nothing free",
                    false => "refused with alternatives",
                })
            }
            Some(Err(NotBooked::NotFound)) => Outcome::Refused("not found"),
            Some(Err(NotBooked::Closed(_))) => Outcome::Refused("too late for it"),
            Some(Err(NotBooked::Store(BookingError::Conflict))) => Outcome::Refused("conflict"),
            Some(Err(NotBooked::Store(BookingError::Corrupt))) => {
                Outcome::Broken("an appointment and its day do not fit")
            }
            Some(Err(NotBooked::Store(_))) | None => Outcome::Unknown,
        }
    }
}

/// One world: its customers' time, and the check of what they leave.
pub(super) async fn world(world: &mut World) -> Result<(), String> {
    let mut rng = StdRng::seed_from_u64(world.seed);
    // Not for the changes of their clocks, of which none is within a world's week, but since a day is of a zone.
    let zones = ["Etc/UTC", "Europe/Madrid", "America/Bogota"];
    let zone = zones.choose(&mut rng).copied().unwrap_or("Etc/UTC");
    let business = salon(zone).map_err(|error| error.to_string())?;
    let customers: Vec<Owner> = (0..rng.random_range(2..5u32))
        .filter_map(|number| Owner::new("chaos", &format!("customer-{number}")).ok())
        .collect();
    let clock: Arc<dyn Clock> = Arc::new(SeededClock::new(world.seed));
    let [client, clean] = [&world.faulty, &world.engine];
    let client = connect(&client.configuration().await);
    let clean = connect(&clean.configuration().await);
    let all = Customers {
        kept: DynamoBookings::new(clean, &world.tables),
        scheduler: Scheduler {
            bookings: Arc::new(DynamoBookings::new(client, &world.tables)),
            clock,
        },
        business: &business,
        customers: &customers,
        ids: RefCell::default(),
        responses: RefCell::default(),
        broken: RefCell::default(),
    };
    let devices = (0..customers.len()).flat_map(|customer| [customer; 2]);
    let devices: Vec<_> = devices
        .map(|customer| all.device(customer, StdRng::seed_from_u64(rng.random())))
        .collect();
    let desks: Vec<_> = (0..2)
        .map(|_| all.desk(StdRng::seed_from_u64(rng.random())))
        .collect();
    tokio::join!(join_all(devices), join_all(desks));
    tokio::time::sleep(LATE_IS_DONE).await;

    if let Some(broken) = all.broken.take().into_iter().next() {
        return Err(broken);
    }
    let bookings = &all.kept;
    let responses = all.responses.take();
    let mut kept = Vec::new();
    for (place, customer) in customers.iter().enumerate() {
        let own = bookings.appointments(&business.id, customer, None, EVERYTHING);
        let own = own.await.map_err(|error| error.to_string())?;
        let of_customer = responses
            .iter()
            .filter(|response| response.customer == place);
        check_responses(&of_customer.collect::<Vec<_>>(), &own)?;
        kept.extend(own);
    }
    check_days(bookings, &business, &kept).await?;
    for response in &responses {
        let what = match response.outcome {
            Outcome::Done => response.wish,
            Outcome::Broken(what) => return Err(format!("{}: {what}", response.id)),
            Outcome::Refused(why) => why,
            Outcome::Unknown => "unknown",
        };
        world.tried.count(what, 1);
    }
    Ok(())
}

/// Makes the conditions of what is put into the table hold, of rows whose key begins so.
fn without_condition_of(request: &mut Value, begins: &str) {
    let items = request["TransactItems"].as_array_mut();
    for write in items.into_iter().flatten() {
        let put = &mut write["Put"];
        let item = put["Item"]["item"]["S"].as_str().unwrap_or_default();
        if !item.starts_with(begins) {
            continue;
        }
        if let Some(condition) = put["ConditionExpression"].as_str() {
            put["ConditionExpression"] = format!("({condition}) OR NOT ({condition})").into();
        }
    }
}

/// What appointments rest on, and what becomes of them without.
pub(super) const GUARDS: &[(&str, mostrador_engine::Tamper)] = &[
    (
        "a calendar's day is as it was read",
        |_, request, answer| {
            if answer.is_none() {
                without_condition_of(request, "day#");
            }
        },
    ),
    ("an appointment is as it was read", |_, request, answer| {
        if answer.is_none() {
            without_condition_of(request, "appointment#");
        }
    }),
    ("an effect is known again", |_, _, answer| {
        if let Some(answer) = answer {
            super::rename(answer, "effects");
        }
    }),
];
