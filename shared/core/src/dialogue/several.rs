//! Several of what was shown, or several titles: "los dos", "the first two", "o primeiro e o terceiro", "Dune and 1984".

use crate::{
    language::List,
    retrieval::Priced,
    text::{clauses, words},
    understand::{Exclusion, Fact, intent::turns_down},
};

use super::{
    Shown,
    agreement::{spoken, turns_something_down, without_agreement},
    place::{Place, before_whom, is_a_name, is_small, is_unknown},
    task::number,
};

/// Which of what was shown a message is for, where it is for more than one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Several {
    /// "El primero y el último."
    At(Vec<Place>),
    /// "Los dos primeros."
    First(usize),
    /// "The last two."
    Last(usize),
    /// "Los dos."
    Count(usize),
    /// "Añádelos."
    All,
}

impl Several {
    /// Those of some that were shown, in that order, or of those of which each was shown or came first by itself before.
    pub(super) fn of(&self, shown: &[u64], before: &Shown) -> Option<Vec<u64>> {
        let Shown { alone, firsts, .. } = before;
        let first = |count: usize| shown.get(..count).map(<[u64]>::to_vec);
        let of_these = match self {
            Self::At(places) => {
                let mut items = Vec::new();
                for place in places {
                    let item = match place {
                        Place::Nth(at) => shown.get(*at),
                        _ => shown.last(),
                    };
                    items.push(*item?);
                }
                Some(items)
            }
            Self::First(count) => first(*count),
            Self::Last(count) => shown
                .get(shown.len().checked_sub(*count)?..)
                .map(<[u64]>::to_vec),
            Self::Count(count) if shown.len() == *count => first(*count),
            Self::Count(count) => {
                let newest = alone.get(..*count).or_else(|| firsts.get(..*count));
                let mut newest = newest?.to_vec();
                newest.reverse();
                Some(newest)
            }
            // Of one that was looked at after another, all are meant.
            Self::All if shown.len() < 2 => {
                let mut newest = alone.to_vec();
                newest.reverse();
                Some(newest)
            }
            Self::All => Some(shown.to_vec()),
        };
        of_these.map(each_once).filter(|items| items.len() > 1)
    }
}

impl Shown {
    /// Several of what was shown whose prices a message asks for: "how much are they?", "¿cuánto son los dos?"
    pub(crate) fn priced(&self, message: &str) -> Option<(Vec<u64>, Priced)> {
        let said = words(message);
        Fact::in_words(&said).contains(&Fact::Price).then_some(())?;
        let together = referred_to(&List::beside(&[List::Facts], &said));
        let together = together.and_then(|several| several.of(self.in_order(), self));
        let each = || (Fact::is_of_each(message) && self.are_few()).then(|| self.compared());
        match together {
            Some(together) => Some((together, Priced::InAll)),
            None => Some((each()?, Priced::Each)),
        }
    }
}

impl Shown {
    /// Whether a message counts what is none of the last list: "los dos", of five.
    pub(crate) fn is_counted(&self, message: &str) -> bool {
        let listed = self.compared().len();
        matches!(several(message), Some(Several::Count(count)) if count != listed) && listed > 1
    }

    /// What a message compares of what was shown: as many as it says, "qual dos dois é mais barato?", and else what is spoken of as several.
    pub(crate) fn compared_in(&self, message: &str) -> Vec<u64> {
        let (compared, said) = (self.compared(), words(message));
        let counted = (0..said.len()).find_map(|at| match counted_at(&said, at)?.0 {
            Several::Count(count) => Some(count),
            Several::At(_) | Several::First(_) | Several::Last(_) | Several::All => None,
        });
        let counted = counted.filter(|count| *count != compared.len());
        counted
            .and_then(|count| Several::Count(count).of(&compared, self))
            .unwrap_or(compared)
    }
}

/// Whether a message leaves some of what it names out: "ponme Rayuela y no Ficciones".
pub(crate) fn leaves_out(message: &str) -> bool {
    turns_something_down(&without_agreement(message).0) || Exclusion::in_text(message).is_some()
}

