//! Which one of what was shown a message is for.

use crate::{
    language::List,
    text::{clauses, fold, words},
    understand::{
        Fact,
        intent::{Intent, Meant, meant},
    },
};

use super::{
    SURE, SURE_OF_ONE,
    agreement::{turns_something_down, without_agreement},
    task::{COPIES_MAX, content, number, number_of, only_copies, says_how_many},
};

/// More words say what they are for by themselves.
const WORDS: usize = 12;

/// One of what was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Nth(usize),
    Last,
    /// "El otro": not the one that was spoken of last.
    Other,
    /// "Ese", "añádelo".
    Any,
}

/// The one that a message is for: "el segundo", "¿y el último cuánto vale?", "añádelo".
pub(super) fn place(message: &str, meant: Meant) -> Option<Place> {
    let spoken = words(message);
    if spoken.len() > WORDS {
        return None;
    }
    // "El primero no, el segundo."
    if let Some(kept) = place_behind_no(message) {
        return said(&words(&kept)).0;
    }
    // "Y la segunda, ¿de quién es?"
    if !Fact::alone(message).is_empty() {
        let mut placed = clauses(message).map(words);
        let placed = placed.find_map(|clause| {
            let (place, is_beside) = said(&clause);
            place.filter(|place| is_beside && *place != Place::Any)
        });
        if placed.is_some() {
            return placed;
        }
    }
    let (place, is_beside) = said(&spoken);
    let acts = matches!(meant.intent, Intent::CartAdd | Intent::Reserve);
    // "¿Me lo pueden apartar?"
    let is_beside = is_beside || (acts && content(message).is_empty());
    // "Ponme tres de esa, son para clase."
    if acts && !is_beside {
        let is_sure = meant.confidence >= SURE_OF_ONE;
        let of_clause = clauses(message)
            .map(|clause| (clause, words(clause)))
            .find_map(|(clause, spoken)| {
                let own = before_whom(first_clause(&spoken));
                let (place, is_beside) = said(own);
                let is_beside = is_beside || (is_sure && has_a_verb(own));
                let counts = || number_of(&own.join(" ")).is_some();
                // "¿Me la guardas hasta mañana?"
                let says_it = says_it(&spoken);
                let is_all = is_beside && (place.is_some() || counts() || says_it);
                let is_all = is_all || (says_it && content(clause).is_empty());
                is_all.then(|| place.unwrap_or(Place::Any))
            });
        if of_clause.is_some() {
            return of_clause;
        }
    }
    let picks = acts || meant.intent == Intent::Pick;
    let is_sure = |least| picks && meant.confidence >= least;
    match place {
        // "Stick it in the cart."
        Some(Place::Any) if !is_beside && acts && is_sure(SURE_OF_ONE) && has_a_verb(&spoken) => {
            place
        }
        // "Make it three", "mejor dos".
        None if only_copies(message).is_some() && (acts || says_how_many(message).is_some()) => {
            Some(Place::Any)
        }
        // "El segundo sexo" is a book.
        Some(Place::Any) | None if !is_beside => None,
        Some(_) if !is_beside && (!is_sure(SURE_OF_ONE) || is_written_as_title(message)) => None,
        None => (acts && is_sure(SURE)).then_some(Place::Any),
        place => place,
    }
}

/// Whether a message is written as a title is: "The Last Mohican".
fn is_written_as_title(message: &str) -> bool {
    let letters = |word: &str| word.chars().filter(|c| c.is_alphanumeric()).collect();
    let told = message.split_whitespace().map(letters);
    let own: Vec<String> = told
        .filter(|word: &String| !List::is_small(&fold(word)))
        .collect();
    let is_capital = |word: &String| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase)
    };
    own.len() > 1 && own.iter().all(is_capital)
}

/// Whether words that say what is to be done say it of something spoken of: "me lo pueden apartar", "apártamelo".
fn says_it(words: &[String]) -> bool {
    let markers = List::Markers.in_all();
    let has_object = words.iter().any(|word| markers.stands(word, "deed-object"));
    // "Apártamelo", "apártalas": behind a verb, which has four letters.
    let ends_in_object = |word: &str| {
        let ends = word.char_indices().map(|(at, _)| at).skip(4);
        ends.map(|at| &word[at..])
            .any(|end| markers.stands(end, "deed-object"))
    };
    let mut of_change = words.iter().filter(|word| super::is_of_change(word));
    of_change.any(|word| has_object || ends_in_object(word))
}

