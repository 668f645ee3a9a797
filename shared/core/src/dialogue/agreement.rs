//! A yes or a no, and what is neither.

use crate::{language::List, text::words, understand::Change};

/// Most words of a message that says yes or no.
const WORDS: usize = 6;

/// Whether a phrase of agreement turns something down: "no", "olvídalo", and "ya no quiero", which may be why something is to go.
fn turns_down(key: &str) -> bool {
    ["drop", "no", "unwanted"].contains(&key)
}

/// The words of a message, with each letter once that is drawn out: "siii".
fn spoken(message: &str) -> Vec<String> {
    /// So many of a letter in a row are drawn out.
    const DRAWN_OUT: usize = 3;
    let squeezed = |word: String| {
        let mut letters: Vec<(char, usize)> = Vec::new();
        for letter in word.chars() {
            match letters.last_mut() {
                Some((last, count)) if *last == letter => *count += 1,
                _ => letters.push((letter, 1)),
            }
        }
        let drawn = |(letter, count): (char, usize)| {
            let count = if count < DRAWN_OUT { count } else { 1 };
            std::iter::repeat_n(letter, count)
        };
        // "100000" is a number.
        match word.chars().any(char::is_numeric) {
            true => word,
            false => letters.into_iter().flat_map(drawn).collect(),
        }
    };
    words(message).into_iter().map(squeezed).collect()
}

/// A message without the words of agreement that it begins with, and whether they turn something down: "no, el otro".
pub(super) fn without_agreement(message: &str) -> (Vec<String>, bool) {
    let agreement = List::Agreement.in_all();
    let (mut said, mut denies) = (spoken(message), false);
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

/// What a message says beside its yes, where that asks for nothing else than what was `asked`, of so many `copies`: "add it" of "ok great,
/// yes, add it", "confirme el pedido". Whether that is what was asked about, the caller sees.
pub(crate) fn agrees_to(message: &str, asked: &str, copies: Option<u32>) -> Option<String> {
    /// Most words of such a message.
    const MOST: usize = 12;
    let [agreement, markers] = [List::Agreement, List::Markers].map(List::in_all);
    let (said, asked) = (spoken(message), words(asked));
    let (mut rest, mut says_yes, mut at) = (Vec::new(), false, 0);
    while at < said.len() {
        let next = &said[at..];
        let found = agreement.at(next);
        let is_no = found.filter(|found| turns_down(found.key) && found.key != "drop");
        // "No carrinho" denies nothing.
        if is_no.is_some() && !next.get(1).is_some_and(|next| asked.contains(next)) {
            return None;
        }
        match found.filter(|found| !turns_down(found.key)) {
            Some(found) => {
                says_yes |= found.key == "yes";
                let length = found.words.max(1);
                // "Pode adicionar."
                let phrase = said[at..at + length].iter();
                rest.extend(phrase.filter(|word| super::is_change(word)).cloned());
                at += length;
            }
            None => {
                let leaves = found.filter(|found| found.key == "drop");
                let length = leaves.map_or(1, |found| found.words.max(1));
                let depends = markers.at(next).is_some_and(|found| found.key == "if");
                if leaves.is_none() && (depends || !is_harmless(&said[at], &asked, copies)) {
                    return None;
                }
                rest.extend_from_slice(&said[at..at + length]);
                at += length;
            }
        }
    }
    let is_one = !message.contains('?') && said.len() <= MOST && !rest.is_empty();
    (says_yes && is_one).then(|| rest.join(" "))
}

/// Whether a word beside a yes asks for nothing else than what was asked: it is small, or of the question itself.
fn is_harmless(word: &String, asked: &[String], copies: Option<u32>) -> bool {
    /// So many letters are the root of a word: "añado", "añade".
    const ROOT: usize = 4;
    let root = |word: &str| {
        let root: String = word.chars().take(ROOT).collect();
        (root.chars().count() == ROOT).then_some(root)
    };
    if let Some(number) = super::task::number(word).filter(|number| *number > 1) {
        return Some(number) == copies;
    }
    match List::References.in_all().at(&[word]) {
        // "El otro" is another one.
        Some(found) => matches!(
            found.key,
            "beside" | "that" | "rather" | "to-be" | "whole" | "whom"
        ),
        None => {
            let mut asked = asked.iter();
            List::Light.in_all().has(word)
                || super::is_change(word)
                || asked.any(|asked| {
                    asked == word || (root(asked) == root(word) && root(word).is_some())
                })
        }
    }
}

/// Whether a message agrees to what was asked before something else: "entonces sí", "then yes please".
pub(crate) fn agrees_then(message: &str) -> bool {
    let agreement = List::Agreement.in_all();
    let said = spoken(message);
    let mut phrases = agreement.all(&said);
    plainly(message) == Some(true) && phrases.any(|(_, found)| found.key == "then")
}

/// Whether a message is one word, whatever agrees beside it: "cancélala, por favor".
pub(crate) fn says_one_word(message: &str) -> bool {
    let agreement = List::Agreement.in_all();
    let said = words(message);
    let (mut at, mut others) = (0, 0);
    while at < said.len() {
        let found = agreement.at(&said[at..]);
        let found = found.filter(|found| !turns_down(found.key));
        others += usize::from(found.is_none());
        at += found.map_or(1, |found| found.words.max(1));
    }
    others == 1
}

/// Whether a message begins with words that leave something: "esquece que leio em espanhol".
pub(crate) fn begins_by_dropping(message: &str) -> bool {
    let found = List::Agreement.in_all().at(&words(message));
    found.is_some_and(|found| found.key == "drop")
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
            let is_said_again = || denies_change(&said[at + found.words..]);
            let has_more = at + found.words < said.len();
            return forbids && has_more && (!is_set_off || is_said_again());
        }
        at += found.words.max(1);
    }
    false
}

