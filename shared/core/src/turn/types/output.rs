//! A turn's output, and the tools that a model used for it.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    actions::Outcome,
    answer::{
        Approval, LlmTrace, in_order,
        render::{self, Line},
    },
    catalogue::ItemResult,
    files::Citation,
    log::{ContextLimits, Event, Summary, Thought},
    model::{StopReason, ToolCall},
    retrieval::Retrieved,
    segment::named,
    tools::{self, shop_info::ShopAnswer},
};

/// Why an answer ends whose model would have used more tools.
pub(crate) const OUT_OF_STEPS: &str = "tool_use";

/// A turn's output, and how it came about.
pub(crate) struct TurnOutput {
    pub(crate) lines: Vec<Line>,
    /// Whether a model wrote any of them.
    pub(crate) by_model: bool,
    pub(crate) trace: LlmTrace,
    pub(crate) model: Option<String>,
    pub(crate) stop_reason: Option<StopReason>,
    /// The summary in the prompt.
    pub(crate) summary: Option<Summary>,
    /// What it thought, where that is kept.
    pub(crate) thinking: Option<Thought>,
    /// The limits of the conversation in the prompt.
    pub(crate) context_limits: Option<ContextLimits>,
    pub(crate) elapsed_ms: u64,
    /// The tools that the model used.
    pub(crate) uses: Vec<ToolUse>,
    /// What it proposes to change.
    pub(crate) approval: Option<Approval>,
    /// Whether it would have gone on using tools.
    pub(crate) is_out_of_steps: bool,
}

impl TurnOutput {
    /// The items of the turn: what its answer names comes first, and then what a model looked for last.
    pub(crate) fn results(&self, found: &Retrieved) -> Vec<ItemResult> {
        let later = self.uses.iter().map(ToolUse::items);
        let named = named(self.lines.iter().map(|line| &line.segments[..]));
        let items = in_order(&named, &found.results, later, |item| item.libro_id);
        items.into_iter().cloned().collect()
    }

    /// The answer as the log keeps it; the event of this number in its turn's stream.
    pub(crate) fn event(&self, cited: &[Citation], event_index: u32) -> Event {
        Event::AgentMessageSent {
            content: render::text(&self.lines),
            segments: self
                .lines
                .iter()
                .map(|line| line.segments.clone())
                .collect(),
            stop_reason: self.stop_reason().to_owned(),
            provider: if self.by_model {
                self.trace.provider.clone()
            } else {
                "none".to_owned()
            },
            model: self.model.clone().filter(|_| self.by_model),
            thinking: self.thinking.clone().map(Box::new),
            context_limits: self.context_limits.map(Box::new),
            summary_through: self.summary.as_ref().map(|summary| summary.through),
            usage: self.trace.usage,
            citations: cited.iter().map(Citation::place).collect(),
            event_index: Some(event_index),
        }
    }

    /// Why the answer ends, as clients know it.
    pub(crate) fn stop_reason(&self) -> &'static str {
        match self.stop_reason {
            _ if self.is_out_of_steps => OUT_OF_STEPS,
            Some(StopReason::MaxTokens) => "max_tokens",
            Some(StopReason::StopSequence) => "stop_sequence",
            Some(StopReason::EndTurn | StopReason::ToolUse | StopReason::Refused) | None => {
                "end_turn"
            }
        }
    }
}

/// The code of what only a signed-in customer has.
pub(crate) const SIGNED_OUT: &str = "signed_out";

/// What a tool found.
pub(crate) enum Found {
    Items(Retrieved),
    Record(Record),
}

/// What was looked up of the customer's own or of the shop, in the shop's words.
#[derive(Clone, Default)]
pub(crate) struct Record {
    pub(crate) lines: Vec<String>,
    pub(crate) error: Option<&'static str>,
    /// Which of the shop's own texts they are.
    pub(crate) sources: Vec<Citation>,
    /// Whether the shop says nothing of what it was asked.
    pub(crate) is_unknown: bool,
    /// Whether the shop says what has no word of it.
    pub(crate) is_guess: bool,
    /// Whether they ask which one is meant: a model that knows proposes that instead.
    pub(crate) asks: bool,
}

impl Record {
    /// Of what cannot be read now.
    pub(crate) fn unavailable() -> Self {
        Self {
            error: Some("unavailable"),
            ..Self::default()
        }
    }
}

impl From<Outcome> for Record {
    fn from(outcome: Outcome) -> Self {
        let lines = std::iter::once(outcome.message).chain(outcome.details);
        Self {
            lines: lines.collect(),
            error: outcome.error,
            ..Self::default()
        }
    }
}

impl From<ShopAnswer> for Record {
    fn from(answer: ShopAnswer) -> Self {
        Self {
            lines: answer.lines,
            sources: answer.sources,
            is_unknown: answer.is_unknown,
            is_guess: answer.is_guess,
            ..Self::default()
        }
    }
}

/// A tool as it was used.
pub(crate) struct ToolUse {
    pub(crate) id: Uuid,
    /// As the model made it.
    pub(crate) call: ToolCall,
    /// What came of it, or what was wrong with the call.
    pub(crate) found: Result<Found, String>,
    pub(crate) duration_ms: u64,
    pub(crate) use_index: u32,
    pub(crate) result_index: u32,
}

impl ToolUse {
    /// Its name as it is emitted.
    pub(crate) fn name(&self) -> &'static str {
        tools::known_name(&self.call.name)
    }

    /// Its arguments as they are emitted: what was wrong, and what no line may contain, is left out.
    pub(crate) fn args(&self) -> Value {
        match &self.call.arguments {
            Value::Object(members) if self.found.is_ok() && tools::may_be_emitted(members) => {
                Value::Object(members.clone())
            }
            _ => json!({}),
        }
    }

    pub(crate) fn error(&self) -> Option<&str> {
        match &self.found {
            Ok(Found::Items(found)) => found.error,
            Ok(Found::Record(record)) => record.error,
            Err(_) => Some("invalid_arguments"),
        }
    }

    /// The items that it found.
    fn retrieved(&self) -> Option<&Retrieved> {
        match &self.found {
            Ok(Found::Items(found)) => Some(found),
            Ok(Found::Record(_)) | Err(_) => None,
        }
    }

    pub(crate) fn items(&self) -> &[ItemResult] {
        self.retrieved().map_or(&[], |found| &found.results)
    }

    /// What it looked up of the customer's own.
    pub(crate) fn record(&self) -> Option<&Record> {
        match &self.found {
            Ok(Found::Record(record)) => Some(record),
            Ok(Found::Items(_)) | Err(_) => None,
        }
    }

    /// As the log keeps it.
    pub(crate) fn events(&self) -> [Event; 2] {
        let found = self.retrieved();
        let lines = self.record().map(|record| record.lines.clone());
        [
            Event::ToolUseRequested {
                tool_use_id: self.id,
                tool_name: self.name().to_owned(),
                args: self.args(),
                event_index: Some(self.use_index),
            },
            Event::ToolUseCompleted {
                tool_use_id: self.id,
                success: self.error().is_none(),
                error: self.error().map(str::to_owned),
                results: found.map(Retrieved::listed).unwrap_or_default(),
                lines: lines.unwrap_or_default(),
                index: found.and_then(|found| found.build_id.clone()),
                duration_ms: Some(self.duration_ms),
                event_index: Some(self.result_index),
            },
        ]
    }
}
