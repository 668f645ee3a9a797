//! An appointment, from the hold that it begins as on.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Booking, BranchId, CalendarId};
use crate::price::Price;

/// What a customer has booked, or is about to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appointment {
    pub branch: BranchId,
    pub calendar: CalendarId,
    #[serde(flatten)]
    pub booking: Booking,
    /// What the service cost when it was booked.
    pub price: Price,
    pub state: State,
    /// Whom it is for, as they have told the business.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_name: Option<String>,
    /// Why it was cancelled, where the customer has said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How far an appointment has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Its place is kept for some minutes, for a customer who has not yet said yes.
    Held,
    Confirmed,
    Cancelled,
    Completed,
    /// The customer did not come.
    NoShow,
}

/// What can become of an appointment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Confirm,
    /// The customer lets a hold go, or it has ended.
    Release,
    Reschedule,
    Cancel,
    Complete,
    MarkNoShow,
}

/// Why an appointment stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    #[error("a hold has to be confirmed first")]
    Held,
    #[error("it is confirmed already")]
    Confirmed,
    /// Cancelled, completed or missed.
    #[error("it is over")]
    Closed,
    #[error("it has begun")]
    Begun,
    #[error("it has not begun")]
    NotBegun,
}

impl State {
    /// What it becomes by a change.
    ///
    /// # Errors
    /// [`ChangeError::Held`], [`ChangeError::Confirmed`] or [`ChangeError::Closed`], by what it is.
    pub fn after(self, change: Change) -> Result<Self, ChangeError> {
        match (self, change) {
            (Self::Held, Change::Confirm) | (Self::Confirmed, Change::Reschedule) => {
                Ok(Self::Confirmed)
            }
            (Self::Held, Change::Release) | (Self::Confirmed, Change::Cancel) => {
                Ok(Self::Cancelled)
            }
            // Somebody was late, and came after all.
            (Self::Confirmed | Self::NoShow, Change::Complete) => Ok(Self::Completed),
            (Self::Confirmed, Change::MarkNoShow) => Ok(Self::NoShow),
            (
                Self::Held,
                Change::Reschedule | Change::Cancel | Change::Complete | Change::MarkNoShow,
            ) => Err(ChangeError::Held),
            (Self::Confirmed, Change::Confirm | Change::Release) => Err(ChangeError::Confirmed),
            (
                Self::Cancelled | Self::Completed | Self::NoShow,
                Change::Confirm
                | Change::Release
                | Change::Reschedule
                | Change::Cancel
                | Change::MarkNoShow,
            )
            | (Self::Cancelled | Self::Completed, Change::Complete) => Err(ChangeError::Closed),
        }
    }

    /// Whether its place in the calendar is its own.
    #[must_use]
    pub fn is_open(self) -> bool {
        match self {
            Self::Held | Self::Confirmed => true,
            Self::Cancelled | Self::Completed | Self::NoShow => false,
        }
    }
}

impl Appointment {
    /// What its state becomes by a change at `now`: a confirmed one is moved and cancelled before it begins, and kept or missed once it
    /// has.
    ///
    /// # Errors
    /// [`ChangeError`].
    pub fn after(&self, change: Change, now: Timestamp) -> Result<State, ChangeError> {
        let state = self.state.after(change)?;
        let has_begun = self.booking.start_at <= now;
        match change {
            Change::Reschedule | Change::Cancel if has_begun => Err(ChangeError::Begun),
            Change::Complete | Change::MarkNoShow if !has_begun => Err(ChangeError::NotBegun),
            Change::Confirm
            | Change::Release
            | Change::Reschedule
            | Change::Cancel
            | Change::Complete
            | Change::MarkNoShow => Ok(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATES: [State; 5] = [
        State::Held,
        State::Confirmed,
        State::Cancelled,
        State::Completed,
        State::NoShow,
    ];
    const CHANGES: [Change; 6] = [
        Change::Confirm,
        Change::Release,
        Change::Reschedule,
        Change::Cancel,
        Change::Complete,
        Change::MarkNoShow,
    ];

    #[test]
    fn every_state_has_its_moves() {
        let name = |state: State| serde_json::to_value(state).unwrap();
        let lines = STATES.map(|state| {
            let moves = CHANGES.map(|change| match state.after(change) {
                Ok(after) => format!("{change:?} → {}", name(after)),
                Err(error) => format!("{change:?}: {error}"),
            });
            format!("{}: {}", name(state), moves.join("; "))
        });
        insta::assert_snapshot!(lines.join("\n"), @r#"
        "held": Confirm → "confirmed"; Release → "cancelled"; Reschedule: a hold has to be confirmed first; Cancel: a hold has to be confirmed first; Complete: a hold has to be confirmed first; MarkNoShow: a hold has to be confirmed first
        "confirmed": Confirm: it is confirmed already; Release: it is confirmed already; Reschedule → "confirmed"; Cancel → "cancelled"; Complete → "completed"; MarkNoShow → "no_show"
        "cancelled": Confirm: it is over; Release: it is over; Reschedule: it is over; Cancel: it is over; Complete: it is over; MarkNoShow: it is over
        "completed": Confirm: it is over; Release: it is over; Reschedule: it is over; Cancel: it is over; Complete: it is over; MarkNoShow: it is over
        "no_show": Confirm: it is over; Release: it is over; Reschedule: it is over; Cancel: it is over; Complete → "completed"; MarkNoShow: it is over
        "#);
    }

    #[test]
    fn what_has_begun_is_neither_moved_nor_cancelled() {
        let at = |text: &str| -> Timestamp { text.parse().unwrap() };
        let written = serde_json::json!({
            "branch": "centro", "calendar": "ana", "id": "a1", "customer": "t#c1", "service": "corte", "price": "25.00", "state": "confirmed",
            "start_at": "2026-11-23T09:00:00Z", "duration_minutes": 45, "buffer_before_minutes": 0, "buffer_after_minutes": 10
        });
        let one: Appointment = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(serde_json::to_value(&one).unwrap(), written);
        for (now, change, expected) in [
            ("2026-11-23T08:59:59Z", Change::Cancel, Ok(State::Cancelled)),
            (
                "2026-11-23T09:00:00Z",
                Change::Cancel,
                Err(ChangeError::Begun),
            ),
            (
                "2026-11-23T08:59:59Z",
                Change::Reschedule,
                Ok(State::Confirmed),
            ),
            (
                "2026-11-23T09:00:00Z",
                Change::Reschedule,
                Err(ChangeError::Begun),
            ),
            (
                "2026-11-23T08:59:59Z",
                Change::Complete,
                Err(ChangeError::NotBegun),
            ),
            (
                "2026-11-23T09:00:00Z",
                Change::Complete,
                Ok(State::Completed),
            ),
            (
                "2026-11-23T08:59:59Z",
                Change::MarkNoShow,
                Err(ChangeError::NotBegun),
            ),
            (
                "2026-11-23T09:00:00Z",
                Change::MarkNoShow,
                Ok(State::NoShow),
            ),
            (
                "2026-11-23T08:59:59Z",
                Change::Confirm,
                Err(ChangeError::Confirmed),
            ),
        ] {
            assert_eq!(one.after(change, at(now)), expected, "{change:?} at {now}");
        }
    }
}
