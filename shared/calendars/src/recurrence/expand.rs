//! The times that a rule gives.

use std::ops::ControlFlow;

use jiff::{
    SignedDuration,
    civil::{Date, DateTime},
};

use super::{
    Budget, Exhausted, Frequency, Rule,
    period::{Defaults, dates, later, takes},
};

/// What there is of a rule's times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    /// The first time of what recurs.
    pub(crate) first: DateTime,
    /// From when on times are wanted.
    pub(crate) from: DateTime,
    /// Up to when.
    pub(crate) to: DateTime,
}

/// The dates of a period, and the hours, minutes and seconds of each.
struct Period {
    dates: Vec<Date>,
    hours: Vec<i8>,
    minutes: Vec<i8>,
    seconds: Vec<i8>,
}

impl Rule {
    /// The times of a rule within a range, in their order; `is_past` says whether one comes after the last that there may be.
    ///
    /// # Errors
    /// [`Exhausted`] where more has to be examined than the budget allows.
    pub(crate) fn times(
        &self,
        range: Range,
        is_past: impl Fn(DateTime) -> bool,
        budget: &mut Budget,
    ) -> Result<Vec<DateTime>, Exhausted> {
        let mut times = Vec::new();
        let mut count = 0;
        let mut number = match self.count {
            Some(_) => 0,
            None => self.number_before(range),
        };
        let defaults = Defaults::of(self, range.first.date());
        loop {
            budget.take()?;
            let period = match self.period(range, number, defaults, budget)? {
                ControlFlow::Continue(period) => period,
                ControlFlow::Break(Some(next)) => {
                    number = next;
                    continue;
                }
                ControlFlow::Break(None) => return Ok(times),
            };
            for time in self.chosen(&period, budget)? {
                if time < range.first {
                    continue;
                }
                count += 1;
                let is_over = self.count.is_some_and(|most| count > most);
                if is_over || time >= range.to || is_past(time) {
                    return Ok(times);
                }
                if time >= range.from {
                    times.push(time);
                }
            }
            let Some(next) = number.checked_add(1) else {
                return Ok(times);
            };
            number = next;
        }
    }

    /// A period before which there is none that is wanted.
    fn number_before(&self, range: Range) -> i64 {
        let (first, from) = (range.first, range.from);
        if from <= first {
            return 0;
        }
        let months = |at: DateTime| i64::from(at.year()) * 12 + i64::from(at.month());
        let since = from.duration_since(first).as_secs();
        let units = match self.frequency {
            Frequency::Yearly => i64::from(from.year()) - i64::from(first.year()),
            Frequency::Monthly => months(from) - months(first),
            Frequency::Weekly => since / (7 * 86_400),
            Frequency::Daily => since / 86_400,
            Frequency::Hourly => since / 3_600,
            Frequency::Minutely => since / 60,
            Frequency::Secondly => since,
        };
        (units / i64::from(self.interval) - 1).max(0)
    }

    /// A period by its number; or the next number that may have any, or that there is none any more.
    fn period(
        &self,
        range: Range,
        number: i64,
        defaults: Defaults,
        budget: &mut Budget,
    ) -> Result<ControlFlow<Option<i64>, Period>, Exhausted> {
        let Some(units) = number.checked_mul(i64::from(self.interval)) else {
            return Ok(ControlFlow::Break(None));
        };
        let Some((first, days)) = self.days(range.first, units) else {
            return match self.frequency {
                Frequency::Hourly | Frequency::Minutely | Frequency::Secondly => {
                    Ok(self.part_of_day(range, number, units, defaults))
                }
                Frequency::Yearly | Frequency::Monthly | Frequency::Weekly | Frequency::Daily => {
                    Ok(ControlFlow::Break(None))
                }
            };
        };
        if first > range.to.date() {
            return Ok(ControlFlow::Break(None));
        }
        let time = range.first.time();
        Ok(ControlFlow::Continue(Period {
            dates: dates(self, defaults, first, days, budget)?,
            hours: listed_or(&self.hours, time.hour()),
            minutes: listed_or(&self.minutes, time.minute()),
            seconds: listed_or(&self.seconds, time.second()),
        }))
    }

