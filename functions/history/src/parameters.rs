//! Parameters that are numbers and places.

use mostrador_core::{
    ids::{ConversationNumber, Seq},
    log::Place,
};
use mostrador_web::{Problem, Query, digits};

/// A conversation's number. One that nobody can have is not found.
pub(crate) fn conversation(
    query: &Query,
    name: &str,
) -> Result<Option<ConversationNumber>, Problem> {
    query
        .number(name)?
        .map(|number| ConversationNumber::of(number).ok_or(Problem::NotFound))
        .transpose()
}

/// A place as we gave it out for reading on: `conversation.event`.
pub(crate) fn place(query: &Query, name: &str) -> Result<Option<Place>, Problem> {
    query
        .given(name)
        .map(|text| {
            let read = || {
                let (conversation, seq) = text.split_once('.')?;
                let seq = digits(seq).filter(|seq| (1..=Seq::MAX.0).contains(seq))?;
                Some((ConversationNumber::of(digits(conversation)?)?, Seq(seq)))
            };
            read()
                .ok_or_else(|| Problem::invalid(format!("`{name}` is not where anything goes on")))
        })
        .transpose()
}

#[cfg(test)]
mod fuzz;
