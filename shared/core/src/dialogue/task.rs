//! A change that a conversation is about: what is still to be said of it, and what was asked about it.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{agreement::without_agreement, place::one_of};
use crate::{
    actions::{Choice, Payload},
    catalogue::ItemResult,
    language::List,
    log::{Commit, Event},
    text::{place_of, words},
    understand::{Change, is_in, sought},
};

/// Most copies that a number is read as; a larger one is a year, or part of a name.
const COPIES_MAX: u32 = 99;
/// The argument of a tool's use that keeps it in the log.
pub(crate) const TASK: &str = "task";
/// From so many letters on, a word names an item that it is a slip away from.
const SLIP_LETTERS: usize = 6;
/// Most words of a message that says another number of copies.
const ANSWER_WORDS: usize = 6;

/// A change that is wanted, and cannot be asked about before more is said, or before the customer has signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) change: Change,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) copies: Option<u32>,
    /// The item, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) item: Option<u64>,
    /// What of the customer is to be remembered or forgotten, in their words, where they have said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

impl Task {
    pub(crate) fn new(change: Change, copies: Option<u32>) -> Self {
        let copies = copies.filter(|_| change.has_copies());
        Self {
            change,
            copies,
            item: None,
            text: None,
        }
    }

    /// What the newest commit of a conversation has of it, the newest coming first.
    pub(crate) fn of_log(commits: &[Commit]) -> Option<Self> {
        let newest = commits.first().filter(|newest| !newest.state.archived)?;
        let mut events = newest.events.iter().filter_map(|event| event.known());
        events.find_map(|event| match event {
            Event::ToolUseRequested { args, .. } => super::argument(args, TASK),
            _ => None,
        })
    }
}

/// The change that the customer was asked about last, and has not decided on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Proposed {
    pub(crate) approval: Uuid,
    pub(crate) action: String,
    pub(crate) payload: Payload,
    /// Whether a plain "yes" is the answer to it: nothing has come since, and it can still be decided on.
    pub(crate) is_asked: bool,
    /// Whether a plain "yes" may go back to it: what has come since showed no items, and did not turn it down.
    pub(crate) may_return: bool,
}

impl Proposed {
    /// Of the newest commits of a conversation, newest first.
    pub(crate) fn of_log(commits: &[Commit], now: OffsetDateTime) -> Option<Self> {
        let newest = commits.first().filter(|newest| !newest.state.archived)?;
        let of_commit = |(place, commit): (usize, &Commit)| {
            let mut events = commit.events.iter().filter_map(|event| event.known());
            events.find_map(|event| match event {
                Event::ApprovalRequested {
                    approval_id,
                    tool_name,
                    args,
                    expires_at,
                } => Some(Self {
                    approval: *approval_id,
                    action: tool_name.clone(),
                    payload: Payload(args.as_object().cloned().unwrap_or_default()),
                    is_asked: place == 0 && now < *expires_at,
                    may_return: !commits[..place].iter().any(turns_away),
                }),
                _ => None,
            })
        };
        let proposed = commits.iter().enumerate().find_map(of_commit)?;
        (newest.state.resolved_approval != Some(proposed.approval)).then_some(proposed)
    }

    /// The same of so many copies, where that is all that a message says: "no, dos".
    pub(crate) fn with_copies_of(&self, message: &str) -> Option<Payload> {
        Change::by(&self.action).filter(|change| change.has_copies())?;
        let copies = only_copies(message)?;
        let is_new = self.payload.0.get("cantidad") != Some(&copies.into());
        is_new.then(|| {
            let mut payload = self.payload.clone();
            payload.0.insert("cantidad".to_owned(), copies.into());
            payload
        })
    }
}

/// The number of copies that a message says, where it says nothing else: "no, dos", "pues tres".
pub(crate) fn only_copies(message: &str) -> Option<u32> {
    let [references, agreement] = [List::References, List::Agreement].map(List::in_all);
    let said = words(message);
    let rather = ["rather", "to-be"];
    let says_nothing = |word: &String| {
        rather.iter().any(|key| references.stands(word, key))
            || super::says_nothing(word)
            || agreement.has(word)
            || number(word).is_some()
    };
    let is_alone = said.len() <= ANSWER_WORDS && said.iter().all(says_nothing);
    number_of(message).filter(|_| is_alone)
}

