//! A commit: events that happen together, in one item.

use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    ids::{ConversationNumber, Seq},
    log::{Event, event::Stored, state::ConversationState},
};

/// One to many events with consecutive numbers; in the log whole or not at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    pub conversation: ConversationNumber,
    pub first_seq: Seq,
    /// Never empty.
    pub events: Vec<Stored>,
    /// Tells our commit from another's after an answer was lost.
    pub commit_id: Uuid,
    pub turn_id: Uuid,
    pub at: OffsetDateTime,
    /// The conversation once this commit is in.
    pub state: ConversationState,
}

/// Where the next commit goes, seen from the newest one.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    pub conversation: ConversationNumber,
    pub first_seq: Seq,
    state: Option<ConversationState>,
}

impl Position {
    /// The first place of a conversation that has no commit.
    #[must_use]
    pub fn start_of(conversation: ConversationNumber) -> Self {
        Self {
            conversation,
            first_seq: Seq::FIRST,
            state: None,
        }
    }

    /// Where the owner's active conversation goes on, or the next one begins.
    #[must_use]
    pub fn active(newest: Option<&Commit>) -> Self {
        match newest {
            None => Self::start_of(ConversationNumber::FIRST),
            Some(newest) if newest.state.archived => Self::start_of(newest.conversation.next()),
            Some(newest) => Self::after(newest),
        }
    }

    /// Whether the conversation has nothing before it but what the shop's staff have sent.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        let state = self.state.as_ref();
        state.is_none_or(|state| state.message_count == state.before_first_question)
    }

    /// The place after `newest` in its conversation.
    #[must_use]
    pub fn after(newest: &Commit) -> Self {
        Self {
            conversation: newest.conversation,
            first_seq: newest.last_seq().plus(1),
            state: Some(newest.state.clone()),
        }
    }

    /// Whether the conversation has no commit yet.
    #[must_use]
    pub fn is_start(&self) -> bool {
        self.state.is_none()
    }
}

impl Commit {
    /// The commit of `events` at `position`.
    #[must_use]
    pub fn at(
        position: Position,
        events: Vec<Stored>,
        commit_id: Uuid,
        turn_id: Uuid,
        at: OffsetDateTime,
    ) -> Self {
        let Position {
            conversation,
            first_seq,
            state,
        } = position;
        let mut state = state.unwrap_or_else(|| ConversationState::new(at));
        state.apply(&events, turn_id, at);
        Self {
            conversation,
            first_seq,
            events,
            commit_id,
            turn_id,
            at,
            state,
        }
    }

    #[must_use]
    pub fn last_seq(&self) -> Seq {
        Seq(self.first_seq.0 + self.events.len().max(1) as u64 - 1)
    }

    /// What the assistant says in it, where it does.
    #[must_use]
    pub fn answer(&self) -> Option<&str> {
        let mut events = self.events.iter().filter_map(Stored::known);
        events.find_map(|event| match event {
            Event::AgentMessageSent { content, .. } => Some(content.as_str()),
            _ => None,
        })
    }

    /// The events with their numbers.
    pub fn numbered(&self) -> impl DoubleEndedIterator<Item = (Seq, &Stored)> {
        let first = self.first_seq;
        self.events
            .iter()
            .enumerate()
            .map(move |(index, event)| (first.plus(index), event))
    }
}
