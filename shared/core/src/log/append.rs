//! Finding a commit's place: read the newest, decide, put; another writer was quicker, so read and decide again.

use std::time::Duration;

use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    clock::Clock,
    ids::{ConversationNumber, Owner},
    limits::Settlement,
    log::{Commit, Log, Position, PutError, ReadError, TooLarge, event::Event, event::Stored},
};

/// What a decision wants written.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub position: Position,
    pub events: Vec<Event>,
    /// What becomes of the request with this commit.
    pub settlement: Option<Settlement>,
}

/// Why nothing was appended; `E` is the decision's own refusal.
#[derive(Debug, thiserror::Error)]
pub enum AppendFailure<E> {
    #[error("refused")]
    Refused(E),
    /// Every attempt lost its race.
    #[error("lost {ATTEMPTS} races")]
    Conflict,
    /// The request is another attempt's now.
    #[error("another attempt has taken the request over")]
    Overtaken,
    /// The decision wants more written than one commit may hold.
    #[error(transparent)]
    TooLarge(TooLarge),
    #[error(transparent)]
    Read(ReadError),
    /// The log did not answer; whether the commit is in is not known.
    #[error("the outcome is not known")]
    Unknown(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// How often a commit is tried before the caller gets the conflict.
pub const ATTEMPTS: usize = 5;

/// The longest first pause after a lost race; doubled with every further one. A put takes about 5 ms on the real table.
pub const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// Appends what `decide` makes of the newest commit, deciding again after every lost race.
///
/// `newest` is what the caller has just read, if it has; `decide` sees the newest commit of `conversation`, or of the owner.
///
/// # Errors
/// [`AppendFailure`]; except for `Unknown` nothing was written.
pub async fn append<E>(
    log: &dyn Log,
    clock: &dyn Clock,
    owner: &Owner,
    (conversation, turn_id): (Option<ConversationNumber>, Uuid),
    mut newest: Option<Option<Commit>>,
    mut decide: impl FnMut(Option<&Commit>, OffsetDateTime) -> Result<Draft, E> + Send,
) -> Result<Commit, AppendFailure<E>> {
    let commit_id = clock.new_id();
    for attempt in 0..ATTEMPTS {
        let seen = match newest.take() {
            Some(seen) => seen,
            None => log
                .newest(owner, conversation, 1)
                .await
                .map_err(AppendFailure::Read)?
                .pop(),
        };
        let at = clock.now();
        let draft = decide(seen.as_ref(), at).map_err(AppendFailure::Refused)?;
        let events = draft.events.into_iter().map(Stored::Known).collect();
        let commit = Commit::at(draft.position, events, commit_id, turn_id, at);
        let settlement = draft.settlement.as_ref();
        match put(log, clock, owner, &commit, settlement).await {
            Ok(()) => return Ok(commit),
            Err(PutError::Conflict) => clock.pause_up_to(FIRST_PAUSE * (1 << attempt)).await,
            Err(PutError::Overtaken) => return Err(AppendFailure::Overtaken),
            Err(PutError::TooLarge(error)) => return Err(AppendFailure::TooLarge(error)),
            Err(PutError::Busy(source) | PutError::Unavailable(source)) => {
                return Err(AppendFailure::Unknown(source));
            }
        }
    }
    Err(AppendFailure::Conflict)
}

/// Puts one commit, again as it is while the log is busy: an earlier try of it may still be under way, so it goes nowhere else.
async fn put(
    log: &dyn Log,
    clock: &dyn Clock,
    owner: &Owner,
    commit: &Commit,
    settlement: Option<&Settlement>,
) -> Result<(), PutError> {
    for race in 0..ATTEMPTS - 1 {
        match log.put(owner, commit, settlement).await {
            Err(PutError::Busy(_)) => clock.pause_up_to(FIRST_PAUSE * (1 << race)).await,
            settled => return settled,
        }
    }
    log.put(owner, commit, settlement).await
}
