//! How long it takes to tell what is free.

use std::time::{Duration, Instant};

use super::*;

const CALENDARS: usize = 10;
const DAYS: i64 = 30;
const EVENTS: usize = 200;

/// Prints the time for 10 calendars, 30 days and 2,000 busy events, half of the calendars open by markers.
///
/// `cargo test --release -p mostrador-core speed -- --ignored --nocapture`
#[test]
#[ignore = "it measures, and only an optimised build is worth it"]
fn ten_calendars_over_thirty_days() {
    let open = "hours = { monday = [\"9:00-20:00\"], tuesday = [\"9:00-20:00\"], wednesday = [\"9:00-20:00\"], thursday = [\"9:00-20:00\"], friday = [\"9:00-20:00\"], saturday = [\"9:00-20:00\"], sunday = [\"9:00-20:00\"] }";
    let text = SMALL.replace("hours.monday = [\"10:00-14:00\", \"17:00-20:00\"]", open);
    let mut business = business(&text.replace(
        "duration_minutes = 45",
        "duration_minutes = 30\nbuffer_after_minutes = 10",
    ));
    let one = business.calendars.remove(0);
    let first: Date = "2026-10-12".parse().unwrap();
    let start = LocalDay::of(first, &business.time_zone)
        .unwrap()
        .span()
        .start();
    let mut events = Vec::new();
    for index in 0..CALENDARS {
        let mut calendar = one.clone();
        calendar.id = CalendarId::read(&format!("c{index}")).unwrap();
        let mut own = Vec::new();
        if index % 2 == 0 {
            calendar.source = Source::Google {
                calendar_id: format!("{index}@example"),
            };
            own.push(Event {
                when: When::Days {
                    first,
                    end: first + DAYS.days(),
                },
                title: "Disponible".to_owned(),
                is_transparent: true,
            });
        }
        // Spread over the days in no order, some across others.
        for event in 0..EVENTS {
            let minutes = i64::try_from((event * 7_919 + index * 331) % (30 * 1_440)).unwrap();
            let length = i64::try_from(10 + event % 50).unwrap();
            let from = start + minutes.minutes();
            own.push(Event {
                when: When::Timed {
                    start: from,
                    end: from + length.minutes(),
                },
                title: format!("Cita con proveedor número {event}"),
                is_transparent: false,
            });
        }
        business.calendars.push(calendar);
        events.push(own);
    }
    let to = first + (DAYS - 1).days();
    let now = start - 24.hours();
    let agendas: Vec<Agenda<'_>> = business
        .calendars
        .iter()
        .zip(&events)
        .map(|(calendar, events)| Agenda {
            calendar,
            events,
            days: &[],
        })
        .collect();
    let run = || {
        let dates = Dates { from: first, to };
        Search::new(&business, &business.services[0], dates, &agendas, now)
            .slots()
            .len()
    };
    let count = run();
    let mut times: Vec<Duration> = (0..500)
        .map(|_| {
            let began = Instant::now();
            assert_eq!(run(), count);
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("{count} slots: p50 {:?}, p99 {:?}", times[250], times[495]);
    assert!(times[250] < Duration::from_millis(2), "{:?}", times[250]);
}
