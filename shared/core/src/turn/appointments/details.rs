//! What a message says of an appointment, by what the business offers and where.

use jiff::civil::Date;

use super::{
    clauses::{dates, times, without_instead},
    names::{is_alike, named, services, telling},
};
use crate::{
    booking::{Branch, Business, Calendar, Service},
    dialogue::{Errand, Kind},
    language::List,
    shop::{Weekday, clock},
    text::{is_same, words},
    understand::{
        day,
        hour::{Hour, Times},
        intent::Intent,
    },
};

/// A message, read for appointments.
#[derive(Clone)]
pub(super) struct Details<'b> {
    /// The service that it names, or those that it may name.
    pub(super) services: Vec<&'b Service>,
    /// Whether it has all the words of one of a service's names.
    pub(super) is_whole: bool,
    /// Whether it has the first word of one: "el tinte", and not "lavadora" of "lavado", nor "mi mujer" of "corte de mujer".
    pub(super) is_head: bool,
    pub(super) branch: Option<&'b Branch>,
    pub(super) calendar: Option<&'b Calendar>,
    /// In the order of the message, without those that it denies beside others.
    pub(super) dates: Vec<Date>,
    /// Whether any of the dates would do: "el lunes o el martes".
    pub(super) is_either: bool,
    /// Before which date it is to be: "antes del 24".
    pub(super) before: Option<Date>,
    pub(super) times: Times,
    /// Words that say nothing of an appointment.
    pub(super) others: usize,
}

impl<'b> Details<'b> {
    pub(super) fn read(message: &str, business: &'b Business, today: Date) -> Self {
        let message = &without_instead(message);
        let said = List::spelled_out(words(message));
        let mut of_other: Vec<bool> = vec![true; said.len()];
        let mut counts = |name: &[String]| {
            for (word, other) in said.iter().zip(&mut of_other) {
                *other &= !name.iter().any(|own| is_alike(word, own));
            }
        };
        let services = services(message, business);
        let has = |own: &String| said.iter().any(|word| is_same(word, own));
        let mut names = services.iter().flat_map(|service| service.names());
        let is_whole = names.any(|name| telling(name).iter().all(has));
        let mut names = services.iter().flat_map(|service| service.names());
        let is_head = names.any(|name| telling(name).first().is_some_and(has));
        for name in services.iter().flat_map(|service| service.names()) {
            counts(&telling(name));
        }
        let branches: Vec<&Branch> = business.branches.iter().collect();
        let branch = named(&said, &branches, |branch| &branch.name);
        if let Some(branch) = branch {
            counts(&telling(&branch.name));
        }
        let calendars = business.calendars.iter();
        let is_there = |calendar: &&Calendar| branch.is_none_or(|one| calendar.branch == one.id);
        let calendars: Vec<&Calendar> = calendars.filter(is_there).collect();
        let calendar = named(&said, &calendars, |calendar| &calendar.name);
        if let Some(calendar) = calendar {
            counts(&words(&calendar.name));
        }
        let mut others = 0;
        let mut at = 0;
        let lists = [List::Times, List::Calendar, List::Numerals, List::Agreement];
        while at < said.len() {
            let found = lists
                .iter()
                .filter_map(|list| list.in_all().at(&said[at..]));
            let found = found.map(|found| found.words).max();
            let is_figure = said[at].starts_with(|c: char| c.is_ascii_digit());
            let is_small = List::is_small(&said[at]) || is_figure;
            if found.is_none() && of_other[at] && !is_small {
                others += 1;
            }
            at += found.unwrap_or(1).max(1);
        }
        let is_either = names_either(&said, today);
        let before = named_before(&said, today);
        Self {
            services,
            is_whole,
            is_head,
            branch,
            calendar,
            dates: dates(message, today),
            is_either,
            before,
            times: times(message),
            others,
        }
    }

    /// Whether some words have all of one of the names that the message has all the words of.
    pub(super) fn names_all_in(&self, title: &[String]) -> bool {
        let names = self.services.iter().flat_map(|service| service.names());
        let mut names = names.map(telling);
        names.any(|name| name.iter().all(|own| title.contains(own)))
    }

    /// Whether it says anything of one.
    pub(super) fn says_any(&self) -> bool {
        let times = Times {
            is_open: false,
            is_next: false,
            is_same_thing: false,
            is_of_own: false,
            asks_length: false,
            asks_price: false,
            ..self.times
        };
        !self.services.is_empty()
            || self.branch.is_some()
            || self.calendar.is_some()
            || !self.dates.is_empty()
            || times != Times::default()
    }

