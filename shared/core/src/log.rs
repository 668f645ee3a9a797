//! The append-only log of conversations: events, the commits that carry them, and how a commit finds its place.

mod append;
mod commit;
mod event;
mod state;

use async_trait::async_trait;

pub use append::{ATTEMPTS, AppendFailure, Draft, FIRST_PAUSE, append};
pub use commit::{Commit, Position};
pub use event::{Event, ShownBook, Stored};
pub use state::{ConversationState, OpenTurn};

use crate::{
    ids::{ConversationNumber, Owner, Seq},
    limits::Settlement,
};

/// Why the log could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("the log cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("commit {conversation}#{first_seq} cannot be read")]
    Corrupt {
        conversation: ConversationNumber,
        first_seq: Seq,
    },
}

/// Why a commit was not put.
#[derive(Debug, thiserror::Error)]
pub enum PutError {
    /// Another commit holds this place. Ours is not in the log.
    #[error("the place is taken")]
    Conflict,
    /// The request it belongs to is another attempt's now. Ours is not in the log.
    #[error("another attempt has taken the request over")]
    Overtaken,
    /// A transaction was at work. The same commit may be put again: it is in the log once.
    #[error("another change is under way")]
    Busy(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Not known to be in the log; a read that finds `commit_id` there settles it.
    #[error("the log did not answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// One owner's commits, in order. Reads are consistent.
#[async_trait]
pub trait Log: Send + Sync {
    /// The newest commits, newest first, at most `limit`: of one conversation, or of all of them (the newest conversation's first).
    async fn newest(
        &self,
        owner: &Owner,
        conversation: Option<ConversationNumber>,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError>;

    /// Commits of one conversation whose first event lies before `before`, newest first, at most `limit`.
    async fn before(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
        before: Seq,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError>;

    /// Puts a commit at its place if the place is free, and settles with it what is to be settled. Finding itself already there
    /// is success.
    async fn put(
        &self,
        owner: &Owner,
        commit: &Commit,
        settlement: Option<&Settlement>,
    ) -> Result<(), PutError>;
}