/// Each number once, where it first stands.
pub(crate) fn each_once(numbers: Vec<u64>) -> Vec<u64> {
    let mut once = Vec::with_capacity(numbers.len());
    for number in numbers {
        if !once.contains(&number) {
            once.push(number);
        }
    }
    once
}

/// Whether a message agrees to all of so many that were asked about: "sí, los dos", "both please". It says nothing else: "tell me about
/// both" agrees to nothing.
pub(crate) fn agrees_to_all(message: &str, asked: usize) -> bool {
    let [agreement, references, markers] =
        [List::Agreement, List::References, List::Markers].map(List::in_all);
    let said = spoken(message);
    let (mut is_all, mut at) = (false, 0);
    while at < said.len() {
        let rest = &said[at..];
        let length = if let Some(found) = agreement.at(rest) {
            if turns_down(found.key) {
                return false;
            }
            found.words.max(1)
        } else if let Some((count, length)) = counted_at(&said, at) {
            if count != Several::Count(asked) {
                return false;
            }
            is_all = true;
            length
        } else if references.stands(&rest[0], "both") {
            if asked != 2 {
                return false;
            }
            is_all = true;
            1
        } else if let Some(length) = every(rest) {
            is_all = true;
            length
        } else if markers.stands(&rest[0], "article") {
            1
        } else {
            return false;
        };
        at += length;
    }
    is_all && asked > 1 && !message.contains('?')
}

/// Which of what was shown a message is for, where it is for more than one, leaves none of them out, and says nothing else that looks for
/// anything.
pub(super) fn several(message: &str) -> Option<Several> {
    if leaves_out(message) {
        return None;
    }
    let clauses = message.split([',', '.', ';', '!', '\n']);
    let is_joined = referred_to(&words(message));
    is_joined.or_else(|| clauses.map(words).find_map(|clause| referred_to(&clause)))
}

/// The same of a message that surely wants something done: one word of a clause may say what, whatever word it is, such as "gimme" of
/// "gimme both".
pub(super) fn several_done(message: &str) -> Option<Several> {
    /// Among so many words of a clause it stands.
    const VERB: usize = 3;
    if leaves_out(message) {
        return None;
    }
    clauses(message).map(words).find_map(|clause| {
        let mut own = before_whom(&clause).to_vec();
        // "It's for a class" has none.
        let verb = own.iter().take(VERB).position(|word| is_unknown(&word))?;
        let verb = own.remove(verb);
        referred_to(&own).filter(|_| !is_a_name(&verb))
    })
}

/// Which of what was shown some words refer to.
fn referred_to(words: &[String]) -> Option<Several> {
    let references = List::References.in_all();
    let (mut places, mut counted) = (Vec::new(), None);
    let (mut all, mut is_whole) = (false, false);
    let mut at = 0;
    while at < words.len() {
        let rest = &words[at..];
        let found = references.at(rest);
        let key = found.map_or("", |found| found.key);
        if let Some((which, length)) = counted_at(words, at) {
            // "Both copies" are of one.
            if is_of_copies(&words[at + length..]) {
                return None;
            }
            if counted.replace(which).is_some() {
                return None;
            }
            at += length;
            continue;
        }
        match key {
            "among" => return None,
            "last" => places.push(Place::Last),
            "both" if is_of_copies(&words[at + 1..]) => return None,
            "both" => counted = Some(Several::Count(2)),
            "whole" => is_whole = true,
            "that" | "beside" | "rather" => {}
            _ if is_plural(&words[at]) => all = true,
            key => match key.parse::<usize>() {
                Ok(number) => places.push(Place::Nth(number.checked_sub(1)?)),
                // "El 1 y 3."
                Err(_) if is_bare_place(words, at) && !places.is_empty() => {
                    let number: usize = words[at].parse().ok()?;
                    places.push(Place::Nth(number.checked_sub(1)?));
                }
                Err(_) if is_small(&words[at]) => {}
                Err(_) => return None,
            },
        }
        at += found.map_or(1, |found| found.words.max(1));
    }
    match (counted, &places[..]) {
        (Some(counted), []) => Some(counted),
        (None, [_, _, ..]) => Some(Several::At(places)),
        // "Todos los libros" are those of the shop.
        (None, []) if all && !is_whole => Some(Several::All),
        _ => None,
    }
}

