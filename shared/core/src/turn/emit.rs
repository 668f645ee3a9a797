//! How a turn is emitted: what comes first, what comes last, and the numbers of what is always in the same place.

use std::collections::HashMap;

use uuid::Uuid;

use super::types::{
    Caller, CompleteReason, Ending, Message, OUT_OF_STEPS, Persistence, Prepared, ToolOutcome,
    TurnEngine, TurnEvent, TurnOutput, What,
};
use crate::{
    answer::{
        Action, Answer, Approval,
        render::{self, Line},
    },
    catalogue::ItemResult,
    clock::Clock,
    ids::Seq,
    language::Language,
    log::{Commit, Event},
    segment::{of_lines, placed},
};

/// The code of a turn that was cancelled.
pub(super) const CANCELLED: &str = "user_cancelled";

/// The code of a turn that nobody finished.
pub(super) const TURN_FAILED: &str = "turn_failed";

/// The one block of a turn's message, and of what a model thinks before it.
const MESSAGE_BLOCK: &str = "message";
const THINKING_BLOCK: &str = "thinking";

/// Takes a turn's events as they are emitted.
pub type Listener<'a> = &'a (dyn Fn(TurnEvent) + Send + Sync);

/// Emits a turn's events in order.
pub(super) struct Emitter<'a> {
    turn_id: Uuid,
    clock: &'a dyn Clock,
    listener: Listener<'a>,
    next: u32,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(turn_id: Uuid, clock: &'a dyn Clock, listener: Listener<'a>) -> Self {
        Self {
            turn_id,
            clock,
            listener,
            next: 0,
        }
    }

    /// The number of the next event.
    pub(super) fn next(&self) -> u32 {
        self.next
    }

    pub(super) fn emit(&mut self, persistence_state: Persistence, seq: Option<Seq>, what: What) {
        let event_index = self.next;
        self.next += 1;
        (self.listener)(TurnEvent {
            event_index,
            turn_id: self.turn_id,
            timestamp: self.clock.now(),
            persistence_state,
            sequence_number: seq,
            what,
        });
    }

    pub(super) fn transient(&mut self, what: What) {
        self.emit(Persistence::Transient, None, what);
    }
}

impl TurnEvent {
    /// What follows this event where the task that ran the turn is gone.
    #[must_use]
    pub fn broken_off(&self, language: Language) -> Vec<Self> {
        let indices = self.event_index.saturating_add(1)..;
        let events = indices.zip(failed(TURN_FAILED, language));
        events
            .map(|(event_index, what)| Self {
                event_index,
                persistence_state: Persistence::Transient,
                sequence_number: None,
                what,
                ..self.clone()
            })
            .collect()
    }
}

impl TurnEngine {
    /// Emits the session's start, the question, and what was found for it.
    pub(super) fn emit_start(
        &self,
        caller: &Caller,
        question: Option<&Commit>,
        prepared: &Prepared,
        emitter: &mut Emitter<'_>,
    ) {
        emitter.transient(What::SessionStart {
            conversation: question.map(|commit| commit.conversation),
            notice: notice(question, caller.language),
        });
        let content = prepared.request.message.clone();
        match question {
            Some(commit) => {
                let seq = question_seq(commit);
                let confirmed = What::UserMessageConfirmed {
                    message_id: Some(seq),
                    event_id: Some(commit.commit_id),
                    content,
                };
                emitter.emit(Persistence::Persisted, Some(seq), confirmed);
            }
            None => emitter.transient(What::UserMessageConfirmed {
                message_id: None,
                event_id: None,
                content,
            }),
        }
        emit_tool_use(prepared.events(), question.is_some(), emitter);
    }
}

/// The tools whose use was emitted, and whose result was not.
#[derive(Default)]
pub(super) struct Tools(HashMap<Uuid, String>);

