//! A turn's prompt and answer, from the log alone.

use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{model_loop::context_window, types::TurnSettings};
use crate::{
    ids::{ConversationNumber, Owner, Seq},
    log::{Commit, ContextLimits, Event, ListedItem, Log, ReadError, Summary},
    model::ModelMessage,
};

/// A turn as it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    pub conversation: ConversationNumber,
    pub at: OffsetDateTime,
    pub question: String,
    /// The conversation in the prompt before the question; `None` where no model was called.
    pub context: Option<Vec<ModelMessage>>,
    /// The summary among it.
    pub summary: Option<Summary>,
    /// The limits of that; the settings of today where the turn has kept none, since it came to no answer or is older.
    pub context_limits: ContextLimits,
    pub is_within_todays: bool,
    /// The tools that were used, the first one at once.
    pub tools: Vec<ReplayedTool>,
    /// `None` where the turn has no answer.
    pub answer: Option<ReplayedAnswer>,
}

/// A tool as it was used, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplayedTool {
    pub name: String,
    pub args: Value,
    pub error: Option<String>,
    /// The items it found, at the price and with the copies of that moment.
    pub results: Vec<ListedItem>,
    /// What it looked up of the customer's own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// The build of the index that it looked in.
    pub index: Option<String>,
}

/// An answer, and who gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplayedAnswer {
    pub content: String,
    pub provider: String,
    pub model: Option<String>,
}

/// Why a turn cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("there is no turn with message {0} in that conversation")]
    NoTurn(u64),
    #[error(transparent)]
    Log(#[from] ReadError),
}

/// The turn that the message `until` belongs to, as it was; with these settings where it has kept none of its own.
///
/// # Errors
/// [`ReplayError`].
pub async fn replay(
    log: &dyn Log,
    owner: &Owner,
    conversation: ConversationNumber,
    until: Seq,
    settings: &TurnSettings,
) -> Result<Replay, ReplayError> {
    let no_turn = || ReplayError::NoTurn(until.0);
    let commits = log.whole(owner, conversation).await?;
    let holds = |commit: &&Commit| (commit.first_seq..=commit.last_seq()).contains(&until);
    let turn_id = commits.iter().find(holds).ok_or_else(no_turn)?.turn_id;
    let of_turn = |commit: &Commit| commit.turn_id == turn_id;
    let asks = |commit: &Commit| {
        let mut events = commit.events.iter().filter_map(|event| event.known());
        of_turn(commit) && events.any(|event| matches!(event, Event::UserMessageSent { .. }))
    };
    let place = commits.iter().position(asks).ok_or_else(no_turn)?;
    let question = &commits[place];
    let mut replay = Replay {
        conversation,
        at: question.at,
        question: String::new(),
        context: None,
        summary: None,
        context_limits: settings.context_limits,
        is_within_todays: true,
        tools: Vec::new(),
        answer: None,
    };
    let mut ids: Vec<Uuid> = Vec::new();
    let mut summary_through = None;
    let mut answered_at_once = false;
    for commit in commits.iter().filter(|commit| of_turn(commit)) {
        for event in commit.events.iter().filter_map(|event| event.known()) {
            match event {
                Event::UserMessageSent { content } => replay.question.clone_from(content),
                Event::ToolUseRequested {
                    tool_use_id,
                    tool_name,
                    args,
                    ..
                } => {
                    ids.push(*tool_use_id);
                    replay.tools.push(ReplayedTool {
                        name: tool_name.clone(),
                        args: args.clone(),
                        error: None,
                        results: Vec::new(),
                        lines: Vec::new(),
                        index: None,
                    });
                }
                Event::ToolUseCompleted {
                    tool_use_id,
                    error,
                    results,
                    lines,
                    index,
                    ..
                } => {
                    let place = ids.iter().position(|id| id == tool_use_id);
                    if let Some(tool) = place.and_then(|place| replay.tools.get_mut(place)) {
                        tool.error.clone_from(error);
                        tool.results.clone_from(results);
                        tool.lines.clone_from(lines);
                        tool.index.clone_from(index);
                    }
                }
                Event::AgentMessageSent {
                    content,
                    provider,
                    model,
                    summary_through: through,
                    context_limits,
                    ..
                } => {
                    if let Some(within) = context_limits {
                        replay.context_limits = **within;
                        replay.is_within_todays = false;
                    }
                    answered_at_once = commit.first_seq == question.first_seq;
                    summary_through = *through;
                    replay.answer = Some(ReplayedAnswer {
                        content: content.clone(),
                        provider: provider.clone(),
                        model: model.clone(),
                    });
                }
                _ => {}
            }
        }
    }
    if answered_at_once {
        return Ok(replay);
    }
    replay.summary = summary_through.and_then(|through| summary_of(&commits, through));
    let newest_first = commits[..place].iter().rev();
    let seen = newest_first.take(replay.context_limits.messages.max(1));
    let seen: Vec<Commit> = seen.cloned().collect();
    let context = context_window(replay.summary.as_ref(), &seen, replay.context_limits);
    replay.context = Some(context.messages);
    Ok(replay)
}

/// The summary through a place, as it was kept when a prompt first had it.
fn summary_of(commits: &[Commit], wanted: Seq) -> Option<Summary> {
    let events = commits.iter().flat_map(|commit| &commit.events);
    events
        .filter_map(|event| event.known())
        .find_map(|event| match event {
            Event::ConversationSummarised { summary } if summary.through == wanted => {
                Some(summary.clone())
            }
            _ => None,
        })
}
