//! Dates, times and durations as they are written.

use jiff::{
    SignedDuration,
    civil::{Date, DateTime, Time},
};

/// How long something lasts: days, which are as long as clocks make them, and then an exact time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Duration {
    pub(crate) days: i64,
    pub(crate) exact: SignedDuration,
}

/// `20261123`.
pub(crate) fn date(text: &str) -> Option<Date> {
    if text.len() != 8 {
        return None;
    }
    let year = i16::try_from(digits(text, 0, 4)?).ok()?;
    let month = i8::try_from(digits(text, 4, 6)?).ok()?;
    let day = i8::try_from(digits(text, 6, 8)?).ok()?;
    Date::new(year, month, day).ok()
}

/// `20261123T090000`, and whether a `Z` follows, by which it is in UTC.
pub(crate) fn date_time(text: &str) -> Option<(DateTime, bool)> {
    let (local, is_utc) = match text.strip_suffix(['Z', 'z']) {
        Some(local) => (local, true),
        None => (text, false),
    };
    let (day, time) = local.split_once(['T', 't'])?;
    if time.len() != 6 {
        return None;
    }
    let part = |from| i8::try_from(digits(time, from, from + 2)?).ok();
    // A leap second is the last one of its minute: our clocks have none.
    let time = Time::new(part(0)?, part(2)?, part(4)?.min(59), 0).ok()?;
    Some((date(day)?.to_datetime(time), is_utc))
}

/// `PT1H30M`, `P2W`, `-P1DT12H`; nothing where it would be longer than all time.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let (sign, text) = match text.strip_prefix(['+', '-']) {
        Some(rest) if text.starts_with('-') => (-1, rest),
        Some(rest) => (1, rest),
        None => (1, text),
    };
    let text = text.strip_prefix(['P', 'p'])?;
    let (mut days, mut seconds) = (0_i64, 0_i64);
    let mut number: Option<i64> = None;
    let mut is_time = false;
    let mut has_any = false;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            let so_far = number.unwrap_or(0).checked_mul(10)?;
            number = Some(so_far.checked_add(i64::from(digit))?);
            continue;
        }
        if c.eq_ignore_ascii_case(&'T') && number.is_none() && !is_time {
            is_time = true;
            continue;
        }
        let (unit_days, unit_seconds) = match (c.to_ascii_uppercase(), is_time) {
            ('W', false) => (7, 0),
            ('D', false) => (1, 0),
            ('H', true) => (0, 3_600),
            ('M', true) => (0, 60),
            ('S', true) => (0, 1),
            _ => return None,
        };
        let value = number.take()?;
        days = days.checked_add(value.checked_mul(unit_days)?)?;
        seconds = seconds.checked_add(value.checked_mul(unit_seconds)?)?;
        has_any = true;
    }
    (has_any && number.is_none()).then(|| Duration {
        days: days * sign,
        exact: SignedDuration::from_secs(seconds * sign),
    })
}

/// `+0100`, in seconds.
pub(crate) fn utc_offset(text: &str) -> Option<i32> {
    let (sign, text) = match text.strip_prefix(['+', '-']) {
        Some(rest) if text.starts_with('-') => (-1, rest),
        Some(rest) => (1, rest),
        None => (1, text),
    };
    let second = match text.len() {
        4 => 0,
        6 => digits(text, 4, 6)?,
        _ => return None,
    };
    let (hour, minute) = (digits(text, 0, 2)?, digits(text, 2, 4)?);
    let is_offset = hour < 24 && minute < 60 && second < 60;
    let seconds = i32::try_from(hour * 3_600 + minute * 60 + second).ok()?;
    is_offset.then_some(sign * seconds)
}

/// A part of a text that is all digits.
fn digits(text: &str, from: usize, to: usize) -> Option<u32> {
    let part = text.get(from..to)?;
    let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| part.parse().ok())?
}
