//! The sweep against a clock that is watched minute by minute, and the laws that hold for every slot.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, DateTime},
};
use proptest::prelude::*;

use super::given::{Given, MINUTE, given};
use crate::{
    booking::{AppointmentId, Dates, Event, Hours, Place, Refusal, Slot, Source, When, nearest},
    ids::Owner,
};

const DAY: i64 = 86_400;

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
            let booking = service.booking(AppointmentId::read("new").unwrap(), Owner::new("t", "c").unwrap(), slot.time.start());
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
