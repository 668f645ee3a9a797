//! A yes or a no, and what is neither.

use crate::{language::List, text::words};

/// Most words of a message that says yes or no.
const WORDS: usize = 6;

/// A message without the words of agreement that it begins with, and whether they turn something down: "no, el otro".
pub(super) fn without_agreement(message: &str) -> (Vec<String>, bool) {
    let agreement = List::Agreement.in_all();
    let (mut said, mut denies) = (words(message), false);
    while let Some(found) = agreement.at(&said) {
        denies |= found.key == "no";
        said.drain(..found.words.clamp(1, said.len()));
    }
    (said, denies)
}

/// Whether a message begins by turning something down.
pub(crate) fn denies(message: &str) -> bool {
    without_agreement(message).1
}

/// What a message says behind its yes or no.
pub(crate) fn behind_agreement(message: &str) -> String {
    without_agreement(message).0.join(" ")
}

/// Whether a message forbids what it speaks of: "no añadas Solaris", and not "no, añade Solaris". Only its beginning tells: further on,
/// the same word may deny nothing in another language, as in "no carrinho".
pub(crate) fn forbids(message: &str) -> bool {
    let agreement = List::Agreement.in_all();
    let said = words(message);
    let mut at = 0;
    while let Some(found) = agreement.at(&said[at..]) {
        if found.key == "no" {
            let first = message.split_once(',').map(|(first, _)| first);
            let is_set_off = first.is_some_and(|first| plainly(first) == Some(false));
            return !is_set_off && at + found.words < said.len();
        }
        at += found.words.max(1);
    }
    false
}

/// Whether a message says yes or no and nothing else: each of its words is one of agreement. Whoever asks back does neither, and
/// neither does whoever says both.
pub(crate) fn plainly(message: &str) -> Option<bool> {
    let agreement = List::Agreement.in_all();
    let said = words(message);
    if message.contains('?') || said.len() > WORDS {
        return None;
    }
    let (mut yes, mut no) = (message.contains('👍'), message.contains('👎'));
    let mut at = 0;
    while at < said.len() {
        let found = agreement.at(&said[at..])?;
        yes |= found.key == "yes";
        no |= found.key == "no";
        at += found.words.max(1);
    }
    (yes != no).then_some(yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yes_is_nothing_but_a_yes() {
        for message in [
            "sí",
            "vale, gracias",
            "sí, por favor",
            "Claro que sí",
            "yes please",
            "ok then",
            "pode ser, sim",
            "👍",
        ] {
            assert_eq!(plainly(message), Some(true), "{message}");
        }
        for message in [
            "no",
            "no, gracias",
            "por supuesto que no",
            "cancela",
            "definitely not",
            "of course not",
            "forget it",
            "com certeza não",
            "esquece",
        ] {
            assert_eq!(plainly(message), Some(false), "{message}");
        }
        for message in [
            "sí, cancela",
            "¿seguro?",
            "sí?",
            "yes, the second one",
            "yes later",
            "sí pero no",
            "sí, mañana",
            "coat",
            "huh",
            "yeah right",
            "venga ya",
            "si llega mañana sí",
            "gracias",
            "sí, dos",
            "",
        ] {
            assert_eq!(plainly(message), None, "{message}");
        }
    }

    #[test]
    fn who_forbids_wants_nothing_done() {
        for message in [
            "no añadas Solaris al carrito",
            "don't add Solaris",
            "please don't add Solaris",
            "não adicione Solaris ao carrinho",
        ] {
            assert!(forbids(message), "{message}");
        }
        for message in [
            "no, añade Solaris",
            "añade Solaris",
            "add Solaris",
            "põe Solaris no carrinho",
            "no",
        ] {
            assert!(!forbids(message), "{message}");
        }
    }
}
