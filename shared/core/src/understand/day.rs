//! The days that a question about opening hours asks for.

use jiff::civil::Date;

use crate::{
    language::{List, Phrases},
    shop::Weekday,
    text::words,
    understand::hour::Times,
};

/// A day that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Day {
    Now,
    /// The next that is open.
    Next,
    On(Date),
    /// The same day of every week.
    Every(Weekday),
}

/// The dates that a message names, in its order, as seen from `today`; where it names only days of every week, the next of each.
pub(crate) fn dates(message: &str, today: Date) -> Vec<Date> {
    let days = named(message, today).days;
    let dates = days.iter().filter_map(|day| match day {
        Day::On(date) => Some(*date),
        Day::Every(_) | Day::Now | Day::Next => None,
    });
    let dates: Vec<Date> = dates.collect();
    if !dates.is_empty() {
        return dates;
    }
    let days = days.into_iter().filter_map(|day| match day {
        Day::Every(weekday) => Some(next_of(weekday, today)),
        Day::On(_) | Day::Now | Day::Next => None,
    });
    days.collect()
}

/// Most days that one question asks for.
const DAYS_MAX: usize = 3;

/// The days that a question asks for, in its order, as seen from `today`; none where it asks for none.
pub(crate) fn days(question: &str, today: Date) -> Vec<Day> {
    let Named {
        mut days,
        is_now,
        is_next,
    } = named(question, today);
    days.truncate(DAYS_MAX);
    if days.is_empty() {
        // "At eight" is today's.
        let is_timed = Times::of(question).hour.is_some();
        let near = [
            (is_next, Day::Next),
            (is_timed, Day::On(today)),
            (is_now, Day::Now),
        ];
        let near = near.into_iter().find(|(is, _)| *is);
        days.extend(near.map(|(_, day)| day));
    }
    days
}

/// The days that a message names, and whether it says that now is meant, or the next time.
#[derive(Default)]
struct Named {
    days: Vec<Day>,
    is_now: bool,
    is_next: bool,
}

fn named(question: &str, today: Date) -> Named {
    let [calendar, markers] = [List::Calendar, List::Markers].map(List::in_all);
    let said = List::spelled_out(words(question));
    let mut days = written(question, today);
    let (mut is_now, mut is_next, mut at) = (false, false, 0);
    // Where the words behind a weekday begin that stands alone.
    let mut weekday_to = None;
    while at < said.len() {
        let rest = &said[at..];
        // "El 24 de diciembre, y el 26": a day goes on from the one before.
        let from = match days.last() {
            Some(Day::On(date)) => *date,
            _ => today,
        };
        // "Antes del 24, el viernes 18" goes back.
        let date = dated(&said, at, from).or_else(|| dated(&said, at, today));
        // "El jueves 24 de diciembre" is one day.
        let is_of_weekday = |to: usize| said[to..at].iter().all(|word| small(word));
        if date.is_some() && weekday_to.take().is_some_and(is_of_weekday) {
            days.pop();
        }
        let Some(found) = date.or_else(|| plain(&said, at, today)) else {
            let found = calendar.at(rest);
            match found.map(|found| found.key) {
                Some("again") => is_next = true,
                Some("now") => is_now = true,
                _ => {}
            }
            at += found.map_or(1, |found| found.words.max(1));
            continue;
        };
        // "De lunes a viernes" is the whole week.
        let is_range = |to: usize| at == to + 1 && markers.stands(&said[to], "to");
        if found.is_weekday && weekday_to.take().is_some_and(is_range) {
            return Named::default();
        }
        at += found.words;
        weekday_to = found.is_weekday.then_some(at);
        days.extend(found.days);
    }
    days.dedup();
    Named {
        days,
        is_now,
        is_next,
    }
}

/// What stands at a place of the words.
struct Found {
    days: Vec<Day>,
    words: usize,
    is_weekday: bool,
}

impl Found {
    fn one(day: Day, words: usize) -> Self {
        Self {
            days: vec![day],
            words,
            is_weekday: false,
        }
    }
}

/// Dates in figures alone: "24/12", "2026-12-24".
fn written(question: &str, today: Date) -> Vec<Day> {
    /// Around the clock.
    const ALWAYS: &str = "24/7";
    let pieces = question.split(|c: char| c.is_whitespace() || "¿?¡!,;()".contains(c));
    let pieces = pieces.map(|piece| piece.trim_end_matches('.'));
    let dates = pieces.filter(|piece| *piece != ALWAYS).filter_map(|piece| {
        if let Ok(date) = piece.parse::<Date>() {
            return Some(date);
        }
        let mut parts = piece.split('/').map(str::parse::<i16>);
        let mut part = || parts.next()?.ok();
        let (first, second, year) = (part()?, part()?, part());
        let [first, second] = [first, second].map(i8::try_from);
        // The day comes first, unless it cannot be.
        [(second, first), (first, second)]
            .into_iter()
            .find_map(|(month, day)| {
                let (month, day) = (month.ok()?, day.ok()?);
                match year {
                    // "26" is of this century.
                    Some(year @ 0..100) => Date::new(2_000 + year, month, day).ok(),
                    Some(year) => Date::new(year, month, day).ok(),
                    None => coming(month, day, today),
                }
            })
    });
    dates.map(Day::On).collect()
}

