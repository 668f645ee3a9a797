//! A yes or a no, and what is neither.

use crate::{language::List, text::words, understand::Change};

/// Most words of a message that says yes or no.
const WORDS: usize = 6;

/// Whether a phrase of agreement turns something down: "no", "olvídalo", and "ya no quiero", which may be why something is to go.
fn turns_down(key: &str) -> bool {
    ["drop", "no", "unwanted"].contains(&key)
}

/// A message without the words of agreement that it begins with, and whether they turn something down: "no, el otro".
pub(super) fn without_agreement(message: &str) -> (Vec<String>, bool) {
    let agreement = List::Agreement.in_all();
    let (mut said, mut denies) = (words(message), false);
    while let Some(found) = agreement.at(&said) {
        denies |= turns_down(found.key);
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

/// What a message says behind its yes, where that names nothing by itself: "add it" of "ok great, yes, add it". Whether that is what was
/// asked about, the caller sees.
pub(crate) fn agrees_to(message: &str) -> Option<String> {
    let agreement = List::Agreement.in_all();
    let mut rest = words(message);
    let mut says_yes = false;
    while let Some(found) = agreement.at(&rest).filter(|found| !turns_down(found.key)) {
        says_yes |= found.key == "yes";
        rest.drain(..found.words.clamp(1, rest.len()));
    }
    let references = List::References.in_all();
    let is_beside = |word: &String| match references.at(&[word]) {
        // "El otro" is another one.
        Some(found) => matches!(found.key, "beside" | "that" | "rather"),
        None => List::Light.in_all().has(word) || super::is_of_change(word),
    };
    // "Sí, cancélalo" of what is to be cancelled.
    let says_nothing_else = drops(&rest.join(" ")) || rest.iter().all(is_beside);
    let is_one = !message.contains('?') && (1..=WORDS).contains(&rest.len());
    (says_yes && is_one && says_nothing_else).then(|| rest.join(" "))
}

/// Whether a message is nothing but words that leave something: "cancélalo".
pub(crate) fn drops(message: &str) -> bool {
    let (agreement, said) = (List::Agreement.in_all(), words(message));
    let found = agreement.at(&said);
    found.is_some_and(|found| found.key == "drop" && found.words == said.len())
}

/// Whether a message forbids what it speaks of: "no añadas Solaris", and not "no, añade Solaris"; what is not wanted any more is not to
/// be added, and may be taken out. Only its beginning tells: further on, the same word may deny nothing in another language, as in "no
/// carrinho".
pub(crate) fn forbids(message: &str, change: Change) -> bool {
    let agreement = List::Agreement.in_all();
    let said = words(message);
    let mut at = 0;
    while let Some(found) = agreement.at(&said[at..]) {
        let forbids = found.key == "no" || (found.key == "unwanted" && change.is_of_item());
        if turns_down(found.key) {
            let first = message.split_once([',', '.', ';', ':', '!', '–', '—', '\n']);
            let first = first.map(|(first, _)| first);
            let is_set_off = first.is_some_and(|first| plainly(first) == Some(false));
            return forbids && !is_set_off && at + found.words < said.len();
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
        no |= turns_down(found.key);
        at += found.words.max(1);
    }
    (yes != no).then_some(yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_what_is_to_be_done_beside_a_yes_agrees_to_that() {
        for (message, rest) in [
            ("ok great, yes add it", "add it"),
            ("perfecto, pues sí, resérvalo", "reservalo"),
            ("beleza, pode colocar no carrinho", "no carrinho"),
            ("sí, cancélalo", "cancelalo"),
            ("yes, cancel it", "cancel it"),
        ] {
            assert_eq!(agrees_to(message).as_deref(), Some(rest), "{message}");
        }
        for message in [
            "sí",
            "no, añádelo",
            "add it",
            "¿sí, lo añades?",
            "sí, añade Solaris",
            "sí, añade el otro",
            "yes, add the other one",
            "sí, el segundo",
            "yes, but cancel the other one too please now",
        ] {
            assert_eq!(agrees_to(message), None, "{message}");
        }
    }

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
        use Change::{AddToCart, CancelOrder, ClearCart, RemoveFromCart};
        for (message, change, forbidden) in [
            ("no añadas Solaris al carrito", AddToCart, true),
            ("don't add Solaris", AddToCart, true),
            ("please don't add Solaris", AddToCart, true),
            ("não adicione Solaris ao carrinho", AddToCart, true),
            ("no quiero Solaris en el carrito", AddToCart, true),
            ("don't cancel my order", CancelOrder, true),
            ("no vacíes el carrito", ClearCart, true),
            ("ya no quiero Solaris, quítalo", RemoveFromCart, false),
            ("I don't want Solaris any more", RemoveFromCart, false),
            ("cancela mi pedido", CancelOrder, false),
            ("no, añade Solaris", AddToCart, false),
            ("no. añade Solaris", AddToCart, false),
            ("No! Add Solaris", AddToCart, false),
            ("añade Solaris", AddToCart, false),
            ("põe Solaris no carrinho", AddToCart, false),
            ("no", AddToCart, false),
        ] {
            assert_eq!(forbids(message, change), forbidden, "{message}");
        }
    }
}
