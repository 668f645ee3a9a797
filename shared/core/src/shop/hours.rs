//! When a shop is open.

use std::ops::Range;

use jiff::{Timestamp, civil, tz::TimeZone};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, UtcOffset};

use super::{Exception, Profile};
use crate::language::Argument;

/// So far the next opening is looked for.
const DAYS_AHEAD: usize = 60;
const DAY_MINUTES: u16 = 24 * 60;

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl Weekday {
    /// Monday first.
    pub const ALL: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];

    pub(crate) fn of(date: civil::Date) -> Self {
        Self::ALL[usize::from(date.weekday().to_monday_zero_offset().unsigned_abs())]
    }

    /// As the profile names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Monday => "monday",
            Self::Tuesday => "tuesday",
            Self::Wednesday => "wednesday",
            Self::Thursday => "thursday",
            Self::Friday => "friday",
            Self::Saturday => "saturday",
            Self::Sunday => "sunday",
        }
    }
}

/// Part of a day as the profile has it: `10:00-14:00`, the end not included; `24:00` is the day's end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Interval(pub String);

/// What is wrong with an interval.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidInterval {
    #[error("is not two times of a day — write \"10:00-14:00\"")]
    NotTwoTimes,
    #[error("begins and ends at the same time — write \"00:00-24:00\" for a whole day")]
    Empty,
    #[error(
        "ends before it begins — write \"10:00-14:00\", or what is after midnight as the next day's \"00:00-…\""
    )]
    Backwards,
}

impl Interval {
    /// Its minutes from the day's beginning.
    ///
    /// # Errors
    /// [`InvalidInterval`].
    pub fn minutes(&self) -> Result<Range<u16>, InvalidInterval> {
        let (from, to) = self
            .0
            .split_once(['-', '–'])
            .ok_or(InvalidInterval::NotTwoTimes)?;
        let [from, to] = [from, to].map(|time| minute(time.trim()));
        let (Some(from), Some(to)) = (from, to) else {
            return Err(InvalidInterval::NotTwoTimes);
        };
        match from.cmp(&to) {
            std::cmp::Ordering::Less => Ok(from..to),
            std::cmp::Ordering::Equal => Err(InvalidInterval::Empty),
            std::cmp::Ordering::Greater => Err(InvalidInterval::Backwards),
        }
    }
}

/// `9:30` and `09:30`, up to `24:00`.
pub(crate) fn minute(time: &str) -> Option<u16> {
    let (hour, minute) = time.split_once(':')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(hour) || hour.len() > 2 || !is_number(minute) || minute.len() != 2 {
        return None;
    }
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    let all = hour * 60 + minute;
    (minute < 60 && all <= DAY_MINUTES).then_some(all)
}

/// A minute of a day as clocks show it: `09:30`.
pub(crate) fn clock(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

/// What messages with a date in words take: `$weekday`, `$day`, `$month`.
pub(crate) fn in_words(date: civil::Date) -> [(&'static str, Argument<'static>); 3] {
    [
        ("weekday", Weekday::of(date).name().into()),
        ("day", date.day().unsigned_abs().into()),
        ("month", date.month().unsigned_abs().into()),
    ]
}

/// Reads `2026-12-25`.
pub(crate) fn date(text: &str) -> Option<civil::Date> {
    let date: civil::Date = text.parse().ok()?;
    // Other forms of a date are read too, and are not ours.
    (date.to_string() == text).then_some(date)
}

/// The time zone of an IANA name, in the names' own spelling.
pub(super) fn time_zone(name: &str) -> Option<TimeZone> {
    let zone = TimeZone::get(name).ok()?;
    (zone.iana_name() == Some(name)).then_some(zone)
}

/// Whether a shop is open, and when that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    pub is_open: bool,
    /// When it closes or opens next, with the shop's offset; nothing where it does neither for two months.
    pub changes_at: Option<OffsetDateTime>,
}

