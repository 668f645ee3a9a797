//! From the log to the view, and from the view to its summaries.

use std::sync::Arc;

use crate::{
    chain::Chain,
    ids::{ConversationNumber, Owner, Seq},
    log::{Commit, Log, Position, ReadError, Stored, Summary},
    model::{Model, ModelPolicy, ModelRequest, whole_answer},
    summary::{self, EXTRACTIVE, Summarised},
    text::truncate,
    view::{Projected, View, ViewError},
};

/// A conversation with so many more messages than its summary covers gets another.
pub const SUMMARY_AFTER_MESSAGES: u64 = 6;
/// Longest summary, in characters: a quarter of a conversation's share of a prompt by default.
pub const SUMMARY_CHARS: usize = 2_000;
/// Commits that one step of a summary takes in.
const COMMITS_PER_SUMMARY: usize = 200;

/// Why a conversation could not be projected or summarised; the next try begins where this one did.
#[derive(Debug, thiserror::Error)]
pub enum ProjectionError {
    #[error(transparent)]
    View(#[from] ViewError),
    #[error(transparent)]
    Log(#[from] ReadError),
}

/// Brings the view on to `projected`, and calls for a summary where one is due.
///
/// # Errors
/// [`ProjectionError::View`]; some of it may be done, and all of it may be done again.
pub async fn project(
    view: &dyn View,
    owner: &Owner,
    projected: &Projected,
    after_messages: u64,
) -> Result<(), ProjectionError> {
    view.advance(owner, projected).await?;
    let messages = projected.state.message_count;
    if messages <= after_messages {
        return Ok(());
    }
    let summary = view.summary(owner, projected.conversation).await?;
    let summarised = summary.map_or(0, |summary| summary.messages);
    if messages.saturating_sub(summarised) > after_messages {
        view.call_for_summary(owner, projected).await?;
    }
    Ok(())
}

/// Brings the view on to what the log has of a conversation.
///
/// # Errors
/// [`ProjectionError`]; some of it may be done, and all of it may be done again.
pub async fn catch_up(
    log: &dyn Log,
    view: &dyn View,
    owner: &Owner,
    conversation: ConversationNumber,
    after_messages: u64,
) -> Result<(), ProjectionError> {
    // Each commit carries the fold of everything up to it, so the newest is all there is to read.
    match log.newest(owner, Some(conversation), 1).await?.pop() {
        Some(newest) if !newest.state.erased => {
            project(view, owner, &Projected::from(&newest), after_messages).await
        }
        // Erased meanwhile, or lapsed.
        _ => Ok(()),
    }
}

/// How a conversation's view was found, and what is wrong with its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuilt {
    pub view: Found,
    pub damage: Vec<Damage>,
}

/// How a conversation's view was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Same,
    Different,
    Missing,
}

/// What of a conversation's log is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    #[error("the commit at event {} cannot be read", first.0)]
    Unreadable { first: Seq },
    #[error("events {} to {} are missing", first.0, last.0)]
    Missing { first: Seq, last: Seq },
}

/// Folds a conversation's events from the first one that is there, and puts the view right unless it is only to be looked at. Behind
/// what is damaged or missing it goes on from the state that the next whole commit carries.
///
/// # Errors
/// [`ProjectionError`].
pub async fn rebuild(
    log: &dyn Log,
    view: &dyn View,
    owner: &Owner,
    conversation: ConversationNumber,
    only_look: bool,
) -> Result<Rebuilt, ProjectionError> {
    let mut folded: Option<Commit> = None;
    let mut damage = Vec::new();
    for commit in log.whole(owner, conversation).await? {
        let is_readable = is_readable(&commit);
        if !is_readable {
            damage.push(Damage::Unreadable {
                first: commit.first_seq,
            });
        }
        folded = Some(match &folded {
            Some(before) => {
                let next = before.last_seq().plus(1);
                if next < commit.first_seq {
                    let last = Seq(commit.first_seq.0 - 1);
                    damage.push(Damage::Missing { first: next, last });
                }
                let follows = next == commit.first_seq && is_readable && self::is_readable(before);
                if follows {
                    refolded(Position::after(before), &commit)
                } else {
                    commit
                }
            }
            None if commit.first_seq == Seq::FIRST && is_readable => follow_from_start(&commit),
            // What came before it has lapsed.
            None => commit,
        });
    }
    let found = |view| Ok(Rebuilt { view, damage });
    let Some(folded) = folded.filter(|folded| !folded.state.erased) else {
        return found(Found::Same);
    };
    let folded = Projected::from(&folded);
    let there = match view.conversation(owner, conversation).await? {
        // It may be further than what was read.
        Some(there) if is_right(&there, &folded) || there.through > folded.through => Found::Same,
        Some(_) => Found::Different,
        None => Found::Missing,
    };
    if there != Found::Same && !only_look {
        view.restore(owner, &folded).await?;
    }
    found(there)
}

