//! A customer's conversations as they read them: messages out of the log's events.

mod conversation;
mod export;
mod list;
mod search;

use std::sync::Arc;

use futures_util::future::join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

pub use conversation::Conversation;
pub(crate) use conversation::conversation_of;
use conversation::with_summary;
pub use export::{Export, Exporter};
pub use list::ConversationsPage;
pub use search::{Match, Matches};

use crate::{
    answer::listed_in_order,
    chain::Chain,
    clock::Clock,
    ids::{ConversationNumber, Owner, Seq},
    limits::Settlement,
    log::{AppendFailure, Commit, Draft, Event, Log, Position, ReadError, append},
    view::{Projected, View, ViewError},
};

/// Longest message that may be added, in characters.
pub const CONTENT_CHARS: usize = 16_000;
/// Commits read from the log at once.
const COMMITS_PER_READ: usize = 200;
const COMMITS_PER_READ_MIN: usize = 4;

/// A message as it is shown; its id is its event's sequence number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    pub id: Seq,
    /// `user`, `assistant` or `system`.
    pub role: String,
    pub content: String,
    pub created_at: String,
    pub meta: Map<String, Value>,
}

/// Some of a conversation's messages, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// Null where the customer has no conversation yet.
    pub conversation: Option<Conversation>,
    pub messages: Vec<Message>,
    /// For `before`, to read on towards older messages; null at the beginning.
    pub next: Option<Seq>,
}

/// Which messages are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// The active one where none is named.
    pub conversation: Option<ConversationNumber>,
    /// Only messages older than this one.
    pub before: Option<Seq>,
    /// Newest messages to leave out, for numbered pages.
    pub skip: usize,
    pub limit: usize,
}

/// A message to add.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMessage {
    pub role: String,
    pub content: String,
    pub meta: Map<String, Value>,
}