/// A day of a month, with the month or without: "24 de diciembre", "December the 24th", "el 8".
fn dated(said: &[String], at: usize, today: Date) -> Option<Found> {
    let calendar = List::Calendar.in_all();
    let is_small = |at: usize| said.get(at).is_some_and(|word| small(word));
    // What stands between a number and its month.
    let after = |at: usize| if is_small(at) { at + 1 } else { at };
    let month_at = |at: usize| {
        let found = calendar.at(said.get(at..)?)?;
        MONTHS.iter().position(|month| *month == found.key)
    };
    let number_of = |month: usize| i8::try_from(month + 1).ok();
    // "El lunes 11", where that is a Monday.
    if let Some((day_of_week, words, _)) = weekday(calendar, &said[at..])
        && let Some(day) = said.get(at + words).and_then(|word| day_number(word))
        && !said
            .get(at + words + 1)
            .is_some_and(|word| is_minutes(word))
        && let Some(date) = next_of_day(day, today)
        && Weekday::of(date) == day_of_week
        && month_at(after(at + words + 1)).is_none()
    {
        return Some(Found::one(Day::On(date), words + 1));
    }
    // "Uno de enero."
    let one = |word: &String| (spelled(word) == Some(1) && word.len() > 2).then_some(1);
    let number = |word: &String| day_number(word).or_else(|| one(word));
    if let Some(day) = said.get(at).and_then(number) {
        let month = month_at(after(at + 1)).map(|month| (month, after(at + 1)));
        let month = month.or_else(|| Some((month_at(after(after(at + 1)))?, after(after(at + 1)))));
        if let Some((month, month_at)) = month {
            let date = coming(number_of(month)?, day, today)?;
            return Some(Found::one(Day::On(date), month_at + 1 - at));
        }
    }
    if let Some(month) = month_at(at) {
        let (day, at_day) = [at + 1, after(at + 1)].into_iter().find_map(|at| {
            let day = said.get(at).and_then(|word| day_number(word))?;
            Some((day, at))
        })?;
        let date = coming(number_of(month)?, day, today)?;
        return Some(Found::one(Day::On(date), at_day + 1 - at));
    }
    // "El 8", and not "the 8 shops".
    let on = calendar.at(&said[at..]);
    let on = on.filter(|found| found.key == "on" || found.key == "on-day")?;
    let at_day = at + on.words;
    let word = said.get(at_day)?;
    let day = day_number(word)?;
    // "El día 21, corte", "the 21st with Ana".
    let is_said = on.key == "on-day" || is_ordinal(word);
    let is_alone = is_said || at_day + 1 == said.len() || is_small(at_day + 1);
    let is_of_month = month_at(after(at_day + 1)).is_some();
    let date = (is_alone && !is_of_month)
        .then(|| next_of_day(day, today))
        .flatten()?;
    Some(Found::one(Day::On(date), at_day + 1 - at))
}

/// A weekday, a holiday, or a day by where it is from today.
fn plain(said: &[String], at: usize, today: Date) -> Option<Found> {
    let calendar = List::Calendar.in_all();
    let rest = &said[at..];
    let every = calendar.at(rest).filter(|found| found.key == "every");
    let behind = every.map_or(at, |every| at + every.words);
    if let Some((weekday, words, is_plural)) = weekday(calendar, said.get(behind..)?) {
        let is_every = every.is_some() || is_plural;
        let date = next_of(weekday, today);
        // "Tuesday week", "el martes en ocho".
        let next = said
            .get(behind + words..)
            .and_then(|rest| calendar.at(rest));
        if let Some(next) = next.filter(|next| next.key == "week-behind" && !is_every) {
            let later = date.checked_add(jiff::Span::new().weeks(1)).ok()?;
            return Some(Found::one(Day::On(later), behind + words + next.words - at));
        }
        let day = match is_every {
            true => Day::Every(weekday),
            false => Day::On(date),
        };
        return Some(Found {
            is_weekday: matches!(day, Day::On(_)),
            ..Found::one(day, behind + words - at)
        });
    }
    let found = calendar.at(rest)?;
    let after = |days: i8| {
        let date = (0..days).try_fold(today, |date, _| date.tomorrow().ok());
        date.map(|date| vec![Day::On(date)])
    };
    let days = match found.key {
        "today" => after(0)?,
        "tomorrow" => after(1)?,
        "after-tomorrow" => after(2)?,
        "in-a-week" => after(7)?,
        "weekend" => [Weekday::Saturday, Weekday::Sunday]
            .map(|weekday| Day::On(next_of(weekday, today)))
            .to_vec(),
        key => {
            let (month, day) = key.split_once('-')?;
            let date = coming(month.parse().ok()?, day.parse().ok()?, today)?;
            vec![Day::On(date)]
        }
    };
    Some(Found {
        days,
        words: found.words,
        is_weekday: false,
    })
}

