//! The view: of each conversation what a list shows, and its summary. It is made from the log and can be rebuilt.

use std::collections::HashMap;

use async_trait::async_trait;
use time::OffsetDateTime;

use crate::{
    ids::{ConversationNumber, Owner, Seq},
    log::{Commit, ConversationState, Summary},
};

/// A conversation as some prefix of its log leaves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projected {
    pub conversation: ConversationNumber,
    /// The last event of the prefix.
    pub through: Seq,
    pub updated_at: OffsetDateTime,
    pub state: ConversationState,
}

impl From<&Commit> for Projected {
    /// A commit carries the fold of everything up to it, so the newest one is all there is to project.
    fn from(commit: &Commit) -> Self {
        Self {
            conversation: commit.conversation,
            through: commit.last_seq(),
            updated_at: commit.at,
            state: commit.state.clone(),
        }
    }
}

/// A conversation that waits for a person of the shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Whose it is.
    pub owner: Owner,
    pub found: Projected,
}

/// What waits for a person, of all tenants together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AllWaiting {
    pub conversations: usize,
    /// Since when the first of them waits.
    pub since: Option<OffsetDateTime>,
}

/// Where a list of such conversations goes on: behind this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingPlace {
    /// Since when it waits, in milliseconds since the epoch.
    pub since: i64,
    pub user: String,
    pub conversation: ConversationNumber,
}

/// The view could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("the view cannot be reached")]
pub struct ViewError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// The conversations' view. Reads are consistent, but for one, and reach nothing of another owner; writes only ever go forward, so
/// repeating them, or doing them out of order, changes nothing.
#[async_trait]
pub trait View: Send + Sync {
    /// The newest conversations below `before`, newest first, at most `limit`.
    async fn conversations(
        &self,
        owner: &Owner,
        before: Option<ConversationNumber>,
        limit: usize,
    ) -> Result<Vec<Projected>, ViewError>;

    async fn conversation(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
    ) -> Result<Option<Projected>, ViewError>;

    /// The newest summaries of conversations below `before`, at most `limit`.
    async fn summaries(
        &self,
        owner: &Owner,
        before: Option<ConversationNumber>,
        limit: usize,
    ) -> Result<HashMap<ConversationNumber, Summary>, ViewError>;

    /// The conversation's summary as it is, or was a moment ago: read at half the price, since it always comes later than the
    /// messages it covers.
    async fn summary(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
    ) -> Result<Option<Summary>, ViewError>;

    /// The conversations of a tenant's customers that wait for a person, who has waited longest first, at most `limit`; as they are, or
    /// were a moment ago.
    async fn waiting(
        &self,
        tenant: &str,
        after: Option<&WaitingPlace>,
        limit: usize,
    ) -> Result<Vec<Waiting>, ViewError>;

    /// What waits for a person of any tenant.
    async fn all_waiting(&self) -> Result<AllWaiting, ViewError>;

    /// Keeps `projected` unless the view is as far already.
    async fn advance(&self, owner: &Owner, projected: &Projected) -> Result<(), ViewError>;

    /// Keeps `projected` in place of what the view has, unless that is further.
    async fn restore(&self, owner: &Owner, projected: &Projected) -> Result<(), ViewError>;

    /// Calls for a summary of a conversation that has come as far as `projected`.
    async fn call_for_summary(&self, owner: &Owner, projected: &Projected)
    -> Result<(), ViewError>;

    /// Keeps `summary` unless there is one that covers as much; returns whether it was kept. It stays as long as a conversation whose
    /// last event is of `now`.
    async fn summarise(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
        summary: &Summary,
        now: OffsetDateTime,
    ) -> Result<bool, ViewError>;
}
