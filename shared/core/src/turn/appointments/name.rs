//! The name that an appointment is to be in.

use jiff::civil::Date;

use crate::{
    booking::Business,
    language::List,
    text::{CLOSING, fold, plain, words},
    understand::{day, hour::Times},
};

/// Most words of a name.
const NAME_WORDS: usize = 5;
/// What stands before a name and nothing else: "a nombre de".
const NAMED: &str = "named";
/// What stands before a name, or what somebody is: "soy".
const NAME: &str = "name";
/// What may stand before a name: "es", "para".
const MAYBE: [&str; 2] = [CALLED, "for"];
const CALLED: &str = "called";

/// The name that a message is, behind what may stand before one: in capitals, or without a word that is none of a name.
pub(super) fn name(message: &str) -> Option<String> {
    let said: Vec<&str> = message.split_whitespace().collect();
    let begun = |at: usize| behind_phrase(&said[at..]).map(|(words, _)| at + words);
    let from = (0..said.len()).find_map(begun).unwrap_or(0);
    let name = plain(&said[from..].join(" "));
    let name = name.trim_matches(|c: char| c.is_ascii_punctuation() || c == ' ');
    let is_word = |c: char| c.is_alphabetic() || " '’-.".contains(c);
    let parts: Vec<&str> = name.split_whitespace().collect();
    let is_small = |part: &&str| List::is_small(&fold(part));
    // "Ana de la Torre"; "mejor el viernes" is none.
    let is_written = parts.first().is_some_and(|part| is_capital(part))
        && parts.last().is_some_and(|part| is_capital(part))
        && parts.iter().all(|part| is_capital(part) || is_small(part));
    let is_name = is_written || !(says_time(name) || parts.iter().any(is_small));
    let is_short = (1..=NAME_WORDS).contains(&words(name).len());
    (is_name && is_short && name.chars().all(is_word)).then(|| name.to_owned())
}

/// The name that a message gives beside something else: "soy Ana Ruiz, quería cita", "el lunes a las 5, Ana Ruiz".
pub(super) fn given(message: &str, business: &Business) -> Option<String> {
    let introduced = introduced(message, business);
    let closing = closing(message, business);
    // "Se llama Marcos también, Marcos Peñalver."
    let is_fuller = |closing: &String| {
        let within = |name: &String| words(closing).starts_with(&words(name));
        introduced.as_ref().is_none_or(within)
    };
    closing.filter(is_fuller).or(introduced)
}

/// The name that is one clause of an answer to whose it is: "Nuria, ya te lo he dicho", "a las 11, Nuria".
pub(super) fn of_clause(message: &str, business: &Business) -> Option<String> {
    let mut clauses = message.split(CLOSING).map(str::trim);
    let found = clauses.find(|clause| {
        let parts: Vec<&str> = clause.split_whitespace().collect();
        let is_part = |part: &&str| is_capital(part) && part.chars().all(char::is_alphabetic);
        (1..=NAME_WORDS).contains(&parts.len())
            && parts.iter().all(is_part)
            && is_strange(clause, business)
    });
    found.map(str::to_owned)
}

/// The name behind what stands before one.
pub(super) fn introduced(message: &str, business: &Business) -> Option<String> {
    Some(introduction(message, business)?.1)
}

/// The words by which a name is introduced, and the name.
fn introduction<'m>(message: &'m str, business: &Business) -> Option<(Vec<&'m str>, String)> {
    let said: Vec<&str> = message.split_whitespace().collect();
    (0..said.len()).find_map(|at| {
        let (words, key) = behind_phrase(&said[at..])?;
        let rest = &said[at + words..];
        let name = leading(rest, key == NAMED);
        let full = name.split(' ').count() > 1;
        // "10.30, for Diane."
        let closes = |word: &&str| rest.len() == 1 || word.ends_with(CLOSING);
        let is_last = rest.first().is_some_and(closes) && key != CALLED;
        let may_be = (full || is_last) && is_strange(&name, business);
        let is_one = !MAYBE.contains(&key) || may_be;
        (is_one && !name.is_empty()).then(|| (said[at..at + words].to_vec(), name))
    })
}

