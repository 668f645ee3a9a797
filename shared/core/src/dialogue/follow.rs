//! What goes on with a question about the shop: "¿y el sábado?", "and to Ibiza?".

use super::place::is_of_shown;
use crate::{language::List, text::words};

/// Most words of such a message.
const WORDS: usize = 6;

/// Whether a message goes on with the question before by its form, if that was about the shop: a few words behind an "and" that are
/// no name and nothing that was shown, but begin with a word that joins them to something.
pub(crate) fn goes_on(message: &str) -> bool {
    let [markers, function] = [List::Markers, List::Function].map(List::in_all);
    let said = words(message);
    let joint = markers.at(&said);
    let joint = joint.filter(|found| matches!(found.key, "clause" | "besides"));
    let Some(rest) = joint.and_then(|joint| said.get(joint.words..)) else {
        return false;
    };
    let joins = rest.first().is_some_and(|first| function.has(first));
    rest.len() > 1 && said.len() <= WORDS && joins && !is_of_shown(rest)
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
