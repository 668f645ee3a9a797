//! A yes or a no, and what is neither.

use super::task::says_one;
use crate::{
    language::List,
    text::words,
    understand::intent::{Intent, meant, turns_down},
};

/// Most words of a message that says yes or no.
const WORDS: usize = 6;

/// The words of a message, with each letter once that is drawn out, and a yes once that is doubled: "siii", "sisi".
pub(super) fn spoken(message: &str) -> Vec<String> {
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
        if word.chars().any(char::is_numeric) {
            return word;
        }
        let word: String = letters.into_iter().flat_map(drawn).collect();
        // "Graciass": what ends in two of a letter, and is known with one.
        let shorter = || {
            let shorter = word.get(..word.len().checked_sub(1)?)?;
            let is_doubled = shorter.chars().next_back() == word.chars().next_back();
            let is_known = |word: &str| List::is_small(word);
            (is_doubled && !is_known(&word) && is_known(shorter)).then(|| shorter.to_owned())
        };
        let word = shorter().unwrap_or(word);
        let half = word.get(..word.len() / 2).unwrap_or_default();
        match word == half.repeat(2) && List::Agreement.in_all().stands(half, "yes") {
            true => half.to_owned(),
            false => word,
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
/// yes, add it", "confirme el pedido". A yes that is limited is none: "sí, pero solo Rayuela", "ok, never mind"; where something is to be
/// dropped (`drops`), "forget it" is one. Whether that is what was asked about, the caller sees.
pub(crate) fn agrees_to(
    message: &str,
    asked: &str,
    copies: Option<u32>,
    drops: bool,
) -> Option<String> {
    /// Most words of such a message.
    const MOST: usize = 12;
    let said = spoken(message);
    if message.contains('?') || said.len() > MOST || limits(&said) {
        return None;
    }
    // "Quita uno" of three that were all to go.
    if says_one(message) && copies != Some(1) {
        return None;
    }
    let agreement = List::Agreement.in_all();
    // What is listed below the question is not what is asked.
    let asked = words(asked.lines().next().unwrap_or_default());
    let (mut rest, mut says_yes, mut at) = (Vec::new(), false, 0);
    while at < said.len() {
        match agreement.at(&said[at..]) {
            Some(found)
                if found.key == "cancel"
                    || (drops
                        && found.key == "drop"
                        && says_again(&said[at..at + found.words], &asked)) =>
            {
                rest.extend_from_slice(&said[at..at + found.words]);
                at += found.words;
            }
            Some(found) if !turns_down(found.key) => {
                says_yes |= found.key == "yes";
                // "Pode adicionar."
                let phrase = said[at..at + found.words].iter();
                let tells = |word: &&String| !agreement.has(word) && super::is_change(word);
                rest.extend(phrase.filter(tells).cloned());
                at += found.words;
            }
            Some(_) if !is_contraction(&said[at..]) => return None,
            _ if !is_harmless(&said[at], &asked, copies) => return None,
            _ => {
                rest.push(said[at].clone());
                at += 1;
            }
        }
    }
    (says_yes && !rest.is_empty()).then(|| rest.join(" "))
}

/// Whether some words limit what they agree to, or make it depend on something.
fn limits(said: &[String]) -> bool {
    let [exclusions, markers] = [List::Exclusions, List::Markers].map(List::in_all);
    outside_phrases(said).into_iter().any(|at| {
        let rest = &said[at..];
        let is_limit = exclusions.at(rest);
        let is_limit = is_limit.is_some_and(|found| ["limits", "but-not"].contains(&found.key));
        let is_sure = List::Agreement.in_all().at(rest).is_some() || is_contraction(rest);
        let depends = markers.at(rest);
        let depends = depends.is_some_and(|found| ["if", "negation"].contains(&found.key));
        is_limit || (depends && !is_sure)
    })
}

/// The places of words that are in no phrase of agreement of several words: "so" in "thank you so much" limits nothing.
pub(crate) fn outside_phrases(said: &[String]) -> Vec<usize> {
    let agreement = List::Agreement.in_all();
    let (mut outside, mut at) = (Vec::new(), 0);
    while at < said.len() {
        match agreement.at(&said[at..]) {
            Some(found) if found.words > 1 => at += found.words,
            _ => {
                outside.push(at);
                at += 1;
            }
        }
    }
    outside
}

/// "No carrinho" denies nothing.
fn is_contraction(words: &[String]) -> bool {
    let references = List::References.in_all();
    let next = words.get(1);
    words
        .first()
        .is_some_and(|word| List::Light.in_all().has(word))
        && next.is_some_and(|next| references.stands(next, "beside"))
}

/// Whether one of some words is of the question: "forget it" of what is to be forgotten, and not "leave it".
fn says_again(words: &[String], asked: &[String]) -> bool {
    let mut words = words.iter();
    words.any(|said| asked.iter().any(|asked| is_form_of(said, asked)))
}

/// Whether two words begin as forms of one do: "añado" and "añade", "tiro" and "tira".
fn is_form_of(one: &str, other: &str) -> bool {
    /// So many letters are the same, of words that have one letter more; of longer words, one more of them.
    const SAME: usize = 3;
    let pairs = one.chars().zip(other.chars());
    let same = pairs.take_while(|(one, other)| one == other).count();
    let is_short = |word: &str| word.chars().count() == SAME + 1;
    same > SAME || (same == SAME && is_short(one) && is_short(other))
}

/// Whether a word beside a yes asks for nothing else than what was asked: it is small, or of the question itself.
fn is_harmless(word: &String, asked: &[String], copies: Option<u32>) -> bool {
    if let Some(number) = super::task::number(word).filter(|number| *number > 1) {
        return Some(number) == copies;
    }
    match List::References.in_all().at(&[word]) {
        // "El otro" is another one.
        Some(found) => matches!(found.key, "beside" | "that" | "to-be" | "whole" | "whom"),
        None => {
            let mut asked = asked.iter();
            List::Light.in_all().has(word)
                // "Sí, todo."
                || List::Facts.in_all().stands(word, "total")
                || is_interjection(word)
                || super::is_change(word)
                || asked.any(|asked| asked == word || is_form_of(asked, word))
        }
    }
}

/// The sentence that a message ends with, where what comes before it only greets, thanks, takes leave or agrees: "sí, apártalo" of
/// "bueno, voy el lunes. sí, apártalo". What may be a wish of its own makes a yes behind it none: "prefiero Ficciones. sí".
pub(crate) fn last_sentence(message: &str) -> Option<&str> {
    let message = message.trim_end_matches(['.', '!', ' ']);
    let (before, last) = message.rsplit_once(['.', '!', ';', '\n'])?;
    let said = words(before);
    let is_small_talk = || {
        let intent = meant(before).intent;
        let talks = [
            Intent::Greeting,
            Intent::Thanks,
            Intent::Goodbye,
            Intent::Yes,
        ];
        talks.contains(&intent)
    };
    let is_harmless = !message.contains('?')
        && !turns_something_down(&said)
        && !limits(&said)
        && !super::is_change(before);
    (is_harmless && !said.is_empty() && is_small_talk()).then(|| last.trim())
}

/// Whether some of the words turn something down, wherever they stand.
pub(super) fn turns_something_down(said: &[String]) -> bool {
    let agreement = List::Agreement.in_all();
    (0..said.len()).any(|at| {
        let found = agreement.at(&said[at..]);
        found.is_some_and(|found| turns_down(found.key)) && !is_contraction(&said[at..])
    })
}

/// Whether a message has a yes in it.
pub(crate) fn says_yes(message: &str) -> bool {
    List::Agreement.in_all().says(&spoken(message), "yes")
}

/// Whether a message agrees to what was asked before something else: "entonces sí", "then yes please".
pub(crate) fn agrees_then(message: &str) -> bool {
    plainly(message) == Some(true) && List::Agreement.in_all().says(&spoken(message), "then")
}

/// Whether a message is one word, whatever agrees or changes its mind beside it: "cancélala, por favor", "actually cancel it".
pub(crate) fn says_one_word(message: &str) -> bool {
    let [agreement, references] = [List::Agreement, List::References].map(List::in_all);
    let said = words(message);
    let (mut at, mut others) = (0, 0);
    while at < said.len() {
        let found = agreement.at(&said[at..]);
        let found = found.filter(|found| !turns_down(found.key));
        let rather = || {
            references
                .at(&said[at..])
                .filter(|found| found.key == "rather")
        };
        let found = found.or_else(rather);
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

/// Whether a message calls something off: "ahora cancélalo".
pub(crate) fn calls_off(message: &str) -> bool {
    List::Agreement.in_all().says(&words(message), "cancel")
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
        // "Que sí, hombre."
        let called = List::Markers.in_all().at(&said[at..]);
        if let Some(called) = called.filter(|found| at > 0 && found.key == "called") {
            at += called.words.max(1);
            continue;
        }
        let found = match agreement.at(&said[at..]) {
            Some(found) => found,
            // "Ay genial, pues sí."
            None if is_interjection(&said[at]) => {
                at += 1;
                continue;
            }
            None => return None,
        };
        yes |= found.key == "yes";
        no |= turns_down(found.key);
        at += found.words.max(1);
    }
    (yes != no).then_some(yes)
}

/// Whether a word is too short to say anything, and is none that is known: "ay", "uf".
fn is_interjection(word: &str) -> bool {
    const LETTERS: usize = 2;
    let is_short = word.chars().count() <= LETTERS && word.chars().all(char::is_alphabetic);
    is_short && !List::is_small(word) && !List::References.in_all().has(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_what_is_to_be_done_beside_a_yes_agrees_to_that() {
        let (cart, order, clear) = (
            "¿Pongo en tu carrito 2 ejemplares de «Rayuela»?",
            "¿Hago el pedido? Son 2 ejemplares, 40,90 € en total:\n- «Rayuela»: 1 × 21,90 €\n- «Solaris»: 1 × 19,00 €",
            "Esvazio o carrinho inteiro?",
        );
        for (asked, message, rest) in [
            (cart, "ok great, yes add it", "add"),
            (cart, "perfecto, pues sí, resérvalo", "reservalo"),
            (
                cart,
                "beleza, pode colocar no carrinho",
                "colocar no carrinho",
            ),
            (cart, "wonderful, then yes, add it please", "add"),
            (cart, "sí, cancélalo", "cancelalo"),
            (cart, "yes, cancel it", "cancel it"),
            (cart, "isso, dois", "dois"),
            (cart, "sí, Rayuela", "rayuela"),
            (
                cart,
                "pues entonces sí, ponla en el carrito",
                "ponla en el carrito",
            ),
            (order, "sí, confirme el pedido", "el pedido"),
            ("Shall I place the order?", "yes, place it", "place"),
            (clear, "sim, pode esvaziar", "esvaziar"),
            (clear, "sim, tudo", "tudo"),
        ] {
            let agreed = agrees_to(message, asked, Some(2), false);
            assert_eq!(agreed.as_deref(), Some(rest), "{message}");
        }
        for (asked, message) in [
            (cart, "sí"),
            (cart, "no, añádelo"),
            (cart, "add it"),
            (cart, "¿sí, lo añades?"),
            (cart, "sí, no"),
            (cart, "sí, luego"),
            (cart, "sí, mañana"),
            (cart, "sí, tres"),
            (cart, "sí, quita uno"),
            (cart, "yes, remove one"),
            (cart, "sí, cuando lo tengas"),
            (cart, "sí, no pongas el pedido"),
            (cart, "sí, añade Solaris"),
            (cart, "sí, añade el otro"),
            (cart, "yes, add the other one"),
            (cart, "sí, el segundo"),
            (cart, "ok, never mind"),
            (cart, "vale, mejor déjalo"),
            (cart, "ok, leave it for now"),
            (cart, "tá bom, deixa"),
            (order, "sí, Rayuela"),
            (order, "sí, pero solo Rayuela"),
            (order, "sí, pero no Rayuela"),
            (order, "sí, sin Rayuela"),
            (order, "yes, but not Rayuela"),
            (order, "yes, only the order of Rayuela"),
            (order, "sim, mas sem o Solaris"),
            (order, "yes, but cancel the other one too please now"),
        ] {
            assert_eq!(agrees_to(message, asked, Some(2), false), None, "{message}");
        }
        let forget = "Shall I forget “my grandson is called Oliver”?";
        let agreed = agrees_to("Yes, forget it", forget, None, true);
        assert_eq!(agreed.as_deref(), Some("forget it"));
        for message in ["ok, never mind", "ok, leave it"] {
            assert_eq!(agrees_to(message, forget, None, true), None, "{message}");
        }
    }

    #[test]
    fn a_yes_may_stand_behind_a_sentence() {
        for (message, last) in [
            ("bueno, voy el lunes. si, apartalo", Some("si, apartalo")),
            (
                "perfecto, muchas gracias! sí, por favor.",
                Some("sí, por favor"),
            ),
            ("that's a fair price! yes please.", None),
            ("espera, quiero ver algo de Borges. ok", None),
            ("prefiero Ficciones. sí", None),
            ("mejor el de Ficciones. vale", None),
            ("demasiado caro. ok", None),
            ("I'd rather have Dune. yes", None),
            ("quero ver outro do Saramago. sim", None),
            ("no sé. sí", None),
            ("¿cuánto es? sí", None),
            ("añade Solaris. sí", None),
            ("solo si hay dos. sí", None),
            ("sí", None),
        ] {
            assert_eq!(last_sentence(message), last, "{message}");
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
            "sisi",
            "eso sí",
            "esse, sim",
            "yes, that one",
            "yes, I'm sure",
            "que sí, hombre",
            "yes sir",
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
            "hombre",
            "sí, quizás",
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
}
