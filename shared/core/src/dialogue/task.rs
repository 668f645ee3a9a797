//! A change that a conversation is about: what is still to be said of it, and what was asked about it.

use std::{cell::LazyCell, collections::HashSet};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{TOPIC, agreement::without_agreement};
use crate::{
    actions::Payload,
    language::{Language, List},
    log::{Commit, Event},
    shop::age,
    text::{place_of, words},
    understand::Change,
};

/// Most copies that a number is read as; a larger one is a year, or part of a name.
pub(super) const COPIES_MAX: u32 = 99;
/// The argument of a tool's use that keeps it in the log.
pub(crate) const TASK: &str = "task";
/// Most words of a message that says another number of copies.
const ANSWER_WORDS: usize = 6;

/// A change that is wanted, and cannot be asked about before more is said, or before the customer has signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) change: Change,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) copies: Option<u32>,
    /// The items, where they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) items: Vec<u64>,
    /// What of the customer is to be remembered or forgotten, or how many of each of several items, in their words, where they have said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

impl Task {
    pub(crate) fn new(change: Change, copies: Option<u32>) -> Self {
        let copies = copies.filter(|_| change.has_copies());
        Self {
            change,
            copies,
            items: Vec::new(),
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
    /// How the customer was asked.
    pub(crate) question: String,
    /// Whether a plain "yes" is the answer to it: nothing has come since, and it can still be decided on.
    pub(crate) is_asked: bool,
    /// Whether a plain "yes" may go back to it: what has come since showed no other items, and did not turn it down.
    pub(crate) may_return: bool,
    /// The same, where at most one turn came between.
    pub(crate) is_right_before: bool,
    /// Whether the shop was asked about itself since, and asked nothing back: then a yes is to nothing else.
    pub(crate) shop_was_asked: bool,
}

/// Whether the shop was asked about itself in some commits, and asked nothing back.
fn was_asked(commits: &[Commit]) -> bool {
    let is_of_shop = |event: &Event| match event {
        Event::ToolUseRequested { args, .. } => args.get(TOPIC).is_some(),
        _ => false,
    };
    let mut answers = commits.iter().filter_map(Commit::answer);
    commits.iter().flat_map(super::events).any(is_of_shop)
        && !answers.any(|answer| answer.contains('?'))
}

impl Proposed {
    /// Of the newest commits of a conversation, newest first.
    pub(crate) fn of_log(commits: &[Commit], now: OffsetDateTime) -> Option<Self> {
        let newest = commits.first().filter(|newest| !newest.state.archived)?;
        let is_turned_away = |place: usize, payload: &Payload| {
            let items = payload.lines();
            let items: Vec<u64> = items.iter().filter_map(Payload::item).collect();
            let mut since = commits[..place].iter();
            since.any(|commit| turns_away(commit, &items))
        };
        let of_commit = |(place, commit): (usize, &Commit)| {
            let mut events = commit.events.iter().filter_map(|event| event.known());
            events.find_map(|event| match event {
                Event::ApprovalRequested {
                    approval_id,
                    tool_name,
                    args,
                    expires_at,
                } => {
                    let payload = Payload(args.as_object().cloned().unwrap_or_default());
                    let may_return = !is_turned_away(place, &payload);
                    // A turn with a model is two commits.
                    let since = commits[..place].iter().map(|of| of.turn_id);
                    let since: HashSet<_> = since.filter(|turn| *turn != commit.turn_id).collect();
                    Some(Self {
                        approval: *approval_id,
                        action: tool_name.clone(),
                        payload,
                        question: commit.answer().unwrap_or_default().to_owned(),
                        is_asked: place == 0 && now < *expires_at,
                        may_return,
                        is_right_before: since.len() <= 1 && may_return,
                        shop_was_asked: was_asked(&commits[..place]),
                    })
                }
                _ => None,
            })
        };
        let proposed = commits.iter().enumerate().find_map(of_commit)?;
        (newest.state.resolved_approval != Some(proposed.approval)).then_some(proposed)
    }

    /// The same of so many copies, where that is all that a message says beside its `name`: "no, dos", "mejor solo uno de Rayuela".
    pub(crate) fn with_copies_of(&self, message: &str, name: &str) -> Option<Payload> {
        Change::by(&self.action).filter(|change| change.has_copies())?;
        // "Sí, los dos" is no number of copies, where several items are asked about.
        self.payload.item()?;
        let copies = only_copies(message)
            .or_else(|| only_copies(without_last(message)?))
            .or_else(|| only_copies(&without_name(message, name)?))?;
        let is_new = self.payload.0.get("cantidad") != Some(&copies.into());
        is_new.then(|| {
            let mut payload = self.payload.clone();
            payload.0.insert("cantidad".to_owned(), copies.into());
            payload
        })
    }
}

/// A message without a name that is in it.
pub(crate) fn without_name(message: &str, name: &str) -> Option<String> {
    let (said, name) = (words(message), words(name));
    let at = place_of(&name, &said).filter(|_| !name.is_empty())?;
    Some([&said[..at], &said[at + name.len()..]].concat().join(" "))
}

/// A message without what it gives for a reason: "no, dos" of "no, dos, uno es para mi hermana".
fn without_last(message: &str) -> Option<&str> {
    let (kept, _) = message.rsplit_once([',', '.', ';'])?;
    Some(kept)
}

/// The number of copies that a message says, where it says nothing else: "no, dos", "pues tres", "quiero uno para mi novia".
pub(crate) fn only_copies(message: &str) -> Option<u32> {
    let [references, agreement] = [List::References, List::Agreement].map(List::in_all);
    let mut said = words(message);
    said.truncate(said.len() - for_own(&said));
    if said.len() > ANSWER_WORDS {
        return None;
    }
    let mut at = 0;
    while at < said.len() {
        let rest = &said[at..];
        let found = references.at(rest).filter(|found| match found.key {
            "rather" | "to-be" => true,
            _ => super::says_nothing(&said[at]),
        });
        let counts = || number(&said[at]).is_some_and(|number| number <= COPIES_MAX);
        let is_small = super::says_nothing(&said[at]) || counts();
        at += match found.or_else(|| agreement.at(rest)) {
            Some(found) => found.words.max(1),
            None if is_small => 1,
            None => return None,
        };
    }
    number_of(message)
}

/// How many words at the end say for whom of their own something is: "para mi novia".
fn for_own(said: &[String]) -> usize {
    let [references, markers] = [List::References, List::Markers].map(List::in_all);
    let [.., whom, own, _] = said else { return 0 };
    match references.stands(whom, "whom") && markers.stands(own, "possessive") {
        true => 3,
        false => 0,
    }
}

/// Whether a commit of another turn leads away from what was asked before it of these items.
fn turns_away(commit: &Commit, items: &[u64]) -> bool {
    let mut events = commit.events.iter().filter_map(|event| event.known());
    events.any(|event| match event {
        // "Espera, ¿de qué año es?"
        Event::ToolUseCompleted { results, .. } => {
            results.iter().any(|item| !items.contains(&item.libro_id))
        }
        // Another change is wanted, of which more is to be said.
        Event::ToolUseRequested { args, .. } => args.get(TASK).is_some(),
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
    let mut says_so = false;
    for at in 0..said.len() {
        let Some(found) = references.at(&said[at..]) else {
            continue;
        };
        // "Cámbialo a 3."
        let behind = said.get(at + found.words).and_then(|word| number(word));
        match found.key {
            "to-be" if behind.is_some_and(|number| number <= COPIES_MAX) => return behind,
            "to-be" => says_so = true,
            "rather" => says_so |= only_copies(message).is_some(),
            _ => {}
        }
    }
    says_so.then(|| number_of(message)).flatten()
}

/// The number of copies in a message that is about nothing else; one counts, too.
pub(super) fn number_of(message: &str) -> Option<u32> {
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

pub(crate) fn number(word: &str) -> Option<u32> {
    let numerals = List::Numerals.in_all();
    let found = || numerals.at(&[word])?.key.parse().ok();
    word.parse().ok().or_else(found)
}

/// How many copies a message asks for of what has this name; `own` is the item's number, where the message names it by that.
pub(crate) fn copies(message: &str, name: &str, own: Option<u64>) -> Option<u32> {
    let (said, name) = (words(message), words(name));
    let references = List::References.in_all();
    let numerals = List::Numerals.in_all();
    let spoken = LazyCell::new(|| Language::of_text(message));
    let mut at = 0;
    while at < said.len() {
        let rest = &said[at..];
        if !name.is_empty() && rest.starts_with(&name) {
            at += name.len();
            continue;
        }
        // "Something for my 5 yr old" is for them.
        if let Some((_, length)) = age(&said, at) {
            at += length;
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
        // "A guerra dos tronos" counts none.
        let is_small =
            || spoken.is_some_and(|language| language.phrases(List::Function).has(&rest[0]));
        let spelled = || numerals.at(rest)?.key.parse().ok();
        let number = digits.or_else(|| spelled().filter(|_| !is_small()));
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
    let mut said = without_agreement(message).0;
    let is_count = |word: &str| number(word).is_some_and(|number| number <= COPIES_MAX);
    said.retain(|word| {
        let says_nothing = super::says_nothing(word) || is_reference(word) || is_count(word);
        !says_nothing && !super::is_of_change(word)
    });
    said
}

/// What of a message's content may name something: no fact that is asked for, and no order.
pub(crate) fn naming(message: &str) -> Vec<String> {
    let lists = [&[List::Facts, List::Orderings], &List::SMALL[..]].concat();
    List::beside(&lists, &content(message))
}

/// A message without the words that say what is to be done.
pub(crate) fn without_change(message: &str) -> String {
    let agreement = List::Agreement.in_all();
    let mut said = words(message);
    said.retain(|word| !super::is_of_change(word) && !agreement.has(word));
    said.join(" ")
}

fn is_reference(word: &str) -> bool {
    let references = List::References.in_all();
    references
        .at(&[word])
        .is_some_and(|found| found.key != "whole")
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
            ("something for my 5 yr old too", "", None, None),
            ("ponme 3, que es para un niño de 8 años", "", None, Some(3)),
            ("coloca também a guerra dos tronos", "", None, None),
            ("põe dois da guerra dos tronos", "", None, Some(2)),
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
    fn how_many_there_are_to_be() {
        for (message, count) in [
            ("que sean 5", Some(5)),
            ("deja solo uno", Some(1)),
            ("actually make it 1", Some(1)),
            ("afinal só quero um", Some(1)),
            ("change Brave New World to three copies", Some(3)),
            ("cambia Rayuela a tres", Some(3)),
            ("muda O processo para dois", Some(2)),
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
            question: String::new(),
            approval: Uuid::nil(),
            action: "add_to_cart".to_owned(),
            payload: Payload(payload.as_object().cloned().unwrap_or_default()),
            is_asked: true,
            may_return: true,
            is_right_before: true,
            shop_was_asked: false,
        };
        let of_copies = proposed(serde_json::json!({"book_id": 3, "cantidad": 1}));
        for (message, copies) in [
            ("no, dos", Some(2)),
            ("mejor tres", Some(3)),
            ("que sean 4", Some(4)),
            ("make it two", Some(2)),
            ("melhor dois", Some(2)),
            ("quero dois pra minha namorada", Some(2)),
            ("no", None),
            ("no, uno", None),
            ("los tres mosqueteros", None),
            ("dos novelas de terror", None),
            ("mejor dos de Rayuela", Some(2)),
            ("mejor dos de Ficciones", None),
        ] {
            let payload = of_copies.with_copies_of(message, "Rayuela");
            let said = payload.map(|payload| payload.0["cantidad"].clone());
            assert_eq!(said, copies.map(serde_json::Value::from), "{message}");
        }
        let of_all = Proposed {
            action: "checkout".to_owned(),
            ..proposed(serde_json::json!({}))
        };
        assert_eq!(of_all.with_copies_of("no, dos", ""), None);
    }
}
