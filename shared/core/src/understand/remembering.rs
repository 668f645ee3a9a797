//! What is to be remembered of a customer or forgotten, and whether they ask what is remembered.

use std::ops::Range;

use super::route::word_places;
use crate::{
    language::{Found, List},
    text::{fold, words},
};

/// Most words between what asks and whom it asks about: "what do you remember exactly about me".
const BETWEEN: usize = 3;

/// What says nothing of a customer.
const SMALL: [List; 4] = [
    List::Remembering,
    List::Agreement,
    List::Function,
    List::Courtesies,
];

/// What a message that wants something remembered says of the customer: "leo en inglés" of "recuerda que leo en inglés" and of "leo en
/// inglés, recuérdalo". Nothing where it says no more than that.
pub(crate) fn to_be_remembered(message: &str) -> Option<String> {
    let text = without_tail(behind_lead(message));
    let text = text.trim_matches(|c: char| c.is_whitespace() || ".,;:!¡?¿-–—".contains(c));
    (!List::beside(&SMALL, &words(text)).is_empty()).then(|| text.to_owned())
}

/// Whether a message begins with nothing but a wish to have something remembered, whatever it goes on with: "recuerda que nunca gasto más
/// de 20 euros" filters nothing.
pub(crate) fn wants_remembered(message: &str) -> bool {
    let (all, mut at) = (words(message), 0);
    while at < all.len() && !message.contains('?') {
        let rest = &all[at..];
        if phrase(rest, "sure").is_some() {
            return true;
        }
        let agrees = List::Agreement.in_all().at(rest);
        let courtesy = phrase(rest, "polite")
            .or_else(|| agrees.filter(|found| ["beside", "yes"].contains(&found.key)))
            .or_else(|| List::Courtesies.in_all().at(rest));
        let Some(courtesy) = courtesy else { break };
        at += courtesy.words;
    }
    false
}

/// Whether a message begins by saying that something is not to be forgotten: "no olvides que leo en inglés".
pub(crate) fn is_to_be_kept(message: &str) -> bool {
    let all = words(message);
    beginnings(&all).any(|at| phrase(&all[at..], "keep").is_some())
}

/// Whether a message asks what is remembered of its customer: "¿qué sabes de mí?", and not "¿qué sabes de mi pedido?".
pub(crate) fn asks_what_is_remembered(message: &str) -> bool {
    let all = words(message);
    let ends = |at: usize, key: &str| {
        let found = phrase(&all[at..], key);
        found.is_some_and(|found| {
            all[at + found.words..]
                .iter()
                .all(|word| List::is_small(word))
        })
    };
    beginnings(&all).any(|at| {
        let asks = phrase(&all[at..], "asks").map(|asks| at + asks.words);
        let shows = phrase(&all[at..], "shows").map_or(at, |shows| at + shows.words);
        let asks_of_me = asks.is_some_and(|behind| {
            let mut places = behind..all.len().min(behind + BETWEEN + 1);
            places.any(|at| ends(at, "of-me"))
        });
        asks_of_me || ends(shows, "profile")
    })
}

/// Whether a message that wants something forgotten is of everything: "olvida todo", and not "olvida todo lo de mi alergia".
pub(crate) fn is_of_all(message: &str) -> bool {
    let all = words(message);
    let says_all = (0..all.len()).any(|at| phrase(&all[at..], "all").is_some());
    says_all && named(message).is_empty()
}

/// The words by which a message names what is to be forgotten.
pub(crate) fn named(message: &str) -> Vec<String> {
    let lists = [&SMALL[..], &[List::Light, List::References]];
    List::beside(&lists.concat(), &words(message))
}

/// The places before which words only lead to something: "por favor, …", "quiero que …".
fn beginnings(words: &[String]) -> impl Iterator<Item = usize> {
    let leading = words.iter().take_while(|word| List::is_small(word));
    0..words.len().min(leading.count() + 1)
}