/// Whether a commit of another turn leads away from what was asked before it.
fn turns_away(commit: &Commit) -> bool {
    let mut events = commit.events.iter().filter_map(|event| event.known());
    events.any(|event| match event {
        Event::ToolUseCompleted { results, .. } => !results.is_empty(),
        Event::UserMessageSent { content } => without_agreement(content).1,
        // A person may have asked something of their own.
        Event::StaffMessageSent { about, .. } => about.is_none(),
        _ => false,
    })
}

/// How many copies there are to be by a message, and not how many more or fewer: "que sean tres", "deja solo uno", "mejor dos".
pub(crate) fn says_how_many(message: &str) -> Option<u32> {
    let references = List::References.in_all();
    let said = words(message);
    let says_so = |at: usize| {
        let found = references.at(&said[at..]);
        found.is_some_and(|found| match found.key {
            "to-be" => true,
            "rather" => only_copies(message).is_some(),
            _ => false,
        })
    };
    let says_so = (0..said.len()).any(says_so);
    says_so.then(|| number_of(message)).flatten()
}

/// The number of copies in a message that is about nothing else; one counts, too.
fn number_of(message: &str) -> Option<u32> {
    let one = || {
        let mut said = words(message).into_iter();
        said.any(|word| number(&word) == Some(1)).then_some(1)
    };
    copies(message, "", None).or_else(one)
}

/// Whether a key of the references is a place.
fn is_place(key: &str) -> bool {
    key == "last" || key.parse::<usize>().is_ok()
}

fn number(word: &str) -> Option<u32> {
    let numerals = List::Numerals.in_all();
    let found = || numerals.at(&[word])?.key.parse().ok();
    word.parse().ok().or_else(found)
}

/// How many copies a message asks for of what has this name; `own` is the item's number, where the message names it by that.
pub(crate) fn copies(message: &str, name: &str, own: Option<u64>) -> Option<u32> {
    let (said, name) = (words(message), words(name));
    let references = List::References.in_all();
    let numerals = List::Numerals.in_all();
    let mut at = 0;
    while at < said.len() {
        let rest = &said[at..];
        if !name.is_empty() && rest.starts_with(&name) {
            at += name.len();
            continue;
        }
        let place = references.at(rest);
        // "De los dos" counts what was shown.
        if let Some(place) = place.filter(|place| is_place(place.key) || place.key == "among") {
            at += place.words.max(1);
            continue;
        }
        let own = |number: &u32| own != Some(u64::from(*number));
        let digits = rest[0].parse().ok().filter(own);
        let spelled = || numerals.at(rest)?.key.parse().ok();
        let number = digits.or_else(spelled);
        // "Un libro" is one as well as any.
        if let Some(number) = number.filter(|number| (2..=COPIES_MAX).contains(number)) {
            return Some(number);
        }
        at += 1;
    }
    None
}

/// Whether a message asks for one and says so: "quita uno", and not "the second one".
pub(crate) fn says_one(message: &str) -> bool {
    let said = words(message);
    let references = List::References.in_all();
    let is_place = |word: &str| {
        let found = references.at(&[word]);
        found.is_some_and(|found| is_place(found.key) || found.key == "that")
    };
    let is_one = |at: &usize| number(&said[*at]) == Some(1);
    let mut ones = (0..said.len()).filter(is_one);
    ones.any(|at| at == 0 || !is_place(&said[at - 1]))
}

/// What a message says besides that something is to be done with it.
pub(crate) fn content(message: &str) -> Vec<String> {
    let mut said = words(message);
    let is_count = |word: &str| number(word).is_some_and(|number| number <= COPIES_MAX);
    said.retain(|word| {
        let says_nothing = super::says_nothing(word) || is_reference(word) || is_count(word);
        !says_nothing && !super::is_of_change(word)
    });
    said
}

fn is_reference(word: &str) -> bool {
    let references = List::References.in_all();
    references
        .at(&[word])
        .is_some_and(|found| found.key != "whole")
}

