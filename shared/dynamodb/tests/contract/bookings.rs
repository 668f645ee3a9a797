//! Appointments: a place is had by one, a change is whole and happens once, and what is damaged costs itself.

use std::sync::Arc;

use futures_util::future::join_all;
use jiff::{Timestamp, civil::date};
use mostrador_core::{
    booking::{
        Appointment, AppointmentId, BookingError, Bookings, Business, CalendarId, ChangeError,
        Dates, Kept, Mutation, NotBooked, Order, Place, Refusal, Scheduler, ServiceId, State,
        Wanted, Wish,
    },
    clock::Clock,
    ids::Owner,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    clock::StoppedClock,
    setup::{Stores, owner},
};

/// Monday, 4 January 2100, three days after the tests' noon.
const MONDAY: &str = "2100-01-04T09:00:00Z";

pub(crate) fn salon() -> Business {
    salon_of("Etc/UTC", 60, &["corte"])
}

/// A salon in a zone, of whose two services one takes so many minutes, and where these are offered.
pub(crate) fn salon_of(zone: &str, minutes: u16, offered: &[&str]) -> Business {
    let file = file_of(zone, minutes, offered);
    Business::read(file.as_object().unwrap().clone()).unwrap()
}

/// Its file.
pub(crate) fn file_of(zone: &str, minutes: u16, offered: &[&str]) -> Value {
    let services = [
        json!({"id": "corte", "name": "Corte", "category": "pelo", "price": "25.00", "duration_minutes": minutes}),
        json!({"id": "color", "name": "Color", "category": "pelo", "price": "60.00", "duration_minutes": 90,
            "buffer_before_minutes": 15, "buffer_after_minutes": 30}),
    ];
    let services = services.into_iter().filter(|service| {
        let id = service["id"].as_str().unwrap();
        offered.contains(&id)
    });
    json!({
        "id": "alba", "business_name": "Peluquería Alba", "time_zone": zone, "currency": "EUR",
        "branches": [{"id": "centro", "name": "Centro", "address": "Calle del Peine, 1",
            "hours": {"monday": ["09:00-14:00"], "tuesday": ["09:00-14:00"]}}],
        "categories": [{"id": "pelo", "name": "Pelo"}],
        "services": services.collect::<Vec<_>>(),
        "calendars": [{"id": "ana", "name": "Ana", "branch": "centro", "offers": offered},
            {"id": "luis", "name": "Luis", "branch": "centro", "offers": offered}]
    })
}

pub(crate) fn at(hours: i64) -> Timestamp {
    let monday: Timestamp = MONDAY.parse().unwrap();
    monday + jiff::SignedDuration::from_hours(hours)
}

fn new_id() -> AppointmentId {
    AppointmentId::read(&Uuid::now_v7().to_string()).unwrap()
}

pub(crate) fn calendar(name: &str) -> CalendarId {
    CalendarId::read(name).unwrap()
}

fn scheduler(stores: &Stores) -> Scheduler {
    scheduler_at(stores, StoppedClock::at_noon())
}

pub(crate) fn scheduler_at(stores: &Stores, clock: Arc<dyn Clock>) -> Scheduler {
    Scheduler {
        bookings: Arc::new(stores.bookings()),
        clock,
    }
}

pub(crate) fn wanted<'a>(business: &'a Business, who: &str, start: Timestamp) -> Wanted<'a, 'a> {
    wanted_of("corte", business, who, start)
}

pub(crate) fn wanted_of<'a>(
    service: &str,
    business: &'a Business,
    who: &str,
    start: Timestamp,
) -> Wanted<'a, 'a> {
    let service = ServiceId::read(service).unwrap();
    Wanted {
        service: business.service(&service).unwrap(),
        calendar: business.calendar(&calendar(who)).unwrap(),
        start,
    }
}

/// Whose appointment it is, and which.
pub(crate) struct Of<'a> {
    pub(crate) scheduler: &'a Scheduler,
    pub(crate) business: &'a Business,
    pub(crate) customer: Owner,
    pub(crate) id: AppointmentId,
}

impl<'a> Of<'a> {
    pub(crate) fn new(scheduler: &'a Scheduler, business: &'a Business, name: &str) -> Self {
        Self {
            scheduler,
            business,
            customer: owner(name),
            id: new_id(),
        }
    }

