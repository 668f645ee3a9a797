//! What a conversation amounts to: the fold of its events.

use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{
    ids::Seq,
    log::event::{EscalationReason, Event, Stored},
    text::truncate,
};

/// A conversation after some prefix of its events. Every commit carries the state it leaves behind, so the newest commit
/// alone has everything that is needed to write the next one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationState {
    #[serde(with = "time::serde::timestamp::milliseconds")]
    pub started_at: OffsetDateTime,
    #[serde(with = "time::serde::timestamp::milliseconds")]
    pub last_message_at: OffsetDateTime,
    pub message_count: u64,
    /// How many of the messages are the staff's, and came before the first question.
    #[serde(default, skip_serializing_if = "is_none_of_them")]
    pub before_first_question: u64,
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
    /// Those that were given up before it, the newest first: some may still be at work, and get none either.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_before: Vec<Uuid>,
    /// What the customer decided on last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_approval: Option<Uuid>,
    /// That a person of the shop is to see to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<Escalation>,
}

/// A conversation that waits for a person of the shop, or is with one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Escalation {
    pub reason: EscalationReason,
    #[serde(with = "time::serde::timestamp::milliseconds")]
    pub since: OffsetDateTime,
    /// When a person was last called, or last answered.
    #[serde(with = "time::serde::timestamp::milliseconds")]
    pub at: OffsetDateTime,
    /// Who of the staff has answered last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// Who of the staff has read it last, and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<ReadBy>,
}

/// Who of the staff has read a conversation, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadBy {
    pub by: String,
    #[serde(with = "time::serde::timestamp::milliseconds")]
    pub at: OffsetDateTime,
}

/// How long the assistant leaves a conversation to persons who say nothing in it.
const SILENCE: Duration = Duration::hours(24);

impl Escalation {
    /// Whether the assistant leaves the conversation to a person: one was asked for or has answered, and not too long ago.
    #[must_use]
    pub fn is_with_person(&self, now: OffsetDateTime) -> bool {
        let has_person = self.reason == EscalationReason::Person || self.answered_by.is_some();
        has_person && now - self.at < SILENCE
    }
}

/// A turn between its two commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenTurn {
    pub turn_id: Uuid,
    #[serde(with = "time::serde::timestamp::milliseconds")]
    pub since: OffsetDateTime,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "what serde calls it with"
)]
fn is_none_of_them(count: &u64) -> bool {
    *count == 0
}

/// Longest title kept, in characters.
const TITLE_CHARS: usize = 60;
/// Turns given up before the last one that are remembered: each learns of it within two seconds.
const FAILED_BEFORE: usize = 8;

