//! The time of day that is asked for, and what a message leaves open.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{
    language::{List, Phrases},
    shop::{Weekday, minute},
    text::{fold, words},
};

/// A part of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    Morning,
    Noon,
    Afternoon,
    Evening,
}

impl Part {
    const ALL: [(&'static str, Self); 4] = [
        ("morning", Self::Morning),
        ("noon", Self::Noon),
        ("afternoon", Self::Afternoon),
        ("evening", Self::Evening),
    ];

    /// Its minutes, as people count them on both sides of the sea.
    pub(crate) fn minutes(self) -> Range<u16> {
        let hours = match self {
            Self::Morning => 0..13,
            Self::Noon => 12..15,
            Self::Afternoon => 13..21,
            Self::Evening => 18..24,
        };
        hours.start * 60..hours.end * 60
    }
}

/// A time of day in minutes; one before noon may be one after it, where nothing says which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hour {
    minutes: u16,
    is_sure: bool,
}

const HALF_A_DAY: u16 = 12 * 60;

impl Hour {
    /// One that is written as clocks show it: `09:30`.
    pub(crate) fn written(time: &str) -> Option<Self> {
        let minutes = minute(time)?;
        let is_sure = true;
        Some(Self { minutes, is_sure })
    }

    /// So many minutes later; nothing on another day.
    pub(crate) fn shifted(self, minutes: i16) -> Option<Self> {
        let minutes = self.minutes.checked_add_signed(minutes)?;
        let is_sure = true;
        (minutes < 2 * HALF_A_DAY).then_some(Self { minutes, is_sure })
    }

    /// The minutes of the day that it may be, the likelier first: by itself it is within a day's usual hours.
    pub(crate) fn minutes(self) -> Vec<u16> {
        /// Before it, a time by itself is of the afternoon.
        const DAY_BEGINS: u16 = 8 * 60;
        let Self { minutes, is_sure } = self;
        // A guest may have sent back anything.
        let minutes = minutes % (2 * HALF_A_DAY);
        let later = minutes + HALF_A_DAY;
        match minutes {
            _ if is_sure || minutes >= HALF_A_DAY => vec![minutes],
            0..DAY_BEGINS => vec![later, minutes],
            _ => vec![minutes, later],
        }
    }
}

/// What a message says of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Times {
    pub(crate) hour: Option<Hour>,
    pub(crate) part: Option<Part>,
    /// "Lo antes posible."
    pub(crate) is_earliest: bool,
    /// "Con quien sea."
    pub(crate) is_anyone: bool,
    /// "Da igual", of whatever was asked.
    pub(crate) is_open: bool,
    pub(crate) is_same_time: bool,
    pub(crate) is_same_day: bool,
    /// "El mismo lunes."
    pub(crate) is_same_weekday: bool,
    pub(crate) is_this_week: bool,
    pub(crate) is_next_week: bool,
    /// "El viernes que viene", which is not today.
    pub(crate) is_next: bool,
    /// "Después de las seis", "antes de las doce".
    pub(crate) after: Option<Hour>,
    pub(crate) before: Option<Hour>,
    /// "A primera hora", "a última hora".
    pub(crate) is_first_thing: bool,
    pub(crate) is_last_thing: bool,
    /// "¿Cuánto dura?"
    pub(crate) asks_length: bool,
    /// "Otra cita", beside one that there is.
    pub(crate) is_another: bool,
    /// "El mismo corte."
    pub(crate) is_same_thing: bool,
    /// "Al día siguiente" (1), "the day before" (-1).
    pub(crate) day_step: Option<i8>,
    /// "¿Cuánto cuesta?"
    pub(crate) asks_price: bool,
    /// "¿Qué citas tengo?", and not only of what is wanted.
    pub(crate) is_of_own: bool,
    /// "Dentro de dos semanas", "a week on Tuesday": with a weekday, one of which the first is that of this week.
    pub(crate) weeks: Option<u16>,
    /// "En tres días."
    pub(crate) days: Option<u16>,
    /// "Una hora más tarde": minutes from the time that was asked about, earlier where there are less than none.
    pub(crate) shift: Option<i16>,
}