    /// Whether it says nothing of one that `other` does not.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        let is_one = |service: &&Service| other.services.iter().any(|one| one.id == service.id);
        let minutes = |hour: Option<Hour>| hour.map(Hour::minutes).unwrap_or_default();
        let (own, others) = (minutes(self.times.hour), minutes(other.times.hour));
        let is_time = own.is_empty() || own.iter().any(|minute| others.contains(minute));
        let is_part = self.times.part.is_none_or(|part| {
            let part = part.minutes();
            others.iter().any(|minute| part.contains(minute))
        });
        let left = Times {
            hour: None,
            part: None,
            is_open: false,
            is_next: false,
            is_same_day: false,
            is_same_time: false,
            is_same_weekday: false,
            is_same_thing: false,
            is_of_own: false,
            is_anyone: false,
            asks_length: false,
            asks_price: false,
            ..self.times
        };
        self.services.iter().all(is_one)
            && self
                .branch
                .is_none_or(|own| other.branch.is_some_and(|other| other.id == own.id))
            && self
                .calendar
                .is_none_or(|own| other.calendar.is_some_and(|other| other.id == own.id))
            && self.dates.iter().all(|date| other.dates.contains(date))
            && is_time
            && is_part
            && left == Times::default()
    }

    pub(super) fn says_where_or_when(&self) -> bool {
        let is_somewhere = self.branch.is_some() || self.calendar.is_some();
        let Times {
            hour,
            shift,
            day_step,
            ..
        } = self.times;
        let is_then = hour.is_some() || shift.is_some() || day_step.is_some();
        is_somewhere || is_then || !self.dates.is_empty()
    }

    /// Adds what it says to what was known.
    pub(super) fn add_to(&self, errand: &mut Errand, today: Date) {
        match self.services[..] {
            [] => {}
            [service] => {
                errand.service = Some(service.id.to_string());
                errand.among.clear();
            }
            _ => errand.among = self.services.iter().map(|one| one.id.to_string()).collect(),
        }
        if let Some(branch) = self.branch {
            let id = branch.id.to_string();
            // Nobody works in two branches.
            if errand.branch.as_ref() != Some(&id) {
                errand.calendar = None;
            }
            errand.branch = Some(id);
        }
        if let Some(calendar) = self.calendar {
            errand.calendar = Some(calendar.id.to_string());
            errand.branch = Some(calendar.branch.to_string());
        }
        let Times {
            hour,
            part,
            is_earliest,
            is_anyone,
            is_same_time,
            after,
            before,
            is_first_thing,
            is_last_thing,
            is_same_day,
            shift,
            ..
        } = self.times;
        if is_anyone {
            errand.calendar = None;
        }
        // "Al día siguiente", of the date that it was.
        let stepped = self.times.day_step.and_then(|step| {
            let (date, _) = errand.dates.as_ref()?;
            let date: Date = date.parse().ok()?;
            let date = date.checked_add(jiff::Span::new().days(step)).ok()?;
            Some((date, date))
        });
        let dates = self.period(today).or(stepped);
        let is_new_date = dates.is_some();
        if let Some((from, to)) = dates {
            errand.dates = Some((from.to_string(), to.to_string()));
            errand.is_earliest = false;
            errand.is_latest = false;
        }
        if part.is_some() {
            errand.part = part;
            errand.hour = None;
            errand.window = None;
        }
        if after.is_some() || before.is_some() {
            let likelier = |hour: Hour| hour.minutes().first().copied();
            let from = after.and_then(likelier).unwrap_or(0);
            let to = before.and_then(likelier).unwrap_or(24 * 60);
            let [from, to] = [from, to].map(clock);
            errand.window = Some((from, to));
            errand.part = None;
            errand.hour = None;
        }
        // "Mejor el jueves" is at the same time, if that is free.
        let same = errand.time.as_deref().and_then(Hour::written);
        // "Una hora más tarde."
        let shifted = same.zip(shift).and_then(|(same, by)| same.shifted(by));
        let is_kept = is_same_time || (part.is_none() && (is_new_date || is_same_day));
        if hour.or(shifted).is_some() {
            errand.hour = hour.or(shifted);
            errand.window = None;
            errand.is_earliest = false;
            errand.is_latest = false;
            errand.is_kept_hour = false;
        } else if is_kept && same.is_some() {
            errand.hour = same;
            errand.is_kept_hour = true;
        }
        if is_first_thing || is_last_thing {
            errand.is_earliest = is_first_thing;
            errand.is_latest = is_last_thing;
            errand.hour = None;
        } else if is_earliest {
            errand.is_earliest = true;
            errand.hour = None;
            if !is_new_date {
                errand.dates = None;
            }
        }
    }

    /// The dates that are asked for, from one up to another.
    fn period(&self, today: Date) -> Option<(Date, Date)> {
        let monday = |from: Date| {
            let mut dates = std::iter::successors(Some(from), |date| date.tomorrow().ok());
            dates.find(|date| Weekday::of(*date) == Weekday::Monday)
        };
        let sunday = |from: Date| {
            let mut dates = std::iter::successors(Some(from), |date| date.tomorrow().ok());
            dates.find(|date| Weekday::of(*date) == Weekday::Sunday)
        };
        let next_monday = today.tomorrow().ok().and_then(monday);
        match (&self.dates[..], self.times) {
            (
                [],
                Times {
                    days: Some(days), ..
                },
            ) => {
                let date = today.checked_add(jiff::Span::new().days(days)).ok()?;
                Some((date, date))
            }
            (
                [],
                Times {
                    weeks: Some(weeks), ..
                },
            ) => {
                let from = in_weeks(today, weeks)?;
                Some((from, in_weeks(from, 1)?.yesterday().ok()?))
            }
            (
                [date],
                Times {
                    weeks: Some(weeks), ..
                },
            ) => {
                let later = in_weeks(*date, weeks - 1)?;
                Some((later, later))
            }
            ([], times) if times.is_next_week => {
                let from = next_monday?;
                Some((from, sunday(from)?))
            }
            ([], times) if times.is_this_week => Some((today, sunday(today)?)),
            ([], _) => None,
            // "El viernes de la semana que viene."
            ([date], times) if times.is_next_week && *date < next_monday? => {
                let later = in_weeks(*date, 1)?;
                Some((later, later))
            }
            ([date], times) if times.is_next && *date == today => {
                let later = in_weeks(*date, 1)?;
                Some((later, later))
            }
            // "El fin de semana."
            ([from, to], _)
                if from.tomorrow().ok() == Some(*to) && Weekday::of(*from) == Weekday::Saturday =>
            {
                Some((*from, *to))
            }
            // "Antes del 24."
            ([.., last], _) if self.before == Some(*last) && *last > today => {
                Some((today, last.yesterday().ok()?))
            }
            // "El lunes o el martes."
            ([first, .., last], _) if self.is_either => Some((*first.min(last), *first.max(last))),
            // What is said last counts: "el lunes, bueno, mejor el martes".
            ([.., date], _) => Some((*date, *date)),
        }
    }
}