/// Whether all that is not known of some words stands before what they are of, a reference or a number, and says what is to be done with
/// it, such as "stick" of "stick one in the basket"; or behind a reference, and does not say whose it is: "put it by for me, i'll pick
/// it up in town".
fn has_a_verb(words: &[String]) -> bool {
    let [references, markers] = [List::References, List::Markers].map(List::in_all);
    let says_that = |at: usize| {
        let found = references.at(&words[at..]);
        found.is_some_and(|found| found.key == "that")
    };
    let is_object = |at: &usize| number(&words[*at]).is_some() || says_that(*at);
    let Some(object) = (0..words.len()).find(is_object) else {
        return false;
    };
    let is_reference = says_that(object);
    let mut before = words[..object].iter().filter(is_unknown).peekable();
    let mut behind = words[object..]
        .windows(2)
        .filter(|pair| is_unknown(&&pair[1]));
    // "Sapiens, dos" is of that.
    (is_reference || before.peek().is_some())
        && before.all(|verb| is_reference || !is_a_name(verb))
        && behind.all(|pair| is_reference && !markers.stands(&pair[0], "by"))
}

/// Whether it is not known that a word looks for nothing.
pub(super) fn is_unknown(word: &&String) -> bool {
    !said(std::slice::from_ref(*word)).1
}

/// Whether a word by itself is surely looked for, as a name is and a verb is not.
pub(super) fn is_a_name(word: &str) -> bool {
    /// Names are so by 0.66 and more, what is to be done by 0.4 and less.
    const SURE_OF_A_NAME: f32 = 0.5;
    let meant = meant(word);
    meant.intent == Intent::Find && meant.confidence >= SURE_OF_A_NAME
}

/// The words up to whom of the customer's own it is for, or into what: "agrega uno más de ese" of "agrega uno más de ese para mi compa",
/// and all of "add one for beginners".
pub(super) fn before_whom(said: &[String]) -> &[String] {
    let [references, markers] = [List::References, List::Markers].map(List::in_all);
    let is_whom = |at: &usize| {
        let found = references.at(&said[*at..]);
        let rest = &said[at + 1..];
        let is_own = rest
            .first()
            .is_some_and(|own| markers.stands(own, "possessive"));
        let is_known = || !rest.iter().any(|word| is_unknown(&word));
        found.is_some_and(|found| found.key == "whom") && (is_own || is_known())
    };
    if said.len() > WORDS {
        return said;
    }
    let end = (1..said.len()).find(is_whom).unwrap_or(said.len());
    &said[..end]
}

/// The words up to what joins another clause to them.
fn first_clause(said: &[String]) -> &[String] {
    let joints = List::Markers.in_all();
    let is_joint = |at: &usize| {
        let found = joints.at(&said[*at..]);
        found.is_some_and(|found| found.key == "clause")
    };
    let end = (1..said.len()).find(is_joint).unwrap_or(said.len());
    &said[..end]
}

/// Whether words are for one of what was shown: "el segundo", and not "na segunda", which is a Monday.
pub(super) fn is_of_shown(words: &[String]) -> bool {
    let articles = List::Markers.in_all();
    let first = words.first();
    first.is_some_and(|first| articles.stands(first, "article")) && said(words).0.is_some()
}

/// Whether a message speaks of that one: "put it aside".
pub(crate) fn says_that(message: &str) -> bool {
    let words = words(message);
    let mut found = List::References.in_all().all(&words);
    found.any(|(at, found)| found.key == "that" && !is_determiner(&words[at..], found.words))
}

/// Whether the last of so many words determines what stands behind them, a name or a place: "adiciona o" is of that one, and neither
/// "adiciona o outro" nor "adiciona o Drácula" is.
fn is_determiner(words: &[String], length: usize) -> bool {
    let Some(last) = words.get(length - 1).filter(|_| length > 1) else {
        return false;
    };
    let object = List::References.in_all().at(&words[length - 1..]);
    let is_article = List::Markers.in_all().stands(last, "article");
    let names = |word: &String| !is_small(word) && !is_known(word);
    object.is_some_and(|object| object.words > 1)
        || (is_article && words.get(length).is_some_and(names))
}

/// Whether a word is for a fact of an item or for a day.
fn is_known(word: &str) -> bool {
    Fact::stands(word) || List::Calendar.in_all().has(word)
}

/// Whether a message says the place of one that was shown: "dos del primero".
pub(crate) fn says_place(message: &str) -> bool {
    let (place, _) = said(&words(message));
    matches!(place, Some(Place::Nth(_) | Place::Last))
}