/// A message without the name by which a customer introduces themselves, and what stands before it: it may be a day's, or somebody's who
/// works there, and "no nome de" is no "no".
pub(super) fn without_name(message: &str, business: &Business) -> String {
    match introduction(message, business) {
        Some((words, name)) => {
            let message = message.replacen(&name, " ", 1);
            message.replacen(&words.join(" "), " ", 1)
        }
        None => message.to_owned(),
    }
}

/// The name that some words begin with; one in small letters where it is sure that a name stands there.
fn leading(said: &[&str], is_sure: bool) -> String {
    let mut name: Vec<&str> = Vec::new();
    for (at, word) in said.iter().take(NAME_WORDS).enumerate() {
        let bare = bare(word);
        let next = said.get(at + 1);
        let joins = is_joint(word) && !name.is_empty() && next.is_some_and(|next| is_capital(next));
        // "Me llamo ana ruiz"; "se llama Ana también".
        let is_small = name.first().is_none_or(|first| !is_capital(first));
        let is_part = is_capital(bare) || joins || (is_sure && is_small && !is_listed(bare));
        if bare.is_empty() || !is_part {
            break;
        }
        name.push(bare);
        if !word.ends_with(bare) {
            break;
        }
    }
    name.join(" ")
}

/// The full name in capitals that a clause closes with, of words that are nothing else here but the first name of somebody there.
fn closing(message: &str, business: &Business) -> Option<String> {
    // In capitals throughout, none tell anything.
    if !message.chars().any(char::is_lowercase) {
        return None;
    }
    let mut clauses = message.split_inclusive(CLOSING);
    clauses.find_map(|clause| {
        if clause.ends_with('?') {
            return None;
        }
        let said: Vec<&str> = clause
            .trim_end_matches(CLOSING)
            .split_whitespace()
            .collect();
        let mut from = said.len();
        let is_shared = |word: &str| {
            let mut people = business.calendars.iter().flat_map(|one| words(&one.name));
            people.any(|own| words(word) == [own])
        };
        let is_part = |word: &str| {
            let is_strange = is_capital(word) && (is_strange(word, business) || is_shared(word));
            is_strange || is_joint(word)
        };
        while from > 0 && is_part(said[from - 1]) {
            from -= 1;
        }
        while from < said.len() && is_joint(said[from]) {
            from += 1;
        }
        let name = &said[from..];
        let capitals = name.iter().filter(|word| is_capital(word)).count();
        let is_somebody = name.iter().any(|word| is_capital(word) && !is_shared(word));
        let is_full = capitals > 1 && name.len() <= NAME_WORDS && is_somebody;
        let is_word = |c: char| c.is_alphabetic() || " '’-".contains(c);
        let name = name.join(" ");
        let is_ended = name.split(' ').next_back().is_some_and(is_capital);
        (is_full && is_ended && name.chars().all(is_word)).then_some(name)
    })
}

/// Whether some words are neither of the business nor of the language: what is left may be somebody's name.
fn is_strange(said: &str, business: &Business) -> bool {
    let services = business.services.iter().flat_map(|service| service.names());
    let branches = business.branches.iter().map(|branch| branch.name.as_str());
    let people = business.calendars.iter().map(|one| one.name.as_str());
    let own: Vec<String> = services
        .chain(branches)
        .chain(people)
        .flat_map(words)
        .collect();
    let is_known = |word: &String| own.contains(word) || is_listed(word);
    let mut parts = said.split_whitespace();
    !says_time(said) && parts.all(|part| is_joint(part) || !words(part).iter().any(is_known))
}

fn says_time(said: &str) -> bool {
    !day::dates(said, Date::constant(2000, 1, 1)).is_empty() || Times::of(said) != Times::default()
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// Whether a word joins the parts of a name: "de", "da", "van"; "y" joins two things.
fn is_joint(word: &str) -> bool {
    let folded = fold(word);
    let is_small = !is_capital(word) && List::Function.in_all().has(&folded);
    let markers = List::Markers.in_all();
    is_small
        && !["clause", "also"]
            .iter()
            .any(|key| markers.stands(&folded, key))
}

/// Whether a word is one of the language's own, and so most likely no name.
fn is_listed(word: &str) -> bool {
    let folded = fold(word);
    let lists = [List::Times, List::Calendar, List::Numerals, List::Markers];
    List::is_small(&folded)
        || lists
            .iter()
            .any(|list| list.in_all().at(&[&folded]).is_some())
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphabetic())
}

