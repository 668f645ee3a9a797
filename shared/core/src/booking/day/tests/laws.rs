//! What holds whatever is done, and in whichever order.

use std::collections::BTreeMap;

use jiff::Timestamp;
use proptest::prelude::*;

use super::*;

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const BEGIN: i64 = 1_795_593_600; // 2026-11-25T08:00:00Z

fn second(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// What somebody wants to do.
#[derive(Debug, Clone)]
enum Wish {
    Hold,
    Confirm,
    Release,
    Cancel,
    Move { to: usize, by_hold: Option<usize> },
}

#[derive(Debug, Clone)]
struct Step {
    wish: Wish,
    /// Whose.
    name: usize,
    day: usize,
    /// Minutes from eight o'clock on, and how long it takes with what is before and after.
    start: u16,
    lengths: [u16; 3],
    /// So many minutes after the step before.
    later: i64,
}

prop_compose! {
    fn step()(
        wish in prop_oneof![
            4 => Just(Wish::Hold),
            4 => Just(Wish::Confirm),
            1 => Just(Wish::Release),
            1 => Just(Wish::Cancel),
            3 => (0..2usize, prop::option::of(0..NAMES.len())).prop_map(|(to, by_hold)| Wish::Move { to, by_hold }),
        ],
        name in 0..NAMES.len(),
        day in 0..2usize,
        start in (0..36u16).prop_map(|step| step * 5),
        duration in (1..9u16).prop_map(|step| step * 5),
        before in (0..3u16).prop_map(|step| step * 5),
        after in (0..3u16).prop_map(|step| step * 5),
        later in 0..4i64,
    ) -> Step {
        Step { wish, name, day, start, lengths: [duration, before, after], later }
    }
}

/// Two days of the same calendar; a step's times are those of its day.
fn days() -> [Day; 2] {
    [empty("sillon", "2026-11-25"), empty("sillon", "2026-11-26")]
}

fn wanted(step: &Step, day: usize) -> Booking {
    let name = NAMES[step.name];
    let [duration, before, after] = step.lengths;
    let start = BEGIN + i64::try_from(day).unwrap() * 86_400 + i64::from(step.start) * 60;
    Booking {
        start_at: second(start),
        duration_minutes: NonZeroU16::new(duration).unwrap(),
        buffer_before_minutes: before,
        buffer_after_minutes: after,
        ..booking(name, name, "2026-11-25T08:00:00Z")
    }
}

/// Every place, minute by minute, with whoever counts in it; the second who does is an error.
fn minutes(day: &Day, now: Timestamp) -> Result<BTreeMap<i64, String>, TestCaseError> {
    let mut minutes = BTreeMap::new();
    for entry in day.entries(now) {
        let blocked = entry.booking.blocked();
        let (start, end) = (blocked.start().as_second(), blocked.end().as_second());
        for minute in (start..end).step_by(60) {
            let id = entry.booking.id.to_string();
            let before = minutes.insert(minute, id);
            prop_assert_eq!(before, None, "at {}", minute);
        }
    }
    Ok(minutes)
}

fn place_of(days: &[Day; 2], id: &AppointmentId, now: Timestamp) -> Vec<Place> {
    let entries = days.iter().filter_map(|day| day.entry(id, now));
    entries.map(|entry| entry.place).collect()
}

proptest! {
    /// Whatever is done, nobody's place is somebody else's; what is refused changes nothing; and who has moved has one place.
    #[test]
    fn nothing_ever_overlaps(steps in prop::collection::vec(step(), 1..60)) {
        let mut days = days();
        let mut now = BEGIN - 3_600;
        for step in &steps {
            now += step.later * 60;
            let at = second(now);
            let own = wanted(step, step.day);
            let day = &days[step.day];
            let before = days.clone();
            let after: Option<[Day; 2]> = match step.wish {
                Wish::Move { to, by_hold } => {
                    let hold = by_hold.map(|name| id(NAMES[name]));
                    let start_at = wanted(step, to).start_at;
                    let wish = Reschedule { id: &own.id, start_at, hold: hold.as_ref() };
                    let was = place_of(&days, &own.id, at);
                    match reschedule(day, &days[to], &wish, at) {
                        Ok(Moved::Within(moved)) => {
                            prop_assert_eq!(step.day, to);
                            prop_assert_eq!(moved.entry(&own.id, at).unwrap().booking.start_at, start_at);
                            let mut after = days.clone();
                            after[to] = moved;
                            Some(after)
                        }
                        Ok(Moved::Between { from, to: there }) => {
                            prop_assert_ne!(step.day, to);
                            prop_assert_eq!(from.entry(&own.id, at), None);
                            prop_assert_eq!(there.entry(&own.id, at).unwrap().booking.start_at, start_at);
                            let mut after = days.clone();
                            (after[step.day], after[to]) = (from, there);
                            prop_assert_eq!(place_of(&after, &own.id, at).len(), was.len());
                            Some(after)
                        }
                        Err(_) => None,
                    }
                }
                Wish::Hold => day.hold(&own, at).ok().map(|day| put(&days, step.day, day)),
                Wish::Confirm => day.confirm(&own, at).ok().map(|day| put(&days, step.day, day)),
                Wish::Release => day.release(&own.id, at).ok().map(|day| put(&days, step.day, day)),
                Wish::Cancel => day.cancel(&own.id, at).ok().map(|day| put(&days, step.day, day)),
            };
            prop_assert_eq!(&days, &before);
            if let Some(after) = after {
                days = after;
            }
            for day in &days {
                minutes(day, at)?;
                // What is kept is a day, what has ended included.
                let kept = serde_json::to_string(day).unwrap();
                let read: Day = serde_json::from_str(&kept).unwrap();
                prop_assert_eq!(&read, day);
            }
        }
    }

    /// A place is had if, and only if, every minute of it is nobody's, the buffers' too.
    #[test]
    fn a_place_is_had_where_every_minute_is_free(
        steps in prop::collection::vec(step(), 1..12), last in step(),
    ) {
        let mut day = days()[0].clone();
        let now = second(BEGIN - 3_600);
        for step in &steps {
            day = day.confirm(&wanted(step, 0), now).unwrap_or(day);
        }
        let taken = minutes(&day, now)?;
        let own = Booking { id: id("z"), ..wanted(&last, 0) };
        let blocked = own.blocked();
        let (start, end) = (blocked.start().as_second(), blocked.end().as_second());
        let is_free = (start..end).step_by(60).all(|minute| !taken.contains_key(&minute));
        prop_assert_eq!(day.hold(&own, now).is_ok(), is_free);
        prop_assert_eq!(day.confirm(&own, now).is_ok(), is_free);
    }

    /// Two who have seen the same version: whoever stores first has it, and the other one, who looks again, finds it taken.
    #[test]
    fn one_of_two_wins(first in step(), second_step in step(), confirms in any::<[bool; 2]>()) {
        let day = days()[0].clone();
        let now = second(BEGIN - 3_600);
        let [one, other] = [(&first, "x"), (&second_step, "y")]
            .map(|(step, name)| Booking { id: id(name), ..wanted(step, 0) });
        let crossing = one.blocked().overlaps(other.blocked());
        let act = |day: &Day, booking: &Booking, confirms: bool| {
            if confirms { day.confirm(booking, now).ok() } else { day.hold(booking, now).ok() }
        };
        let mut stored = day.clone();
        let mut won = 0;
        for (booking, confirms) in [&one, &other].into_iter().zip(confirms) {
            // Both have seen the empty day.
            let mut seen = day.clone();
            while let Some(next) = act(&seen, booking, confirms) {
                if stored.version() + 1 == next.version() {
                    stored = next;
                    won += 1;
                    break;
                }
                seen = stored.clone();
            }
        }
        prop_assert_eq!(won, if crossing { 1 } else { 2 });
        minutes(&stored, now)?;
    }
}

fn put(days: &[Day; 2], at: usize, day: Day) -> [Day; 2] {
    let mut after = days.clone();
    after[at] = day;
    after
}