/// Those of the largest count, if any has one.
fn most(counts: impl Iterator<Item = usize>) -> Vec<usize> {
    let counts: Vec<usize> = counts.collect();
    let most = counts.iter().copied().max().unwrap_or_default();
    let places = counts.into_iter().enumerate();
    let places = places.filter(|(_, count)| most > 0 && *count == most);
    places.map(|(place, _)| place).collect()
}

/// Those among `texts`, each the title of something and what else may name it, whose whole title is in a message; of a title in
/// another one, the longer.
fn whole_titles(message: &str, texts: &[Vec<&str>]) -> Vec<usize> {
    let (said, content) = (words(message), content(message));
    let lengths = texts.iter().map(|texts| {
        let title = words(texts.first().copied().unwrap_or_default());
        // "It" says nothing by itself.
        let says_something = title.iter().any(|word| content.contains(word));
        let is_said = says_something && place_of(&title, &said).is_some();
        if is_said { title.len() } else { 0 }
    });
    most(lengths)
}

/// Those that a message is for among `texts`: those whose whole title is in it, or else those that have most of what it says.
fn named(message: &str, texts: &[Vec<&str>]) -> Vec<usize> {
    let whole = whole_titles(message, texts);
    if !whole.is_empty() {
        return whole;
    }
    // "Sapiens" is what *Sapiens. De animales a dioses* is called.
    let heads = texts.iter().map(|texts| {
        let head = texts
            .first()
            .and_then(|title| title.split_once(['.', ':', '(']));
        head.map(|(head, _)| head).into_iter().collect()
    });
    let heads: Vec<Vec<&str>> = heads.collect();
    let headed = whole_titles(message, &heads);
    if !headed.is_empty() {
        return headed;
    }
    let content = content(message);
    let covered = texts.iter().map(|texts| {
        let own: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
        // A short word that is a slip away says little: "till" is not "hill".
        let is_said = |word: &&String| {
            let is_long = word.chars().count() >= SLIP_LETTERS;
            is_in(word, texts) && (is_long || own.iter().any(|own| own.starts_with(word.as_str())))
        };
        content.iter().filter(is_said).count()
    });
    most(covered)
}

/// The items that a message is for, among those that were found for it.
pub(crate) fn named_items(message: &str, items: &[ItemResult]) -> Vec<usize> {
    let texts = items.iter();
    let texts = texts.map(|item| vec![item.titulo.as_str(), item.autor.as_str()]);
    named(message, &texts.collect::<Vec<_>>())
}