impl Tools {
    /// How a tool's use or its result is emitted: while the turn goes on, and from the log. `None` of any other event.
    pub(super) fn what(&mut self, event: Event) -> Option<What> {
        match event {
            Event::ToolUseRequested {
                tool_use_id,
                tool_name,
                args,
                ..
            } => {
                self.0.insert(tool_use_id, tool_name.clone());
                Some(What::ToolUse {
                    tool_use_id,
                    tool_name,
                    args,
                })
            }
            Event::ToolUseCompleted {
                tool_use_id,
                success,
                error,
                results,
                lines,
                duration_ms,
                ..
            } => Some(What::ToolResult {
                tool_use_id,
                tool_name: self.0.remove(&tool_use_id).unwrap_or_default(),
                result: ToolOutcome { results, lines },
                success,
                error,
                duration_ms,
            }),
            _ => None,
        }
    }
}

/// Emits a tool's use and its result, which will be in the log or not.
pub(super) fn emit_tool_use(events: [Event; 2], is_kept: bool, emitter: &mut Emitter<'_>) {
    let persistence = if is_kept {
        Persistence::Pending
    } else {
        Persistence::Transient
    };
    let mut tools = Tools::default();
    for what in events.into_iter().filter_map(|event| tools.what(event)) {
        emitter.emit(persistence, None, what);
    }
}

/// How an answer is emitted: while the turn goes on, and from the log, with the items and what a page can offer next. `None` of any
/// other event.
pub(super) fn message(
    sent: Event,
    message_id: Option<Seq>,
    results: Vec<ItemResult>,
    actions: Vec<Action>,
) -> Option<Message> {
    let Event::AgentMessageSent {
        content,
        segments,
        stop_reason,
        model,
        usage,
        citations,
        ..
    } = sent
    else {
        return None;
    };
    // What was kept before answers were kept in pieces.
    let segments = if segments.is_empty() {
        of_lines(&content)
    } else {
        placed(segments.iter().map(Vec::as_slice), &results)
    };
    Some(Message {
        message_id,
        content,
        segments,
        results,
        actions,
        citations,
        stop_reason,
        context: None,
        usage,
        model,
        trace: None,
    })
}

/// That a machine answers, as the law of some places demands: with a conversation's first question, and with each of a
/// guest's, of whose conversation nothing is known.
pub(super) fn notice(question: Option<&Commit>, language: Language) -> Option<String> {
    question.is_none_or(begins).then(|| language.text("notice"))
}

/// Whether the conversation begins with this question.
fn begins(question: &Commit) -> bool {
    let events = question.events.iter().filter_map(|event| event.known());
    let messages = events.filter(|event| {
        matches!(
            event,
            Event::UserMessageSent { .. } | Event::AgentMessageSent { .. }
        )
    });
    let before = question.state.before_first_question;
    u64::try_from(messages.count())
        .is_ok_and(|count| before + count == question.state.message_count)
}

/// The place of the question in its commit, which may begin with the conversation's start.
pub(super) fn question_seq(commit: &Commit) -> Seq {
    let mut events = commit.numbered();
    let question = events.find(|(_, event)| {
        let event = event.known();
        event.is_some_and(|event| matches!(event, Event::UserMessageSent { .. }))
    });
    question.map_or(commit.first_seq, |(seq, _)| seq)
}

/// Emits lines of the message, of which `before` were emitted already.
pub(super) fn emit_lines(lines: &[Line], before: usize, emitter: &mut Emitter<'_>) {
    for content in continued(lines, before) {
        emitter.transient(What::MessageChunk {
            content,
            block_id: MESSAGE_BLOCK.to_owned(),
        });
    }
}

/// Emits more of the thinking.
pub(super) fn emit_thinking(lines: &[Line], before: usize, emitter: &mut Emitter<'_>) {
    for content in continued(lines, before) {
        emitter.transient(What::ThinkingChunk {
            content,
            block_id: THINKING_BLOCK.to_owned(),
        });
    }
}

/// The texts of lines that follow `before` others.
fn continued(lines: &[Line], before: usize) -> impl Iterator<Item = String> {
    (before..).zip(lines).map(|(place, line)| {
        let mark = if place == 0 { "" } else { "\n" };
        format!("{mark}{}", line.text())
    })
}

