//! The sweep against a clock that is watched minute by minute, and the laws that hold for every slot.

use std::{num::NonZeroU16, ops::Range};

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use proptest::prelude::*;

use crate::{
    booking::{
        Agenda, AppointmentId, Business, Calendar, CalendarId, CustomerId, Dates, Day, Event,
        Hours, LocalDay, Place, Refusal, Search, Slot, Source, SpecialDays, When, nearest,
        tests::{SMALL, business},
    },
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

const MINUTE: i64 = 60;
const DAY: i64 = 86_400;

#[derive(Debug)]
struct Given {
    business: Business,
    dates: Dates,
    now: Timestamp,
    events: Vec<Vec<Event>>,
    days: Vec<Vec<Day>>,
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
        3 => Just(vec![0..1_440]),
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

fn given() -> BoxedStrategy<Given> {
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
                                CustomerId::read("c").unwrap(),
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
    fn agendas(&self) -> Vec<Agenda<'_>> {
        let calendars = self.business.calendars.iter().enumerate();
        calendars
            .map(|(index, calendar)| Agenda {
                calendar,
                events: &self.events[index],
                days: &self.days[index],
            })
            .collect()
    }

    fn search<'a>(&'a self, agendas: &[Agenda<'a>]) -> Search<'a> {
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

/// A minute of a calendar, as one sees who watches it.
#[derive(Clone, Copy, Default, PartialEq)]
struct Watched {
    is_open: bool,
    is_shut: bool,
}

/// The clock of a business, minute by minute.
struct Watch<'a> {
    given: &'a Given,
    begin: i64,
    /// What the clock shows, minute by minute.
    shows: Vec<DateTime>,
    dates: Vec<Date>,
    /// Of each calendar's events, whether they open it.
    markers: Vec<Vec<bool>>,
}

impl<'a> Watch<'a> {
    fn of(given: &'a Given) -> Self {
        let zone = &given.business.time_zone;
        let noon = zone.to_timestamp(given.dates.from.at(12, 0, 0, 0)).unwrap();
        let begin = noon.as_second() - 2 * DAY;
        let count = (given.dates.to - given.dates.from).get_days() + 5;
        let minutes = 0..i64::from(count) * 1_440;
        let at = |minute: i64| {
            zone.to_datetime(Timestamp::from_second(begin + minute * MINUTE).unwrap())
        };
        let shows: Vec<DateTime> = minutes.map(at).collect();
        let dates = shows.iter().map(|shown| shown.date()).collect();
        let calendars = given.business.calendars.iter().zip(&given.events);
        let markers = calendars.map(|(calendar, events)| {
            let is_elsewhere = !matches!(calendar.source, Source::Kept { .. });
            let opens = |event: &Event| {
                is_elsewhere && event.title.to_lowercase().starts_with("disponible")
            };
            events.iter().map(opens).collect()
        });
        Self {
            given,
            begin,
            shows,
            dates,
            markers: markers.collect(),
        }
    }

    fn second(&self, minute: usize) -> i64 {
        self.begin + i64::try_from(minute).unwrap() * MINUTE
    }

    fn is_within(hours: &Hours, date: Date, minute_of_day: u16) -> bool {
        let special = hours
            .special
            .iter()
            .find(|special| special.dates.contains(&date));
        let weekday = usize::try_from(date.weekday().to_monday_zero_offset()).unwrap();
        let open = special.map_or(&hours.week[weekday], |special| &special.hours);
        open.iter().any(|open| open.contains(&minute_of_day))
    }

    /// What a calendar is like at a minute of the clock.
    fn watched(&self, calendar: usize, minute: usize) -> Watched {
        let from = self.second(minute);
        let here = self.shows[minute];
        let of_day = u16::try_from(i16::from(here.hour()) * 60 + i16::from(here.minute())).unwrap();
        let date = here.date();
        let is_in = |event: &Event, second: i64| match event.when {
            When::Timed { start, end } => (start.as_second()..end.as_second()).contains(&second),
            When::Days { first, end } => first <= date && date < end,
        };
        let events = &self.given.events[calendar];
        let own = &self.given.business.calendars[calendar];
        let (mut is_busy, mut marked) = (false, [false; 2]);
        for (event, opens) in events.iter().zip(&self.markers[calendar]) {
            for (half, marked) in marked.iter_mut().enumerate() {
                let is_in = is_in(event, from + 30 * i64::try_from(half).unwrap());
                *marked |= is_in && *opens;
                is_busy |= is_in && !opens && !event.is_transparent;
            }
        }
        let now = self.given.now;
        let is_booked = self.given.days[calendar]
            .iter()
            .flat_map(|day| day.entries(Timestamp::MIN))
            .any(|entry| {
                let ended = matches!(entry.place, Place::HeldUntil(until) if until <= now);
                let one = &entry.booking;
                let start =
                    one.start_at.as_second() - i64::from(one.buffer_before_minutes) * MINUTE;
                let length = one.buffer_before_minutes
                    + one.duration_minutes.get()
                    + one.buffer_after_minutes;
                !ended && (start - 59..start + i64::from(length) * MINUTE).contains(&from)
            });
        let works = match &own.source {
            Source::Kept { hours: Some(hours) } => Self::is_within(hours, date, of_day),
            Source::Kept { hours: None } => true,
            Source::Google { .. } | Source::CalDav { .. } => marked == [true; 2],
        };
        Watched {
            is_open: works && Self::is_within(&self.given.business.branches[0].hours, date, of_day),
            is_shut: is_busy || is_booked,
        }
    }

    /// The seconds at which slots of a calendar begin.
    fn starts(&self, calendar: usize) -> Vec<i64> {
        let business = &self.given.business;
        let service = &business.services[0];
        let duration = usize::from(service.duration_minutes.get());
        let before = usize::from(service.buffer_before_minutes);
        let after = usize::from(service.buffer_after_minutes);
        let step = business
            .slot_step_minutes
            .unwrap_or(service.duration_minutes);
        let watched: Vec<Watched> = (0..self.dates.len())
            .map(|minute| self.watched(calendar, minute))
            .collect();
        // A minute that can be part of an appointment, with the buffers that it may be next to.
        let is_free = |minute: usize| {
            let around = minute.saturating_sub(before)..(minute + 1 + after).min(watched.len());
            watched[minute].is_open
                && around.clone().all(|minute| !watched[minute].is_shut)
                && around
                    .clone()
                    .all(|other| self.dates[other] == self.dates[minute])
        };
        let today = business.time_zone.to_datetime(self.given.now).date();
        let last = today + i64::from(business.booking_window_days).days();
        let is_allowed = |minute: usize| {
            let date = self.dates[minute];
            let Dates { from, to } = self.given.dates;
            let notice = i64::from(business.min_notice_minutes) * MINUTE;
            let at = Timestamp::from_second(self.second(minute) - notice).unwrap();
            (from..=to).contains(&date) && (today..=last).contains(&date) && at >= self.given.now
        };
        let mut starts = Vec::new();
        let mut minute = 0;
        while minute < watched.len() {
            if !is_free(minute) {
                minute += 1;
                continue;
            }
            let date = self.dates[minute];
            let mut end = minute;
            while end < watched.len() && is_free(end) && self.dates[end] == date {
                end += 1;
            }
            let mut next = minute;
            while next + duration <= end {
                if self.second(next) % 300 != 0 {
                    next += 1;
                    continue;
                }
                if is_allowed(next) {
                    starts.push(self.second(next));
                }
                next += usize::from(step.get());
            }
            minute = end;
        }
        starts
    }
}

proptest! {
    #[test]
    fn the_sweep_finds_what_one_sees_who_watches(given in given()) {
        let agendas = given.agendas();
        let search = given.search(&agendas);
        let slots = search.slots();
        let watch = Watch::of(&given);
        let mut expected = Vec::new();
        for (index, calendar) in given.business.calendars.iter().enumerate() {
            let starts = watch.starts(index);
            expected.extend(starts.into_iter().map(|start| (start, calendar.id.clone())));
        }
        expected.sort();
        let found: Vec<_> = slots.iter().map(|slot| (slot.time.start().as_second(), slot.calendar.clone())).collect();
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(search.first(), slots.first().copied());
        // Each carries the offset of its own instant, and can be asked for by its time.
        for slot in &slots {
            prop_assert_eq!(slot.offset, given.business.time_zone.to_offset(slot.time.start()));
            prop_assert_eq!(search.at(slot.calendar, slot.time.start()), Ok(*slot));
        }
    }

    /// What is offered is free: in the order of time, each once, and by a day that would take it.
    #[test]
    fn every_slot_can_be_held(given in given()) {
        let agendas = given.agendas();
        let slots = given.search(&agendas).slots();
        let key = |slot: &Slot<'_>| (slot.time.start(), slot.calendar.clone());
        prop_assert!(slots.windows(2).all(|pair| key(&pair[0]) < key(&pair[1])));
        let watch = Watch::of(&given);
        for slot in &slots {
            prop_assert!(slot.time.start() >= given.now);
            let index = given.business.calendars.iter().position(|one| one.id == *slot.calendar).unwrap();
            let date = given.business.time_zone.to_datetime(slot.time.start()).date();
            let day = given.days[index].iter().find(|day| day.date() == date).unwrap();
            let service = &given.business.services[0];
            let booking = service.booking(AppointmentId::read("new").unwrap(), CustomerId::read("c").unwrap(), slot.time.start());
            prop_assert!(day.hold(&booking, given.now).is_ok(), "{slot}");
            let from = usize::try_from((slot.time.start().as_second() - watch.begin) / MINUTE).unwrap();
            let length = usize::from(service.duration_minutes.get());
            for minute in from..from + length {
                prop_assert!(watch.watched(index, minute).is_open, "{slot}");
            }
            let around = from - usize::from(service.buffer_before_minutes)..from + length + usize::from(service.buffer_after_minutes);
            for minute in around {
                prop_assert!(!watch.watched(index, minute).is_shut, "{slot}");
            }
        }
    }

    /// Without an event that says so, a calendar elsewhere is closed, whatever its branch's hours are.
    #[test]
    fn no_marker_no_slot(mut given in given()) {
        for (calendar, events) in given.business.calendars.iter_mut().zip(&mut given.events) {
            calendar.source = Source::Google { calendar_id: "x@y".to_owned() };
            events.retain(|event| !event.title.to_lowercase().starts_with("disponible"));
        }
        let agendas = given.agendas();
        let search = given.search(&agendas);
        prop_assert_eq!(search.slots(), vec![]);
        let wanted = Timestamp::from_second((given.now.as_second() / 300 + 400) * 300).unwrap();
        let refused = search.at(&given.business.calendars[0].id, wanted);
        prop_assert!(matches!(refused, Err(Refusal::Closed | Refusal::OutsideWindow)), "{refused:?}");
    }

    /// A time that is asked for is had if, and only if, one sees that it is free.
    #[test]
    fn a_time_is_had_where_one_sees_it_free(given in given(), step in 0..1_200i64) {
        let agendas = given.agendas();
        let search = given.search(&agendas);
        let watch = Watch::of(&given);
        let service = &given.business.services[0];
        let from = usize::try_from(step * 5).unwrap() + 60;
        let from = from + usize::try_from((-watch.begin).rem_euclid(300) / MINUTE).unwrap();
        let length = usize::from(service.duration_minutes.get());
        let around = from - usize::from(service.buffer_before_minutes)..from + length + usize::from(service.buffer_after_minutes);
        prop_assume!(around.end < watch.dates.len());
        let start = Timestamp::from_second(watch.second(from)).unwrap();
        let Dates { from: first, to } = given.dates;
        let today = given.business.time_zone.to_datetime(given.now).date();
        let last = today + i64::from(given.business.booking_window_days).days();
        let date = watch.dates[from];
        let expected = if start < given.now + i64::from(given.business.min_notice_minutes).minutes() {
            Err(Refusal::TooSoon)
        } else if !(first..=to).contains(&date) || !(today..=last).contains(&date) {
            Err(Refusal::OutsideWindow)
        } else if !(from..from + length).all(|minute| watch.watched(0, minute).is_open)
            || !around.clone().all(|minute| watch.dates[minute] == date)
        {
            Err(Refusal::Closed)
        } else if around.clone().any(|minute| watch.watched(0, minute).is_shut) {
            Err(Refusal::Taken)
        } else {
            Ok(start)
        };
        let had = search.at(&given.business.calendars[0].id, start);
        prop_assert_eq!(had.map(|slot| slot.time.start()), expected);
    }

    /// The nearest are those that one finds who sorts all of them.
    #[test]
    fn the_nearest_are_nearest(given in given(), minutes in 0..6_000i64, most in 0..9usize) {
        let agendas = given.agendas();
        let slots = given.search(&agendas).slots();
        let wanted = Timestamp::from_second(Watch::of(&given).begin + minutes * MINUTE).unwrap();
        let mut sorted = slots.clone();
        sorted.sort_by_key(|slot| {
            let start = slot.time.start().as_second();
            (start.abs_diff(wanted.as_second()), start)
        });
        sorted.dedup_by_key(|slot| slot.time.start());
        sorted.truncate(most);
        prop_assert_eq!(nearest(&slots, wanted, most), sorted);
    }
}
