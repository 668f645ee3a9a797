//! What goes on with a question about the shop: "¿y el sábado?", "and to Ibiza?".

use super::place::is_of_shown;
use crate::{language::List, text::words};

/// Most words of such a message.
const WORDS: usize = 6;

/// What of the list of days is none by itself.
const NO_DAYS: [&str; 8] = ["again", "at", "every", "first", "hour", "now", "on", "part"];

/// Whether a message goes on with the question before by its form, if that was about the shop: a few words behind an "and" that are
/// no name and nothing that was shown, but a day, or begin with a word that joins them to something.
pub(crate) fn goes_on(message: &str) -> bool {
    let [markers, function, calendar] =
        [List::Markers, List::Function, List::Calendar].map(List::in_all);
    let said = words(message);
    let joint = markers.at(&said);
    let joint = joint.filter(|found| matches!(found.key, "clause" | "besides"));
    let Some(rest) = joint.and_then(|joint| said.get(joint.words..)) else {
        return false;
    };
    let first = rest.first();
    let is_small = first.is_some_and(|first| {
        rest.len() > 1 && (function.has(first) || markers.stands(first, "negation"))
    });
    let day = calendar.at(rest);
    let is_day = day.is_some_and(|found| !NO_DAYS.contains(&found.key));
    said.len() <= WORDS && (is_small || is_day) && !is_of_shown(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_words_behind_an_and_go_on() {
        for message in [
            "¿y el sábado?",
            "¿y a Mallorca?",
            "and to Ibiza?",
            "e para o Porto?",
            "¿y con Bizum?",
            "e no domingo?",
            "e amanhã?",
            "¿y mañana?",
            "and without the receipt?",
            "¿y sin tique?",
        ] {
            assert!(goes_on(message), "{message}");
        }
        for message in [
            "",
            "y",
            "¿y Rayuela?",
            "¿y novelas de terror?",
            "¿y el segundo?",
            "and the second one?",
            "el sábado",
            "y a ver si me enseñas alguna novela de terror",
        ] {
            assert!(!goes_on(message), "{message}");
        }
    }
}