/// The weekday that begins some words, how many of them it is, and whether it is one of every week: "sábados".
fn weekday(calendar: &Phrases, said: &[String]) -> Option<(Weekday, usize, bool)> {
    let of_key = |key: &str| Weekday::ALL.into_iter().find(|day| day.name() == key);
    let at = |said: &[String]| {
        let found = calendar.at(said)?;
        Some((of_key(found.key)?, found.words))
    };
    if let Some((day, words)) = at(said) {
        return Some((day, words, false));
    }
    let one = said.first()?.strip_suffix('s')?.to_owned();
    let (day, words) = at(&[one])?;
    Some((day, words, true))
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Whether a word says nothing by itself: "de", "the".
fn small(word: &str) -> bool {
    List::Function.in_all().has(word)
}

/// The number of a day of a month: "24", "24th", "ocho", "primero".
fn day_number(word: &str) -> Option<i8> {
    let (digits, ending) =
        word.split_at(word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len());
    // "12h" is a time.
    if ending.starts_with('h') {
        return None;
    }
    let spelled = || match List::Calendar.in_all().stands(word, "first") {
        true => Some(1),
        // "A", "un" and "one" are no day by themselves.
        false => spelled(word).filter(|number| *number > 1),
    };
    let number = digits.parse().ok().or_else(spelled)?;
    (1..=31).contains(&number).then_some(number)
}

/// Whether a number has an ending that says its place: "21st".
fn is_ordinal(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(char::is_alphabetic)
}

/// Two figures, which stand behind an hour: "sábado 12:05".
fn is_minutes(word: &str) -> bool {
    word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn spelled(word: &str) -> Option<i8> {
    List::Numerals.in_all().at(&[word])?.key.parse().ok()
}

/// The next such day from `today` on.
fn coming(month: i8, day: i8, today: Date) -> Option<Date> {
    // A leap day may be eight years away.
    let years = (0..=8).filter_map(|years| today.year().checked_add(years));
    let mut dates = years.filter_map(|year| Date::new(year, month, day).ok());
    dates.find(|date| *date >= today)
}

/// The next day of that number, in this month or a later one.
fn next_of_day(day: i8, today: Date) -> Option<Date> {
    let this = (0..12).map(|months| (today.month() - 1 + months) % 12 + 1);
    this.filter_map(|month| coming(month, day, today)).min()
}

/// The next such weekday, today included.
fn next_of(weekday: Weekday, today: Date) -> Date {
    let week = std::iter::successors(Some(today), |date| date.tomorrow().ok());
    let mut week = week.take(Weekday::ALL.len());
    week.find(|date| Weekday::of(*date) == weekday)
        .unwrap_or(today)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_are_found_in_every_language() {
        // A Wednesday.
        let today = date(2026, 12, 2);
        let on = |month, day| vec![Day::On(date(2026, month, day))];
        let cases = [
            ("¿abrís el sábado?", on(12, 5)),
            ("¿abrís hoy, miércoles?", on(12, 2)),
            ("¿abrís los sábados?", vec![Day::Every(Weekday::Saturday)]),
            ("¿abrís los lunes?", vec![Day::Every(Weekday::Monday)]),
            ("¿y el lunes?", on(12, 7)),
            ("¿a qué hora abrís mañana por la mañana?", on(12, 3)),
            ("¿abrís por la mañana?", vec![]),
            ("¿abrís pasado mañana?", on(12, 4)),
            ("¿abrís de hoy en ocho?", on(12, 9)),
            ("r u open tmrw?", on(12, 3)),
            ("Tuesday week", on(12, 15)),
            ("el martes en ocho", on(12, 15)),
            ("abrem na 3a feira?", on(12, 8)),
            ("¿abrís el 24 de diciembre?", on(12, 24)),
            ("¿y el veinticuatro de diciembre?", on(12, 24)),
            ("¿abrís el 8?", on(12, 8)),
            ("el lunes 14 a las 10:30", on(12, 14)),
            ("el lunes 10 de la mañana", on(12, 7)),
            ("Tuesday the 8th", on(12, 8)),
            ("sábado 12:05", on(12, 5)),
            ("terça 8h", on(12, 8)),
            ("dia 21, corte", on(12, 21)),
            (
                "antes del 24. El viernes 18 por ejemplo",
                vec![Day::On(date(2026, 12, 24)), Day::On(date(2026, 12, 18))],
            ),
            ("sábado 12h", on(12, 5)),
            ("¿abrís en Nochebuena?", on(12, 24)),
            ("¿abrís el jueves 24 de diciembre?", on(12, 24)),
            ("are you open on Thursday, December 24th?", on(12, 24)),
            ("abrem na quinta-feira, 24 de dezembro?", on(12, 24)),
            ("¿abrís el 25/12/26?", on(12, 25)),
            ("¿abrís el uno de enero?", vec![Day::On(date(2027, 1, 1))]),
            ("¿abrís de lunes a viernes?", vec![]),
            ("open Monday to Friday?", vec![]),
            ("abrem de segunda a sexta?", vec![]),
            ("will you open again on Saturday?", on(12, 5)),
            ("¿abrís el 24/12/2027?", vec![Day::On(date(2027, 12, 24))]),
            ("abrís el 24/12.", on(12, 24)),
            ("are you open 24/7?", vec![]),
            ("may a friend pick it up?", vec![]),
            ("is the one in Gran Vía open now?", vec![Day::Now]),
            (
                "¿abrís el 24 de diciembre? ¿y el 26?",
                vec![Day::On(date(2026, 12, 24)), Day::On(date(2026, 12, 26))],
            ),
            ("¿llego si salgo a las ocho?", on(12, 2)),
            ("I get off work at 8, will I make it?", on(12, 2)),
            ("can I come by at 3pm tomorrow?", on(12, 3)),
            ("saio às 20h, ainda dá tempo?", on(12, 2)),
            ("¿abrís el día de Reyes?", vec![Day::On(date(2027, 1, 6))]),
            (
                "¿abrís el primero de enero?",
                vec![Day::On(date(2027, 1, 1))],
            ),
            ("¿abrís el 24/12?", on(12, 24)),
            ("¿estáis abiertos ahora?", vec![Day::Now]),
            ("¿cuándo volvéis a abrir?", vec![Day::Next]),
            ("horario", vec![]),
            (
                "¿abrís el fin de semana?",
                vec![Day::On(date(2026, 12, 5)), Day::On(date(2026, 12, 6))],
            ),
            ("are you open on Saturday?", on(12, 5)),
            ("are you open Sundays?", vec![Day::Every(Weekday::Sunday)]),
            ("open December 24th?", on(12, 24)),
            ("on the 24th of December?", on(12, 24)),
            ("may I come on the 8th?", on(12, 8)),
            ("12/24?", on(12, 24)),
            ("till when today?", on(12, 2)),
            ("when do you open again?", vec![Day::Next]),
            ("are you open right now?", vec![Day::Now]),
            ("abrem no sábado?", on(12, 5)),
            ("abrem às segundas?", vec![Day::Every(Weekday::Monday)]),
            ("abrem na segunda-feira?", on(12, 7)),
            ("abrem aos domingos?", vec![Day::Every(Weekday::Sunday)]),
            ("abrem no dia 8?", on(12, 8)),
            ("quando voltam a abrir?", vec![Day::Next]),
        ];
        for (question, expected) in cases {
            assert_eq!(days(question, today), expected, "{question}");
        }
    }

    #[test]
    fn a_day_of_no_month_is_none() {
        let today = date(2026, 12, 2);
        for question in [
            "el 31 de febrero",
            "0/0",
            "99/99",
            "el 32",
            "2026-13-45",
            "2026-02-30",
        ] {
            assert_eq!(days(question, today), [], "{question}");
        }
        let leap = date(2028, 2, 29);
        assert_eq!(days("29 de febrero", today), [Day::On(leap)]);
    }

    /// What nothing was fitted to: `now`, `next`, `all`, a date, the name of a weekday, or `weekend`.
    #[test]
    fn most_of_the_judged_questions_are_understood() {
        let name = |days: &[Day]| match days {
            [] => "all".to_owned(),
            [Day::Now] => "now".to_owned(),
            [Day::Next] => "next".to_owned(),
            [Day::On(date)] => date.to_string(),
            [Day::Every(weekday)] => weekday.name().to_owned(),
            [Day::On(_), Day::On(_)] => "weekend".to_owned(),
            other => format!("{other:?}"),
        };
        let judged = include_str!("day/judged.jsonl").lines().map(|line| {
            let judged: serde_json::Value = serde_json::from_str(line).unwrap();
            ["say", "asks"].map(|member| judged[member].as_str().unwrap().to_owned())
        });
        let misses = judged.filter(|[say, asks]| name(&days(say, date(2026, 12, 2))) != *asks);
        let misses: Vec<_> = misses.collect();
        assert!(misses.len() <= 8, "{} of 60: {misses:#?}", misses.len());
    }
}
