//! What may be wrong with a value of any file, collected until everything has been looked at.

use std::{
    collections::BTreeMap,
    fmt,
    ops::{Range, RangeInclusive},
};

use jiff::{civil::Date, tz::TimeZone};

use super::{
    Exception, Interval, Weekday, currency,
    hours::{date, time_zone},
};

/// Something in a file that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where, such as `hours.monday[1]`; nothing where it is the whole.
    pub path: String,
    /// What is wrong and what to write instead.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.reason)
    }
}

/// The faults found so far. What a method reads, it also returns, as far as it makes sense.
#[derive(Debug, Default)]
pub(crate) struct Faults(pub(crate) Vec<Fault>);

impl Faults {
    pub(crate) fn add(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        self.0.push(Fault {
            path: path.into(),
            reason: reason.into(),
        });
    }

    /// A text of one line.
    pub(crate) fn text(&mut self, path: &str, text: &str, most: usize) {
        let length = text.chars().count();
        if text.trim().is_empty() {
            self.add(path, "is missing or blank — write a text");
        } else if length > most {
            self.add(
                path,
                format!("has {length} characters — write {most} at most"),
            );
        } else if text.chars().any(char::is_control) {
            self.add(path, "has more than one line — write it in one");
        }
    }

    pub(crate) fn optional(&mut self, path: &str, text: Option<&str>, most: usize) {
        if let Some(text) = text {
            self.text(path, text, most);
        }
    }

    pub(crate) fn phone(&mut self, path: &str, phone: &str) {
        let digits = phone.chars().filter(char::is_ascii_digit).count();
        let is_written = |c: char| c.is_ascii_digit() || " +-().".contains(c);
        if !(3..=15).contains(&digits) || !phone.chars().all(is_written) {
            self.add(
                path,
                format!("{phone:?} is no telephone number — write it like \"+34 910 000 000\""),
            );
        }
    }

    /// A telephone number with its country.
    pub(crate) fn whatsapp(&mut self, path: &str, number: &str) {
        if number.starts_with('+') {
            self.phone(path, number);
        } else {
            self.add(
                path,
                format!("{number:?} has no country — write it like \"+34 600 000 000\""),
            );
        }
    }

    pub(crate) fn url(&mut self, path: &str, url: Option<&str>) {
        let Some(url) = url else { return };
        let rest = url
            .strip_prefix("https://")
            .or_else(|| url.strip_prefix("http://"));
        let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
        let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>\"".contains(c);
        let has_host = host.is_some_and(|host| host.contains('.') && !host.contains('@'));
        if !has_host || !url.chars().all(is_plain) {
            self.add(
                path,
                format!("{url:?} is no address — write one such as \"https://tienda.example\""),
            );
        }
    }

    /// A currency of ISO 4217.
    pub(crate) fn currency(&mut self, path: &str, code: &str) {
        if currency::minor_digits(code).is_none() {
            let upper = code.to_uppercase();
            let instead = match currency::minor_digits(&upper) {
                Some(_) => upper,
                None => "three letters of ISO 4217, such as EUR".to_owned(),
            };
            self.add(path, format!("{code:?} is no currency — write {instead}"));
        }
    }

    /// A time zone by the IANA's names.
    pub(crate) fn time_zone(&mut self, path: &str, name: &str) -> Option<TimeZone> {
        let zone = time_zone(name);
        if zone.is_none() {
            self.add(
                path,
                format!("{name:?} is no time zone — write one such as \"Europe/Madrid\""),
            );
        }
        zone
    }

    /// Hours by the names of weekdays.
    pub(crate) fn week(
        &mut self,
        path: &str,
        hours: &BTreeMap<String, Vec<Interval>>,
    ) -> Vec<(Weekday, Vec<Range<u16>>)> {
        let mut week = Vec::new();
        for (day, intervals) in hours {
            let path = format!("{path}.{day}");
            let weekday = Weekday::ALL.into_iter().find(|known| known.name() == day);
            if weekday.is_none() {
                let days = listed(Weekday::ALL.map(Weekday::name));
                self.add(
                    &path,
                    format!("{day:?} is no weekday — write one of {days}"),
                );
            }
            let minutes = self.intervals(&path, intervals);
            week.extend(weekday.map(|weekday| (weekday, minutes)));
        }
        week
    }

    pub(crate) fn intervals(&mut self, path: &str, intervals: &[Interval]) -> Vec<Range<u16>> {
        let mut ended = 0;
        let mut read = Vec::new();
        for (index, interval) in intervals.iter().enumerate() {
            let path = format!("{path}[{index}]");
            match interval.minutes() {
                Err(invalid) => self.add(path, format!("{:?} {invalid}", interval.0)),
                Ok(minutes) if minutes.start < ended => self.add(
                    path,
                    format!(
                        "{:?} begins before the one before it has ended — write them in order, or as one",
                        interval.0
                    ),
                ),
                Ok(minutes) => {
                    ended = minutes.end;
                    read.push(minutes);
                }
            }
        }
        read
    }

    /// The dates of an exception; its hours and its reason are another matter.
    pub(crate) fn dates(
        &mut self,
        path: &str,
        exception: &Exception,
    ) -> Option<RangeInclusive<Date>> {
        let [first, last] = [
            ("date", Some(&exception.date)),
            ("until", exception.until.as_ref()),
        ]
        .map(|(name, text)| {
            let read = text.and_then(|text| date(text));
            if let (Some(text), None) = (text, read) {
                let reason = if text.is_empty() {
                    "is missing — write it like \"2026-12-25\"".to_owned()
                } else {
                    format!("{text:?} is no date — write it like \"2026-12-25\"")
                };
                self.add(format!("{path}.{name}"), reason);
            }
            read
        });
        if let (Some(first), Some(last)) = (first, last)
            && last < first
        {
            self.add(
                format!("{path}.until"),
                format!("{last} is before {first} — write the last of the days"),
            );
        }
        Some(first?..=last.or(first)?)
    }
}

/// Names for people, one after the other.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}