impl Times {
    pub(crate) fn of(message: &str) -> Self {
        let times = List::Times.in_all();
        let said = List::spelled_out(words(&written(message)));
        let mut found = Self::default();
        let (mut at, mut behind) = (0, None);
        // Whether what follows takes the place of what is said before.
        let mut is_corrected = false;
        let way = way(times, &said);
        while at < said.len() {
            if let (Some(way), Some((minutes, words))) = (way, length(times, &said[at..])) {
                found.shift = Some(way * minutes);
                at += words;
                continue;
            }
            let is_wanted = found.hour.is_none() || is_corrected;
            // "No, make it 12."
            let ending =
                || behind_at(times, &said[at..]).filter(|(_, words)| at + words == said.len());
            let is_named = hour(times, &said[at..], is_wanted);
            if let Some((hour, words)) = is_named.or_else(|| is_corrected.then(ending).flatten()) {
                found.hour = Some(hour);
                is_corrected = false;
                at += words;
                behind = Some(at);
                continue;
            }
            let Some(phrase) = times.at(&said[at..]) else {
                at += 1;
                continue;
            };
            let behind_it = &said[at + phrase.words..];
            if let ("after" | "before", Some((hour, words))) =
                (phrase.key, behind_at(times, behind_it))
            {
                match phrase.key {
                    "after" => found.after = Some(hour),
                    _ => found.before = Some(hour),
                }
                at += phrase.words + words;
                continue;
            }
            if phrase.key == "same" {
                let is_weekday = is_weekday(behind_it);
                found.is_same_weekday |= is_weekday;
                found.is_same_thing |= !is_weekday;
            }
            // "Trabajo hasta las cinco."
            if let ("until", Some((_, words))) = (phrase.key, behind_at(times, behind_it)) {
                at += phrase.words + words;
                continue;
            }
            if phrase.key == "appointment" {
                let before = at.checked_sub(1).map(|before| said[before].as_str());
                let possessives = List::Markers.in_all();
                found.is_of_own |=
                    before.is_some_and(|word| possessives.stands(word, "possessive"));
            }
            if phrase.key == "in" {
                found.weeks = found.weeks.or_else(|| counted(times, behind_it, "weeks"));
                found.days = found.days.or_else(|| counted(times, behind_it, "days"));
            }
            let part = Part::ALL.iter().find(|(key, _)| *key == phrase.key);
            // "A las cinco de la tarde."
            if let (Some((_, part)), Some(hour)) = (part, found.hour.as_mut())
                && behind == Some(at)
            {
                *hour = of_part(*hour, *part);
            }
            if let (Some((_, part)), true) = (part, is_corrected) {
                found.hour = None;
                found.part = Some(*part);
            }
            found.part = part.map(|(_, part)| *part).or(found.part);
            match phrase.key {
                "earliest" => found.is_earliest = true,
                "anyone" => found.is_anyone = true,
                "open" => found.is_open = true,
                "same-time" => found.is_same_time = true,
                "same-day" => found.is_same_day = true,
                "this-week" => found.is_this_week = true,
                "next-week" => found.is_next_week = true,
                "next" => found.is_next = true,
                "first-thing" => found.is_first_thing = true,
                "last-thing" => found.is_last_thing = true,
                "another" => found.is_another = true,
                "how-long" => found.asks_length = true,
                "how-much" => found.asks_price = true,
                "day-after" => found.day_step = Some(1),
                "day-before" => found.day_step = Some(-1),
                "week-on" => found.weeks = Some(2),
                "same-both" => (found.is_same_day, found.is_same_time) = (true, true),
                "correction" => is_corrected = true,
                _ => {}
            }
            at += phrase.words.max(1);
        }
        // "Mañana por la tarde a las seis."
        if let (Some(hour), Some(part)) = (found.hour.as_mut(), found.part) {
            *hour = of_part(*hour, part);
        }
        found
    }

    /// The one number of a few words that may be a time, where one was asked about: "make it 6 instead".
    pub(crate) fn loose(message: &str) -> Option<Hour> {
        /// Most words of such a message.
        const WORDS: usize = 8;
        let times = List::Times.in_all();
        let said = words(&written(message));
        // "A" and "una" are no time by themselves.
        let is_number = |at: &usize| spelled(&said[*at]) != Some(1);
        let hours = (0..said.len()).filter(is_number);
        let mut hours = hours.filter_map(|at| behind_at(times, &said[at..]));
        let (hour, _) = hours.next()?;
        let is_only = said.len() <= WORDS && hour.minutes >= 60;
        is_only.then_some(hour)
    }

    /// A message that is nothing but a time, in answer to when: "10", "las diez", "diez y media".
    pub(crate) fn answer(message: &str) -> Option<Hour> {
        let times = List::Times.in_all();
        let said = words(&written(message));
        let skipped = times.at(&said).filter(|found| found.key == "at");
        let rest = &said[skipped.map_or(0, |found| found.words)..];
        let (hour, words) = behind_at(times, rest)?;
        (words == rest.len()).then_some(hour)
    }
}