impl ConversationState {
    /// A conversation nothing has happened in yet.
    #[must_use]
    pub fn new(at: OffsetDateTime) -> Self {
        Self {
            started_at: at,
            last_message_at: at,
            message_count: 0,
            before_first_question: 0,
            title: None,
            archived: false,
            erased: false,
            summary_through: None,
            rating: None,
            open_turn: None,
            failed_turn: None,
            failed_before: Vec::new(),
            resolved_approval: None,
            escalation: None,
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
                Event::AgentMessageSent { content, .. } => {
                    // To whom a person answers, the assistant says nothing.
                    if !content.is_empty() {
                        self.message(at);
                    }
                    self.close(turn_id);
                }
                Event::TurnFailed { .. } => {
                    self.close(turn_id);
                    let before = self.failed_turn.replace(turn_id);
                    self.failed_before.splice(..0, before);
                    self.failed_before.truncate(FAILED_BEFORE);
                }
                Event::StaffMessageSent { by, about, .. } => {
                    self.message(at);
                    self.before_first_question += u64::from(self.title.is_none());
                    let answers = self.escalation.as_mut().filter(|_| about.is_none());
                    if let Some(escalation) = answers {
                        escalation.answered_by = Some(by.clone());
                        escalation.at = at;
                    }
                }
                Event::EscalationRequested { reason } => self.escalate(*reason, at),
                Event::EscalationEnded { .. } => self.escalation = None,
                Event::ConversationRead { by } => {
                    if let Some(escalation) = &mut self.escalation {
                        let by = by.clone();
                        escalation.read = Some(ReadBy { by, at });
                    }
                }
                Event::MessageAdded { .. } => self.message(at),
                Event::ApprovalResolved {
                    approval_id,
                    content,
                    ..
                } => {
                    if !content.is_empty() {
                        self.message(at);
                    }
                    self.resolved_approval = Some(*approval_id);
                }
                Event::ConversationArchived {} => {
                    self.archived = true;
                    self.escalation = None;
                }
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
        let mut failed = self.failed_turn.iter().chain(&self.failed_before);
        self.erased || failed.any(|failed| *failed == turn_id)
    }

    /// A person is called, perhaps once more: who asks for one waits for one.
    fn escalate(&mut self, reason: EscalationReason, at: OffsetDateTime) {
        let escalation = self.escalation.get_or_insert(Escalation {
            reason,
            since: at,
            at,
            answered_by: None,
            read: None,
        });
        escalation.at = at;
        if reason == EscalationReason::Person {
            escalation.reason = reason;
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::About;
    use serde_json::json;

    const TIME: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    fn turn(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn ask(state: &mut ConversationState, number: u128) {
        let content = format!("¿{number}?");
        let question = Stored::Known(Event::UserMessageSent { content });
        state.apply(&[question], turn(number), TIME);
    }

    fn cancelled(state: &mut ConversationState, number: u128) {
        let code = "user_cancelled".to_owned();
        let failed = Stored::Known(Event::TurnFailed { code });
        state.apply(&[failed], turn(number), TIME);
    }

    #[test]
    fn turns_given_up_one_after_another_get_no_answer() {
        let mut state = ConversationState::new(TIME);
        for number in 1..=9 {
            ask(&mut state, number);
            cancelled(&mut state, number);
        }
        // One that was only late, since another has begun, still gets its own.
        ask(&mut state, 10);
        ask(&mut state, 11);
        let given_up: Vec<u128> = (1..=11).filter(|n| state.gives_up(turn(*n))).collect();
        assert_eq!(given_up, (1..=9).collect::<Vec<_>>());
        // As many are remembered as may be at work, and no more.
        cancelled(&mut state, 11);
        assert_eq!(state.failed_before.len(), 8);
        assert!(state.gives_up(turn(11)) && state.gives_up(turn(9)));
    }

    fn staff(state: &mut ConversationState, about: Option<About>, at: OffsetDateTime) {
        let (content, by) = ("Hola.".to_owned(), "eva".to_owned());
        let message = Event::StaffMessageSent { content, by, about };
        state.apply(&[Stored::Known(message)], turn(1), at);
    }

    #[test]
    fn a_conversation_is_with_a_person_while_one_is_asked_for_or_answers() {
        let (hour, asked) = (Duration::HOUR, EscalationReason::Person);
        let escalated = |reason| {
            let mut state = ConversationState::new(TIME);
            let requested = Event::EscalationRequested { reason };
            state.apply(&[Stored::Known(requested)], turn(1), TIME);
            state
        };
        let is_with_person = |state: &ConversationState, hours: i32| {
            let escalation = state.escalation.as_ref();
            escalation.is_some_and(|escalation| escalation.is_with_person(TIME + hour * hours))
        };
        let mut state = escalated(asked);
        assert!(is_with_person(&state, 0) && is_with_person(&state, 23));
        assert!(!is_with_person(&state, 24), "nobody came");
        staff(&mut state, None, TIME + hour * 20);
        assert!(is_with_person(&state, 43) && !is_with_person(&state, 44));
        let mut state = escalated(EscalationReason::Complaint);
        assert!(!is_with_person(&state, 0), "nobody was asked for");
        // What happens to an order is no answer.
        let (order_id, estado) = (1, "Entregado".to_owned());
        let about = About::Order { order_id, estado };
        staff(&mut state, Some(about), TIME + hour);
        assert!(!is_with_person(&state, 1));
        staff(&mut state, None, TIME + hour);
        assert!(is_with_person(&state, 1));
        for end in [
            Event::EscalationEnded { by: None },
            Event::ConversationArchived {},
            Event::HistoryErased {},
        ] {
            let mut state = state.clone();
            state.apply(&[Stored::Known(end)], turn(1), TIME + hour);
            assert_eq!(state.escalation, None);
        }
    }

    #[test]
    fn states_of_before_are_read_and_written_as_they_were() {
        let before = json!({"started_at": 1, "last_message_at": 2, "message_count": 1});
        let mut failed = before.clone();
        failed["failed_turn"] = json!(turn(7));
        for written in [before, failed] {
            let state: ConversationState = serde_json::from_value(written.clone()).unwrap();
            assert_eq!(state.gives_up(turn(7)), written["failed_turn"].is_string());
            assert_eq!(serde_json::to_value(&state).unwrap(), written);
        }
    }
}