/// A number that counts what was shown there, and how many words say so: "los dos", "the first three", "dos últimos".
fn counted_at(words: &[String], at: usize) -> Option<(Several, usize)> {
    let [markers, references] = [List::Markers, List::References].map(List::in_all);
    let count = |at: usize| -> Option<usize> {
        let count = usize::try_from(number(words.get(at)?)?).ok()?;
        (2..=super::TOP_K_MAX).contains(&count).then_some(count)
    };
    let key = |at: usize| references.at(words.get(at..)?).map(|found| found.key);
    let ends = |key: &str, count| match key {
        "1" => Some(Several::First(count)),
        "last" => Some(Several::Last(count)),
        _ => None,
    };
    // "First two", "dos últimos".
    let run = |first: usize, second: usize| ends(key(second)?, count(first)?);
    if let Some(which) = run(at, at + 1).or_else(|| run(at + 1, at)) {
        return Some((which, 2));
    }
    let is_determined = |word: &String| markers.stands(word, "article") || is_plural(word);
    if !words.get(at).is_some_and(is_determined)
        || key(at).is_some_and(|key| key.parse::<u32>().is_ok())
    {
        return None;
    }
    // "Los dos últimos" is said of the end.
    if run(at + 1, at + 2)
        .or_else(|| run(at + 2, at + 1))
        .is_some()
    {
        return None;
    }
    Some((Several::Count(count(at + 1)?), 2))
}

/// Whether words begin with what is counted of one item.
fn is_of_copies(words: &[String]) -> bool {
    let next = words.first();
    next.is_some_and(|word| List::Units.in_all().stands(word, "copies"))
}

/// "Todos"; "añádelos" is "añádelo" of several.
fn is_plural(word: &str) -> bool {
    let one = word.strip_suffix('s');
    let references = List::References.in_all();
    List::Markers.in_all().stands(word, "together")
        || references.stands(word, "every")
        || one.is_some_and(|one| references.stands(one, "that"))
}

/// How many words there mean all of them: "todos", "them", "all of them".
fn every(words: &[String]) -> Option<usize> {
    let of = |list: List, keys: &[&str]| {
        let found = list.in_all().at(words)?;
        keys.contains(&found.key).then_some(found.words.max(1))
    };
    of(List::Markers, &["all", "together"]).or_else(|| of(List::References, &["every"]))
}

/// Whether a number there follows a place that it is joined to.
fn is_bare_place(words: &[String], at: usize) -> bool {
    let joint = at.checked_sub(1).and_then(|before| words.get(before));
    joint.is_some_and(|word| List::Markers.in_all().stands(word, "clause"))
        && words[at].parse::<u32>().is_ok()
}