fn in_weeks(date: Date, weeks: u16) -> Option<Date> {
    date.checked_add(jiff::Span::new().weeks(weeks)).ok()
}

/// The date that "before" stands before: "antes del 24".
fn named_before(said: &[String], today: Date) -> Option<Date> {
    /// Words of a date.
    const WORDS: usize = 3;
    let times = List::Times.in_all();
    (0..said.len()).find_map(|at| {
        let found = times.at(&said[at..]);
        let found = found.filter(|found| ["before", "before-day"].contains(&found.key))?;
        // The last of its words may be one of the date's: "antes del 24".
        let behind = said[at + 1..].iter().take(found.words + WORDS);
        let behind: Vec<&str> = behind.map(String::as_str).collect();
        day::dates(&behind.join(" "), today).first().copied()
    })
}

/// Whether "or" stands before a date: "el lunes o el martes".
fn names_either(said: &[String], today: Date) -> bool {
    /// Words of a date.
    const WORDS: usize = 3;
    let markers = List::Markers.in_all();
    (0..said.len()).any(|at| {
        let behind = said[at + 1..].iter().take(WORDS);
        let behind: Vec<&str> = behind.map(String::as_str).collect();
        markers.stands(&said[at], "either") && !day::dates(&behind.join(" "), today).is_empty()
    })
}

/// What the customer wants done about an appointment, by what a message is for.
pub(super) fn kind_of(intent: Intent) -> Option<Kind> {
    match intent {
        Intent::BookAppointment => Some(Kind::Book),
        Intent::AppointmentsView => Some(Kind::View),
        Intent::AppointmentChange => Some(Kind::Move),
        Intent::AppointmentCancel => Some(Kind::Cancel),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The judged utterances, of which nothing here was fitted to any.
    #[test]
    fn what_is_about_appointments_is_told_from_the_rest() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../infra/prove/utterances");
        let (mut own, mut others, mut missed, mut taken) = (0, 0, Vec::new(), Vec::new());
        for tag in ["es", "en", "pt"] {
            let lines = std::fs::read_to_string(format!("{folder}/{tag}.jsonl")).unwrap();
            for line in lines.lines() {
                let judged: serde_json::Value = serde_json::from_str(line).unwrap();
                let [say, intent] = ["say", "intent"].map(|name| judged[name].as_str().unwrap());
                let meant = crate::understand::intent::meant_of_all(say);
                let kind = kind_of(meant.intent).filter(|_| meant.confidence >= super::super::SURE);
                if intent.contains("appointment") {
                    own += 1;
                    missed.extend(kind.is_none().then(|| say.to_owned()));
                } else {
                    others += 1;
                    taken.extend(kind.map(|_| format!("{say} ({intent})")));
                }
            }
        }
        assert!(missed.len() * 100 <= own * 8, "of {own}: {missed:#?}");
        assert!(taken.len() * 200 <= others, "of {others}: {taken:#?}");
    }
}