/// Why the history could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error("the customer has no such conversation")]
    NotFound,
    /// Nobody of the staff has to see to it: it may have been handed back.
    #[error("the conversation waits for no person")]
    NotWaiting,
    #[error("other changes came first")]
    Conflict,
    #[error("another attempt at the request is under way")]
    InProgress,
    #[error("the history cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<ReadError> for HistoryError {
    fn from(error: ReadError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

impl From<ViewError> for HistoryError {
    fn from(error: ViewError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

impl From<AppendFailure<HistoryError>> for HistoryError {
    fn from(failure: AppendFailure<Self>) -> Self {
        match failure {
            AppendFailure::Refused(refusal) => refusal,
            AppendFailure::Conflict => Self::Conflict,
            AppendFailure::Overtaken => Self::InProgress,
            AppendFailure::Read(error) => error.into(),
            AppendFailure::TooLarge(error) => Self::Unavailable(Box::new(error)),
            AppendFailure::Unknown(source) => Self::Unavailable(source),
        }
    }
}

/// The history of customers, over the log and its view.
#[derive(Clone)]
pub struct History {
    pub log: Arc<dyn Log>,
    pub view: Arc<dyn View>,
    pub clock: Arc<dyn Clock>,
}

impl History {
    /// The newest messages of a conversation that the request lets through.
    ///
    /// # Errors
    /// [`HistoryError::NotFound`] for a conversation that is not the owner's.
    pub async fn page(&self, owner: &Owner, request: PageRequest) -> Result<Page, HistoryError> {
        let newest = self.log.newest(owner, request.conversation, 1).await?.pop();
        let Some(newest) = newest.filter(|newest| !newest.state.erased) else {
            return match request.conversation {
                Some(_) => Err(HistoryError::NotFound),
                None => Ok(Page {
                    conversation: None,
                    messages: Vec::new(),
                    next: None,
                }),
            };
        };
        let (messages, conversation) = join(
            self.messages(owner, newest.conversation, request),
            with_summary(
                &*self.view,
                owner,
                conversation_of(owner, &Projected::from(&newest), self.clock.now()),
            ),
        )
        .await;
        let (messages, next) = messages?;
        Ok(Page {
            conversation: Some(conversation?),
            messages,
            next,
        })
    }

    /// Messages of one conversation, oldest first, and where to read on towards older ones.
    async fn messages(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
        request: PageRequest,
    ) -> Result<(Vec<Message>, Option<Seq>), HistoryError> {
        let mut messages = Vec::new();
        let mut before = request.before.unwrap_or(Seq(u64::MAX));
        let wanted = request.skip.saturating_add(request.limit).saturating_add(1);
        while messages.len() < wanted {
            // Nearly every commit has a message or two, so as many commits are enough, and half of them often are.
            let missing = (wanted - messages.len())
                .div_ceil(2)
                .max(COMMITS_PER_READ_MIN);
            let commits = self
                .log
                .before(owner, conversation, before, missing.min(COMMITS_PER_READ))
                .await?;
            let Some(oldest) = commits.last() else { break };
            before = oldest.first_seq;
            let older_than = request.before.unwrap_or(Seq(u64::MAX));
            messages.extend(
                commits
                    .iter()
                    .flat_map(|commit| messages_of(commit).into_iter().rev())
                    .filter(|m| m.id < older_than),
            );
        }
        let more = messages.len() >= wanted;
        let mut messages: Vec<Message> = messages
            .into_iter()
            .skip(request.skip)
            .take(request.limit)
            .collect();
        messages.reverse();
        let next = messages.first().filter(|_| more).map(|oldest| oldest.id);
        Ok((messages, next))
    }

    /// The active conversation, begun if there is none.
    ///
    /// # Errors
    /// [`HistoryError`].
    pub async fn open(&self, owner: &Owner) -> Result<Conversation, HistoryError> {
        let newest = self.log.newest(owner, None, 1).await?.pop();
        if let Some(newest) = newest.as_ref().filter(|newest| !newest.state.archived) {
            return Ok(conversation_of(owner, &newest.into(), self.clock.now()));
        }
        let decide = |newest: Option<&Commit>, _: OffsetDateTime| match Position::active(newest) {
            position if position.is_start() => Ok(Draft {
                position,
                events: vec![Event::ConversationStarted {}],
                settlement: None,
            }),
            // Somebody else has just begun one: that is the active conversation.
            _ => Err(HistoryError::Conflict),
        };
        match self.append_after(owner, newest, decide).await {
            Ok(commit) => Ok(self.viewed(owner, &commit).await),
            Err(AppendFailure::Refused(HistoryError::Conflict)) => {
                let newest = self
                    .log
                    .newest(owner, None, 1)
                    .await?
                    .pop()
                    .ok_or(HistoryError::Conflict)?;
                Ok(conversation_of(
                    owner,
                    &Projected::from(&newest),
                    self.clock.now(),
                ))
            }
            Err(failure) => Err(failure.into()),
        }
    }

    /// Archives the active conversation and begins the next.
    ///
    /// # Errors
    /// [`HistoryError`].
    pub async fn archive(&self, owner: &Owner) -> Result<Conversation, HistoryError> {
        let newest = self.log.newest(owner, None, 1).await?.pop();
        if newest.as_ref().is_some_and(|newest| !newest.state.archived) {
            let decide = |newest: Option<&Commit>, _: OffsetDateTime| match newest {
                Some(newest) if !newest.state.archived => Ok(Draft {
                    position: Position::after(newest),
                    events: vec![Event::ConversationArchived {}],
                    settlement: None,
                }),
                // Archived meanwhile by another request.
                _ => Err(HistoryError::NotFound),
            };
            match self.append_after(owner, newest, decide).await {
                Ok(commit) => {
                    self.viewed(owner, &commit).await;
                }
                Err(AppendFailure::Refused(HistoryError::NotFound)) => {}
                Err(failure) => return Err(failure.into()),
            }
        }
        self.open(owner).await
    }

    /// Appends to the owner's newest conversation, of which `newest` was read.
    async fn append_after(
        &self,
        owner: &Owner,
        newest: Option<Commit>,
        decide: impl FnMut(Option<&Commit>, OffsetDateTime) -> Result<Draft, HistoryError> + Send,
    ) -> Result<Commit, AppendFailure<HistoryError>> {
        let (log, clock) = (&*self.log, &*self.clock);
        let target = (None, clock.new_id());
        append(log, clock, owner, target, Some(newest), decide).await
    }

    /// Keeps how good the customer found a conversation, 1 to 5.
    ///
    /// # Errors
    /// [`HistoryError::NotFound`] for a conversation that is not the owner's.
    pub async fn rate(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
        rating: u8,
    ) -> Result<Conversation, HistoryError> {
        let decide = |newest: Option<&Commit>, _: OffsetDateTime| {
            Ok(Draft {
                position: newest
                    .filter(|newest| !newest.state.erased)
                    .map(Position::after)
                    .ok_or(HistoryError::NotFound)?,
                events: vec![Event::RatingGiven { rating }],
                settlement: None,
            })
        };
        let target = (Some(conversation), self.clock.new_id());
        let commit = append(&*self.log, &*self.clock, owner, target, None, decide).await?;
        let rated = self.viewed(owner, &commit).await;
        with_summary(&*self.view, owner, rated).await
    }

    /// The conversation as a commit leaves it, which the view gets at once: who has archived or rated a conversation does not
    /// have to wait until it is listed.
    pub(crate) async fn viewed(&self, owner: &Owner, commit: &Commit) -> Conversation {
        let projected = Projected::from(commit);
        if let Err(error) = self.view.advance(owner, &projected).await {
            // The log's stream has it too.
            tracing::warn!(error = %Chain(&error), "the view was not told of a change");
        }
        conversation_of(owner, &projected, self.clock.now())
    }

    /// Adds messages to the active conversation, which is begun if there is none: all of them or none.
    ///
    /// # Errors
    /// [`HistoryError`].
    pub async fn add(
        &self,
        owner: &Owner,
        messages: Vec<NewMessage>,
        settle: impl Fn(&[Message]) -> Option<Settlement> + Sync,
    ) -> Result<Vec<Message>, HistoryError> {
        let added = messages.into_iter().map(|message| Event::MessageAdded {
            role: message.role,
            content: message.content,
            meta: message.meta,
        });
        let added: Vec<Event> = added.collect();
        let decide = |newest: Option<&Commit>, at: OffsetDateTime| {
            let position = Position::active(newest);
            let start = position.is_start().then_some(Event::ConversationStarted {});
            let events: Vec<Event> = start.into_iter().chain(added.iter().cloned()).collect();
            let added = events.iter().enumerate().filter_map(|(place, event)| {
                let id = position.first_seq.plus(place);
                message_of(id, event, rfc3339(at))
            });
            let settlement = settle(&added.collect::<Vec<_>>());
            Ok::<_, HistoryError>(Draft {
                position,
                events,
                settlement,
            })
        };
        let target = (None, self.clock.new_id());
        let commit = append(&*self.log, &*self.clock, owner, target, None, decide).await?;
        Ok(messages_of(&commit))
    }
}

/// The messages among a commit's events, oldest first.
pub(crate) fn messages_of(commit: &Commit) -> Vec<Message> {
    let created_at = rfc3339(commit.at);
    let mut listed = Vec::new();
    let mut messages = Vec::new();
    for (id, event) in commit.numbered() {
        let Some(event) = event.known() else { continue };
        if let Event::ToolUseCompleted { results, .. } = event {
            listed.push(results.clone());
        }
        let Some(mut message) = message_of(id, event, created_at.clone()) else {
            continue;
        };
        if let Event::AgentMessageSent { segments, .. } = event {
            let results = listed_in_order(segments, &listed);
            message.meta.insert("results".into(), json!(results));
            listed.clear();
        }
        if !matches!(
            event,
            Event::MessageAdded { .. } | Event::StaffMessageSent { .. }
        ) {
            let turn_id = commit.turn_id.to_string();
            message.meta.insert("turn_id".into(), turn_id.into());
        }
        messages.push(message);
    }
    messages
}

/// The message that an event is by itself, if it is one.
fn message_of(id: Seq, event: &Event, created_at: String) -> Option<Message> {
    let (role, content, meta) = match event {
        Event::UserMessageSent { content } => ("user", content, Map::new()),
        // A person answers.
        Event::AgentMessageSent { content, .. } if content.is_empty() => return None,
        Event::AgentMessageSent {
            content,
            provider,
            thinking,
            ..
        } => {
            let provider = ("provider".to_owned(), provider.as_str().into());
            let thinking = thinking.as_ref();
            let thinking =
                thinking.map(|thought| ("thinking".to_owned(), thought.content.as_str().into()));
            let meta = thinking.into_iter().chain([provider]);
            ("assistant", content, meta.collect())
        }
        // The turn's own message says it.
        Event::ApprovalResolved { content, .. } if content.is_empty() => return None,
        Event::ApprovalResolved {
            approval_id,
            approved,
            content,
            ..
        } => {
            let approval = ("approval".to_owned(), approval_id.to_string().into());
            let approved = ("approved".to_owned(), (*approved).into());
            ("assistant", content, Map::from_iter([approval, approved]))
        }
        Event::StaffMessageSent { content, about, .. } => {
            let about = about.as_ref().map(|about| json!(about));
            let mut meta = about
                .and_then(|about| about.as_object().cloned())
                .unwrap_or_default();
            meta.insert("from".into(), "staff".into());
            ("assistant", content, meta)
        }
        Event::MessageAdded {
            role,
            content,
            meta,
        } => (role.as_str(), content, meta.clone()),
        _ => return None,
    };
    Some(Message {
        id,
        role: role.to_owned(),
        content: content.clone(),
        created_at,
        meta,
    })
}

fn rfc3339(at: OffsetDateTime) -> String {
    let at = at
        .replace_nanosecond(u32::from(at.millisecond()) * 1_000_000)
        .unwrap_or(at);
    at.format(&Rfc3339).unwrap_or_default()
}