    pub(crate) async fn take(&'a self, wish: Wish<'a>) -> Result<Appointment, NotBooked<'a>> {
        let order = Order {
            business: self.business,
            customer: &self.customer,
            id: &self.id,
            wish,
            settle: None,
        };
        self.scheduler.take(order).await
    }

    pub(crate) async fn book(
        &'a self,
        who: &str,
        start: Timestamp,
    ) -> Result<Appointment, NotBooked<'a>> {
        self.take(Wish::Hold(wanted(self.business, who, start)))
            .await?;
        self.take(Wish::Confirm).await
    }
}

/// A change is in once however often it is sent, and another from the same reading is not let in.
#[tokio::test]
async fn a_change_happens_once_and_only_on_what_was_read() {
    for stores in Stores::all().await {
        let (bookings, salon) = (stores.bookings(), salon());
        let scheduler = scheduler(&stores);
        let ana = Of::new(&scheduler, &salon, "c1");
        let confirmed = ana.book("ana", at(0)).await.unwrap();
        assert_eq!(confirmed.state, State::Confirmed);
        let kept = bookings.appointment(&salon.id, &ana.customer, &ana.id);
        let kept = kept.await.unwrap().unwrap();
        assert_eq!((kept.version, &kept.appointment), (2, &confirmed));
        let monday = Dates::on(date(2100, 1, 4));
        let days = bookings
            .days(&salon.id, &calendar("ana"), monday)
            .await
            .unwrap();
        let now: Timestamp = "2100-01-01T12:00:00Z".parse().unwrap();
        let places: Vec<Place> = days.days[0].entries(now).map(|entry| entry.place).collect();
        assert_eq!(places, [Place::Confirmed]);
        let cancelled = Mutation {
            effect_id: Uuid::now_v7(),
            appointment: Kept {
                appointment: Appointment {
                    state: State::Cancelled,
                    ..confirmed
                },
                ..kept.clone()
            },
            days: vec![days.days[0].cancel(&ana.id, now).unwrap()],
            settlement: None,
        };
        bookings.commit(&salon.id, &cancelled).await.unwrap();
        // Again, as after a lost answer.
        bookings.commit(&salon.id, &cancelled).await.unwrap();
        let rival = Mutation {
            effect_id: Uuid::now_v7(),
            ..cancelled
        };
        let refused = bookings.commit(&salon.id, &rival).await;
        assert!(
            matches!(refused, Err(BookingError::Conflict)),
            "{refused:?}"
        );
        let days = bookings
            .days(&salon.id, &calendar("ana"), monday)
            .await
            .unwrap();
        assert_eq!(
            (days.days[0].version(), days.days[0].entries(now).count()),
            (3, 0)
        );
        let again = ana.take(Wish::Cancel { reason: None }).await.unwrap_err();
        assert!(
            matches!(again, NotBooked::Closed(ChangeError::Closed)),
            "{again:?}"
        );
    }
}