fn is_readable(commit: &Commit) -> bool {
    !commit.events.iter().any(Stored::is_damaged)
}

/// Whether the view has what the events make. What was written before the log remembered more than one turn that was given up
/// lacks the oldest of these, as does all that followed from it; nobody who reads the view asks for them.
fn is_right(there: &Projected, folded: &Projected) -> bool {
    let mut expected = folded.clone();
    let remembered = there.state.failed_before.len();
    expected.state.failed_before.truncate(remembered);
    *there == expected
}

fn follow_from_start(commit: &Commit) -> Commit {
    refolded(Position::start_of(commit.conversation), commit)
}

/// The commit with the state that its events make, whatever state it carries.
fn refolded(position: Position, commit: &Commit) -> Commit {
    let Commit {
        events,
        commit_id,
        turn_id,
        at,
        ..
    } = commit.clone();
    Commit::at(position, events, commit_id, turn_id, at)
}

/// Who summarises, and how long it may get.
#[derive(Clone)]
pub struct Summariser {
    pub log: Arc<dyn Log>,
    pub view: Arc<dyn View>,
    pub model: Arc<dyn Model>,
    pub policy: ModelPolicy,
    pub max_chars: usize,
}

impl Summariser {
    /// Summarises what a conversation's summary does not cover so far, in as many steps as it takes. Gives the summary there is
    /// in the end, which may be somebody else's.
    ///
    /// # Errors
    /// [`ProjectionError`]; every step that was done stays.
    pub async fn summarise(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
    ) -> Result<Option<Summary>, ProjectionError> {
        let mut summary = self.view.summary(owner, conversation).await?;
        loop {
            let through = summary.as_ref().map_or(Seq(0), |summary| summary.through);
            let commits = self
                .log
                .after(owner, conversation, through, COMMITS_PER_SUMMARY)
                .await?;
            let Some(last) = commits.last() else {
                return Ok(summary);
            };
            let Some(next) = self.step(summary.as_ref(), &commits).await else {
                return Ok(summary);
            };
            let kept = self
                .view
                .summarise(owner, conversation, &next, last.at)
                .await?;
            if !kept {
                // Another was quicker; what it has left is not waited for.
                return Ok(self.view.summary(owner, conversation).await?);
            }
            summary = Some(next);
            if commits.len() < COMMITS_PER_SUMMARY {
                return Ok(summary);
            }
        }
    }

    /// The summary after `commits`, which follow the previous one without a gap; `None` where they have no messages.
    async fn step(&self, previous: Option<&Summary>, commits: &[Commit]) -> Option<Summary> {
        let last = commits.last()?;
        if last.state.message_count <= previous.map_or(0, |summary| summary.messages) {
            return None;
        }
        let messages: Vec<Summarised<'_>> = commits
            .iter()
            .flat_map(|commit| commit.events.iter())
            .filter_map(|event| summary::summarised(event.known()?))
            .collect();
        let (text, made_by) = match self.ask(previous, &messages).await {
            Some(message) => message,
            None => {
                let text = summary::extract(previous, &messages, self.max_chars);
                (text, EXTRACTIVE.to_owned())
            }
        };
        Some(Summary {
            text,
            through: last.last_seq(),
            messages: last.state.message_count,
            made_by,
        })
    }

    /// What the shop's own model makes of it, if there is one and it answers.
    async fn ask(
        &self,
        previous: Option<&Summary>,
        messages: &[Summarised<'_>],
    ) -> Option<(String, String)> {
        if !self.policy.is_configured() || self.policy.requires_byo_key() {
            return None;
        }
        let request = ModelRequest {
            messages: summary::request(previous, messages, self.max_chars),
            ..ModelRequest::default()
        };
        match whole_answer(&*self.model, request).await {
            Ok(answer) => {
                let text = summary::grounded(answer.text.trim(), previous, messages);
                let made_by = answer.model;
                let made_by = made_by.unwrap_or_else(|| self.policy.provider.to_owned());
                let text = truncate(text.trim(), self.max_chars);
                (!text.is_empty()).then_some((text, made_by))
            }
            Err(error) => {
                tracing::warn!(
                    error = %Chain(&error),
                    code = error.code(),
                    "the model made no summary"
                );
                None
            }
        }
    }
}
