//! A yes or a no, and what is neither.

use crate::{
    language::{Language, List},
    text::words,
};

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

/// Whether a message in `language` forbids what it speaks of: "no añadas Solaris", and not "no, añade Solaris". In another language
/// the same word may deny nothing: "no carrinho".
pub(crate) fn forbids(message: &str, language: Language) -> bool {
    let agreement = language.phrases(List::Agreement);
    let said = words(message);
    let mut denials = (0..said.len()).filter(|at| {
        let found = agreement.at(&said[*at..]);
        found.is_some_and(|found| found.key == "no")
    });
    let first = message.trim_start_matches(['¿', '¡', ' ']).split_once(',');
    let is_set_off = first.is_some_and(|(first, _)| plainly(first) == Some(false));
    denials.nth(usize::from(is_set_off)).is_some()
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
        for (tag, message, forbidden) in [
            ("es", "no añadas Solaris al carrito", true),
            ("en", "don't add Solaris", true),
            ("pt", "não adicione Solaris ao carrinho", true),
            ("es", "no, añade Solaris", false),
            ("es", "añade Solaris", false),
            ("en", "add Solaris", false),
            ("pt", "põe Solaris no carrinho", false),
        ] {
            let language = Language::all().find(|language| language.tag() == tag);
            let forbids = forbids(message, language.unwrap());
            assert_eq!(forbids, forbidden, "{message}");
        }
    }
}
