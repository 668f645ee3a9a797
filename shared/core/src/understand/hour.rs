//! The time of day that is asked for, and what a message leaves open.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{
    language::{List, Phrases},
    shop::minute,
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
    /// "Dentro de dos semanas."
    pub(crate) weeks: Option<u16>,
}

impl Times {
    pub(crate) fn of(message: &str) -> Self {
        let times = List::Times.in_all();
        let said = words(&written(message));
        let mut found = Self::default();
        let (mut at, mut behind) = (0, None);
        while at < said.len() {
            if let Some((hour, words)) = hour(times, &said[at..], found.hour.is_none()) {
                found.hour = Some(hour);
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
            if phrase.key == "in" {
                found.weeks = found.weeks.or_else(|| weeks(times, behind_it));
            }
            let part = Part::ALL.iter().find(|(key, _)| *key == phrase.key);
            // "A las cinco de la tarde."
            if let (Some((_, part)), Some(hour)) = (part, found.hour.as_mut())
                && behind == Some(at)
            {
                *hour = of_part(*hour, *part);
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
        let mut hours = (0..said.len()).filter_map(|at| behind_at(times, &said[at..]));
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

/// How many weeks some words say: "dos semanas".
fn weeks(times: &Phrases, said: &[String]) -> Option<u16> {
    let first = said.first()?;
    let number = first.parse().ok().or_else(|| spelled(first))?;
    let unit = times.at(said.get(1..)?)?;
    (unit.key == "weeks" && (1..=8).contains(&number)).then_some(number)
}

/// A time that is of a part of a day is before noon or after it.
fn of_part(hour: Hour, part: Part) -> Hour {
    let minutes = hour.minutes % HALF_A_DAY;
    let later = minutes + HALF_A_DAY;
    let is_written = hour.is_sure && hour.minutes >= HALF_A_DAY;
    let minutes = match part {
        _ if is_written => hour.minutes,
        Part::Morning => minutes,
        Part::Noon if minutes >= 10 * 60 => minutes,
        Part::Noon | Part::Afternoon | Part::Evening => later,
    };
    Hour {
        minutes,
        is_sure: true,
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
    let (minutes, is_whole) = match figures(first) {
        Some(figures) => figures,
        None => (spelled(first)? * 60, false),
    };
    let (mut minutes, mut at, mut is_sure) = (
        minutes,
        1,
        minutes > HALF_A_DAY || is_whole && first.starts_with('0'),
    );
    let fraction = said.get(at..).and_then(|rest| times.at(rest));
    if let Some(fraction) = fraction {
        let with = Hour { minutes, is_sure };
        if let Some(hour) = with_fraction(with, fraction.key) {
            minutes = hour.minutes;
            at += fraction.words;
        }
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
mod tests {
    use super::*;
    use crate::shop::clock;

    fn shown(message: &str) -> String {
        let times = Times::of(message);
        let minutes = times.hour.map(Hour::minutes).unwrap_or_default();
        let minutes = minutes.iter().map(|minutes| clock(*minutes));
        let mut shown: Vec<String> = minutes.collect();
        shown.extend(times.part.map(|part| format!("{part:?}")));
        let bound = |name: &str, hour: Option<Hour>| {
            let minutes = hour.map(Hour::minutes)?.into_iter();
            let minutes = minutes.map(clock);
            Some(format!("{name} {}", minutes.collect::<Vec<_>>().join(" ")))
        };
        shown.extend(bound("after", times.after));
        shown.extend(bound("before", times.before));
        shown.extend(times.weeks.map(|weeks| format!("{weeks} weeks")));
        for (is, name) in [
            (times.is_earliest, "earliest"),
            (times.is_anyone, "anyone"),
            (times.is_open, "open"),
            (times.is_same_time, "same time"),
            (times.is_same_day, "same day"),
            (times.is_this_week, "this week"),
            (times.is_next_week, "next week"),
            (times.is_first_thing, "first thing"),
            (times.is_last_thing, "last thing"),
            (times.is_another, "another"),
            (times.asks_length, "how long"),
        ] {
            shown.extend(is.then(|| name.to_owned()));
        }
        shown.join(" ")
    }

    #[test]
    fn times_are_read_in_every_language() {
        for (message, expected) in [
            ("el viernes a las 10", "10:00 22:00"),
            ("a las seis", "18:00 06:00"),
            ("¿y a las seis y media?", "18:30 06:30"),
            ("a las 17:30", "17:30"),
            ("a las 9.15", "09:15 21:15"),
            ("a las 09:15", "09:15"),
            ("a las 5 de la tarde", "17:00 Afternoon"),
            ("a las nueve de la mañana", "09:00 Morning"),
            ("a las doce menos cuarto", "11:45 23:45"),
            ("a la una", "13:00 01:00"),
            ("sobre las once y veinte", "11:20 23:20"),
            ("mañana por la tarde a las 6", "18:00 Afternoon"),
            ("mañana por la mañana", "Morning"),
            ("mañana", ""),
            ("lo antes posible", "earliest"),
            ("con quien sea", "anyone"),
            ("mejor el jueves a la misma hora", "same time"),
            ("la semana que viene", "next week"),
            ("quiero 2 cortes", ""),
            ("el 8 de enero", ""),
            ("tengo 30 años", ""),
            ("friday at 10", "10:00 22:00"),
            ("at half past ten", "10:30 22:30"),
            ("at quarter to six", "17:45 05:45"),
            ("5pm", "17:00"),
            ("5:30 pm", "17:30"),
            ("10 am on Monday", "10:00"),
            ("tomorrow afternoon", "Afternoon"),
            ("as soon as possible with anyone", "earliest anyone"),
            ("às 15h", "15:00"),
            ("às dez e meia", "10:30 22:30"),
            ("às 10 da manhã", "10:00 Morning"),
            ("sexta à tarde", "Afternoon"),
            ("às 18h30", "18:30"),
            ("ao meio-dia", "Noon"),
            ("tanto faz", "open"),
            ("depois das 18", "after 18:00"),
            ("después de las seis", "after 18:00 06:00"),
            ("before noon", "Noon"),
            ("antes de las 12", "before 12:00"),
            ("el 9 a primera hora", "first thing"),
            ("a última hora", "last thing"),
            ("dentro de dos semanas", "2 weeks"),
            ("in 3 weeks", "3 weeks"),
            ("otra para su hermana", "another"),
            ("¿y cuánto dura?", "how long"),
            ("how long does it take?", "how long"),
            ("quanto tempo demora?", "how long"),
        ] {
            assert_eq!(shown(message), expected, "{message}");
        }
        for (message, expected) in [
            ("10", Some(vec![600, 1320])),
            ("las diez", Some(vec![600, 1320])),
            ("diez y media", Some(vec![630, 1350])),
            ("17:30", Some(vec![1050])),
            ("Rayuela", None),
            ("10 cortes", None),
        ] {
            let answer = Times::answer(message).map(Hour::minutes);
            assert_eq!(answer, expected, "{message}");
        }
    }
}