/// How many of a unit some words say: "dos semanas", "3 days".
fn counted(times: &Phrases, said: &[String], unit: &str) -> Option<u16> {
    /// Farther away, people say dates.
    const MOST: u16 = 31;
    let first = said.first()?;
    let number = first.parse().ok().or_else(|| spelled(first))?;
    let found = times.at(said.get(1..)?)?;
    (found.key == unit && (1..=MOST).contains(&number)).then_some(number)
}

/// Whether words begin with a day of the week.
fn is_weekday(said: &[String]) -> bool {
    let found = List::Calendar.in_all().at(said);
    found.is_some_and(|found| Weekday::ALL.iter().any(|day| day.name() == found.key))
}

/// Whether a message says later (1) or earlier (-1) than something, and only one of both.
fn way(times: &Phrases, said: &[String]) -> Option<i16> {
    let is = |key: &str| {
        (0..said.len()).any(|at| times.at(&said[at..]).is_some_and(|found| found.key == key))
    };
    match (is("later"), is("sooner")) {
        (true, false) => Some(1),
        (false, true) => Some(-1),
        _ => None,
    }
}

/// The minutes of a stretch of time that begins some words, and how many of them it is: "una hora", "30 minutes".
fn length(times: &Phrases, said: &[String]) -> Option<(i16, usize)> {
    if let Some(half) = times.at(said).filter(|found| found.key == "half-hour") {
        return Some((30, half.words));
    }
    let first = said.first()?;
    let number: u16 = first.parse().ok().or_else(|| spelled(first))?;
    let unit = times.at(said.get(1..)?)?;
    let minutes = match unit.key {
        "hours" => number * 60,
        "minutes" => number,
        _ => return None,
    };
    let half = said.get(1 + unit.words..).and_then(|rest| times.at(rest));
    let half = half.filter(|found| found.key == "half");
    let minutes = minutes + half.map_or(0, |_| 30);
    let is_short = (1..=12 * 60).contains(&minutes);
    let words = 1 + unit.words + half.map_or(0, |found| found.words);
    Some((i16::try_from(minutes).ok()?, words)).filter(|_| is_short)
}

/// A time that is of a part of a day is before noon or after it: whichever lies in the part.
fn of_part(hour: Hour, part: Part) -> Hour {
    let within = part.minutes();
    let minutes = hour.minutes();
    match minutes.into_iter().find(|minutes| within.contains(minutes)) {
        Some(minutes) => Hour {
            minutes,
            is_sure: true,
        },
        None => hour,
    }
}

/// Times in figures as one word each: "17:30" and "17.30" as "17h30".
fn written(message: &str) -> String {
    let folded: Vec<char> = fold(message).chars().collect();
    let is_digit = |at: usize| folded.get(at).is_some_and(char::is_ascii_digit);
    let mut text = String::with_capacity(folded.len());
    for (at, c) in folded.iter().enumerate() {
        let is_within = at > 0 && is_digit(at - 1) && is_digit(at + 1) && is_digit(at + 2);
        let is_long = is_digit(at + 3) || (at > 2 && is_digit(at - 3));
        let is_mark = matches!(c, ':' | '.') && is_within && !is_long;
        text.push(if is_mark { 'h' } else { *c });
    }
    text
}

/// A time that begins some words, and how many of them it is.
fn hour(times: &Phrases, said: &[String], is_first: bool) -> Option<(Hour, usize)> {
    if !is_first {
        return None;
    }
    let first = said.first()?;
    // "17h30", "5pm"
    if first.len() > 2 || said.len() > 1 {
        let clock = figures(first).filter(|(_, is_whole)| *is_whole);
        if clock.is_some() || is_meridian(times, said.get(1..)?) {
            return behind_at(times, said);
        }
    }
    let found = times.at(said)?;
    match found.key {
        "twelve" => behind_at(times, said),
        "at" | "half" | "quarter" | "quarter-to" => {
            let rest = said.get(found.words..)?;
            if found.key == "at" {
                // "At half past ten."
                let fraction = times.at(rest);
                let fraction =
                    fraction.filter(|found| ["half", "quarter", "quarter-to"].contains(&found.key));
                if let Some(fraction) = fraction {
                    let (hour, words) = behind_at(times, rest.get(fraction.words..)?)?;
                    let hour = with_fraction(hour, fraction.key)?;
                    return Some((hour, found.words + fraction.words + words));
                }
                let (hour, words) = behind_at(times, rest)?;
                return Some((hour, found.words + words));
            }
            let (hour, words) = behind_at(times, rest)?;
            Some((with_fraction(hour, found.key)?, found.words + words))
        }
        _ => None,
    }
}

