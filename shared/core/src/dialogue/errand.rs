//! An appointment that a conversation is about: what is known of it so far.

use serde::{Deserialize, Serialize};

use crate::{
    log::{Commit, Event},
    understand::hour::{Hour, Part},
};

/// The argument of a tool's use that keeps it in the log.
pub(crate) const ERRAND: &str = "errand";

/// How the names of tools end that see to appointments.
const OF_APPOINTMENTS: &str = "appointments";

/// What is to be done about an appointment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Book,
    Move,
    Cancel,
    View,
}

/// What the customer was asked last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Awaited {
    Service,
    Branch,
    Time,
    Name,
    Appointment,
    /// Whether it is to be done.
    Answer,
}

/// What is wanted, by the ids of the business's file; dates as `2026-11-27`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Errand {
    #[serde(rename = "k")]
    pub(crate) kind: Kind,
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub(crate) service: Option<String>,
    /// The services of which one is meant, where it is not known which.
    #[serde(rename = "g", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) among: Vec<String>,
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<String>,
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub(crate) calendar: Option<String>,
    /// From one date up to another.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub(crate) dates: Option<(String, String)>,
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub(crate) part: Option<Part>,
    #[serde(rename = "h", default, skip_serializing_if = "Option::is_none")]
    pub(crate) hour: Option<Hour>,
    /// Whether the hour is only that of before, and any other would do.
    #[serde(rename = "o", default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_kept_hour: bool,
    /// From one time of day up to another, as clocks show them.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    pub(crate) window: Option<(String, String)>,
    /// The last that is free on its day.
    #[serde(rename = "l", default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_latest: bool,
    /// The first that is free.
    #[serde(rename = "f", default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_earliest: bool,
    /// Wherever it is.
    #[serde(rename = "w", default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_anywhere: bool,
    /// The appointment that is to be moved or cancelled.
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    pub(crate) appointment: Option<String>,
    /// When the one that was asked about last begins, by the clocks of the business: `10:00`.
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<String>,
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub(crate) full_name: Option<String>,
    /// Whether the customer was asked for a name.
    #[serde(rename = "m", default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) was_asked_name: bool,
    #[serde(rename = "q", default, skip_serializing_if = "Option::is_none")]
    pub(crate) awaited: Option<Awaited>,
}

impl Errand {
    pub(crate) fn new(kind: Kind) -> Self {
        Self {
            kind,
            service: None,
            among: Vec::new(),
            branch: None,
            calendar: None,
            dates: None,
            part: None,
            hour: None,
            is_kept_hour: false,
            window: None,
            is_latest: false,
            is_earliest: false,
            is_anywhere: false,
            appointment: None,
            time: None,
            full_name: None,
            was_asked_name: false,
            awaited: None,
        }
    }

    /// The same at a time that is still to be said.
    #[must_use]
    pub(crate) fn at_another_time(self) -> Self {
        Self {
            hour: None,
            is_kept_hour: false,
            is_earliest: false,
            is_latest: false,
            awaited: Some(Awaited::Time),
            ..self
        }
    }

    /// What a conversation has of it, the newest commit coming first: in that, or before it in one turn of something else.
    pub(crate) fn of_log(commits: &[Commit]) -> Option<Self> {
        /// Commits of one turn of something else.
        const BETWEEN: usize = 2;
        let mut newest = commits.iter().take(1 + BETWEEN);
        newest.find_map(Self::of_commit).flatten()
    }

    /// What a commit has of it; that there is none any more, where it ends one.
    fn of_commit(commit: &Commit) -> Option<Option<Self>> {
        if commit.state.archived {
            return Some(None);
        }
        let mut events = commit.events.iter().filter_map(|event| event.known());
        events.find_map(|event| match event {
            Event::ToolUseRequested {
                tool_name, args, ..
            } => match args.get(ERRAND) {
                Some(errand) => Some(serde_json::from_value(errand.clone()).ok()),
                None => tool_name.ends_with(OF_APPOINTMENTS).then_some(None),
            },
            Event::ApprovalRequested { .. } | Event::ApprovalResolved { .. } => Some(None),
            _ => None,
        })
    }
}
