//! The AI SDK's UI message stream: parts, of which a chat of that SDK assembles one message of the assistant. What is neither
//! text nor thought, tool, items or actions is metadata of that message.

mod request;
#[cfg(test)]
mod tests;

use mostrador_core::{
    answer::{Action, Approval, Trace},
    catalogue::ItemResult,
    files::Citation,
    ids::{ConversationNumber, Seq},
    model::Usage,
    segment::Segment,
    turn::{CompleteReason, Message, ToolOutcome, TurnEvent, What},
};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

pub(crate) use request::chat_request;

/// The message's block, where its text comes all at once.
const MESSAGE_BLOCK: &str = "message";

/// What follows the last part.
const DONE: &str = "data: [DONE]\n\n";

/// A part as it goes over the wire.
#[derive(Serialize)]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
enum Part<'a> {
    Start {
        message_id: Uuid,
        message_metadata: Beginning<'a>,
    },
    StartStep,
    ReasoningStart {
        id: &'a str,
    },
    ReasoningDelta {
        id: &'a str,
        delta: &'a str,
    },
    ReasoningEnd {
        id: &'a str,
    },
    ToolInputAvailable {
        tool_call_id: Uuid,
        tool_name: &'a str,
        input: &'a Value,
        provider_executed: bool,
    },
    ToolOutputAvailable {
        tool_call_id: Uuid,
        output: &'a ToolOutcome,
        provider_executed: bool,
    },
    ToolOutputError {
        tool_call_id: Uuid,
        error_text: &'a str,
        provider_executed: bool,
    },
    TextStart {
        id: &'a str,
    },
    TextDelta {
        id: &'a str,
        delta: &'a str,
    },
    TextEnd {
        id: &'a str,
    },
    DataResults {
        id: &'a str,
        data: &'a [ItemResult],
    },
    DataSegments {
        id: &'a str,
        data: &'a [Vec<Segment>],
    },
    DataActions {
        id: &'a str,
        data: &'a [Action],
    },
    DataCitations {
        id: &'a str,
        data: &'a [Citation],
    },
    DataApproval {
        id: &'a str,
        data: ApprovalData<'a>,
    },
    Error {
        error_text: &'a str,
    },
    Abort {
        reason: &'a str,
    },
    FinishStep,
    Finish {
        finish_reason: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        message_metadata: Option<&'a Value>,
    },
}

/// What a model proposes, and what came of it once that is known: the later part takes the earlier one's place.
#[derive(Serialize)]
struct ApprovalData<'a> {
    #[serde(flatten)]
    approval: &'a Approval,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<Resolved<'a>>,
}

#[derive(Serialize)]
struct Resolved<'a> {
    approved: bool,
    content: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// Metadata that is there from the start, under our events' names.
#[derive(Serialize)]
struct Beginning<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<ConversationNumber>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'a str>,
}

/// Metadata of the answer, under our events' names.
#[derive(Serialize)]
struct Answered<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    message_id: Option<Seq>,
    stop_reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a Trace>,
}

/// Writes the events of one turn, from its first on.
#[derive(Default)]
pub(crate) struct Writer {
    /// The blocks that have begun and not ended.
    thought: Option<String>,
    text: Option<String>,
    /// What was proposed.
    proposed: Option<Approval>,
    /// The answer's metadata.
    answered: Option<Value>,
    /// Why there is no answer: the turn's end has whether that is an error.
    failure: Option<String>,
}

impl Writer {
    pub(crate) fn write(&mut self, event: &TurnEvent) -> String {
        let mut out = String::new();
        match &event.what {
            What::SessionStart {
                conversation,
                notice,
            } => {
                let message_metadata = Beginning {
                    conversation: *conversation,
                    notice: notice.as_deref(),
                };
                let start = Part::Start {
                    message_id: event.turn_id,
                    message_metadata,
                };
                write_part(&mut out, &start);
                write_part(&mut out, &Part::StartStep);
            }
            // The chat has shown it before it was sent.
            What::UserMessageConfirmed { .. }
            // What there is to show of these stands in the parts beside them.
            | What::ContentRefused { .. }
            | What::TurnPaused { .. }
            | What::SessionEnd { .. } => {}
            What::ThinkingChunk { content, block_id } => self.think(&mut out, block_id, content),
            What::ThinkingComplete { content, block_id } => {
                if self.thought.is_none() {
                    self.think(&mut out, block_id, content);
                }
                self.end_thought(&mut out);
            }
            What::MessageChunk { content, block_id } => self.text_delta(&mut out, block_id, content),
            What::ToolUse {
                tool_use_id,
                tool_name,
                args,
            } => {
                let used = Part::ToolInputAvailable {
                    tool_call_id: *tool_use_id,
                    tool_name,
                    input: args,
                    provider_executed: true,
                };
                write_part(&mut out, &used);
            }
            What::ToolResult {
                tool_use_id,
                result,
                success,
                error,
                ..
            } => {
                let (tool_call_id, provider_executed) = (*tool_use_id, true);
                let result = if *success {
                    Part::ToolOutputAvailable {
                        tool_call_id,
                        output: result,
                        provider_executed,
                    }
                } else {
                    Part::ToolOutputError {
                        tool_call_id,
                        error_text: error.as_deref().unwrap_or("failed"),
                        provider_executed,
                    }
                };
                write_part(&mut out, &result);
            }
            What::Message(message) => self.message(&mut out, message),
            What::ApprovalRequested { approval, message } => {
                self.message(&mut out, message);
                Self::propose(&mut out, approval, None);
                self.proposed = Some(approval.clone());
            }
            What::ApprovalResolved {
                approved,
                content,
                error,
                ..
            } => {
                let (approved, error) = (*approved, error.as_deref());
                let resolved = Resolved {
                    approved,
                    content,
                    error,
                };
                if let Some(proposed) = self.proposed.take() {
                    Self::propose(&mut out, &proposed, Some(resolved));
                }
            }
            What::Error { message, .. } => self.failure = Some(message.clone()),
            What::Complete {
                reason,
                stop_reason,
            } => self.complete(&mut out, *reason, stop_reason.as_deref()),
        }
        out
    }

