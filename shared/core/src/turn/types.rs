//! What a turn works with, and what its stages hand on.

mod caller;
mod event;
mod output;
mod request;
mod settings;

use std::sync::Arc;

use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

pub use caller::{Caller, GUESTS_HAD_THEIRS, KeptAs};
pub use event::{CompleteReason, Message, Persistence, ToolOutcome, TurnEvent, What};
pub(crate) use output::{Found, OUT_OF_STEPS, Record, SIGNED_OUT, ToolUse, TurnOutput};
pub use request::{ChatBody, ChatRequest, InvalidRequest, VISIBLE, flag, is_blank, top_k};
pub use settings::TurnSettings;

use crate::{
    actions::approvals::{Approvals, Decision},
    answer::Approval,
    clock::Clock,
    dialogue::{ERRAND, Errand, Proposed, TASK, TOPIC, Task},
    files::{Citation, Files},
    ids::Seq,
    language::Language,
    log::{Commit, EscalationReason, Event, Log, ReadError, Summary},
    model::Model,
    purchases::Note,
    retrieval::{Retrieval, Retrieved},
    shop::{Locale, Profile, ProfileSource},
    understand::{Route, Step, intent::Meant, topic::Topic},
    view::View,
};

/// The numbers of a turn's first events; the session's start is 0.
pub(crate) const QUESTION: u32 = 1;
const TOOL_USE: u32 = 2;
const TOOL_RESULT: u32 = 3;
/// The first line of an answer without a model.
pub(crate) const FIRST_LINE: u32 = 4;

/// Everything a turn works with.
#[derive(Clone)]
pub struct TurnEngine {
    pub log: Arc<dyn Log>,
    pub view: Arc<dyn View>,
    pub retrieval: Retrieval,
    /// What customers have of their own, what is changed of it, and what they are asked before that.
    pub approvals: Approvals,
    pub files: Arc<dyn Files>,
    pub model: Arc<dyn Model>,
    pub clock: Arc<dyn Clock>,
    /// Whose words the answers are in.
    pub shop: Arc<dyn ProfileSource>,
    pub settings: TurnSettings,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum TurnFailure {
    #[error("the caller has no such conversation")]
    NotFound,
    #[error("only a signed-in caller has documents")]
    SignedOut,
    #[error("a turn of this conversation is still open")]
    Busy { retry_after_seconds: u64 },
    #[error("other turns came first")]
    Conflict,
    #[error("another attempt at the request is under way")]
    InProgress,
    #[error("the log cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<ReadError> for TurnFailure {
    fn from(error: ReadError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

/// A turn with everything read and nothing written.
pub struct Prepared {
    pub(crate) request: ChatRequest,
    /// The message, without what is read beside what it is for.
    pub(crate) wish: String,
    /// The shop as it was when the turn began.
    pub(crate) shop: Arc<Profile>,
    /// What the question is for by its words.
    pub(crate) meant: Meant,
    pub(crate) step: Step,
    /// What the shop is asked about itself, where it is asked.
    pub(crate) topic: Option<Topic>,
    pub(crate) route: Route,
    pub(crate) found: Retrieved,
    /// What was read besides items.
    pub(crate) record: Option<Record>,
    /// What else the message asked for, and was read at once.
    pub(crate) beside: Record,
    /// Newest first; `None` where nothing is to be kept.
    pub(crate) context: Option<Vec<Commit>>,
    /// The question's commit, where an earlier attempt has put it.
    pub(crate) question: Option<Commit>,
    /// Of what a prompt has no room for of the conversation, where there is one.
    pub(crate) summary: Option<Summary>,
    /// What is remembered of the customer, where a model may be asked.
    pub(crate) notes: Vec<Note>,
    pub(crate) started_at: OffsetDateTime,
    pub(crate) retrieval_ms: u64,
    /// What was found in the caller's own documents.
    pub(crate) cited: Vec<Citation>,
    pub(crate) tool_use_id: Uuid,
    /// Why no model is asked, whatever was wanted.
    pub(crate) without_model: Option<&'static str>,
    /// The change that is wanted, of which more is to be said.
    pub(crate) task: Option<Task>,
    /// The appointment that is wanted, as far as it is known.
    pub(crate) errand: Option<Errand>,
    /// What the customer is asked, where it is a change.
    pub(crate) approval: Option<Approval>,
    /// What the customer says to what was asked right before.
    pub(crate) decision: Option<(Proposed, Decision)>,
    /// What came of that.
    pub(crate) resolved: Option<Resolved>,
    /// Whether a person of the shop is called with it, or needed no more.
    pub(crate) handoff: Option<Handoff>,
    /// What the customer says to go on with the assistant, where a person has the word.
    pub(crate) back: Option<String>,
    /// Whether something else is to be done, which is to be said once more.
    pub(crate) says_more: bool,
}

/// Who is to answer from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handoff {
    /// A person of the shop is to see to the conversation.
    Requested(EscalationReason),
    /// The customer goes on with the assistant.
    Ended,
}

impl From<Handoff> for Event {
    fn from(handoff: Handoff) -> Self {
        match handoff {
            Handoff::Requested(reason) => Self::EscalationRequested { reason },
            Handoff::Ended => Self::EscalationEnded { by: None },
        }
    }
}

/// What came of a proposal in the turn that decided on it; its message is the turn's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resolved {
    pub(crate) approval: Uuid,
    pub(crate) approved: bool,
    pub(crate) error: Option<&'static str>,
}

impl Prepared {
    /// Asks for what else is to be done, one thing after the other.
    pub(super) fn ask_for_more(&mut self, caller: &Caller) {
        let later = self.locale(caller.language).text("one-by-one");
        if let Some(record) = self.record.as_mut().filter(|_| self.says_more) {
            record.lines.push(later);
        }
    }