/// How many words a phrase has that begins some of a message and stands before a name, and its key.
fn behind_phrase(said: &[&str]) -> Option<(usize, &'static str)> {
    let folded: Vec<String> = said.iter().flat_map(|word| words(word)).collect();
    let found = List::Times.in_all().at(&folded)?;
    let keys = [NAMED, NAME].into_iter().chain(MAYBE);
    let key = keys.into_iter().find(|key| *key == found.key)?;
    let mut count = 0;
    let whole = said.iter().position(|word| {
        count += words(word).len();
        count == found.words
    })?;
    Some((whole + 1, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn salon() -> Business {
        let file = serde_json::json!({
            "id": "brisa", "business_name": "Salón Brisa", "time_zone": "Europe/Madrid", "currency": "EUR",
            "branches": [{"id": "ruzafa", "name": "Ruzafa", "address": "Calle del Peine, 8", "hours": {"monday": ["10:00-14:00"]}}],
            "categories": [{"id": "pelo", "name": "Pelo"}],
            "services": [{"id": "corte", "name": "Corte de mujer", "category": "pelo", "price": "29.00", "duration_minutes": 60}],
            "calendars": [{"id": "carmen", "name": "Carmen", "branch": "ruzafa", "offers": ["corte"]}]
        });
        Business::read(file.as_object().unwrap().clone()).unwrap()
    }

    #[test]
    fn names_are_told_from_what_else_is_said() {
        let salon = salon();
        for (message, as_answer, beside) in [
            ("Ana Ruiz", Some("Ana Ruiz"), Some("Ana Ruiz")),
            ("soy pepa", Some("pepa"), None),
            ("a nombre de Ana Ruiz, por favor", None, Some("Ana Ruiz")),
            ("a nombre de ana ruiz, por favor", None, Some("ana ruiz")),
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
            (
                "hi its Fiona Marsh, a cut on monday",
                None,
                Some("Fiona Marsh"),
            ),
            ("she's called Maureen Doyle", None, Some("Maureen Doyle")),
            ("it's for Monday", None, None),
            ("my name is Tom", Some("Tom"), Some("Tom")),
            ("Domingo Pérez Reyes", Some("Domingo Pérez Reyes"), None),
            ("Oi, sou a Rita", Some("Rita"), Some("Rita")),
            (
                "o nome dela é Fernanda Quaresma",
                None,
                Some("Fernanda Quaresma"),
            ),
            (
                "el lunes a las 5, Ana de la Torre",
                None,
                Some("Ana de la Torre"),
            ),
            (
                "sí, a nombre de mi madre, Dolores Rubio",
                None,
                Some("Dolores Rubio"),
            ),
            ("con Carmen el Lunes", None, None),
            (
                "se llama Carmen también, Carmen Peñalver",
                None,
                Some("Carmen Peñalver"),
            ),
            ("un Corte de Mujer", None, None),
            ("10.30, for Diane", None, Some("Diane")),
            ("a las 6 para Pilar", None, Some("Pilar")),
            ("now one for Beth, same day at 5", None, Some("Beth")),
            ("una cita para Mayo", None, None),
            ("for my husband. Not Carmen, but anyone", None, None),
            ("¿tenéis algo de Almudena Grandes?", None, None),
            ("a las 10", None, None),
        ] {
            assert_eq!(given(message, &salon).as_deref(), beside, "{message}");
            if as_answer.is_some() {
                assert_eq!(name(message).as_deref(), as_answer, "{message}");
            }
        }
        for (message, expected) in [
            ("Nuria, ya te lo he dicho", Some("Nuria")),
            ("a las 11, Nuria", Some("Nuria")),
            ("Bruna. e depois as unhas", Some("Bruna")),
            ("Hola, el lunes", None),
            ("Carmen, el lunes", None),
        ] {
            assert_eq!(of_clause(message, &salon).as_deref(), expected, "{message}");
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
