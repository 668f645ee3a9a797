//! Recurrence rules of RFC 5545, in the local time of what recurs.
//!
//! A rule knows no time zone: it counts dates and times as clocks show them, and its caller makes instants of them.

mod expand;
mod period;
mod read;

use jiff::{
    Timestamp,
    civil::{Date, DateTime, Weekday},
};

pub(crate) use self::expand::Range;

/// Most dates and times that are examined for one series. A rule for each day since 1970 takes 20,000 if they have to be counted.
const EXAMINED_MAX: u32 = 500_000;
/// Most of them for all series of an answer. A thousand series take some hundred each.
const EXAMINED_IN_CALL_MAX: u32 = 5_000_000;

/// A rule by which something recurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule {
    frequency: Frequency,
    /// From 1 on.
    interval: u32,
    count: Option<u64>,
    until: Option<Until>,
    months: Vec<i8>,
    weeks_of_year: Vec<i8>,
    days_of_year: Vec<i16>,
    days_of_month: Vec<i8>,
    weekdays: Vec<NthWeekday>,
    hours: Vec<i8>,
    minutes: Vec<i8>,
    seconds: Vec<i8>,
    positions: Vec<i16>,
    week_start: Weekday,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Frequency {
    Yearly,
    Monthly,
    Weekly,
    Daily,
    Hourly,
    Minutely,
    Secondly,
}

/// The last time that a rule may give, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    Day(Date),
    Local(DateTime),
    Instant(Timestamp),
}

/// A weekday: each one of a period, or the nth from its start or, below zero, from its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NthWeekday {
    /// Zero for each one.
    nth: i16,
    weekday: Weekday,
}

/// Too much would have to be examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exhausted;

/// How much may still be examined.
#[derive(Debug)]
pub(crate) struct Budget(u32);

impl Budget {
    /// For all that one call is answered with.
    pub(crate) fn of_call() -> Self {
        Self(EXAMINED_IN_CALL_MAX)
    }

    /// For the events of one object, of what is left for a call.
    pub(crate) fn of_object(&self) -> Self {
        Self(self.0.min(EXAMINED_MAX))
    }

    /// Takes what a part of it, as it was given out, has used by now.
    pub(crate) fn take_used(&mut self, part: &Self) {
        let used = self.of_object().0 - part.0;
        self.0 -= used;
    }

    pub(crate) fn take(&mut self) -> Result<(), Exhausted> {
        self.0 = self.0.checked_sub(1).ok_or(Exhausted)?;
        Ok(())
    }
}

impl Rule {
    pub(crate) fn until(&self) -> Option<Until> {
        self.until
    }
}