    /// The first day of a period of days, and how many it has.
    fn days(&self, first: DateTime, units: i64) -> Option<(Date, i32)> {
        match self.frequency {
            Frequency::Yearly => {
                let year = i16::try_from(i64::from(first.year()).checked_add(units)?).ok()?;
                let start = Date::new(year, 1, 1).ok()?;
                Some((start, i32::from(start.days_in_year())))
            }
            Frequency::Monthly => {
                let months = i64::from(first.year()) * 12 + i64::from(first.month()) - 1;
                let months = months.checked_add(units)?;
                let year = i16::try_from(months.div_euclid(12)).ok()?;
                let month = i8::try_from(months.rem_euclid(12) + 1).ok()?;
                let start = Date::new(year, month, 1).ok()?;
                Some((start, i32::from(start.days_in_month())))
            }
            Frequency::Weekly => {
                let since = i64::from(first.weekday().since(self.week_start));
                let days = units.checked_mul(7)?.checked_sub(since)?;
                Some((later(first.date(), days)?, 7))
            }
            Frequency::Daily => Some((later(first.date(), units)?, 1)),
            Frequency::Hourly | Frequency::Minutely | Frequency::Secondly => None,
        }
    }

    /// An hour, a minute or a second by its number. Days and hours of which the rule takes none are passed over at once.
    fn part_of_day(
        &self,
        range: Range,
        number: i64,
        units: i64,
        defaults: Defaults,
    ) -> ControlFlow<Option<i64>, Period> {
        let unit_seconds = match self.frequency {
            Frequency::Hourly => 3_600,
            Frequency::Minutely => 60,
            _ => 1,
        };
        let at = |units: i64| {
            let seconds = units.checked_mul(unit_seconds)?;
            let duration = SignedDuration::from_secs(seconds);
            range.first.checked_add(duration).ok()
        };
        let Some(time) = at(units) else {
            return ControlFlow::Break(None);
        };
        if time.date() > range.to.date() {
            return ControlFlow::Break(None);
        }
        // The first number that is not before the end of so many seconds since the start of the day.
        let after = |end_second: i64| {
            let of_day = i64::from(time.hour()) * 3_600
                + i64::from(time.minute()) * 60
                + i64::from(time.second());
            // What is left of it, in whole steps.
            let step = unit_seconds.saturating_mul(i64::from(self.interval));
            let steps = (end_second - of_day).max(1).saturating_add(step - 1) / step;
            number.checked_add(steps.max(1))
        };
        let hour = i64::from(time.hour());
        if !takes(self, defaults, time.date()) {
            return ControlFlow::Break(after(86_400));
        }
        if !(self.hours.is_empty() || self.hours.contains(&time.hour())) {
            return ControlFlow::Break(after((hour + 1) * 3_600));
        }
        let is_minute = unit_seconds <= 60;
        if is_minute && !(self.minutes.is_empty() || self.minutes.contains(&time.minute())) {
            let minute = i64::from(time.minute());
            return ControlFlow::Break(after(hour * 3_600 + (minute + 1) * 60));
        }
        let is_second = unit_seconds == 1;
        if is_second && !(self.seconds.is_empty() || self.seconds.contains(&time.second())) {
            return ControlFlow::Break(number.checked_add(1));
        }
        let minutes: &[i8] = if is_minute { &[] } else { &self.minutes };
        let seconds: &[i8] = if is_second { &[] } else { &self.seconds };
        ControlFlow::Continue(Period {
            dates: vec![time.date()],
            hours: vec![time.hour()],
            minutes: listed_or(minutes, time.minute()),
            seconds: listed_or(seconds, time.second()),
        })
    }

    /// The times of a period in their order, of which `BYSETPOS` may leave some.
    fn chosen(&self, period: &Period, budget: &mut Budget) -> Result<Vec<DateTime>, Exhausted> {
        let mut times = Vec::new();
        for date in &period.dates {
            for hour in &period.hours {
                for minute in &period.minutes {
                    for second in &period.seconds {
                        budget.take()?;
                        times.push(date.at(*hour, *minute, *second, 0));
                    }
                }
            }
        }
        if self.positions.is_empty() {
            return Ok(times);
        }
        let length = times.len();
        let mut places: Vec<usize> = self
            .positions
            .iter()
            .filter_map(|position| match usize::from(position.unsigned_abs()) {
                from_start if *position > 0 => Some(from_start - 1),
                from_end => length.checked_sub(from_end),
            })
            .filter(|place| *place < length)
            .collect();
        places.sort_unstable();
        places.dedup();
        Ok(places.into_iter().map(|place| times[place]).collect())
    }
}

/// What is listed; the first time's own, where nothing is.
fn listed_or(list: &[i8], own: i8) -> Vec<i8> {
    if list.is_empty() {
        vec![own]
    } else {
        list.to_vec()
    }
}