impl Profile {
    /// Whether the shop is open at `now`; nothing where it has no hours.
    #[must_use]
    pub fn opening(&self, now: OffsetDateTime) -> Option<Opening> {
        if self.hours.is_empty() {
            return None;
        }
        let zone = time_zone(self.time_zone.as_deref()?)?;
        let now = Timestamp::from_second(now.unix_timestamp()).ok()?;
        let here = now.to_zoned_datetime(zone.clone());
        let minute_now =
            u16::try_from(here.hour()).ok()? * 60 + u16::try_from(here.minute()).ok()?;
        let today = self.minutes_of(here.date());
        let is_open = today.iter().any(|open| open.contains(&minute_now));
        // What is open up to midnight and from midnight on does not close in between: a change is where the two sides differ.
        let mut changes_at = None;
        let mut was_open = is_open;
        let mut day = here.date();
        'days: for ahead in 0..=DAYS_AHEAD {
            let open = self.minutes_of(day);
            let from = if ahead == 0 { minute_now } else { 0 };
            let mut edges: Vec<u16> = open.iter().flat_map(|o| [o.start, o.end]).collect();
            edges.push(from);
            edges.sort_unstable();
            for edge in edges {
                if edge < from || edge == DAY_MINUTES {
                    continue;
                }
                let is_open_then = open.iter().any(|open| open.contains(&edge));
                if is_open_then != was_open {
                    changes_at = instant(day, edge, &zone, now);
                    break 'days;
                }
                was_open = is_open_then;
            }
            day = day.tomorrow().ok()?;
        }
        Some(Opening {
            is_open,
            changes_at,
        })
    }

    /// The date where the shop is, at `now`.
    pub(crate) fn date_at(&self, now: OffsetDateTime) -> civil::Date {
        let zone = self.time_zone.as_deref().and_then(time_zone);
        let now = Timestamp::from_second(now.unix_timestamp()).unwrap_or(Timestamp::UNIX_EPOCH);
        now.to_zoned_datetime(zone.unwrap_or(TimeZone::UTC)).date()
    }

    /// The exceptions that are not over at `now`.
    pub fn exceptions_from(&self, now: OffsetDateTime) -> impl Iterator<Item = &Exception> {
        let today = self.date_at(now);
        let exceptions = self.exceptions.iter();
        exceptions.filter(move |exception| {
            let last = exception.until.as_deref().unwrap_or(&exception.date);
            date(last).is_some_and(|last| last >= today)
        })
    }

    /// When the shop is open on a date, and why that is another time than usual, where it is.
    pub(crate) fn hours_on(&self, date: civil::Date) -> (&[Interval], Option<&Exception>) {
        let exception = self.exception(date);
        let intervals = match exception {
            Some(exception) => Some(&exception.hours),
            None => self.hours.get(Weekday::of(date).name()),
        };
        (intervals.map(Vec::as_slice).unwrap_or_default(), exception)
    }

    /// The exception that holds on a date, if there is one: the one that is named first.
    fn exception(&self, on: civil::Date) -> Option<&Exception> {
        self.exceptions.iter().find(|exception| {
            let Some(first) = date(&exception.date) else {
                return false;
            };
            let last = exception.until.as_deref().and_then(date).unwrap_or(first);
            (first..=last).contains(&on)
        })
    }

    /// The minutes of a date at which the shop is open.
    fn minutes_of(&self, date: civil::Date) -> Vec<Range<u16>> {
        let intervals = self.hours_on(date).0.iter();
        intervals
            .filter_map(|interval| interval.minutes().ok())
            .collect()
    }
}

/// A minute of a date in a time zone, after `now`; one that a change of clocks leaves out is moved by as much, and of one that it
/// brings twice the first is meant that is still to come.
fn instant(
    date: civil::Date,
    minute: u16,
    zone: &TimeZone,
    now: Timestamp,
) -> Option<OffsetDateTime> {
    let [hour, minute] = [minute / 60, minute % 60].map(i8::try_from);
    let times = zone.to_ambiguous_timestamp(date.at(hour.ok()?, minute.ok()?, 0, 0));
    let first = times.compatible().ok()?;
    let then = if first > now {
        first
    } else {
        times.later().ok()?
    };
    let offset = UtcOffset::from_whole_seconds(zone.to_offset(then).seconds()).ok()?;
    let instant = OffsetDateTime::from_unix_timestamp(then.as_second()).ok()?;
    Some(instant.to_offset(offset))
}