    /// The turn without a model, for this reason.
    #[must_use]
    pub fn without_model(self, reason: &'static str) -> Self {
        Self {
            without_model: Some(reason),
            ..self
        }
    }

    /// The shop's words in a language.
    pub(crate) fn locale(&self, language: Language) -> Locale<'_> {
        self.shop.locale(language)
    }

    /// The name of the tool that was used at once.
    pub(crate) fn tool(&self) -> &'static str {
        match self.step {
            Step::Read(tool) => tool,
            Step::Propose(change) if !change.is_of_item() => change.reads(),
            Step::Propose(_) | Step::Find | Step::Say(_) | Step::Ask(_) | Step::Leave => {
                self.found.tool
            }
        }
    }

    /// Why that tool has nothing, or not what was asked for.
    pub(crate) fn error(&self) -> Option<&'static str> {
        match &self.record {
            Some(record) => record.error,
            None => self.found.error,
        }
    }

    /// The tool that was used at once, as the log keeps it.
    pub(crate) fn events(&self) -> [Event; 2] {
        let (tool_use_id, found) = (self.tool_use_id, &self.found);
        let mut args = if self.tool() == found.tool {
            self.route.arguments(self.request.top_k)
        } else {
            json!({})
        };
        if let Some(task) = &self.task {
            args[TASK] = json!(task);
        }
        if let Some(errand) = &self.errand {
            args[ERRAND] = json!(errand);
        }
        // What was looked for, where that is not all that was asked.
        if self.route == Route::Search
            && self.tool() == found.tool
            && self.wish != self.request.message
        {
            args["q"] = json!(self.wish);
        }
        if let Some(topic) = self.topic {
            args[TOPIC] = json!(topic);
        }
        [
            Event::ToolUseRequested {
                tool_use_id,
                tool_name: self.tool().to_owned(),
                args,
                event_index: Some(TOOL_USE),
            },
            Event::ToolUseCompleted {
                tool_use_id,
                success: self.error().is_none(),
                error: self.error().map(str::to_owned),
                results: found.listed(),
                lines: self.all_read().lines,
                index: found.build_id.clone(),
                duration_ms: Some(self.retrieval_ms),
                event_index: Some(TOOL_RESULT),
            },
        ]
    }

    /// Where what is answered stands: in the shop's own texts, and in the caller's documents.
    pub(crate) fn citations(&self, output: &TurnOutput) -> Vec<Citation> {
        let own = self.all_read().sources;
        let uses = output.uses.iter().filter_map(ToolUse::record);
        let uses = uses.flat_map(|record| &record.sources);
        let mut citations: Vec<Citation> = Vec::new();
        for citation in own.iter().chain(uses).chain(&self.cited) {
            if !citations.contains(citation) {
                citations.push(citation.clone());
            }
        }
        citations
    }

    /// All that was read besides items, word for word.
    pub(crate) fn all_read(&self) -> Record {
        let mut read = self.record.clone().unwrap_or_default();
        let beside = self.beside.lines.iter();
        let new: Vec<String> = beside
            .filter(|line| !read.lines.contains(line))
            .cloned()
            .collect();
        read.lines.extend(new);
        read.sources.extend(self.beside.sources.iter().cloned());
        read
    }

    /// The same that is told before a model answers.
    pub(crate) fn read_aloud(&self) -> Record {
        let asks = self.record.as_ref().is_some_and(|record| record.asks);
        match asks {
            true => self.beside.clone(),
            false => self.all_read(),
        }
    }

    /// Whether something that was asked for is for who is signed in.
    pub(crate) fn is_to_sign_in(&self) -> bool {
        let errors = [self.error(), self.beside.error];
        errors.contains(&Some(SIGNED_OUT))
    }

    /// The part of the conversation that a prompt may have: nothing of one that is archived.
    pub(crate) fn earlier(&self) -> (Option<&Summary>, &[Commit]) {
        let commits = self.context.as_deref().unwrap_or_default();
        match commits.first() {
            Some(newest) if newest.state.archived => (None, &[]),
            _ => (self.summary.as_ref(), commits),
        }
    }
}

/// What became of a turn's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// In the log, at this place.
    Kept(Seq),
    Unkept,
    /// The turn was cancelled or erased while it went on.
    GivenUp,
}
