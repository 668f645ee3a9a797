//! What a conversation amounts to: the fold of its events.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    ids::Seq,
    log::event::{Event, Stored},
    text::truncate,
};

/// A conversation after some prefix of its events. Every commit carries the state it leaves behind, so the newest commit
/// alone tells everything that is needed to write the next one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationState {
    #[serde(with = "time::serde::timestamp::milliseconds")]
    pub started_at: OffsetDateTime,
    #[serde(with = "time::serde::timestamp::milliseconds")]
    pub last_message_at: OffsetDateTime,
    pub message_count: u64,
    /// The first question, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// Nothing of it is there any more, and nothing comes after it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub erased: bool,
    /// The end of the newest summary that is in the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary_through: Option<Seq>,
    /// How good the customer found it, 1 to 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u8>,
    /// The turn whose question is in and whose answer is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_turn: Option<OpenTurn>,
    /// The turn that was given up last: it gets no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_turn: Option<Uuid>,
    /// What the customer decided on last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_approval: Option<Uuid>,
}

/// A turn between its two commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenTurn {
    pub turn_id: Uuid,
    #[serde(with = "time::serde::timestamp::milliseconds")]
    pub since: OffsetDateTime,
}

/// Longest title kept, in characters.
const TITLE_CHARS: usize = 60;

impl ConversationState {
    /// A conversation nothing has happened in yet.
    #[must_use]
    pub fn new(at: OffsetDateTime) -> Self {
        Self {
            started_at: at,
            last_message_at: at,
            message_count: 0,
            title: None,
            archived: false,
            erased: false,
            summary_through: None,
            rating: None,
            open_turn: None,
            failed_turn: None,
            resolved_approval: None,
        }
    }

    /// Folds in the events of one commit.
    pub fn apply(&mut self, events: &[Stored], turn_id: Uuid, at: OffsetDateTime) {
        for event in events.iter().filter_map(Stored::known) {
            match event {
                Event::UserMessageSent { content } => {
                    self.message(at);
                    self.title
                        .get_or_insert_with(|| truncate(content.trim(), TITLE_CHARS));
                    self.open_turn = Some(OpenTurn { turn_id, since: at });
                }
                Event::AgentMessageSent { .. } => {
                    self.message(at);
                    self.close(turn_id);
                }
                Event::TurnFailed { .. } => {
                    self.close(turn_id);
                    self.failed_turn = Some(turn_id);
                }
                Event::MessageAdded { .. } => self.message(at),
                Event::ApprovalResolved { approval_id, .. } => {
                    self.message(at);
                    self.resolved_approval = Some(*approval_id);
                }
                Event::ConversationArchived {} => self.archived = true,
                Event::HistoryErased {} => {
                    *self = Self {
                        archived: true,
                        erased: true,
                        ..Self::new(at)
                    }
                }
                Event::ConversationSummarised { summary } => {
                    self.summary_through = Some(summary.through);
                }
                Event::RatingGiven { rating } => self.rating = Some(*rating),
                Event::ConversationStarted {}
                | Event::ApprovalRequested { .. }
                | Event::ToolUseRequested { .. }
                | Event::ToolUseCompleted { .. } => {}
            }
        }
    }

    /// Whether the turn gets no answer any more.
    #[must_use]
    pub fn gives_up(&self, turn_id: Uuid) -> bool {
        self.erased || self.failed_turn == Some(turn_id)
    }

    fn message(&mut self, at: OffsetDateTime) {
        self.message_count += 1;
        self.last_message_at = at;
    }

    /// A late answer must not close a turn that came after its own was given up.
    fn close(&mut self, turn_id: Uuid) {
        if self.open_turn.is_some_and(|open| open.turn_id == turn_id) {
            self.open_turn = None;
        }
    }
}
