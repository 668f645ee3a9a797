//! A message by its clauses: what it denies, what it takes back, and what of it is of one wish.

use jiff::civil::Date;

use super::names::{services, telling};
use crate::{
    booking::{Business, Service},
    language::List,
    text::{CLOSING, fold, is_same, words},
    understand::{day, hour::Times},
};

/// The dates that a message means: "el lunes no puedo, mejor el miércoles" is one.
pub(super) fn dates(message: &str, today: Date) -> Vec<Date> {
    let mut all = day::dates(message, today);
    // "De hoy en ocho, el viernes" is one day.
    let named = all.clone();
    all.retain(|date| {
        let mut later = named.iter().filter(|other| *other > date);
        !later.any(|later| later.weekday() == date.weekday())
    });
    if all.len() < 2 {
        return all;
    }
    let kept = day::dates(&affirmed(message), today);
    if kept.is_empty() { all } else { kept }
}

/// The times that a message means: "a las diez no puedo, a las once" is one.
pub(super) fn times(message: &str) -> Times {
    let all = Times::of(message);
    let kept = Times::of(&affirmed(message));
    if kept.hour.is_none() {
        return all;
    }
    Times {
        hour: kept.hour,
        part: kept.part,
        ..all
    }
}

/// A message without what something is to take the place of: "en vez de la manicura".
pub(super) fn without_instead(message: &str) -> String {
    /// Words behind it that say what: "de la manicura".
    const WORDS: usize = 2;
    let said: Vec<&str> = message.split_whitespace().collect();
    let folded: Vec<String> = said.iter().map(|word| words(word).join(" ")).collect();
    let found = (0..said.len()).find_map(|at| {
        let found = List::Times.in_all().at(&folded[at..])?;
        (found.key == "instead-of").then_some((at, found.words))
    });
    let Some((at, words)) = found else {
        return message.to_owned();
    };
    let mut end = at + words;
    let small = |at: usize| folded.get(at).is_some_and(|word| List::is_small(word));
    let most = end + WORDS + usize::from(small(end));
    while end < said.len() && end < most && !said[end - 1].ends_with(CLOSING) {
        end += 1;
        if !small(end - 1) {
            break;
        }
    }
    [&said[..at], &said[end..]].concat().join(" ")
}

/// The part of a message that is of one service, where another part is of another: "una manicura a las diez y un corte a las once".
pub(super) fn first_wish<'m>(message: &'m str, business: &Business) -> Option<&'m str> {
    let [markers, times] = [List::Markers, List::Times].map(List::in_all);
    let mut parts: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    let mut at = 0;
    for word in message.split_inclusive(char::is_whitespace) {
        let bare = word.trim();
        if at > from && markers.stands(&fold(bare), "clause") {
            parts.push((from, at));
            from = at;
        }
        at += word.len();
        if bare.ends_with(CLOSING) {
            parts.push((from, at));
            from = at;
        }
    }
    parts.push((from, message.len()));
    let is_changed = |text: &str| {
        let said = List::spelled_out(words(text));
        (0..said.len()).any(|at| {
            let found = times.at(&said[at..]);
            let is_changed =
                found.is_some_and(|found| ["correction", "instead-of"].contains(&found.key));
            is_changed
                || ["negation", "either"]
                    .iter()
                    .any(|key| markers.stands(&said[at], key))
        })
    };
    if is_changed(message) {
        return None;
    }
    let mut first: Option<&Service> = None;
    for (from, to) in parts {
        let part = &message[from..to];
        let [service] = services(part, business)[..] else {
            continue;
        };
        // "Señorita" is no "corte de señora".
        let said = words(part);
        let is_head = |name: &str| {
            let head = telling(name).into_iter().next();
            head.is_some_and(|head| said.iter().any(|word| is_same(word, &head)))
        };
        if !service.names().any(is_head) {
            continue;
        }
        match first {
            None => first = Some(service),
            Some(first) if first.id != service.id => return Some(&message[..from]),
            Some(_) => {}
        }
    }
    None
}

/// A message without its clauses that deny something.
fn affirmed(message: &str) -> String {
    let markers = List::Markers.in_all();
    let mut parts = vec![String::new()];
    for word in message.split_whitespace() {
        let begins = markers.stands(&fold(word), "clause");
        if begins {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(word);
            part.push(' ');
        }
        if word.ends_with(CLOSING) {
            parts.push(String::new());
        }
    }
    let denies = |part: &&String| {
        let said = List::spelled_out(words(part));
        let denial = said
            .iter()
            .position(|word| markers.stands(word, "negation"));
        // "No, mejor el martes" begins anew.
        let behind = denial.map(|at| List::Times.in_all().at(&said[at + 1..]));
        behind.is_some_and(|found| found.is_none_or(|found| found.key != "correction"))
    };
    let kept = parts.iter().filter(|part| !denies(part));
    kept.map(String::as_str).collect()
}