    fn think(&mut self, out: &mut String, block_id: &str, content: &str) {
        let is_new = self.thought.is_none();
        let id = &**self.thought.get_or_insert_with(|| block_id.to_owned());
        if is_new {
            write_part(out, &Part::ReasoningStart { id });
        }
        write_part(out, &Part::ReasoningDelta { id, delta: content });
    }

    fn end_thought(&mut self, out: &mut String) {
        if let Some(id) = self.thought.take() {
            write_part(out, &Part::ReasoningEnd { id: &id });
        }
    }

    fn text_delta(&mut self, out: &mut String, block_id: &str, content: &str) {
        let is_new = self.text.is_none();
        let id = &**self.text.get_or_insert_with(|| block_id.to_owned());
        if is_new {
            write_part(out, &Part::TextStart { id });
        }
        write_part(out, &Part::TextDelta { id, delta: content });
    }

    fn end_text(&mut self, out: &mut String) {
        if let Some(id) = self.text.take() {
            write_part(out, &Part::TextEnd { id: &id });
        }
    }

    fn message(&mut self, out: &mut String, message: &Message) {
        // A person answers, where there is none.
        if self.text.is_none() && !message.content.is_empty() {
            // Told again: its lines are not in the log, only the whole.
            self.text_delta(out, MESSAGE_BLOCK, &message.content);
        }
        self.end_text(out);
        let results = Part::DataResults {
            id: "results",
            data: &message.results,
        };
        let actions = Part::DataActions {
            id: "actions",
            data: &message.actions,
        };
        let segments = Part::DataSegments {
            id: "segments",
            data: &message.segments,
        };
        write_part(out, &results);
        write_part(out, &segments);
        write_part(out, &actions);
        if !message.citations.is_empty() {
            let citations = Part::DataCitations {
                id: "citations",
                data: &message.citations,
            };
            write_part(out, &citations);
        }
        let answered = Answered {
            message_id: message.message_id,
            stop_reason: &message.stop_reason,
            usage: message.usage,
            model: message.model.as_deref(),
            trace: message.trace.as_ref(),
        };
        self.answered = serde_json::to_value(&answered).ok();
    }

    /// Not the SDK's own request for approval: its answer would come as a message, and nothing is done by those.
    fn propose(out: &mut String, approval: &Approval, resolved: Option<Resolved<'_>>) {
        let data = ApprovalData { approval, resolved };
        let id = "approval";
        write_part(out, &Part::DataApproval { id, data });
    }

    fn complete(&mut self, out: &mut String, reason: CompleteReason, stop_reason: Option<&str>) {
        self.end_thought(out);
        self.end_text(out);
        let failure = self.failure.take();
        if reason == CompleteReason::UserCancelled {
            let reason = failure.as_deref().unwrap_or_default();
            write_part(out, &Part::Abort { reason });
        } else {
            if let Some(error_text) = &failure {
                write_part(out, &Part::Error { error_text });
            }
            write_part(out, &Part::FinishStep);
            let finish = Part::Finish {
                finish_reason: finish_reason(reason, stop_reason),
                message_metadata: self.answered.as_ref(),
            };
            write_part(out, &finish);
        }
        out.push_str(DONE);
    }
}

/// One of the words that the SDK knows.
fn finish_reason(reason: CompleteReason, stop_reason: Option<&str>) -> &'static str {
    match (reason, stop_reason) {
        (CompleteReason::Success, Some("max_tokens")) => "length",
        (CompleteReason::Success, Some("tool_use")) => "tool-calls",
        (CompleteReason::Success, _) => "stop",
        (CompleteReason::Error, _) => "error",
        (CompleteReason::MaxTurns | CompleteReason::UserCancelled, _) => "other",
    }
}

fn write_part(out: &mut String, part: &Part<'_>) {
    // Our own types: strings, numbers, lists and objects with string keys, on one line.
    let part = serde_json::to_string(part).unwrap_or_default();
    out.push_str("data: ");
    out.push_str(&part);
    out.push_str("\n\n");
}
