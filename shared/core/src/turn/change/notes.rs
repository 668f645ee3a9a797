//! What is to be remembered of a customer, or forgotten: which sentence that is.

use super::clause_of;
use crate::{
    actions::{Choice, Payload},
    dialogue::{Task, chosen, plainly},
    purchases::NOTE_CHARS,
    turn::types::{Caller, Prepared, Record},
    understand::{Change, Route, is_in, is_of_all, named, to_be_remembered},
};

/// What a task is of in the customer's words, as long as it cannot be done: the sentence, or how many of each of several items. It is
/// longer than a sentence may be, so that it is known for too long once it can.
pub(super) fn text_of(task: &Task, message: &str) -> Option<String> {
    let text = task.text.clone().or_else(|| match task.change {
        Change::Remember => to_be_remembered(message),
        Change::Forget => Some(message.to_owned()),
        _ => (task.items.len() > 1).then(|| message.to_owned()),
    });
    text.map(|text| text.chars().take(NOTE_CHARS + 1).collect())
}

/// Whether a message goes on with a task: it may be the sentence that was asked for, or mean all of them.
pub(super) fn goes_on(task: &Task, prepared: &Prepared) -> bool {
    let message = &prepared.wish;
    match task.change {
        Change::Remember => {
            task.text.is_none() && prepared.route == Route::Search && !message.contains('?')
        }
        Change::Forget => is_of_all(message),
        _ => false,
    }
}

/// What a change has remembered; where that is not said, it is asked.
pub(super) fn to_remember(
    caller: &Caller,
    task: &Task,
    prepared: &mut Prepared,
) -> Option<Payload> {
    let Some(text) = text_of(task, &prepared.wish) else {
        let question = prepared.locale(caller.language).text("note_missing");
        prepared.record = Some(in_lines([question]));
        prepared.task = Some(task.clone());
        return None;
    };
    let text = ("text".to_owned(), text.into());
    Some(Payload([text].into_iter().collect()))
}

/// What a change has forgotten, of what is remembered; where that is not said, it is asked.
pub(super) fn to_forget(
    caller: &Caller,
    task: &Task,
    remembered: Vec<Choice>,
    prepared: &mut Prepared,
) -> Option<Payload> {
    let locale = prepared.locale(caller.language);
    if remembered.is_empty() {
        let nothing = locale.message("notes", &[("count", 0_u32.into())]);
        prepared.record = Some(in_lines([nothing]));
        return None;
    }
    // A yes after signing in goes on with what was said before.
    let before = task.text.as_ref();
    let before = before.filter(|_| plainly(&prepared.wish) == Some(true));
    let message = before.unwrap_or(&prepared.wish);
    if is_of_all(message) {
        return Some(Payload::default());
    }
    let one = chosen(message, &remembered, &[]).and_then(|one| remembered.get(one));
    // One alone, or one that begins alike, would be taken whatever is named; why it is to go names nothing.
    let clause = clause_of(Change::Forget, message).unwrap_or(message);
    let is_meant = |one: &&Choice| {
        let texts: Vec<&str> = one.names.titles.iter().map(String::as_str).collect();
        let named = named(clause);
        named.is_empty() || named.iter().any(|word| is_in(word, &texts))
    };
    if let Some(one) = one.filter(is_meant) {
        return Some(one.payload.clone());
    }
    let lines = remembered.iter().map(|choice| choice.line.clone());
    let question = locale.text("which-note");
    prepared.record = Some(in_lines(std::iter::once(question).chain(lines)));
    prepared.task = Some(Task::new(Change::Forget, None));
    None
}

fn in_lines(lines: impl IntoIterator<Item = String>) -> Record {
    Record {
        lines: lines.into_iter().collect(),
        error: None,
        ..Record::default()
    }
}
