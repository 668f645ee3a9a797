//! Parameters that are numbers and places.

use mostrador_core::{
    ids::{ConversationNumber, Seq},
    log::Place,
};
use mostrador_web::{Problem, Query};

/// A parameter that must be a whole number if it is there, nothing else: a cursor that is not ours is refused, not guessed at.
pub(crate) fn number(query: &Query, name: &str) -> Result<Option<u64>, Problem> {
    query
        .given(name)
        .map(|text| {
            digits(text).ok_or_else(|| Problem::invalid(format!("`{name}` is not a number")))
        })
        .transpose()
}

/// How many are wanted, from 1 to `most`.
pub(crate) fn size(query: &Query, name: &str, most: usize) -> Result<Option<usize>, Problem> {
    let wanted = number(query, name)?;
    Ok(wanted.map(|n| usize::try_from(n).unwrap_or(most).clamp(1, most)))
}

/// A conversation's number. One that nobody can have is not found.
pub(crate) fn conversation(
    query: &Query,
    name: &str,
) -> Result<Option<ConversationNumber>, Problem> {
    number(query, name)?
        .map(|number| conversation_number(number).ok_or(Problem::NotFound))
        .transpose()
}

pub(crate) fn conversation_number(number: u64) -> Option<ConversationNumber> {
    let number = ConversationNumber(u32::try_from(number).ok()?);
    (ConversationNumber::FIRST..=ConversationNumber::MAX)
        .contains(&number)
        .then_some(number)
}

/// A place as we gave it out for reading on: `conversation.event`.
pub(crate) fn place(query: &Query, name: &str) -> Result<Option<Place>, Problem> {
    query
        .given(name)
        .map(|text| {
            let read = || {
                let (conversation, seq) = text.split_once('.')?;
                let seq = digits(seq).filter(|seq| (1..=Seq::MAX.0).contains(seq))?;
                Some((conversation_number(digits(conversation)?)?, Seq(seq)))
            };
            read()
                .ok_or_else(|| Problem::invalid(format!("`{name}` is not where anything goes on")))
        })
        .transpose()
}

pub(crate) fn digits(text: &str) -> Option<u64> {
    let digits = text.len() <= 16 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

#[cfg(test)]
mod fuzz;