pub(super) fn emit_thinking_end(lines: &[Line], emitter: &mut Emitter<'_>) {
    emitter.transient(thought_through(render::text(lines)));
}

/// All of what a model thought before it answered, as far as it is emitted.
pub(super) fn thought_through(content: String) -> What {
    What::ThinkingComplete {
        content,
        block_id: THINKING_BLOCK.to_owned(),
    }
}

/// Emits the whole answer, or that there is none, and that the turn is over.
pub(super) fn emit_end(
    caller: &Caller,
    output: &TurnOutput,
    answer: &Answer,
    (ending, resolved): (Ending, Option<(Seq, What)>),
    emitter: &mut Emitter<'_>,
) {
    if ending == Ending::GivenUp {
        for what in failed(CANCELLED, caller.language) {
            emitter.transient(what);
        }
        return;
    }
    let seq = match ending {
        Ending::Kept(seq) => Some(seq),
        Ending::Unkept | Ending::GivenUp => None,
    };
    let sent = output.event(&answer.citations, emitter.next());
    let (results, actions) = (unscored(&answer.results), answer.actions.clone());
    let whole = message(sent, seq, results, actions).map(|message| Message {
        // What is not in the log.
        citations: answer.citations.clone(),
        context: answer.context.clone(),
        trace: answer.trace.clone(),
        ..message
    });
    if let Some(message) = whole {
        let message = ending_with(output.approval.clone(), Box::new(message));
        match seq {
            Some(seq) => emitter.emit(Persistence::Persisted, Some(seq), message),
            None => emitter.transient(message),
        }
    }
    if output.approval.is_some() {
        emitter.transient(paused());
    }
    if let Some((seq, resolved)) = resolved {
        emitter.emit(Persistence::Persisted, Some(seq), resolved);
    }
    emitter.transient(complete(output.stop_reason().to_owned()));
}

/// What came of a proposal in the commit of a turn that decided on it, and its place there.
pub(super) fn resolution(commit: &Commit) -> Option<(Seq, What)> {
    let mut events = commit.numbered();
    events.find_map(|(seq, event)| match event.known()? {
        Event::ApprovalResolved {
            approval_id,
            approved,
            content,
            error,
        } => {
            let told = commit.answer().filter(|_| content.is_empty());
            let resolved = What::ApprovalResolved {
                approval: *approval_id,
                approved: *approved,
                content: told.unwrap_or(content).to_owned(),
                error: error.clone(),
            };
            Some((seq, resolved))
        }
        _ => None,
    })
}

/// The end of a turn that has an answer.
pub(super) fn complete(stop_reason: String) -> What {
    let reason = match stop_reason.as_str() {
        // It would have gone on.
        OUT_OF_STEPS => CompleteReason::MaxTurns,
        _ => CompleteReason::Success,
    };
    What::Complete {
        reason,
        stop_reason: Some(stop_reason),
    }
}

/// The message, or what it asks the customer.
pub(super) fn ending_with(approval: Option<Approval>, message: Box<Message>) -> What {
    match approval {
        Some(approval) => What::ApprovalRequested { approval, message },
        None => What::Message(message),
    }
}

/// What follows a proposal that the customer has not decided on.
pub(super) fn paused() -> What {
    What::TurnPaused {
        why: "approval".to_owned(),
    }
}

/// How well an item matched is not in the log, so a resumed turn could not have it.
fn unscored(results: &[ItemResult]) -> Vec<ItemResult> {
    let items = results.iter().cloned();
    let unscored = items.map(|item| ItemResult {
        score: None,
        ..item
    });
    unscored.collect()
}

/// Why a turn has no answer, and that it is over.
pub(super) fn failed(code: &str, language: Language) -> [What; 2] {
    let (reason, key) = match code {
        CANCELLED => (CompleteReason::UserCancelled, "turn-cancelled"),
        _ => (CompleteReason::Error, "turn-failed"),
    };
    let error = What::Error {
        code: code.to_owned(),
        message: language.text(key),
    };
    let complete = What::Complete {
        reason,
        stop_reason: None,
    };
    [error, complete]
}
