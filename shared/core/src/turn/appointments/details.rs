//! What a message says of an appointment, by what the business offers and where.

use jiff::civil::Date;

use crate::{
    booking::{Branch, Business, Calendar, Service},
    dialogue::{Errand, Kind},
    language::List,
    shop::{Weekday, clock},
    text::{is_same, is_slip, place_of, words},
    understand::{
        day,
        hour::{Hour, Times},
        intent::Intent,
    },
};

/// A message, read for appointments.
pub(super) struct Details<'b> {
    /// The service that it names, or those that it may name.
    pub(super) services: Vec<&'b Service>,
    /// Whether it has all the words of one of a service's names.
    pub(super) is_whole: bool,
    /// Whether it has the first word of one: "el tinte", and not "lavadora" of "lavado", nor "mi mujer" of "corte de mujer".
    pub(super) is_head: bool,
    pub(super) branch: Option<&'b Branch>,
    pub(super) calendar: Option<&'b Calendar>,
    pub(super) dates: Vec<Date>,
    pub(super) times: Times,
    /// Words that say nothing of an appointment.
    pub(super) others: usize,
}

/// Letters that two words begin alike with, so that one may be a form of the other: "corte", "cortarme".
const ROOT: usize = 4;
/// From so many letters on, one that is wrong is a slip.
const SLIP_FROM: usize = 5;

/// Whether a folded word may be a form of another.
fn is_alike(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars());
    let common = common.take_while(|(one, other)| one == other).count();
    let shorter = one.chars().count().min(other.chars().count());
    let has_root = common >= ROOT && common + 1 >= shorter;
    is_same(one, other) || has_root || (shorter >= SLIP_FROM && is_slip(one, other))
}

/// The words of a name that tell it from others.
fn telling(name: &str) -> Vec<String> {
    let function = List::Function.in_all();
    let all = words(name);
    let telling: Vec<String> = all
        .iter()
        .filter(|word| !function.has(word))
        .cloned()
        .collect();
    if telling.is_empty() { all } else { telling }
}

impl<'b> Details<'b> {
    pub(super) fn read(message: &str, business: &'b Business, today: Date) -> Self {
        let said = words(message);
        let mut of_other: Vec<bool> = vec![true; said.len()];
        let mut counts = |name: &[String]| {
            for (word, other) in said.iter().zip(&mut of_other) {
                *other &= !name.iter().any(|own| is_alike(word, own));
            }
        };
        let services = services(&said, business);
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
        // "El lunes no puedo, mejor el miércoles."
        let mut dates = day::dates(message, today);
        let denies = said
            .iter()
            .any(|word| List::Markers.in_all().stands(word, "negation"));
        if let (Some(last), true) = (dates.last().copied(), denies) {
            dates = vec![last];
        }
        Self {
            services,
            is_whole,
            is_head,
            branch,
            calendar,
            dates,
            times: Times::of(message),
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
            asks_length: false,
            ..self.times
        };
        !self.services.is_empty()
            || self.branch.is_some()
            || self.calendar.is_some()
            || !self.dates.is_empty()
            || times != Times::default()
    }

    pub(super) fn says_where_or_when(&self) -> bool {
        let is_somewhere = self.branch.is_some() || self.calendar.is_some();
        is_somewhere || !self.dates.is_empty() || self.times.hour.is_some()
    }

    /// Adds what it says to what was known.
    pub(super) fn add_to(&self, errand: &mut Errand, today: Date) {
        if let [service] = self.services[..] {
            errand.service = Some(service.id.to_string());
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
            ..
        } = self.times;
        if is_anyone {
            errand.calendar = None;
        }
        let dates = self.period(today);
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
        if hour.is_some() {
            errand.hour = hour;
            errand.window = None;
            errand.is_earliest = false;
            errand.is_latest = false;
            errand.is_kept_hour = false;
        } else if (is_same_time || (is_new_date && part.is_none())) && same.is_some() {
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
            ([from, to], _) if from.tomorrow().ok() == Some(*to) => Some((*from, *to)),
            ([date, ..], _) => Some((*date, *date)),
        }
    }
}

fn in_weeks(date: Date, weeks: u16) -> Option<Date> {
    date.checked_add(jiff::Span::new().weeks(weeks)).ok()
}

/// The one that is named, by all the words of its name one after the other, or by one of them that is no other's; of two of one name
/// neither is.
fn named<'b, T>(said: &[String], things: &[&'b T], name: impl Fn(&T) -> &String) -> Option<&'b T> {
    let only = |found: Vec<&'b T>| match found[..] {
        [one] => Some(one),
        _ => None,
    };
    let whole = |thing: &&&T| place_of(&words(name(thing)), said).is_some();
    let whole: Vec<&T> = things.iter().filter(whole).copied().collect();
    if let Some(longest) = whole.iter().map(|thing| name(thing).len()).max() {
        let is_longest = |thing: &&T| name(thing).len() == longest;
        return only(whole.into_iter().filter(is_longest).collect());
    }
    let is_named = |thing: &&&T| {
        let own = telling(name(thing));
        let mut said = said.iter();
        said.any(|word| {
            own.iter()
                .any(|own| own == word || (own.len() >= SLIP_FROM && is_slip(word, own)))
        })
    };
    only(things.iter().filter(is_named).copied().collect())
}

/// The services that have most of the words that are said in one of their names, each word counting the more the fewer services have it;
/// of those the ones of whose names the most is said.
fn services<'b>(said: &[String], business: &'b Business) -> Vec<&'b Service> {
    let names: Vec<Vec<Vec<String>>> = business
        .services
        .iter()
        .map(|service| service.names().map(telling).collect())
        .collect();
    let is_said = |own: &String| {
        let mut said = said.iter().filter(|word| !List::is_small(word));
        said.any(|word| is_alike(word, own))
    };
    let having = |own: &String| {
        let has = |names: &&Vec<Vec<String>>| names.iter().any(|name| name.contains(own));
        names.iter().filter(has).count().max(1)
    };
    let score = |name: &Vec<String>| {
        let counts: Vec<&String> = name.iter().filter(|own| is_said(own)).collect();
        let score: f32 = counts.iter().map(|own| 1.0 / small(having(own))).sum();
        (score, small(counts.len()) / small(name.len().max(1)))
    };
    let best = |(one, part): (f32, f32), other: &Vec<String>| {
        let (score, share) = score(other);
        match (score, share) > (one, part) {
            true => (score, share),
            false => (one, part),
        }
    };
    let scores: Vec<(f32, f32)> = names
        .iter()
        .map(|names| names.iter().fold((0.0, 0.0), best))
        .collect();
    let (most, share) =
        scores.iter().fold(
            (0.0_f32, 0.0_f32),
            |most, one| {
                if *one > most { *one } else { most }
            },
        );
    if most == 0.0 {
        return Vec::new();
    }
    let found = business.services.iter().zip(&scores);
    let found = found.filter(|(_, one)| **one >= (most, share));
    found.map(|(service, _)| service).collect()
}

fn small(count: usize) -> f32 {
    f32::from(u8::try_from(count).unwrap_or(u8::MAX))
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
