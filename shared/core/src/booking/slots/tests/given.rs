//! Businesses, events and bookings of all sorts, about the dates on which clocks are changed.

use std::{num::NonZeroU16, ops::Range};

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use proptest::prelude::*;

use crate::{
    booking::{
        Agenda, AppointmentId, Business, Calendar, CalendarId, Dates, Day, Event, Hours, LocalDay,
        Search, Source, SpecialDays, When,
        tests::{SMALL, business},
    },
    ids::Owner,
    shop::Texts,
};

/// Zones with dates about which their clocks are changed, or once were.
const CHANGES: [(&str, &str); 13] = [
    ("Europe/Madrid", "2026-03-29"),
    ("Europe/Madrid", "2026-10-25"),
    ("Europe/Madrid", "2026-06-15"),
    ("America/Sao_Paulo", "2018-02-17"),
    ("America/Sao_Paulo", "2018-11-04"),
    ("America/Mexico_City", "2022-04-03"),
    ("America/Mexico_City", "2022-10-30"),
    ("America/Mexico_City", "2026-04-05"),
    ("Australia/Lord_Howe", "2026-04-05"),
    ("Australia/Lord_Howe", "2026-10-04"),
    ("America/Santiago", "2026-04-04"),
    ("America/Santiago", "2026-09-06"),
    ("America/Bogota", "2026-10-25"),
];

pub(super) const MINUTE: i64 = 60;
const WHOLE_DAY: Range<u16> = 0..1_440;

#[derive(Debug)]
pub(super) struct Given {
    pub(super) business: Business,
    pub(super) dates: Dates,
    pub(super) now: Timestamp,
    pub(super) events: Vec<Vec<Event>>,
    pub(super) days: Vec<Vec<Day>>,
}

fn intervals() -> BoxedStrategy<Vec<Range<u16>>> {
    let edges = prop::collection::vec((0..=96u16, 0..3u16), 0..=6);
    edges
        .prop_map(|edges| {
            let edges = edges.into_iter();
            let mut edges: Vec<u16> = edges
                .map(|(step, more)| (step * 15 + more * 7).min(1_440))
                .collect();
            edges.sort_unstable();
            edges.dedup();
            edges.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect()
        })
        .boxed()
}

/// Of exceptions, by the day that they begin on and how many they are for.
fn hours(first: Date) -> BoxedStrategy<Hours> {
    let week = prop::array::uniform7(prop_oneof![
        3 => Just(Vec::from([WHOLE_DAY])),
        4 => intervals(),
    ]);
    let special = prop::collection::vec((-2..5i64, 0..2i64, intervals()), 0..2);
    (week, special)
        .prop_map(move |(week, special)| Hours {
            week,
            special: special
                .into_iter()
                .map(|(from, more, hours)| SpecialDays {
                    dates: first + from.days()..=first + (from + more).days(),
                    hours,
                    reason: Texts::new(),
                })
                .collect(),
        })
        .boxed()
}

/// So many half minutes from the first instant of the dates on.
fn event(start: i64, first: Date) -> BoxedStrategy<Event> {
    let at = move |half: i64| Timestamp::from_second(start + half * 30).unwrap();
    let when = prop_oneof![
        8 => (-1_440..10_080i64, 1..1_000i64).prop_map(move |(from, length)| When::Timed { start: at(from), end: at(from + length) }),
        1 => (-2..5i64, 0..3i64).prop_map(move |(from, length)| When::Days { first: first + from.days(), end: first + (from + length).days() }),
    ];
    let title = prop::sample::select(vec![
        "Disponible",
        "no disponible",
        "Almuerzo",
        "DISPONIBLE tarde",
        "",
    ]);
    (when, title, prop::bool::weighted(0.2))
        .prop_map(|(when, title, is_transparent)| Event {
            when,
            title: title.to_owned(),
            is_transparent,
        })
        .boxed()
}

fn of_calendar(index: usize, first: Date) -> BoxedStrategy<Calendar> {
    let source = prop_oneof![
        2 => hours(first).prop_map(|hours| Source::Kept { hours: Some(hours) }),
        1 => Just(Source::Kept { hours: None }),
        2 => Just(Source::Google { calendar_id: "x@y".to_owned() }),
        1 => Just(Source::CalDav { url: String::new() }),
    ];
    source
        .prop_map(move |source| {
            let small = business(SMALL);
            Calendar {
                id: CalendarId::read(&format!("c{index}")).unwrap(),
                source,
                ..small.calendars[0].clone()
            }
        })
        .boxed()
}

