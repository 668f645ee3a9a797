//! A rule as it is written.

use std::{ops::RangeInclusive, str::FromStr};

use jiff::civil::Weekday;

use super::{Frequency, NthWeekday, Rule, Until};
use crate::ical::value;

/// A text that is no rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvalidRule;

/// Longest list of one part; all seconds of a minute are 61, all days of a year and back 732.
const LIST_MAX: usize = 800;

impl FromStr for Rule {
    type Err = InvalidRule;

    /// Parts that RFC 5545 does not know are passed over, unless they would change what the others mean.
    fn from_str(text: &str) -> Result<Self, InvalidRule> {
        let mut rule = Self {
            frequency: Frequency::Yearly,
            interval: 1,
            count: None,
            until: None,
            months: Vec::new(),
            weeks_of_year: Vec::new(),
            days_of_year: Vec::new(),
            days_of_month: Vec::new(),
            weekdays: Vec::new(),
            hours: Vec::new(),
            minutes: Vec::new(),
            seconds: Vec::new(),
            positions: Vec::new(),
            week_start: Weekday::Monday,
        };
        let mut frequency = None;
        let parts = text.split(';').filter(|part| !part.trim().is_empty());
        for part in parts {
            let (name, value) = part.split_once('=').ok_or(InvalidRule)?;
            let value = value.trim();
            match name.trim().to_ascii_uppercase().as_str() {
                "FREQ" => frequency = Some(frequency_of(value)?),
                "INTERVAL" => rule.interval = number(value, 1..=u32::MAX)?,
                "COUNT" => rule.count = Some(number(value, 1..=u64::MAX)?),
                "UNTIL" => rule.until = Some(until(value)?),
                "BYMONTH" => rule.months = list(value, 1..=12)?,
                "BYWEEKNO" => rule.weeks_of_year = signed_list(value, 53)?,
                "BYYEARDAY" => rule.days_of_year = signed_list(value, 366)?,
                "BYMONTHDAY" => rule.days_of_month = signed_list(value, 31)?,
                "BYDAY" => rule.weekdays = each(value, nth_weekday)?,
                "BYHOUR" => rule.hours = list(value, 0..=23)?,
                "BYMINUTE" => rule.minutes = list(value, 0..=59)?,
                // A leap second is the last one of its minute here, as our clocks have none.
                "BYSECOND" => {
                    let seconds: Vec<i8> = list(value, 0..=60)?;
                    rule.seconds = seconds.into_iter().map(|second| second.min(59)).collect();
                    rule.seconds.sort_unstable();
                    rule.seconds.dedup();
                }
                "BYSETPOS" => rule.positions = signed_list(value, 366)?,
                "WKST" => rule.week_start = weekday(value)?,
                // By another calendar than ours, or what days to leave out of it.
                "RSCALE" if !value.eq_ignore_ascii_case("GREGORIAN") => return Err(InvalidRule),
                "SKIP" if !value.eq_ignore_ascii_case("OMIT") => return Err(InvalidRule),
                _ => {}
            }
        }
        rule.frequency = frequency.ok_or(InvalidRule)?;
        Ok(rule)
    }
}

fn frequency_of(text: &str) -> Result<Frequency, InvalidRule> {
    Ok(match text.to_ascii_uppercase().as_str() {
        "YEARLY" => Frequency::Yearly,
        "MONTHLY" => Frequency::Monthly,
        "WEEKLY" => Frequency::Weekly,
        "DAILY" => Frequency::Daily,
        "HOURLY" => Frequency::Hourly,
        "MINUTELY" => Frequency::Minutely,
        "SECONDLY" => Frequency::Secondly,
        _ => return Err(InvalidRule),
    })
}

fn until(text: &str) -> Result<Until, InvalidRule> {
    if let Some(date) = value::date(text) {
        return Ok(Until::Day(date));
    }
    let (local, is_utc) = value::date_time(text).ok_or(InvalidRule)?;
    if !is_utc {
        return Ok(Until::Local(local));
    }
    let instant = jiff::tz::Offset::UTC.to_timestamp(local);
    instant.map(Until::Instant).map_err(|_| InvalidRule)
}

fn number<T: FromStr + PartialOrd>(
    text: &str,
    within: RangeInclusive<T>,
) -> Result<T, InvalidRule> {
    let number = text.trim().parse().ok();
    number
        .filter(|number| within.contains(number))
        .ok_or(InvalidRule)
}

fn each<T>(
    text: &str,
    read: impl Fn(&str) -> Result<T, InvalidRule>,
) -> Result<Vec<T>, InvalidRule> {
    let mut list = Vec::new();
    for item in text.split(',') {
        if list.len() >= LIST_MAX {
            return Err(InvalidRule);
        }
        list.push(read(item.trim())?);
    }
    Ok(list)
}

/// Numbers, each once, in their order.
fn list<T: FromStr + Ord + Clone>(
    text: &str,
    within: RangeInclusive<T>,
) -> Result<Vec<T>, InvalidRule> {
    let mut list = each(text, |item| number(item, within.clone()))?;
    list.sort_unstable();
    list.dedup();
    Ok(list)
}

/// Numbers from the start or, below zero, from the end; none of them zero.
fn signed_list<T>(text: &str, most: T) -> Result<Vec<T>, InvalidRule>
where
    T: FromStr + Ord + Copy + std::ops::Neg<Output = T> + Default,
{
    let list = list(text, -most..=most)?;
    if list.contains(&T::default()) {
        return Err(InvalidRule);
    }
    Ok(list)
}

fn nth_weekday(text: &str) -> Result<NthWeekday, InvalidRule> {
    let name_at = text
        .len()
        .checked_sub(2)
        .filter(|at| text.is_char_boundary(*at));
    let (nth, name) = text.split_at(name_at.ok_or(InvalidRule)?);
    let nth = match nth {
        "" => 0,
        nth => {
            let nth = number(nth, -53..=53)?;
            if nth == 0 {
                return Err(InvalidRule);
            }
            nth
        }
    };
    Ok(NthWeekday {
        nth,
        weekday: weekday(name)?,
    })
}

fn weekday(text: &str) -> Result<Weekday, InvalidRule> {
    Ok(match text.to_ascii_uppercase().as_str() {
        "MO" => Weekday::Monday,
        "TU" => Weekday::Tuesday,
        "WE" => Weekday::Wednesday,
        "TH" => Weekday::Thursday,
        "FR" => Weekday::Friday,
        "SA" => Weekday::Saturday,
        "SU" => Weekday::Sunday,
        _ => return Err(InvalidRule),
    })
}
