//! A thousand customers at once on the same days: no place is had twice, and who has none is told others.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp, civil::date};
use mostrador_core::booking::{Appointment, Bookings, Dates, Day, NotBooked, Place, State, Wish};

use crate::{
    bookings::{Of, at, calendar, salon_of, scheduler_at, wanted},
    clock::StoppedClock,
    setup::Stores,
};

/// Who makes appointments at once, who holds a place and confirms it then, and who moves one from the next day.
const MAKERS: usize = 600;
const HOLDERS: usize = 380;
const MOVERS: usize = 20;
/// Places of a day from nine to two.
const PLACES: usize = 20;
const MINUTES: u16 = 15;

fn place(number: usize) -> Timestamp {
    let minutes = i64::try_from(number % PLACES).unwrap() * i64::from(MINUTES);
    at(0) + SignedDuration::from_mins(minutes)
}

/// With whom, by turns.
fn who(number: usize) -> &'static str {
    ["ana", "luis"][number / PLACES % 2]
}

#[tokio::test]
async fn a_thousand_at_once_have_each_place_once_and_are_told_others() {
    let stores = Stores::embedded().await;
    let salon = salon_of("Etc/UTC", MINUTES, &["corte"]);
    let scheduler = scheduler_at(&stores, StoppedClock::at_noon());
    let name = |number: usize| format!("c{number}");
    let movers: Vec<Of<'_>> = (0..MOVERS)
        .map(|number| Of::new(&scheduler, &salon, &name(number)))
        .collect();
    for (number, mover) in movers.iter().enumerate() {
        let tuesday = place(number) + SignedDuration::from_hours(24);
        mover.book(who(number), tuesday).await.unwrap();
    }
    let others: Vec<Of<'_>> = (MOVERS..MOVERS + MAKERS + HOLDERS)
        .map(|number| Of::new(&scheduler, &salon, &name(number)))
        .collect();
    let moves = movers.iter().enumerate().map(|(number, mover)| {
        let to = wanted(&salon, who(number), place(number + 7));
        let wish = Wish::Reschedule {
            calendar: to.calendar,
            start: to.start,
        };
        mover.take(wish)
    });
    let rest = others.iter().enumerate().map(|(number, one)| {
        // Everybody wants a place of their own choice, most of them one that many want.
        let (who, start) = (who(number), place(number * number));
        async move {
            if number < MAKERS {
                let wanted = wanted(one.business, who, start);
                let full_name = None;
                one.take(Wish::Book { wanted, full_name }).await
            } else {
                one.book(who, start).await
            }
        }
    });
    let (moved, rest) = tokio::join!(join_all(moves), join_all(rest));
    let mut told = 0;
    let mut had = Vec::new();
    for outcome in rest.into_iter().chain(moved) {
        match outcome {
            Ok(appointment) => had.push(appointment),
            Err(NotBooked::Unavailable { alternatives, .. }) => {
                assert!(!alternatives.is_empty());
                told += 1;
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    assert_eq!(had.len() + told, MOVERS + MAKERS + HOLDERS);
    let kept = kept(&stores, &salon.id).await;
    let is_monday = |one: &&Appointment| one.booking.start_at < at(24);
    // Each one who was told yes is there, where they were told, and nobody else is.
    let mut expected: BTreeMap<(String, Timestamp), String> = BTreeMap::new();
    for one in had.iter().filter(is_monday) {
        assert_eq!(one.state, State::Confirmed);
        let place = (one.calendar.to_string(), one.booking.start_at);
        let earlier = expected.insert(place, one.booking.id.to_string());
        assert_eq!(earlier, None, "{one:?}");
    }
    println!(
        "{} at once: {} had a place, {told} were told others, 0 overlapping",
        MOVERS + MAKERS + HOLDERS,
        had.len()
    );
    assert_eq!(kept, expected);
    // Who has lost every race may ask again: how many places are had at once is the machine's to say.
    assert!(kept.len() >= PLACES / 2, "{} places", kept.len());
}

/// What is confirmed on Monday, by where and when; a day that is read has no two that overlap.
async fn kept(
    stores: &Stores,
    business: &mostrador_core::booking::BusinessId,
) -> BTreeMap<(String, Timestamp), String> {
    let now: Timestamp = "2100-01-01T12:00:00Z".parse().unwrap();
    let mut kept = BTreeMap::new();
    for who in ["ana", "luis"] {
        let bookings = stores.bookings();
        let monday = Dates::on(date(2100, 1, 4));
        let days = bookings.days(business, &calendar(who), monday).await;
        let days = days.unwrap();
        assert_eq!(days.damaged, []);
        for entry in days.days.iter().flat_map(|day: &Day| day.entries(now)) {
            assert_eq!(entry.place, Place::Confirmed);
            let place = (who.to_owned(), entry.booking.start_at);
            kept.insert(place, entry.booking.id.to_string());
        }
    }
    kept
}