/// The time that some words begin with, which it is clear is one: "10", "diez y media", "5 pm".
fn behind_at(times: &Phrases, said: &[String]) -> Option<(Hour, usize)> {
    let first = said.first()?;
    if let Some(noon) = times.at(said).filter(|found| found.key == "twelve") {
        let (minutes, is_sure) = (HALF_A_DAY, true);
        return Some((Hour { minutes, is_sure }, noon.words));
    }
    let (minutes, is_whole) = match figures(first) {
        Some(figures) => figures,
        None => (spelled(first)? * 60, false),
    };
    let (mut minutes, mut at, mut is_sure) = (
        minutes,
        1,
        minutes > HALF_A_DAY || is_whole && first.starts_with('0'),
    );
    let with = Hour { minutes, is_sure };
    let fraction = said.get(at..).and_then(|rest| times.at(rest));
    let fraction = fraction.and_then(|found| Some((with_fraction(with, found.key)?, found.words)));
    if let Some((hour, words)) = fraction {
        minutes = hour.minutes;
        at += words;
    } else if let Some((more, words)) = more_minutes(said.get(at..)?) {
        minutes += more;
        at += words;
    }
    if let Some(meridian) = said.get(at..).and_then(|rest| times.at(rest)) {
        match meridian.key {
            "am" => {
                minutes %= HALF_A_DAY;
                is_sure = true;
                at += meridian.words;
            }
            "pm" => {
                minutes = minutes % HALF_A_DAY + HALF_A_DAY;
                is_sure = true;
                at += meridian.words;
            }
            _ => {}
        }
    }
    if first.ends_with("pm") {
        (minutes, is_sure) = (minutes % HALF_A_DAY + HALF_A_DAY, true);
    } else if first.ends_with("am") {
        (minutes, is_sure) = (minutes % HALF_A_DAY, true);
    }
    let is_hour = said
        .get(at)
        .is_some_and(|word| List::Calendar.in_all().stands(word, "hour"));
    let at = at + usize::from(is_hour);
    (minutes < 24 * 60).then_some((Hour { minutes, is_sure }, at))
}

/// "Y media", behind an hour or before it.
fn with_fraction(hour: Hour, key: &str) -> Option<Hour> {
    let minutes = match key {
        "half" => hour.minutes + 30,
        "quarter" => hour.minutes + 15,
        "quarter-to" => hour.minutes.checked_sub(15)?,
        _ => return None,
    };
    Some(Hour { minutes, ..hour })
}

/// "Treinta", "y veinte", behind an hour.
fn more_minutes(said: &[String]) -> Option<(u16, usize)> {
    let is_joint = said
        .first()
        .is_some_and(|word| List::Amounts.in_all().stands(word, "and"));
    let at = usize::from(is_joint);
    let word = said.get(at)?;
    let number = word.parse().ok().or_else(|| spelled(word))?;
    let is_five = |number: &u16| (5..60).contains(number) && number.is_multiple_of(5);
    Some((number, at + 1)).filter(|(number, _)| is_five(number))
}

/// The minutes of a time in figures, and whether it is one by itself: "17h30", "5pm", "10".
fn figures(word: &str) -> Option<(u16, bool)> {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (hour, rest) = word.split_at(digits);
    let hour: u16 = hour.parse().ok().filter(|hour| *hour <= 24)?;
    let minutes = match rest {
        "" => return Some((hour * 60, false)),
        "h" | "hs" | "hrs" | "am" | "pm" => 0,
        _ => {
            let rest = rest.strip_prefix('h')?;
            let rest = rest.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            rest.parse().ok().filter(|minutes| *minutes < 60)?
        }
    };
    Some((hour * 60 + minutes, true))
}

/// Whether words begin with what stands behind an hour and nothing else: "10 am".
fn is_meridian(times: &Phrases, said: &[String]) -> bool {
    let found = times.at(said);
    let is_hour = said
        .first()
        .is_some_and(|word| List::Calendar.in_all().stands(word, "hour"));
    is_hour || found.is_some_and(|found| matches!(found.key, "am" | "pm"))
}

fn spelled(word: &str) -> Option<u16> {
    let number = List::Numerals.in_all().at(&[word])?.key.parse().ok();
    number.filter(|number| *number <= 59)
}

#[cfg(test)]
mod tests;
