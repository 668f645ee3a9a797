//! Appointments over time: holds end, services change, what begins is over, and a request is settled with what it asked for.

use jiff::{SignedDuration, Timestamp, civil::date};
use mostrador_core::{
    booking::{
        Appointment, AppointmentId, BookingError, Bookings, Change, ChangeError, Dates, Kept,
        Mutation, NotBooked, Order, Place, Refusal, State, Wish,
    },
    limits::{
        Idempotency, IdempotentRequest, Kept as KeptAnswer, KeyState, Settlement, StoredAnswer,
    },
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    bookings::{Of, at, calendar, salon, salon_of, scheduler_at, wanted, wanted_of},
    clock::StoppedClock,
    setup::{Stores, noon, owner},
};

fn time_of(at: Timestamp) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(at.as_second()).unwrap()
}

fn refused(result: Result<Appointment, NotBooked<'_>>) -> (Refusal, Vec<Timestamp>) {
    match result {
        Err(NotBooked::Unavailable {
            reason,
            alternatives,
        }) => {
            let starts = alternatives.iter().map(|slot| slot.time.start());
            (reason, starts.collect())
        }
        other => panic!("{other:?}"),
    }
}

fn closed(result: Result<Appointment, NotBooked<'_>>) -> ChangeError {
    match result {
        Err(NotBooked::Closed(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// A hold that has ended is had if its time is still offered and free, and let go whatever has become of its place.
#[tokio::test]
async fn a_hold_ends() {
    for stores in Stores::all().await {
        let (salon, clock) = (salon(), StoppedClock::at_noon());
        let scheduler = scheduler_at(&stores, clock.clone());
        let of = |name: &str| Of::new(&scheduler, &salon, name);
        let [slow, quick, late, gone] = ["slow", "quick", "late", "gone"].map(of);
        for one in [&slow, &gone] {
            let hour = if std::ptr::eq(one, &slow) { 0 } else { 2 };
            let held = one.take(Wish::Hold(wanted(&salon, "ana", at(hour)))).await;
            assert_eq!(held.unwrap().state, State::Held);
        }
        let taken = quick.take(Wish::Hold(wanted(&salon, "ana", at(0)))).await;
        assert_eq!(refused(taken).0, Refusal::Taken);
        clock.set(noon() + Duration::minutes(6));
        quick.book("ana", at(0)).await.unwrap();
        let (reason, starts) = refused(slow.take(Wish::Confirm).await);
        // With Luis that hour is free still.
        assert_eq!(
            (reason, starts),
            (Refusal::Taken, vec![at(0), at(1), at(2)])
        );
        assert_eq!(
            slow.take(Wish::Release).await.unwrap().state,
            State::Cancelled
        );
        assert_eq!(closed(slow.take(Wish::Confirm).await), ChangeError::Closed);
        assert_eq!(
            gone.take(Wish::Confirm).await.unwrap().state,
            State::Confirmed
        );

        // It would begin within the notice by now.
        late.take(Wish::Hold(wanted(&salon, "luis", at(0))))
            .await
            .unwrap();
        clock.set(time_of(at(0) - SignedDuration::from_mins(30)));
        assert_eq!(refused(late.take(Wish::Confirm).await).0, Refusal::TooSoon);
    }
}

/// What has begun is neither moved nor cancelled; who came and who did not is told afterwards, and not before.
#[tokio::test]
async fn what_has_begun_is_kept_or_missed() {
    for stores in Stores::all().await {
        let (salon, clock) = (salon(), StoppedClock::at_noon());
        let scheduler = scheduler_at(&stores, clock.clone());
        let of = |name: &str| Of::new(&scheduler, &salon, name);
        let [came, stayed] = ["came", "stayed"].map(of);
        came.book("ana", at(0)).await.unwrap();
        stayed.book("luis", at(0)).await.unwrap();
        assert_eq!(
            closed(came.take(Wish::Complete).await),
            ChangeError::NotBegun
        );
        clock.set(time_of(at(0)));
        assert_eq!(
            closed(came.take(Wish::Cancel { reason: None }).await),
            ChangeError::Begun
        );
        let moved = Wish::Reschedule {
            calendar: wanted(&salon, "ana", at(2)).calendar,
            start: at(2),
        };
        assert_eq!(closed(came.take(moved).await), ChangeError::Begun);
        assert_eq!(
            came.take(Wish::Complete).await.unwrap().state,
            State::Completed
        );
        assert_eq!(
            stayed.take(Wish::MarkNoShow).await.unwrap().state,
            State::NoShow
        );
        // Late, and there after all.
        assert_eq!(
            stayed.take(Wish::Complete).await.unwrap().state,
            State::Completed
        );
        assert_eq!(
            closed(stayed.take(Wish::Complete).await),
            ChangeError::Closed
        );
    }
}

/// An appointment keeps the time that it was booked with, whatever its service takes by now, and is there when the service is no longer.
#[tokio::test]
async fn a_service_changes() {
    for stores in Stores::all().await {
        let (longer, clock) = (
            salon_of("Etc/UTC", 90, &["corte", "color"]),
            StoppedClock::at_noon(),
        );
        let scheduler = scheduler_at(&stores, clock);
        let before = Of::new(&scheduler, &longer, "c1");
        before.book("ana", at(0)).await.unwrap();
        let shorter = salon_of("Etc/UTC", 30, &["corte", "color"]);
        let half = |hours: i64| at(hours) + SignedDuration::from_mins(30);
        let [next, ana] = ["c2", "c1"].map(|name| Of::new(&scheduler, &shorter, name));
        let ana = Of {
            id: before.id.clone(),
            ..ana
        };
        next.book("ana", at(3)).await.unwrap();
        let last = Of::new(&scheduler, &shorter, "c2");
        last.book("ana", at(4)).await.unwrap();
        let color = Of::new(&scheduler, &shorter, "c2");
        let wish = Wish::Hold(wanted_of("color", &shorter, "luis", half(1)));
        color.take(wish).await.unwrap();
        let to = |start: Timestamp| Wish::Reschedule {
            calendar: wanted(&shorter, "ana", start).calendar,
            start,
        };
        // Half an hour is free there, and it takes an hour and a half.
        let Err(NotBooked::Unavailable {
            reason: Refusal::Taken,
            alternatives,
        }) = ana.take(to(half(2))).await
        else {
            panic!("half an hour is enough for it");
        };
        // Where it is now, from nine o'clock with Ana, is no other time.
        let told = alternatives.iter();
        let told: Vec<_> = told
            .map(|slot| (slot.calendar.as_str(), slot.time.start()))
            .collect();
        assert_eq!(told, [("ana", half(1)), ("luis", half(3)), ("ana", at(24))]);
        // And it is not in its own way.
        let moved = ana.take(to(half(0))).await.unwrap();
        assert_eq!(moved.booking.duration_minutes.get(), 90);

        let held = Of::new(&scheduler, &shorter, "c3");
        held.take(Wish::Hold(wanted(&shorter, "luis", at(0))))
            .await
            .unwrap();
        let without = salon_of("Etc/UTC", 30, &["color"]);
        let [ana, held] = [(&ana.id, "c1"), (&held.id, "c3")].map(|(id, name)| Of {
            id: id.clone(),
            ..Of::new(&scheduler, &without, name)
        });
        let to = Wish::Reschedule {
            calendar: without.calendar(&calendar("luis")).unwrap(),
            start: at(2),
        };
        assert_eq!(refused(ana.take(to).await), (Refusal::NotOffered, vec![]));
        // What is held, is held.
        assert_eq!(
            held.take(Wish::Confirm).await.unwrap().state,
            State::Confirmed
        );
        assert_eq!(
            ana.take(Wish::Cancel { reason: None }).await.unwrap().state,
            State::Cancelled
        );
    }
}

/// Between two appointments there is room for the buffers of both, whichever comes first.
#[tokio::test]
async fn buffers_are_kept() {
    for stores in Stores::all().await {
        let (salon, clock) = (
            salon_of("Etc/UTC", 60, &["corte", "color"]),
            StoppedClock::at_noon(),
        );
        let scheduler = scheduler_at(&stores, clock);
        let of = |name: &str| Of::new(&scheduler, &salon, name);
        let [color, before, behind] = ["c1", "c2", "c3"].map(of);
        let minutes = |minutes: i64| at(0) + SignedDuration::from_mins(minutes);
        // From 10:15 to 11:45; with its buffers from 10:00 to 12:15.
        let wish = Wish::Hold(wanted_of("color", &salon, "ana", minutes(75)));
        color.take(wish).await.unwrap();
        color.take(Wish::Confirm).await.unwrap();
        for (one, taken, free) in [(&before, 5, 0), (&behind, 190, 195)] {
            let wish = Wish::Hold(wanted(&salon, "ana", minutes(taken)));
            assert_eq!(refused(one.take(wish).await).0, Refusal::Taken);
            one.book("ana", minutes(free)).await.unwrap();
        }
    }
}

/// A day is a date where the business is, and the business stays there.
#[tokio::test]
async fn a_day_is_of_a_zone() {
    for stores in Stores::all().await {
        let bookings = stores.bookings();
        let (auckland, clock) = (
            salon_of("Pacific/Auckland", 60, &["corte"]),
            StoppedClock::at_noon(),
        );
        let scheduler = scheduler_at(&stores, clock);
        let one = Of::new(&scheduler, &auckland, "c1");
        // Nine o'clock on Tuesday there, and still Monday in Greenwich.
        let start = at(11);
        one.book("ana", start).await.unwrap();
        let of = |day: i8| Dates::on(date(2100, 1, day));
        for (day, places) in [(4, 0), (5, 1)] {
            let ana = calendar("ana");
            let days = bookings.days(&auckland.id, &ana, of(day));
            let days = days.await.unwrap().days;
            let now = start - SignedDuration::from_hours(1);
            let found = days.iter().flat_map(|day| day.entries(now));
            let found: Vec<Place> = found.map(|entry| entry.place).collect();
            assert_eq!(found, vec![Place::Confirmed; places]);
        }
        bookings.put_business(&auckland, "{}").await.unwrap();
        bookings.put_business(&auckland, "[]").await.unwrap();
        let moved = salon_of("Europe/Madrid", 60, &["corte"]);
        let moved = bookings.put_business(&moved, "{}").await;
        assert!(matches!(moved, Err(BookingError::OtherZone)), "{moved:?}");
        let kept = bookings.business(&auckland.id).await.unwrap();
        assert_eq!(kept.as_deref(), Some("[]"));
    }
}

/// The request is settled with the change, or neither is, and an attempt that has been overtaken changes nothing.
#[tokio::test]
async fn a_request_is_settled_with_its_change() {
    for stores in Stores::all().await {
        let (requests, bookings) = (stores.idempotency(), stores.bookings());
        let (salon, clock) = (salon(), StoppedClock::at_noon());
        let scheduler = scheduler_at(&stores, clock);
        let settlement = Settlement {
            request: IdempotentRequest {
                owner: "c1".into(),
                operation: "/api/agent/actions/".into(),
                key: "k".into(),
                body_hash: "a".into(),
                lease: Uuid::now_v7(),
            },
            kept: KeptAnswer::Answered(StoredAnswer::json(200, &"hecho")),
        };
        requests.acquire(&settlement.request, noon()).await.unwrap();
        let one = Of::new(&scheduler, &salon, "c1");
        let order = |settle| Order {
            business: &salon,
            customer: &one.customer,
            id: &one.id,
            wish: Wish::Hold(wanted(&salon, "ana", at(0))),
            settle: Some(settle),
        };
        let mut late = settlement.clone();
        late.request.lease = Uuid::now_v7();
        let settle = |_: &Appointment| Some(late.clone());
        let overtaken = scheduler.take(order(&settle)).await;
        let is_overtaken = matches!(overtaken, Err(NotBooked::Store(BookingError::Overtaken)));
        assert!(is_overtaken, "{overtaken:?}");
        let kept = bookings.appointment(&salon.id, &one.customer, &one.id);
        assert_eq!(kept.await.unwrap(), None);
        let settle = |_: &Appointment| Some(settlement.clone());
        scheduler.take(order(&settle)).await.unwrap();
        let kept = bookings.appointment(&salon.id, &one.customer, &one.id);
        assert_eq!(kept.await.unwrap().unwrap().version, 1);
        let again = requests.acquire(&settlement.request, noon()).await.unwrap();
        let KeyState::Answered(answer) = again else {
            panic!("{again:?}");
        };
        assert_eq!(answer, StoredAnswer::json(200, &"hecho"));
    }
}

/// A change that many others have followed is not made again: nobody knows any more whether it was made.
#[tokio::test]
async fn what_is_forgotten_is_not_done_again() {
    for stores in Stores::all().await {
        let (salon, clock) = (salon(), StoppedClock::at_noon());
        let (bookings, scheduler) = (stores.bookings(), scheduler_at(&stores, clock));
        let one = Of::new(&scheduler, &salon, "c1");
        one.book("ana", at(0)).await.unwrap();
        let read = async |id: &AppointmentId| -> Kept {
            let c1 = owner("c1");
            let kept = bookings.appointment(&salon.id, &c1, id);
            kept.await.unwrap().unwrap()
        };
        let kept = read(&one.id).await;
        let completes = |effect_id: Uuid, kept: Kept| {
            let state = kept.appointment.state.after(Change::Complete).unwrap();
            Mutation {
                effect_id,
                appointment: Kept {
                    appointment: Appointment {
                        state,
                        ..kept.appointment.clone()
                    },
                    ..kept
                },
                days: Vec::new(),
                settlement: None,
            }
        };
        let first = completes(Uuid::now_v7(), kept);
        bookings.commit(&salon.id, &first).await.unwrap();
        for place in 1..=8 {
            let mut next = first.clone();
            next.effect_id = Uuid::now_v7();
            let now = read(&one.id).await;
            (next.appointment.version, next.appointment.effects) = (now.version, now.effects);
            bookings.commit(&salon.id, &next).await.unwrap();
            let again = bookings.commit(&salon.id, &first).await;
            match place {
                8 => assert!(matches!(again, Err(BookingError::Unknown)), "{again:?}"),
                _ => again.unwrap(),
            }
        }
    }
}
