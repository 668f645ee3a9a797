//! What a turn gives back, as it goes over the wire.

pub(crate) mod compose;
mod cut;
pub mod part;
pub mod prose;
pub(crate) mod render;
pub(crate) mod stream;

pub use compose::described;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    actions::Warning,
    catalogue::ItemResult,
    files::Citation,
    ids::{ConversationNumber, ItemId},
    index::{Ranks, Source},
    log::ListedItem,
    model::Usage,
    retrieval::{Retrieved, TOP_K_MAX},
    segment::{Segment, named},
    understand::intent::Intent,
};

/// Longest line of a message, in characters; a shop may want shorter ones, and longer messages.
const LINE_CHARS: usize = 800;

/// The answer to a chat message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// For people: an opening sentence, then at most five lines that begin with "- ".
    pub message: String,
    /// The same line by line, in pieces: prose, and what the shop has filled in.
    pub segments: Vec<Vec<Segment>>,
    /// Books from the catalogue, never from a model.
    pub results: Vec<ItemResult>,
    pub actions: Vec<Action>,
    /// That a machine answers, in the caller's language: once a conversation, and to guests each time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// Where in the customer's own documents something was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationNumber>,
    /// What the next message may go back to, to be sent back with it: opaque, where nothing is kept of the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Whether question and answer are both in the history; absent where none was to be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persist_history_confirmation: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

/// The items of a turn as its answer has them: those that it names come first, in its order; then what was looked for last, and what was
/// found at once.
pub(crate) fn in_order<'a, T>(
    named: &[u64],
    at_once: &'a [T],
    later: impl DoubleEndedIterator<Item = &'a [T]>,
    number: fn(&T) -> u64,
) -> Vec<&'a T> {
    let mut items: Vec<&T> = Vec::new();
    for item in later.rev().chain([at_once]).flatten() {
        if items.iter().all(|known| number(known) != number(item)) {
            items.push(item);
        }
    }
    let place = |item: &&T| named.iter().position(|id| *id == number(item));
    items.sort_by_key(|item| place(item).unwrap_or(named.len()));
    items.truncate(TOP_K_MAX);
    items
}

/// The same of what the log keeps: each tool's result, and the answer.
pub(crate) fn listed_in_order<'a>(
    answer: &[Vec<Segment>],
    listed: &'a [Vec<ListedItem>],
) -> Vec<&'a ListedItem> {
    let (at_once, later) = listed
        .split_first()
        .map_or((&[][..], listed), |(first, later)| (first, later));
    let named = named(answer.iter().map(Vec::as_slice));
    in_order(&named, at_once, later.iter().map(Vec::as_slice), |item| {
        item.libro_id
    })
}

/// Something a page can offer next, or has just had done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    ViewBook {
        libro_id: u64,
    },
    /// What is no book.
    ViewItem {
        #[schemars(with = "String")]
        item_id: ItemId,
    },
    RefineSearch {
        hint: String,
    },
    /// To be sent to the actions endpoint, with `book_id` or `item_id`.
    AddToCart {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        libro_id: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        item_id: Option<ItemId>,
    },
    /// To be sent to the actions endpoint, with `book_id`.
    ReserveBook {
        libro_id: u64,
    },
    /// To be sent to the actions endpoint, with `item_id`.
    ReserveItem {
        #[schemars(with = "String")]
        item_id: ItemId,
    },
    /// What was asked for is for who is signed in.
    SignIn,
    /// A person of the shop has the word, and the assistant says nothing until they hand it back. What they say can be followed at the
    /// stream endpoint.
    Person {
        /// The customer's message to go on with the assistant.
        back: String,
    },
    /// What a model proposes: `approve` or `reject` at the actions endpoint settles it, with `approval`.
    Approval(Approval),
    ActionResult(ActionResult),
}

/// A change that waits for the customer's word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Approval {
    pub approval: Uuid,
    pub action: String,
    pub payload: Value,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String")]
    pub expires_at: OffsetDateTime,
}

/// What came of an action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ActionResult {
    pub action: String,
    pub ok: bool,
    pub error: Option<String>,
    pub warnings: Vec<Warning>,
    pub data: Value,
}

/// How an answer came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    pub request_id: String,
    pub query: String,
    pub k: usize,
    pub source: Source,
    pub degraded: bool,
    pub warnings: Vec<String>,
    pub tool: ToolTrace,
    pub intent: IntentTrace,
    pub timings_ms: Timings,
    pub llm: LlmTrace,
    /// The index build that answered.
    pub index: Option<String>,
    /// Where each result stood in the lists that the search fused; absent where there was nothing to fuse.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explain: Vec<Explanation>,
}

/// What a message was taken for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IntentTrace {
    pub name: Intent,
    /// From 0 to 1.
    pub confidence: f32,
    /// The language that is answered in.
    pub language: String,
}

/// Why a result is among the answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    pub libro_id: u64,
    pub score: f32,
    #[serde(flatten)]
    pub rank: Ranks,
}

impl Explanation {
    /// Of the results that a search has ranks of.
    pub(crate) fn of(found: &Retrieved) -> Vec<Self> {
        let results = found.results.iter();
        let explained = results.filter_map(|item| {
            let (_, rank) = found.ranks.iter().find(|(id, _)| *id == item.libro_id)?;
            Some(Self {
                libro_id: item.libro_id,
                score: item.score.unwrap_or_default(),
                rank: *rank,
            })
        });
        explained.collect()
    }
}

/// The tool that was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolTrace {
    pub name: String,
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Where the time went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Timings {
    pub retrieval: u64,
    pub llm: u64,
    pub total: u64,
}

/// What the model had to do with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LlmTrace {
    pub provider: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why the answer is not the model's; null where it is.
    pub error: Option<String>,
    /// What the call took, where the provider tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// What became of its lines; absent where it said nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<GuardTrace>,
}

/// What the guard made of a model's lines.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct GuardTrace {
    /// Lines that were said.
    pub passed: usize,
    /// Those of them whose form was put right.
    pub repaired: usize,
    /// Lines that were not said, by what was wrong with them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rejected: BTreeMap<String, usize>,
}