/// The one of the customer's own that a message is for; `found` is what the catalogue has by its words.
pub(crate) fn chosen(message: &str, choices: &[Choice], found: &[ItemResult]) -> Option<usize> {
    let is_said = |number: u32| {
        let said = number.to_string();
        words(message).contains(&said)
    };
    let mut numbered = choices.iter();
    let numbered = numbered.position(|choice| choice.number.is_some_and(is_said));
    if numbered.is_some() {
        return numbered;
    }
    // "El pedido 7", and there is none of that number.
    let is_number = |word: &String| word.parse::<u32>().is_ok();
    let numbers = choices.iter().all(|choice| choice.number.is_some());
    if numbers && words(message).iter().any(is_number) {
        return one_of(message, choices.len()).filter(|_| choices.len() > 1);
    }
    let texts = choices.iter();
    let texts = texts.map(|choice| choice.titles.iter().map(String::as_str).collect());
    if let [one] = named(message, &texts.collect::<Vec<_>>())[..] {
        return Some(one);
    }
    // What is named and is not among them is none of them.
    let names_another = || {
        let own = choices.iter().flat_map(|choice| &choice.titles);
        let own: Vec<&str> = own.map(String::as_str).collect();
        let is_other = sought(message).is_some_and(|name| !is_in(name, &own));
        let titles: Vec<_> = found
            .iter()
            .map(|item| vec![item.titulo.as_str()])
            .collect();
        is_other || !whole_titles(message, &titles).is_empty()
    };
    let alone = (choices.len() == 1).then_some(0);
    let place = one_of(message, choices.len());
    place.or(alone.filter(|_| !names_another()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_counted_and_nothing_else_is() {
        for (message, name, own, copies_of) in [
            ("ponme dos de Rayuela", "Rayuela", None, Some(2)),
            ("añade 3 ejemplares del segundo", "", None, Some(3)),
            ("añade el 2", "", None, None),
            ("add two copies of Dune", "Dune", None, Some(2)),
            ("add it", "", None, None),
            ("Los tres mosqueteros", "Los tres mosqueteros", None, None),
            (
                "quiero dos de Los tres mosqueteros",
                "Los tres mosqueteros",
                None,
                Some(2),
            ),
            ("pon 1984 en el carrito", "1984", None, None),
            ("añade el libro 12", "", Some(12), None),
            ("quero levar três exemplares", "", None, Some(3)),
            ("reserva un ejemplar", "", None, None),
        ] {
            assert_eq!(copies(message, name, own), copies_of, "{message}");
        }
    }

    #[test]
    fn what_is_done_with_it_and_how_often_is_no_content() {
        for (message, expected) in [
            ("põe dois no carrinho", ""),
            ("ponme dos", ""),
            ("add 1984 to my cart", "1984"),
            ("añade tres de Cien años de soledad", "cien anos soledad"),
        ] {
            assert_eq!(content(message).join(" "), expected, "{message}");
        }
    }

    #[test]
    fn one_is_said() {
        assert!(says_one("quita uno del carrito") && says_one("take one out"));
        assert!(!says_one("remove the second one") && !says_one("quítalo"));
    }

    #[test]
    fn what_is_named_is_found_among_others() {
        let texts = [
            vec!["Rayuela", "Julio Cortázar"],
            vec!["Bestiario", "Julio Cortázar"],
            vec!["Los tres mosqueteros", "Alexandre Dumas"],
            vec!["It", "Stephen King"],
        ];
        for (message, places) in [
            ("añade Rayuela al carrito", &[0][..]),
            ("pon en la cesta algo de Cortázar", &[0, 1]),
            ("quisiera apartar dos de los tres mosqueteros", &[2]),
            ("ponme el bestiaro", &[1]),
            ("apártame uno que paso luego", &[]),
            ("ponme la rayela", &[0]),
            ("quiero la ruela", &[]),
            ("add it to the cart", &[]),
            ("añade una bicicleta", &[]),
        ] {
            assert_eq!(named(message, &texts), places, "{message}");
        }
    }

    #[test]
    fn how_many_there_are_to_be() {
        for (message, count) in [
            ("que sean 5", Some(5)),
            ("deja solo uno", Some(1)),
            ("actually make it 1", Some(1)),
            ("afinal só quero um", Some(1)),
            ("quita dos", None),
            ("quita solo dos", None),
            ("just take one out", None),
            ("quiero quitar dos", None),
        ] {
            assert_eq!(says_how_many(message), count, "{message}");
        }
    }

    #[test]
    fn another_number_is_said_in_few_words() {
        let proposed = |payload: serde_json::Value| Proposed {
            approval: Uuid::nil(),
            action: "add_to_cart".to_owned(),
            payload: Payload(payload.as_object().cloned().unwrap_or_default()),
            is_asked: true,
            may_return: true,
        };
        let of_copies = proposed(serde_json::json!({"book_id": 3, "cantidad": 1}));
        for (message, copies) in [
            ("no, dos", Some(2)),
            ("mejor tres", Some(3)),
            ("que sean 4", Some(4)),
            ("make it two", Some(2)),
            ("melhor dois", Some(2)),
            ("no", None),
            ("no, uno", None),
            ("los tres mosqueteros", None),
            ("dos novelas de terror", None),
        ] {
            let payload = of_copies.with_copies_of(message);
            let said = payload.map(|payload| payload.0["cantidad"].clone());
            assert_eq!(said, copies.map(serde_json::Value::from), "{message}");
        }
        let of_all = Proposed {
            action: "checkout".to_owned(),
            ..proposed(serde_json::json!({}))
        };
        assert_eq!(of_all.with_copies_of("no, dos"), None);
    }
}
