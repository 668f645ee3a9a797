//! The name that an appointment is to be in.

use jiff::civil::Date;

use crate::{
    language::List,
    text::{fold, plain, words},
    understand::{day, hour::Times},
};

/// Most words of a name.
const NAME_WORDS: usize = 5;

/// The name that a message is, behind what may stand before one: in capitals, or without a word that is none of a name.
pub(super) fn name(message: &str) -> Option<String> {
    let said: Vec<&str> = message.split_whitespace().collect();
    let begun = |at: usize| behind_phrase(&said[at..], &["name", "for"]).map(|words| at + words);
    let from = (0..said.len()).find_map(begun).unwrap_or(0);
    let name = plain(&said[from..].join(" "));
    let name = name.trim_matches(|c: char| c.is_ascii_punctuation() || c == ' ');
    let is_word = |c: char| c.is_alphabetic() || " '’-.".contains(c);
    let parts: Vec<&str> = name.split_whitespace().collect();
    let is_capital = |part: &&str| part.starts_with(char::is_uppercase);
    let is_small = |part: &&str| List::is_small(&fold(part));
    // "Ana de la Torre"; "mejor el viernes" is none.
    let is_written = parts.first().is_some_and(is_capital)
        && parts.last().is_some_and(is_capital)
        && parts.iter().all(|part| is_capital(part) || is_small(part));
    let says_time = !day::dates(name, Date::constant(2000, 1, 1)).is_empty()
        || Times::of(name) != Times::default();
    let is_name = is_written || !(says_time || parts.iter().any(is_small));
    let is_short = (1..=NAME_WORDS).contains(&words(name).len());
    (is_name && is_short && name.chars().all(is_word)).then(|| name.to_owned())
}

/// The name by which a customer introduces themselves beside something else, in capitals: "soy Ana Ruiz, quería cita".
pub(super) fn introduced(message: &str) -> Option<String> {
    let said: Vec<&str> = message.split_whitespace().collect();
    let begun = |at: usize| behind_phrase(&said[at..], &["name"]).map(|words| at + words);
    let from = (0..said.len()).find_map(begun)?;
    let mut name: Vec<&str> = Vec::new();
    for word in said[from..].iter().take(NAME_WORDS) {
        let bare = word.trim_matches(|c: char| !c.is_alphabetic());
        if !bare.starts_with(char::is_uppercase) {
            break;
        }
        name.push(bare);
        if !word.ends_with(bare) {
            break;
        }
    }
    let name = name.join(" ");
    (!name.is_empty()).then_some(name)
}

/// A message without the name by which a customer introduces themselves: it may be a day's, or somebody's who works there.
pub(super) fn without_name(message: &str) -> String {
    match introduced(message) {
        Some(name) => message.replacen(&name, " ", 1),
        None => message.to_owned(),
    }
}

/// How many words a phrase has that begins some of a message, of one of these keys.
fn behind_phrase(said: &[&str], keys: &[&str]) -> Option<usize> {
    let folded: Vec<String> = said.iter().flat_map(|word| words(word)).collect();
    let found = List::Times.in_all().at(&folded)?;
    let is_one = keys.contains(&found.key);
    let mut count = 0;
    let whole = said.iter().position(|word| {
        count += words(word).len();
        count == found.words
    })?;
    is_one.then_some(whole + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_what_else_is_said() {
        for (message, as_answer, beside) in [
            ("Ana Ruiz", Some("Ana Ruiz"), None),
            ("soy pepa", Some("pepa"), None),
            ("a nombre de Ana Ruiz, por favor", None, Some("Ana Ruiz")),
            (
                "Hola, soy Begoña Ferrer, quería cita",
                None,
                Some("Begoña Ferrer"),
            ),
            ("soy nueva, quiero cita", None, None),
            (
                "I'm Mary Smith and I need a haircut",
                None,
                Some("Mary Smith"),
            ),
            ("my name is Tom", Some("Tom"), Some("Tom")),
            ("Domingo Pérez Reyes", Some("Domingo Pérez Reyes"), None),
            ("Oi, sou a Rita", Some("Rita"), Some("Rita")),
            ("a las 10", None, None),
        ] {
            assert_eq!(introduced(message).as_deref(), beside, "{message}");
            if as_answer.is_some() {
                assert_eq!(name(message).as_deref(), as_answer, "{message}");
            }
        }
        for message in [
            "a las 10",
            "mejor el viernes",
            "espera un momento",
            "el lunes",
        ] {
            assert_eq!(name(message), None, "{message}");
        }
    }
}