/// Whether some words deny a change: "pensando bem não cancela", and not "no carrinho".
fn denies_change(said: &[String]) -> bool {
    let agreement = List::Agreement.in_all();
    said.windows(2).any(|pair| {
        let denies = agreement
            .at(&pair[..1])
            .is_some_and(|found| found.key == "no");
        denies && super::is_change(&pair[1])
    })
}

/// Whether a message says yes or no and nothing else: each of its words is one of agreement. Whoever asks back does neither, and
/// neither does whoever says both.
pub(crate) fn plainly(message: &str) -> Option<bool> {
    let agreement = List::Agreement.in_all();
    let said = spoken(message);
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
        let asked = "¿Pongo en tu carrito 2 de «Rayuela»? Esvazio o carrinho inteiro? Shall I place the order? ¿Hago el pedido?";
        for (message, rest) in [
            ("ok great, yes add it", "add"),
            ("perfecto, pues sí, resérvalo", "reservalo"),
            ("beleza, pode colocar no carrinho", "colocar no carrinho"),
            ("wonderful, then yes, add it please", "add"),
            ("sí, cancélalo", "cancelalo"),
            ("yes, cancel it", "cancel it"),
            ("yes, place it", "place"),
            ("sim, pode esvaziar", "esvaziar"),
            ("isso, dois", "dois"),
            (
                "pues entonces sí, ponla en el carrito",
                "ponla en el carrito",
            ),
        ] {
            let agreed = agrees_to(message, asked, Some(2));
            assert_eq!(agreed.as_deref(), Some(rest), "{message}");
        }
        for message in [
            "sí",
            "no, añádelo",
            "add it",
            "¿sí, lo añades?",
            "sí, no",
            "sí, luego",
            "sí, mañana",
            "sí, tres",
            "sí, cuando lo tengas",
            "sí, no pongas el pedido",
            "sí, añade Solaris",
            "sí, añade el otro",
            "yes, add the other one",
            "sí, el segundo",
            "yes, but cancel the other one too please now",
        ] {
            assert_eq!(agrees_to(message, asked, Some(2)), None, "{message}");
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
            "siii",
            "eso sí",
            "esse, sim",
            "yes, that one",
            "yes, I'm sure",
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
            "nooo",
            "eso no",
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
    fn a_yes_may_go_back_to_what_was_asked_before() {
        for message in ["entonces sí", "pues sí", "then yes please", "ok, então sim"] {
            assert!(agrees_then(message), "{message}");
        }
        for message in ["sí", "then", "entonces no", "then yes, the second one"] {
            assert!(!agrees_then(message), "{message}");
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
            ("não, pensando bem não cancela", CancelOrder, true),
        ] {
            assert_eq!(forbids(message, change), forbidden, "{message}");
        }
    }
}
