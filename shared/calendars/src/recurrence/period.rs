//! The dates of a year, a month, a week or a day that a rule takes.

use jiff::civil::{Date, Weekday};

use super::{Budget, Exhausted, Frequency, Rule};

/// The defaults that a rule takes from the first date of what recurs, where its own parts leave open which dates it means.
#[derive(Debug, Clone, Copy)]
pub(super) struct Defaults {
    month: Option<i8>,
    day: Option<i8>,
    weekday: Option<Weekday>,
}

impl Defaults {
    pub(super) fn of(rule: &Rule, first: Date) -> Self {
        let names_weekday = !rule.weekdays.is_empty();
        let names_day = names_weekday
            || !rule.days_of_month.is_empty()
            || !rule.days_of_year.is_empty()
            || !rule.weeks_of_year.is_empty();
        let none = Self {
            month: None,
            day: None,
            weekday: None,
        };
        match rule.frequency {
            // A week of a year is a weekday in it, that of the first date.
            Frequency::Yearly if !rule.weeks_of_year.is_empty() => {
                let is_open =
                    !names_weekday && rule.days_of_month.is_empty() && rule.days_of_year.is_empty();
                Self {
                    weekday: is_open.then(|| first.weekday()),
                    ..none
                }
            }
            Frequency::Yearly if !names_day => Self {
                month: rule.months.is_empty().then(|| first.month()),
                day: Some(first.day()),
                weekday: None,
            },
            Frequency::Monthly if !names_day => Self {
                day: Some(first.day()),
                ..none
            },
            Frequency::Weekly if !names_day => Self {
                weekday: Some(first.weekday()),
                ..none
            },
            _ => none,
        }
    }
}

/// The dates from `first` for `days` days that a rule takes, in their order.
pub(super) fn dates(
    rule: &Rule,
    defaults: Defaults,
    first: Date,
    days: i32,
    budget: &mut Budget,
) -> Result<Vec<Date>, Exhausted> {
    let mut dates = Vec::new();
    let mut date = first;
    let mut left = days;
    while left > 0 {
        if !takes_month(rule, defaults, date.month()) {
            let rest = i32::from(date.days_in_month() - date.day()) + 1;
            let Some(next) = later(date, i64::from(rest.min(left))) else {
                break;
            };
            date = next;
            left -= rest;
            continue;
        }
        budget.take()?;
        if takes_day(rule, defaults, date) {
            dates.push(date);
        }
        left -= 1;
        let Ok(next) = date.tomorrow() else { break };
        date = next;
    }
    Ok(dates)
}

/// So many days later; nothing beyond the last date that there is.
pub(super) fn later(date: Date, days: i64) -> Option<Date> {
    let hours = days.checked_mul(24)?;
    // A number of hours beyond all dates overflows none of the types.
    let span = jiff::SignedDuration::try_from_hours(hours)?;
    date.checked_add(span).ok()
}

/// Whether a rule takes a date, whatever its frequency makes of it.
pub(super) fn takes(rule: &Rule, defaults: Defaults, date: Date) -> bool {
    takes_month(rule, defaults, date.month()) && takes_day(rule, defaults, date)
}

fn takes_month(rule: &Rule, defaults: Defaults, month: i8) -> bool {
    (rule.months.is_empty() || rule.months.contains(&month))
        && defaults.month.is_none_or(|default| default == month)
}

fn takes_day(rule: &Rule, defaults: Defaults, date: Date) -> bool {
    let is_default = defaults.day.is_none_or(|day| day == date.day())
        && defaults
            .weekday
            .is_none_or(|weekday| weekday == date.weekday());
    is_default
        && (rule.days_of_month.is_empty() || {
            let back = date.day() - date.days_in_month() - 1;
            rule.days_of_month.contains(&date.day()) || rule.days_of_month.contains(&back)
        })
        && (rule.days_of_year.is_empty() || {
            let back = date.day_of_year() - date.days_in_year() - 1;
            rule.days_of_year.contains(&date.day_of_year()) || rule.days_of_year.contains(&back)
        })
        && (rule.weekdays.is_empty() || takes_weekday(rule, date))
        && (rule.weeks_of_year.is_empty() || takes_week(rule, date))
}

fn takes_weekday(rule: &Rule, date: Date) -> bool {
    let weekday = date.weekday();
    let mut same = rule.weekdays.iter().filter(|day| day.weekday == weekday);
    // Within a month, a year, or, where there are only weeks and days, without any number.
    let (day, days) = match rule.frequency {
        Frequency::Monthly => (i16::from(date.day()), i16::from(date.days_in_month())),
        Frequency::Yearly if !rule.months.is_empty() => {
            (i16::from(date.day()), i16::from(date.days_in_month()))
        }
        Frequency::Yearly if rule.weeks_of_year.is_empty() => {
            (date.day_of_year(), date.days_in_year())
        }
        Frequency::Yearly
        | Frequency::Weekly
        | Frequency::Daily
        | Frequency::Hourly
        | Frequency::Minutely
        | Frequency::Secondly => return same.next().is_some(),
    };
    let (nth, back) = ((day - 1) / 7 + 1, -((days - day) / 7 + 1));
    same.any(|day| day.nth == 0 || day.nth == nth || day.nth == back)
}

fn takes_week(rule: &Rule, date: Date) -> bool {
    let in_week = i32::from(date.weekday().since(rule.week_start));
    // The week is its fourth day's year's.
    let Some(fourth) = later(date, i64::from(3 - in_week)) else {
        return false;
    };
    let week = (fourth.day_of_year() - 1) / 7 + 1;
    let weeks = week + (fourth.days_in_year() - fourth.day_of_year()) / 7;
    let mut named = rule.weeks_of_year.iter().map(|week| i16::from(*week));
    named.any(|named| named == week || named == week - weeks - 1)
}