/// Of many who want one place at once one has it, and each other one is told which times are left.
#[tokio::test]
async fn one_has_a_place_and_the_others_are_told_alternatives() {
    for stores in Stores::all().await {
        let (salon, scheduler) = (salon(), scheduler(&stores));
        let all: Vec<Of<'_>> = (0..32)
            .map(|number| Of::new(&scheduler, &salon, &format!("c{number}")))
            .collect();
        let booked = join_all(all.iter().map(|one| one.book("ana", at(0)))).await;
        let mut had = 0;
        for booked in booked {
            match booked {
                Ok(_) => had += 1,
                Err(NotBooked::Unavailable {
                    reason,
                    alternatives,
                }) => {
                    assert_eq!(reason, Refusal::Taken);
                    let starts: Vec<_> =
                        alternatives.iter().map(|slot| slot.time.start()).collect();
                    assert!(starts.contains(&at(1)) && starts.len() == 3, "{starts:?}");
                }
                // Lost every race; it may be asked for again.
                Err(NotBooked::Store(BookingError::Conflict | BookingError::Busy)) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
        assert_eq!(had, 1);
    }
}

/// A move is of both days or of neither; its old place is free afterwards, and what is moved onto itself in part is not in its own way.
#[tokio::test]
async fn a_move_is_whole() {
    for stores in Stores::all().await {
        let (bookings, salon, scheduler) = (stores.bookings(), salon(), scheduler(&stores));
        let ana = Of::new(&scheduler, &salon, "c1");
        ana.book("ana", at(0)).await.unwrap();
        let to = |who: &str, start: Timestamp| Wish::Reschedule {
            calendar: wanted(&salon, who, start).calendar,
            start,
        };
        let half = at(0) + jiff::SignedDuration::from_mins(30);
        ana.take(to("ana", half)).await.unwrap();
        let moved = ana.take(to("luis", at(24))).await.unwrap();
        assert_eq!(
            (moved.booking.start_at, moved.calendar.as_str()),
            (at(24), "luis")
        );
        let week = Dates {
            from: date(2100, 1, 1),
            to: date(2100, 1, 31),
        };
        let now: Timestamp = "2100-01-01T12:00:00Z".parse().unwrap();
        let mut there = Vec::new();
        for who in ["ana", "luis"] {
            let days = bookings
                .days(&salon.id, &calendar(who), week)
                .await
                .unwrap();
            let days = days.days.iter();
            there.extend(days.flat_map(|day| day.entries(now).map(move |_| (who, day.date()))));
        }
        assert_eq!(there, [("luis", date(2100, 1, 5))]);
        let other = Of::new(&scheduler, &salon, "c2");
        other.book("ana", at(0)).await.unwrap();
        let taken = other.take(to("luis", at(24))).await.unwrap_err();
        let is_taken = matches!(
            taken,
            NotBooked::Unavailable {
                reason: Refusal::Taken,
                ..
            }
        );
        assert!(is_taken, "{taken:?}");
    }
}

/// Nobody reads or changes another one's, a list is of the last ids first, and what is damaged is left out, or full.
#[tokio::test]
async fn what_is_damaged_or_anothers_is_not_there() {
    for stores in Stores::all().await {
        let (bookings, salon, scheduler) = (stores.bookings(), salon(), scheduler(&stores));
        let mut ids = Vec::new();
        for hour in 0..3 {
            let one = Of::new(&scheduler, &salon, "c1");
            one.book("ana", at(hour)).await.unwrap();
            ids.push(one.id.clone());
        }
        let c1 = owner("c1");
        let listed = async |before: Option<&AppointmentId>, limit: usize| -> Vec<AppointmentId> {
            let found = bookings.appointments(&salon.id, &c1, before, limit);
            let found = found.await.unwrap().into_iter();
            found.map(|kept| kept.appointment.booking.id).collect()
        };
        ids.reverse();
        assert_eq!(listed(None, 10).await, ids);
        assert_eq!(listed(None, 2).await, ids[..2]);
        assert_eq!(listed(Some(&ids[0]), 2).await, ids[1..]);
        let c2 = owner("c2");
        let foreign = bookings.appointment(&salon.id, &c2, &ids[0]);
        assert_eq!(foreign.await.unwrap(), None);

        stores
            .damage_booking(&c1.to_string(), &format!("appointment#alba#{}", ids[1]))
            .await;
        assert_eq!(listed(None, 10).await, [ids[0].clone(), ids[2].clone()]);
        stores.damage_booking("alba", "day#ana#2100-01-04").await;
        let monday = Dates::on(date(2100, 1, 4));
        let days = bookings
            .days(&salon.id, &calendar("ana"), monday)
            .await
            .unwrap();
        assert_eq!(
            (days.days.len(), &days.damaged[..]),
            (0, &[date(2100, 1, 4)][..])
        );
        let service = wanted(&salon, "ana", at(0)).service;
        let calendars: Vec<_> = salon.calendars.iter().collect();
        let slots = scheduler
            .slots(&salon, service, &calendars, monday)
            .await
            .unwrap();
        assert!(slots.iter().all(|slot| slot.calendar.as_str() == "luis") && !slots.is_empty());
    }
}

/// A business comes back as it was put, and one that no row holds is refused.
#[tokio::test]
async fn a_business_is_kept() {
    for stores in Stores::all().await {
        let (bookings, salon) = (stores.bookings(), salon());
        assert_eq!(bookings.business(&salon.id).await.unwrap(), None);
        bookings.put_business(&salon, "{}").await.unwrap();
        bookings.put_business(&salon, "{\"a\":1}").await.unwrap();
        let kept = bookings.business(&salon.id).await.unwrap();
        assert_eq!(kept.as_deref(), Some("{\"a\":1}"));
        let long = bookings.put_business(&salon, &"x".repeat(400 << 10)).await;
        assert!(
            matches!(long, Err(BookingError::TooLarge { .. })),
            "{long:?}"
        );
    }
}