/// A message behind the words that it begins with which have something remembered, and behind what is polite beside them.
fn behind_lead(message: &str) -> &str {
    let (places, all) = placed(message);
    let (mut at, mut behind) = (0, None);
    while at < all.len() {
        let begins = |key: &str| phrase(&all[at..], key).map(|found| found.words);
        let leads = begins("lead").or_else(|| begins("keep"));
        let follows = || begins("polite").or_else(|| begins("that"));
        let length = leads.or_else(|| match behind {
            Some(_) => follows(),
            None => List::is_small(&all[at]).then_some(1),
        });
        let Some(length) = length else { break };
        at += length;
        if leads.is_some() || behind.is_some() {
            behind = Some(at);
        }
    }
    let start = behind.and_then(|at| places.get(at));
    start.map_or(message, |place| &message[place.start..])
}

/// A message without what it ends with that only has it remembered: ", keep that in mind please".
fn without_tail(message: &str) -> &str {
    let (places, all) = placed(message);
    let is_tail = |at: &usize| {
        let before = &message[places[at - 1].end..places[*at].start];
        let is_set_off = before.contains([',', '.', ';', ':', '!', '-', '–', '—', '(']);
        let tail = phrase(&all[*at..], "tail").filter(|_| is_set_off);
        tail.is_some_and(|tail| {
            all[at + tail.words..]
                .iter()
                .all(|word| List::is_small(word))
        })
    };
    let tail = (1..all.len()).find(is_tail);
    tail.map_or(message, |at| &message[..places[at - 1].end])
}

/// The words of a message, folded, and their places.
fn placed(message: &str) -> (Vec<Range<usize>>, Vec<String>) {
    let words = word_places(message);
    words.map(|(place, word)| (place, fold(word))).unzip()
}