/// The parts of a message between what joins them: "Dune" and "1984" of "Dune and 1984".
pub(crate) fn joined_parts(message: &str) -> Vec<Vec<String>> {
    let joints = List::Markers.in_all();
    let clauses = message.split([',', ';', '\n']).map(words);
    let parts = clauses.flat_map(|clause| {
        let parts = clause.split(|word| joints.stands(word, "clause"));
        parts.map(<[String]>::to_vec).collect::<Vec<_>>()
    });
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_of_what_was_shown_are_counted_or_placed() {
        let at = |places: &[usize]| {
            Some(Several::At(
                places.iter().map(|at| Place::Nth(*at)).collect(),
            ))
        };
        for (message, expected) in [
            ("los dos", Some(Several::Count(2))),
            ("ponme los dos, por favor", Some(Several::Count(2))),
            ("me llevo las tres", Some(Several::Count(3))),
            ("I'll take both", Some(Several::Count(2))),
            ("quero os dois", Some(Several::Count(2))),
            ("all three please", Some(Several::Count(3))),
            ("the first two", Some(Several::First(2))),
            (
                "pon los dos primeros en el carrito",
                Some(Several::First(2)),
            ),
            ("as duas últimas", Some(Several::Last(2))),
            ("añade el primero y el tercero", at(&[0, 2])),
            ("el 1 y el 3", at(&[0, 2])),
            ("number 2 and 3", at(&[1, 2])),
            ("o segundo e o terceiro", at(&[1, 2])),
            ("ponlos en el carrito", Some(Several::All)),
            ("add them to my cart", Some(Several::All)),
            ("el más barato de los dos", None),
            ("ponme dos", None),
            ("reserve both copies for me", None),
            ("los dos ejemplares", None),
            ("dos del primero", None),
            ("los tres mosqueteros", None),
            ("el segundo", None),
            ("the two towers", None),
            ("los dos libros de Lorca", None),
            ("el primero y no el segundo", None),
            ("no, los dos", Some(Several::Count(2))),
            ("gimme both", Some(Several::Count(2))),
        ] {
            assert_eq!(several(message), expected, "{message}");
        }
    }

    #[test]
    fn several_are_wanted_by_whatever_verb() {
        for (message, expected) in [
            ("pop both", Some(Several::Count(2))),
            ("pop both for my mum", Some(Several::Count(2))),
            ("pop both in Spanish", None),
            ("it's for a class", None),
            ("rayuela los dos", None),
            ("pop both but not the first", None),
        ] {
            assert_eq!(several_done(message), expected, "{message}");
        }
    }

    #[test]
    fn all_that_was_asked_about_is_agreed_to() {
        for (message, agrees) in [
            ("sí, los dos", true),
            ("yes, both", true),
            ("todos", true),
            ("sim, os dois", true),
            ("yes please, all of them", true),
            ("los tres", false),
            ("no, los dos no", false),
            ("sí, el primero", false),
            ("¿los dos?", false),
            ("tell me about them", false),
            ("how much are both", false),
            ("show them to me", false),
            ("reserve both", false),
            ("not sure about both", false),
            ("enséñame los dos", false),
            ("quítalos", false),
            ("tira os dois", false),
        ] {
            assert_eq!(agrees_to_all(message, 2), agrees, "{message}");
        }
        assert!(!agrees_to_all("todo, sí", 1));
        assert!(!agrees_to_all("yes, both", 3));
    }

    #[test]
    fn several_are_those_that_were_shown() {
        let shown = [4, 5, 6];
        let of = |which: Several, shown: &[u64], alone: &[u64]| {
            let before = Shown {
                alone: alone.to_vec(),
                firsts: vec![6, 2, 1],
                ..Shown::default()
            };
            which.of(shown, &before)
        };
        assert_eq!(of(Several::Count(3), &shown, &[]), Some(vec![4, 5, 6]));
        assert_eq!(of(Several::Count(2), &shown, &[]), Some(vec![2, 6]));
        assert_eq!(of(Several::Count(4), &shown, &[]), None);
        assert_eq!(of(Several::Count(2), &[9], &[9, 8, 7]), Some(vec![8, 9]));
        assert_eq!(of(Several::First(2), &shown, &[]), Some(vec![4, 5]));
        assert_eq!(of(Several::Last(2), &shown, &[]), Some(vec![5, 6]));
        assert_eq!(of(Several::All, &[9], &[9]), None);
        let ends = Several::At(vec![Place::Nth(0), Place::Last]);
        assert_eq!(of(ends.clone(), &shown, &[]), Some(vec![4, 6]));
        assert_eq!(of(ends, &[4], &[]), None);
        assert_eq!(
            of(Several::At(vec![Place::Nth(0), Place::Nth(7)]), &shown, &[]),
            None
        );
    }
}
