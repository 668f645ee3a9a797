//! A turn's events, as they go over the wire.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    answer::{Action, Approval, Trace},
    catalogue::ItemResult,
    files::Citation,
    ids::{ConversationNumber, Seq},
    log::ListedItem,
    model::Usage,
    segment::Segment,
};

/// One event of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TurnEvent {
    /// 0, 1, 2 … in its turn.
    pub event_index: u32,
    pub turn_id: Uuid,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String")]
    pub timestamp: OffsetDateTime,
    pub persistence_state: Persistence,
    /// Its place in the conversation, where it is in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequence_number: Option<Seq>,
    #[serde(flatten)]
    pub what: What,
}

impl TurnEvent {
    /// Its type, as it goes over the wire.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match &self.what {
            What::SessionStart { .. } => "session_start",
            What::UserMessageConfirmed { .. } => "user_message_confirmed",
            What::ThinkingChunk { .. } => "thinking_chunk",
            What::ThinkingComplete { .. } => "thinking_complete",
            What::MessageChunk { .. } => "message_chunk",
            What::ToolUse { .. } => "tool_use",
            What::ToolResult { .. } => "tool_result",
            What::Message(_) => "message",
            What::ApprovalRequested { .. } => "approval_requested",
            What::ApprovalResolved { .. } => "approval_resolved",
            What::TurnPaused { .. } => "turn_paused",
            What::ContentRefused { .. } => "content_refused",
            What::Error { .. } => "error",
            What::SessionEnd { .. } => "session_end",
            What::Complete { .. } => "complete",
        }
    }
}

/// Whether an event is in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Persistence {
    /// It will never be.
    Transient,
    /// It will be, together with the answer.
    Pending,
    Persisted,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum What {
    SessionStart {
        /// Absent where nothing is kept.
        #[serde(skip_serializing_if = "Option::is_none")]
        conversation: Option<ConversationNumber>,
        /// That a machine answers, in the caller's language: once a conversation, and to guests each time.
        #[serde(skip_serializing_if = "Option::is_none")]
        notice: Option<String>,
    },
    UserMessageConfirmed {
        #[serde(skip_serializing_if = "Option::is_none")]
        message_id: Option<Seq>,
        #[serde(skip_serializing_if = "Option::is_none")]
        event_id: Option<Uuid>,
        content: String,
    },
    /// Of what the model thinks before it speaks; as much of it as may be said.
    ThinkingChunk {
        content: String,
        block_id: String,
    },
    /// All of the block's chunks.
    ThinkingComplete {
        content: String,
        block_id: String,
    },
    /// The chunks of a block, one after another, are the message.
    MessageChunk {
        content: String,
        block_id: String,
    },
    ToolUse {
        tool_use_id: Uuid,
        tool_name: String,
        args: Value,
    },
    ToolResult {
        tool_use_id: Uuid,
        tool_name: String,
        result: ToolOutcome,
        success: bool,
        error: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        duration_ms: Option<u64>,
    },
    Message(Box<Message>),
    /// Instead of a message: a model proposes a change, and the message asks the customer.
    ApprovalRequested {
        #[serde(flatten)]
        approval: Approval,
        #[serde(flatten)]
        message: Box<Message>,
    },
    /// What came of that proposal; told to who comes back once the customer has decided.
    ApprovalResolved {
        approval: Uuid,
        approved: bool,
        /// What the customer was told.
        content: String,
        /// Why it was not done, where it was not.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// The turn is over and what it is about is not.
    TurnPaused {
        /// What it waits for: `approval`.
        why: String,
    },
    /// The model was not let answer; the message is made of the results.
    ContentRefused {
        /// By whom: `provider`.
        why: String,
    },
    Error {
        code: String,
        /// For people, in their language.
        message: String,
    },
    /// The conversation is archived; told to who comes back after that.
    SessionEnd {
        conversation: ConversationNumber,
    },
    /// Always last.
    Complete {
        reason: CompleteReason,
        #[serde(skip_serializing_if = "Option::is_none")]
        stop_reason: Option<String>,
    },
}

/// What a tool found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolOutcome {
    pub results: Vec<ListedItem>,
    /// What was looked up of the customer's own, as it was rendered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

/// The whole answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Message {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<Seq>,
    pub content: String,
    /// The content line by line, in pieces: prose, and what the shop has filled in.
    pub segments: Vec<Vec<Segment>>,
    /// Books from the catalogue, never from a model.
    pub results: Vec<ItemResult>,
    pub actions: Vec<Action>,
    /// Where in the customer's own documents something was found; told again without its words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    pub stop_reason: String,
    /// What the next message may go back to, to be sent back with it, where nothing is kept of the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Absent where no model wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Where it was asked for; it is not kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CompleteReason {
    Success,
    Error,
    MaxTurns,
    UserCancelled,
}