/// The longest phrase of a key that words begin with.
fn phrase(words: &[String], key: &str) -> Option<Found> {
    let list = List::Remembering.in_all();
    // No phrase that begins here is longer.
    let beginning = &words[..words.len().min(list.longest())];
    let first = list.all(beginning).take_while(|(at, _)| *at == 0);
    let found = first.map(|(_, found)| found);
    found
        .filter(|found| found.key == key)
        .max_by_key(|found| found.words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_a_message_says_of_its_customer() {
        for (message, note) in [
            ("recuerda que leo en inglés", "leo en inglés"),
            (
                "Por favor, apunta que soy alérgica a las nueces.",
                "soy alérgica a las nueces",
            ),
            (
                "ten en cuenta que no me gusta el terror",
                "no me gusta el terror",
            ),
            ("¿puedes recordar que soy vegana?", "soy vegana"),
            ("anota, por favor, que calzo un 38", "calzo un 38"),
            (
                "para la próxima vez acordate de que prefiero tapa dura",
                "prefiero tapa dura",
            ),
            ("no olvides que leo en inglés", "leo en inglés"),
            ("soy celíaca, anótalo porfa", "soy celíaca"),
            (
                "soy celíaca, recuerda que no como pan",
                "soy celíaca, recuerda que no como pan",
            ),
            (
                "Yo solo leo en papel. ¡Que no se te olvide!",
                "Yo solo leo en papel",
            ),
            (
                "remember that I only read paperbacks",
                "I only read paperbacks",
            ),
            ("please don't forget I'm vegan", "I'm vegan"),
            ("remember that I like to read", "I like to read"),
            (
                "I'm allergic to nuts, keep that in mind please",
                "I'm allergic to nuts",
            ),
            ("could you make a note that my son is 8?", "my son is 8"),
            ("lembra que eu leio em espanhol", "eu leio em espanhol"),
            ("não te esqueças de que sou vegana", "sou vegana"),
            ("meu nome é Rafa, lembra disso", "meu nome é Rafa"),
            ("leo en inglés", "leo en inglés"),
        ] {
            assert_eq!(
                to_be_remembered(message).as_deref(),
                Some(note),
                "{message}"
            );
        }
        for message in [
            "recuérdalo",
            "recuerda esto, por favor",
            "remember this please",
            "remember that",
            "lembra disso",
            "sí",
            "",
        ] {
            assert_eq!(to_be_remembered(message), None, "{message}");
        }
    }

    #[test]
    fn a_wish_to_remember_says_so_by_itself() {
        for message in [
            "recuerda que nunca gasto más de 20 euros",
            "por favor, no olvides que leo en inglés",
            "remember that I like books similar to Dune",
            "não se esqueça de que leio em inglês",
        ] {
            assert!(wants_remembered(message), "{message}");
        }
        for message in [
            "no olvides añadir Rayuela al carrito",
            "¿recuerdas qué libro te pedí?",
            "remember that book by Eco?",
            "remember me",
            "olvida que leo en inglés",
            "un libro que recuerda que somos mortales",
            "¿el autor no recuerda que murió?",
        ] {
            assert!(!wants_remembered(message), "{message}");
        }
    }

    #[test]
    fn what_is_not_to_be_forgotten_is_to_be_kept() {
        for message in [
            "no olvides que leo en inglés",
            "por favor, no te olvides de que soy vegano",
            "don't forget that I'm vegan",
            "não se esqueça que prefiro capa dura",
        ] {
            assert!(is_to_be_kept(message), "{message}");
        }
        for message in [
            "olvida que leo en inglés",
            "ya te dije: mi perro murió, no olvides que ya no hay perro",
            "don't remember that",
            "não guardes nada de mim",
        ] {
            assert!(!is_to_be_kept(message), "{message}");
        }
    }

    #[test]
    fn who_asks_what_is_remembered_is_told_from_who_asks_for_something_else() {
        for message in [
            "¿qué sabes de mí?",
            "oye, ¿qué recuerdas exactamente sobre mí?",
            "dime qué has apuntado de mí, por favor",
            "dime todo lo que sabes de mí",
            "¿qué tenés guardado de mí?",
            "quiero ver mi perfil",
            "what do you know about me?",
            "hi, what do you remember about me",
            "can you tell me everything you know about me",
            "show me my profile please",
            "o que você sabe sobre mim?",
            "o que vc tem anotado de mim",
            "mostra o meu perfil",
        ] {
            assert!(asks_what_is_remembered(message), "{message}");
        }
        for message in [
            "¿qué sabes de Borges?",
            "¿qué sabes de mi pedido?",
            "¿qué tienes de mi autora favorita?",
            "olvida todo lo que sabes de mí",
            "borra lo que sabes de mí",
            "un libro sobre mí",
            "forget everything you know about me",
            "wipe my profile, please",
            "what do you know about dragons?",
            "what do you have for me?",
            "apaga o que sabe de mim",
            "o que sabe da minha encomenda?",
        ] {
            assert!(!asks_what_is_remembered(message), "{message}");
        }
    }

    #[test]
    fn everything_is_what_nothing_is_named_of() {
        for message in [
            "olvida todo",
            "olvida todo lo que sabes de mí",
            "borra mis datos, por favor",
            "quiero que olvides todo lo que te dije",
            "olvídate de mí",
            "forget everything you know about me",
            "please delete all my data",
            "wipe your memory",
            "forget me",
            "apaga tudo o que sabe de mim",
            "esquece tudo",
            "apaga os meus dados",
        ] {
            assert!(is_of_all(message), "{message}");
        }
        for message in [
            "olvida que leo en inglés",
            "olvida todo lo de mi alergia",
            "olvida lo de mi hijo",
            "olvídalo",
            "olvida la segunda",
            "forget everything about my diet",
            "forget that",
            "esquece que sou vegana",
        ] {
            assert!(!is_of_all(message), "{message}");
        }
    }
}
