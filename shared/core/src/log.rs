//! The append-only log of conversations: events, the commits that carry them, and how a commit finds its place.

mod append;
mod commit;
mod event;
mod look_back;
mod memory;
mod state;
mod upcast;

use async_trait::async_trait;

pub use append::{ATTEMPTS, AppendFailure, Draft, FIRST_PAUSE, append};
pub use commit::{Commit, Position};
pub use event::{
    About, ContextLimits, EscalationReason, Event, ListedItem, Stored, Summary, Thought,
};
pub use look_back::{CLOCKS_DIFFER, look_back, made_at};
pub use memory::MemoryLog;
pub use state::{ConversationState, Escalation, OpenTurn, ReadBy};

use crate::{
    ids::{ConversationNumber, Owner, Seq},
    limits::Settlement,
};

/// The log could not be read.
#[derive(Debug, thiserror::Error)]
#[error("the log cannot be reached")]
pub struct ReadError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

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
    /// More than one commit may hold. Nothing was written, and nothing will be: what belongs together has to be less.
    #[error(transparent)]
    TooLarge(TooLarge),
    /// Not known to be in the log; a read that finds `commit_id` there settles it.
    #[error("the log did not answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Most bytes that a commit's events may come to, as JSON.
pub const COMMIT_BYTES_MAX: usize = 16 << 20;

/// A commit's events are longer than the log takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a commit of {bytes} bytes, where at most {most} go into one")]
pub struct TooLarge {
    pub bytes: usize,
    pub most: usize,
}

/// A stretch of an owner's log: the commits whose first events lie in it, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    pub from: Place,
    pub to: Place,
}

/// Where an event is: in which conversation, and under which number.
pub type Place = (ConversationNumber, Seq);

impl Stretch {
    /// Every conversation.
    pub const ALL: Self = Self {
        from: (ConversationNumber::FIRST, Seq::FIRST),
        to: (ConversationNumber::MAX, Seq::MAX),
    };

    #[must_use]
    pub fn of(conversation: ConversationNumber) -> Self {
        Self {
            from: (conversation, Seq::FIRST),
            to: (conversation, Seq::MAX),
        }
    }

    /// What of it lies before `seq` of `conversation`; `None` where nothing can.
    #[must_use]
    pub fn before(self, (conversation, seq): Place) -> Option<Self> {
        let to = if seq > Seq::FIRST {
            (conversation, Seq(seq.0 - 1).min(Seq::MAX))
        } else {
            (ConversationNumber(conversation.0.checked_sub(1)?), Seq::MAX)
        };
        let to = to.min(self.to);
        (self.from <= to).then_some(Self { to, ..self })
    }

    /// What of it begins at `place`; `None` where nothing can.
    #[must_use]
    pub fn starting_at(self, place: Place) -> Option<Self> {
        let from = place.max(self.from);
        (from <= self.to).then_some(Self { from, ..self })
    }
}

/// The order in which commits are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    OldestFirst,
    NewestFirst,
}

/// One owner's commits, in order. Reads are consistent. A commit that cannot be read any more keeps its place, with events that say
/// only that they are damaged ([`Stored::damaged`]): it costs itself, and its owner goes on.
#[async_trait]
pub trait Log: Send + Sync {
    /// At most `limit` commits of a stretch.
    async fn read(
        &self,
        owner: &Owner,
        stretch: Stretch,
        order: Order,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError>;

    /// The newest commits of one conversation, or of the owner's newest one, newest first, at most `limit`.
    async fn newest(
        &self,
        owner: &Owner,
        conversation: Option<ConversationNumber>,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError> {
        let stretch = conversation.map_or(Stretch::ALL, Stretch::of);
        let mut commits = self.read(owner, stretch, Order::NewestFirst, limit).await?;
        // Where the newest conversation is shorter than the limit, older ones follow it.
        if let Some(newest) = commits.first().map(|commit| commit.conversation) {
            commits.retain(|commit| commit.conversation == newest);
        }
        Ok(commits)
    }

    /// Commits of one conversation whose first event lies before `before`, newest first, at most `limit`.
    async fn before(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
        before: Seq,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError> {
        match Stretch::of(conversation).before((conversation, before)) {
            Some(stretch) => self.read(owner, stretch, Order::NewestFirst, limit).await,
            None => Ok(Vec::new()),
        }
    }

    /// Commits of one conversation whose first event lies after `after`, oldest first, at most `limit`.
    async fn after(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
        after: Seq,
        limit: usize,
    ) -> Result<Vec<Commit>, ReadError> {
        match Stretch::of(conversation).starting_at((conversation, after.plus(1))) {
            Some(stretch) => self.read(owner, stretch, Order::OldestFirst, limit).await,
            None => Ok(Vec::new()),
        }
    }

    /// All commits of one conversation that are there, oldest first.
    async fn whole(
        &self,
        owner: &Owner,
        conversation: ConversationNumber,
    ) -> Result<Vec<Commit>, ReadError> {
        let stretch = Stretch::of(conversation);
        self.read(owner, stretch, Order::OldestFirst, usize::MAX)
            .await
    }

    /// Puts a commit at its place if the place is free, and settles with it what is to be settled. Finding itself already there
    /// is success.
    async fn put(
        &self,
        owner: &Owner,
        commit: &Commit,
        settlement: Option<&Settlement>,
    ) -> Result<(), PutError>;
}