/// What a message says behind its no, or behind its "rather", where that is one of what was shown and nothing else: "no, el segundo",
/// "actually the first".
pub(crate) fn place_behind_no(message: &str) -> Option<String> {
    let (mut rest, denies) = without_agreement(message);
    let references = List::References.in_all();
    let rather = references.at(&rest).filter(|found| found.key == "rather");
    rest.drain(..rather.map_or(0, |found| found.words));
    let is_behind = denies || rather.is_some();
    if is_behind && is_place(&rest) {
        return Some(rest.join(" "));
    }
    // "Ay, no, perdón, ese lo tengo. El otro."
    let clauses: Vec<&str> = clauses(message).collect();
    let (last, before) = clauses.split_last()?;
    let mut before = before.iter().map(|clause| words(clause));
    let is_behind = before.any(|clause| turns_something_down(&clause));
    (is_behind && is_place(&words(last))).then(|| last.trim().to_owned())
}

/// Whether words are for one of what was shown, by its place, and say nothing else.
fn is_place(words: &[String]) -> bool {
    let (place, is_beside) = said(words);
    matches!(place, Some(Place::Nth(_) | Place::Last | Place::Other)) && is_beside
}

/// The place that is said, and whether nothing else is.
fn said(words: &[String]) -> (Option<Place>, bool) {
    let [references, markers] = [List::References, List::Markers].map(List::in_all);
    let (mut place, mut is_beside) = (None, true);
    let mut at = 0;
    while at < words.len() {
        let found = references.at(&words[at..]);
        let found = found.filter(|found| !is_determiner(&words[at..], found.words));
        // "When was it first published?"
        let before = at.checked_sub(1).map(|before| &words[before]);
        let is_determined = before.is_none_or(|word| markers.stands(word, "article"));
        let nth = |key: &str| {
            let number: usize = key.parse().ok()?;
            Some(Place::Nth(number.checked_sub(1)?))
        };
        let said = match found.map(|found| found.key) {
            Some("beside" | "others") => None,
            Some("last") => Some(Place::Last),
            Some("other") => Some(Place::Other),
            Some("that") => Some(Place::Any),
            Some(key) => nth(key),
            None => {
                // "E a segunda quem escreveu?", "resérvamelo para el viernes".
                is_beside &= is_small(&words[at]) || is_known(&words[at]);
                None
            }
        };
        place = match (place, said) {
            (None, Some(said)) => Some(said),
            (Some(Place::Any), Some(said)) if is_determined => Some(said),
            (place, _) => place,
        };
        at += found.map_or(1, |found| found.words.max(1));
    }
    (place, is_beside)
}

/// Whether a word may stand beside a place and looks for nothing.
pub(super) fn is_small(word: &str) -> bool {
    let beside = [List::Light, List::Agreement, List::Numerals].map(List::in_all);
    beside.iter().any(|list| list.has(word))
        || super::is_of_change(word)
        || word.parse().is_ok_and(|number: u32| number <= COPIES_MAX)
}

/// The one of so many, in the order in which they were listed, whose place a message says.
pub(crate) fn place_among(message: &str, count: usize) -> Option<usize> {
    let at = match said(&words(message)).0? {
        Place::Nth(at) => at,
        Place::Last => count.checked_sub(1)?,
        Place::Other | Place::Any => return None,
    };
    (at < count).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_behind_a_verb_is_of_what_it_stands_before() {
        for (message, place) in [
            ("adiciona o outro", Place::Other),
            ("coloca o outro no carrinho", Place::Other),
            ("coloca o primeiro", Place::Nth(0)),
            ("adiciona-o", Place::Any),
            ("añade el otro", Place::Other),
            ("reserva o livro", Place::Any),
        ] {
            assert_eq!(said(&words(message)).0, Some(place), "{message}");
        }
        for (message, expected) in [
            ("reserva o", true),
            ("reserva-o para sexta", true),
            ("reserva o Ficções", false),
            ("adiciona o Drácula do Bram Stoker", false),
        ] {
            assert_eq!(says_that(message), expected, "{message}");
        }
    }

    #[test]
    fn a_place_may_stand_behind_a_no_or_a_rather() {
        for (message, place) in [
            ("no, el segundo", Some("el segundo")),
            ("actually the first", Some("the first")),
            ("mejor el último", Some("el ultimo")),
            ("não, o segundo", Some("o segundo")),
            (
                "ay, no, perdón, ese lo tengo. El otro.",
                Some("lo tengo el otro"),
            ),
            ("ops, não, quero o outro", Some("quero o outro")),
            ("el primero no, el segundo", Some("el segundo")),
            ("the first, the second", None),
            ("ops, quero o outro", None),
            ("no, gracias", None),
            ("actually", None),
            ("the first", None),
        ] {
            assert_eq!(place_behind_no(message).as_deref(), place, "{message}");
        }
    }
}