pub(super) fn given() -> BoxedStrategy<Given> {
    let change = (prop::sample::select(CHANGES.to_vec()), -2..1i64);
    change
        .prop_flat_map(|((zone, date), before)| {
            let zone = TimeZone::get(zone).unwrap();
            let first = date.parse::<Date>().unwrap() + before.days();
            let start = LocalDay::of(first, &zone)
                .unwrap()
                .span()
                .start()
                .as_second();
            let lengths = (5..120u16, 0..40u16, 0..40u16, prop::option::of(5..90u16));
            let bounds = (-2_000..3_000i64, 0..300u16, 1..6u16, 0..3i64, 0..60i64);
            let calendars = (of_calendar(0, first), of_calendar(1, first));
            let events = prop::array::uniform2(prop::collection::vec(event(start, first), 0..12));
            // Day, minute of it, lengths, held or confirmed.
            let booking = (
                0..4usize,
                0..1_440i64,
                5..90u16,
                0..30u16,
                0..30u16,
                any::<bool>(),
            );
            let bookings = prop::array::uniform2(prop::collection::vec(booking, 0..6));
            (lengths, bounds, hours(first), calendars, events, bookings).prop_map(
                move |(lengths, bounds, hours, calendars, events, bookings)| {
                    let (duration, buffer_before, buffer_after, step) = lengths;
                    let (now, notice, window, more, second) = bounds;
                    let now = Timestamp::from_second(start + now * MINUTE + second).unwrap();
                    let mut business = business(SMALL);
                    business.time_zone = zone.clone();
                    business.booking_window_days = window;
                    business.min_notice_minutes = notice;
                    business.slot_step_minutes = step.and_then(NonZeroU16::new);
                    business.branches[0].hours = hours;
                    business.calendars = vec![calendars.0, calendars.1];
                    let service = &mut business.services[0];
                    service.duration_minutes = NonZeroU16::new(duration).unwrap();
                    service.buffer_before_minutes = buffer_before;
                    service.buffer_after_minutes = buffer_after;
                    let mut days = Vec::new();
                    for (calendar, bookings) in business.calendars.iter().zip(bookings) {
                        let dates = (0..4i64).map(|day| first + day.days());
                        let mut own: Vec<Day> = dates
                            .map(|date| {
                                Day::new(calendar.id.clone(), &LocalDay::of(date, &zone).unwrap())
                            })
                            .collect();
                        for (index, (day, minute, duration, before, after, is_held)) in
                            bookings.into_iter().enumerate()
                        {
                            let from = LocalDay::of(own[day].date(), &zone).unwrap().span().start();
                            let mut booking = business.services[0].booking(
                                AppointmentId::read(&format!("a{index}")).unwrap(),
                                Owner::new("t", "c").unwrap(),
                                Timestamp::from_second(from.as_second() + minute * MINUTE).unwrap(),
                            );
                            booking.duration_minutes = NonZeroU16::new(duration).unwrap();
                            booking.buffer_before_minutes = before;
                            booking.buffer_after_minutes = after;
                            // Some holds have ended, by the last second or by more.
                            let made =
                                now - i64::from(300 - i32::from(before) * 12).max(0).seconds();
                            let made = made.min(booking.start_at);
                            let next = if is_held {
                                own[day].hold(&booking, made).ok()
                            } else {
                                own[day].confirm(&booking, made).ok()
                            };
                            own[day] = next.unwrap_or_else(|| own[day].clone());
                        }
                        days.push(own);
                    }
                    Given {
                        business,
                        dates: Dates {
                            from: first,
                            to: first + more.days(),
                        },
                        now,
                        events: events.into(),
                        days,
                    }
                },
            )
        })
        .boxed()
}

impl Given {
    pub(super) fn agendas(&self) -> Vec<Agenda<'_, '_>> {
        let calendars = self.business.calendars.iter().enumerate();
        calendars
            .map(|(index, calendar)| Agenda {
                calendar,
                events: &self.events[index],
                days: &self.days[index],
            })
            .collect()
    }

    pub(super) fn search<'a>(&'a self, agendas: &[Agenda<'a, '_>]) -> Search<'a> {
        let business = &self.business;
        Search::new(
            business,
            &business.services[0],
            self.dates,
            agendas,
            self.now,
        )
    }
}
