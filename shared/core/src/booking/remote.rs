//! The port of a calendar that is kept elsewhere, such as Google's or one that is reached by `CalDAV`.
//!
//! Nothing here waits for one while a customer asks what is free: its events are mirrored beforehand, and it is asked again only before an
//! appointment is confirmed.

use async_trait::async_trait;

use super::{AppointmentId, Event, Span};

/// A calendar that is kept elsewhere.
#[async_trait]
pub trait Remote: Send + Sync {
    /// What has changed since `token` was given, or all events of `window` without a token.
    ///
    /// `window` is the same for all calls with one chain of tokens.
    ///
    /// # Errors
    /// [`RemoteError::TokenExpired`] is answered by another call without one.
    async fn changes(&self, window: Span, token: Option<&str>) -> Result<Changes, RemoteError>;

    /// The events that have a part of `span`, as they are now.
    async fn look(&self, span: Span) -> Result<Vec<Event>, RemoteError>;

    /// Writes an appointment: a new one, or in the place of what was written of it before. The same twice is the same once.
    ///
    /// # Errors
    /// [`RemoteError::Conflict`] where somebody has changed it there since `version`, or has written it there already where `version` is
    /// none.
    async fn put(&self, entry: &RemoteEntry, version: Option<&str>) -> Result<String, RemoteError>;

    /// Removes an appointment; there is no error where it is gone already.
    ///
    /// # Errors
    /// [`RemoteError::Conflict`] where somebody has changed it there since `version`.
    async fn remove(
        &self,
        appointment: &AppointmentId,
        version: Option<&str>,
    ) -> Result<(), RemoteError>;
}

/// An appointment as it is written into a calendar elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteEntry {
    pub appointment: AppointmentId,
    pub title: String,
    pub time: Span,
}

/// What has changed in a calendar elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// What is new or has changed, as it is now.
    pub objects: Vec<RemoteObject>,
    /// The ids of what is there no longer, also of what nobody has known of.
    pub gone: Vec<String>,
    /// The objects are all there are: whatever else was known is gone.
    pub is_whole: bool,
    /// From which the next changes are asked.
    pub token: String,
}

/// A thing in a calendar elsewhere: an event, or one with all the times that it recurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteObject {
    pub id: String,
    /// An `ETag`, by which a change of it is told.
    pub version: String,
    /// The appointment that was written here, where it is one.
    pub appointment: Option<AppointmentId>,
    /// Each time that it is within the window; none where it is outside of it, declined or cancelled.
    pub events: Vec<Event>,
}

/// Why a calendar elsewhere did not answer as it was asked.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    #[error("the token is too old")]
    TokenExpired,
    #[error("it was changed there meanwhile")]
    Conflict,
    /// No access, or no such calendar: somebody has to put it right.
    #[error("the calendar refuses: {status}")]
    Refused { status: u16 },
    /// It was too busy for each try, or could not be reached: later, it may answer.
    #[error("the calendar cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What it says is no calendar.
    #[error("the calendar's answer cannot be read: {0}")]
    Unreadable(String),
}
