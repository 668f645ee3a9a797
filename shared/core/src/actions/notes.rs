//! What the shop remembers of a customer at their wish: sentences of their own, and nothing else.

use serde_json::{Value, json};

use super::{ActionFailure, Attempt, Outcome, Payload, seconds};
use crate::{
    isbn,
    purchases::{Account, NOTE_CHARS, NOTES, Note},
    text::{plain, truncate, words},
};

/// Longest line of a list of them, in characters: five must fit an answer.
const LINE_CHARS: usize = 120;

pub(super) async fn view(attempt: &Attempt<'_>) -> Result<Outcome, ActionFailure> {
    Ok(listed(attempt, &attempt.account().await?))
}

pub(super) async fn remember(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let Some(text) = payload.0.get("text").and_then(sentence) else {
        return Ok(attempt.refused("note_missing", &[]));
    };
    let mut account = attempt.account().await?;
    // What is remembered already is shown.
    if place_of(&text, &account.notes).is_some() {
        return Ok(listed(attempt, &account));
    }
    let question = attempt.message("propose-note", &[("note", (&text).into())]);
    if let Some(refusal) = refusal(attempt, &account, &text) {
        return Ok(refusal);
    }
    let note = new(attempt, &mut account, text);
    account.notes.push(note);
    let outcome = with_notes(&account, attempt.message("note-kept", &[]));
    let mutation = attempt.mutation(account);
    attempt.commit(mutation, outcome, || question).await
}

/// Forgets the sentence of a number; all of them where none is given.
pub(super) async fn forget(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let mut account = attempt.account().await?;
    let is_of_one = payload.0.contains_key("note_id");
    let note_id = payload.small_id("note_id");
    let (forgotten, kept): (Vec<Note>, Vec<Note>) = std::mem::take(&mut account.notes)
        .into_iter()
        .partition(|note| !is_of_one || Some(note.note_id) == note_id);
    account.notes = kept;
    let Some(first) = forgotten.first() else {
        return Ok(if is_of_one {
            attempt.refused("note_not_found", &[])
        } else {
            listed(attempt, &account)
        });
    };
    let arguments = [
        ("count", forgotten.len().into()),
        ("note", (&first.text).into()),
    ];
    let question = attempt.message("propose-forgetting", &arguments);
    let left = [("count", account.notes.len().into())];
    let mut outcome = with_notes(&account, attempt.message("note-forgotten", &left));
    // Who is asked about several sees which.
    if attempt.settle.is_none() && forgotten.len() > 1 {
        outcome.details = attempt.listed(&forgotten, forgotten.len(), line);
    }
    let mutation = attempt.mutation(account);
    attempt.commit(mutation, outcome, || question).await
}

/// Has what is remembered be exactly these sentences, in this order. Those that were there before keep their numbers.
pub(super) async fn set(
    attempt: &Attempt<'_>,
    payload: &Payload,
) -> Result<Outcome, ActionFailure> {
    let texts = payload.0.get("notes").and_then(Value::as_array);
    let texts: Option<Vec<String>> = texts.and_then(|texts| texts.iter().map(sentence).collect());
    let Some(texts) = texts else {
        return Ok(attempt.refused("note_missing", &[]));
    };
    if texts.len() > NOTES {
        return Ok(attempt.refused("notes_full", &[("most", NOTES.into())]));
    }
    let mut account = attempt.account().await?;
    let mut before = std::mem::take(&mut account.notes);
    let known = before.clone();
    for text in texts {
        if place_of(&text, &account.notes).is_some() {
            continue;
        }
        if let Some(refusal) = refusal(attempt, &account, &text) {
            return Ok(refusal);
        }
        let note = match place_of(&text, &before) {
            // It may be written better now.
            Some(place) => Note {
                text,
                ..before.remove(place)
            },
            None => new(attempt, &mut account, text),
        };
        account.notes.push(note);
    }
    let outcome = listed(attempt, &account);
    if account.notes == known {
        return Ok(outcome);
    }
    let question = outcome.message.clone();
    let mutation = attempt.mutation(account);
    attempt.commit(mutation, outcome, || question).await
}

/// A sentence as it is kept: one harmless line that says something.
fn sentence(text: &Value) -> Option<String> {
    let text = plain(text.as_str()?);
    (!words(&text).is_empty()).then_some(text)
}

/// Where a sentence is among those that are remembered, whatever its accents and signs.
fn place_of(text: &str, notes: &[Note]) -> Option<usize> {
    let said = words(text);
    notes.iter().position(|note| words(&note.text) == said)
}

/// Why a sentence cannot be remembered beside the others.
fn refusal(attempt: &Attempt<'_>, account: &Account, text: &str) -> Option<Outcome> {
    if has_card(text) {
        return Some(attempt.refused("note_private", &[]));
    }
    if text.chars().count() > NOTE_CHARS {
        return Some(attempt.refused("note_too_long", &[("most", NOTE_CHARS.into())]));
    }
    let is_full = account.notes.len() >= NOTES;
    is_full.then(|| attempt.refused("notes_full", &[("most", NOTES.into())]))
}

/// Whether a text has the number of a payment card in it, however it is spaced: 13 to 19 digits whose last one checks the others, by
/// ISO/IEC 7812. An ISBN is none.
fn has_card(text: &str) -> bool {
    let close: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '-' | '.' | '/'))
        .collect();
    let mut numbers = close.split(|c: char| !c.is_ascii_digit());
    numbers.any(|number| {
        (13..=19).contains(&number.len()) && is_checked(number) && isbn::normalise(number).is_none()
    })
}

/// Whether the last digit of a number checks the others, by Luhn's formula.
fn is_checked(number: &str) -> bool {
    let digits = number.chars().rev().filter_map(|c| c.to_digit(10));
    let sum: u32 = digits
        .enumerate()
        .map(|(place, digit)| match place % 2 {
            0 => digit,
            _ => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// A sentence with the next number.
fn new(attempt: &Attempt<'_>, account: &mut Account, text: String) -> Note {
    account.notes_made += 1;
    Note {
        note_id: account.notes_made,
        text,
        created_at: attempt.now,
    }
}

/// An outcome that shows what is remembered.
fn listed(attempt: &Attempt<'_>, account: &Account) -> Outcome {
    let notes = &account.notes;
    let message = attempt.message("notes", &[("count", notes.len().into())]);
    let mut outcome = with_notes(account, message);
    outcome.details = attempt.listed(notes, notes.len(), line);
    outcome
}

/// An outcome about what is remembered, with all of it.
fn with_notes(account: &Account, message: String) -> Outcome {
    let notes = account.notes.iter().map(described).collect();
    Outcome::done(message, notes, json!({"count": account.notes.len()}))
}

/// A sentence in a line of a list.
pub(super) fn line(note: &Note) -> String {
    truncate(&note.text, LINE_CHARS)
}

fn described(note: &Note) -> Value {
    json!({
        "note_id": note.note_id,
        "text": note.text,
        "created_at": seconds(note.created_at),
    })
}

#[cfg(test)]
mod tests {
    use super::has_card;

    #[test]
    fn numbers_of_cards_are_known() {
        assert!(has_card("mi tarjeta es 4111 1111 1111 1111"));
        assert!(has_card("card: 4111-1111-1111-1111."));
        assert!(has_card("4111/1111/1111/1111"));
        assert!(!has_card("4111 1111 1111 1112"));
        assert!(!has_card("ya tengo el 9788437604947"));
        assert!(!has_card("mi teléfono es 600 123 456 y calzo un 41"));
    }
}
