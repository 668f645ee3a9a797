//! A calendar's day: the one thing that says who has which place in it.
//!
//! Each function takes a day and gives the one after it, with the next version, or says why there is none. A day is stored only in the
//! place of the version that it was made from, so of two who want one place the second has to look again, and finds it taken.
//!
//! A day knows nothing of hours, notice and window: whether a time is offered, [`super::Search::at`] says before.

mod moving;

use std::num::NonZeroU16;

use jiff::{SignedDuration, Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use super::{AppointmentId, CalendarId, LocalDay, ServiceId, Span, span::written};
use crate::ids::Owner;

pub use moving::{Moved, Reschedule, RescheduleError, reschedule};

/// How long a place is kept for a customer who has not yet said yes.
pub const HOLD_MINUTES: i64 = 5;

/// Who wants which place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booking {
    pub id: AppointmentId,
    pub customer: Owner,
    pub service: ServiceId,
    #[serde(with = "written")]
    pub start_at: Timestamp,
    pub duration_minutes: NonZeroU16,
    pub buffer_before_minutes: u16,
    pub buffer_after_minutes: u16,
}

impl Booking {
    /// The appointment itself.
    #[must_use]
    pub fn time(&self) -> Span {
        Span::lasting(self.start_at, self.duration_minutes)
    }

    /// The appointment with its buffers: what nobody else can have a part of.
    #[must_use]
    pub fn blocked(&self) -> Span {
        let (before, after) = (self.buffer_before_minutes, self.buffer_after_minutes);
        self.time().widened(before, after)
    }

    fn is_past(&self, now: Timestamp) -> bool {
        self.start_at < now
    }
}

/// A booking in a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    #[serde(flatten)]
    pub booking: Booking,
    pub place: Place,
}

/// How firmly a place is had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Until then, not included.
    HeldUntil(#[serde(with = "written")] Timestamp),
    Confirmed,
}

impl Entry {
    /// Whether it counts: a hold that has ended does not.
    #[must_use]
    pub fn counts(&self, now: Timestamp) -> bool {
        match self.place {
            Place::HeldUntil(until) => now < until,
            Place::Confirmed => true,
        }
    }
}

/// A day of a calendar. Of its entries no two overlap, buffers included, whether or not a hold has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Day {
    calendar: CalendarId,
    #[serde(serialize_with = "as_text")]
    date: Date,
    /// The date where the business was when the day began to be kept.
    span: Span,
    version: u64,
    /// In the order of time.
    entries: Vec<Entry>,
}

/// A day as it is kept, before it is believed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    calendar: CalendarId,
    date: String,
    span: Span,
    version: u64,
    entries: Vec<Entry>,
}

fn as_text<S: serde::Serializer>(date: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(date)
}

/// What was kept is no day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDay {
    #[error("{0:?} is no date")]
    Date(String),
    #[error("appointment {0} lies outside of the day")]
    OutsideDay(AppointmentId),
    #[error("appointments {0} and {1} overlap")]
    Overlap(AppointmentId, AppointmentId),
    #[error("appointment {0} is there twice")]
    Twice(AppointmentId),
}

impl TryFrom<Stored> for Day {
    type Error = InvalidDay;

    fn try_from(stored: Stored) -> Result<Self, InvalidDay> {
        let date = stored.date.parse();
        let date = date.map_err(|_| InvalidDay::Date(stored.date))?;
        let mut entries = stored.entries;
        entries.sort_by_key(|entry| entry.booking.blocked());
        for (index, entry) in entries.iter().enumerate() {
            let Booking { id, .. } = &entry.booking;
            let blocked = entry.booking.blocked();
            if !stored.span.holds(blocked) {
                return Err(InvalidDay::OutsideDay(id.clone()));
            }
            let Some(before) = index.checked_sub(1).map(|before| &entries[before].booking) else {
                continue;
            };
            if before.blocked().overlaps(blocked) {
                return Err(InvalidDay::Overlap(before.id.clone(), id.clone()));
            }
            if entries[..index].iter().any(|one| one.booking.id == *id) {
                return Err(InvalidDay::Twice(id.clone()));
            }
        }
        Ok(Self {
            calendar: stored.calendar,
            date,
            span: stored.span,
            version: stored.version,
            entries,
        })
    }
}

/// Why there is no room for a booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoRoom {
    #[error("somebody else has a part of it")]
    Taken,
    /// With its buffers: a day is kept by itself.
    #[error("it does not lie within the day")]
    OutsideDay,
}

/// Why a place is not held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HoldError {
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    #[error("it has begun")]
    Past,
    #[error("the hold would have ended")]
    Ended,
    #[error("there is an appointment of that id")]
    IdInUse,
}

/// Why a place is not confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConfirmError {
    /// The hold has ended, or never was.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// The hold has ended, or never was, and the time is over.
    #[error("it has begun")]
    Past,
    #[error("it is confirmed already")]
    AlreadyConfirmed,
    /// What is held under that id is another time, service or customer's.
    #[error("what is held is something else")]
    Different,
}

/// Why a hold is not released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReleaseError {
    /// It never was, has ended, or is confirmed.
    #[error("it is not held")]
    NotHeld,
}

/// Why an appointment is not cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CancelError {
    /// It is not there, or only held.
    #[error("it is not confirmed")]
    NotConfirmed,
}

impl Day {
    /// The day of a calendar in which nothing has been booked; its version is 0.
    #[must_use]
    pub fn new(calendar: CalendarId, day: &LocalDay) -> Self {
        Self {
            calendar,
            date: day.date(),
            span: day.span(),
            version: 0,
            entries: Vec::new(),
        }
    }

    #[must_use]
    pub fn calendar(&self) -> &CalendarId {
        &self.calendar
    }

    #[must_use]
    pub fn date(&self) -> Date {
        self.date
    }

    /// How often it has been changed.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What counts in it at `now`, in the order of time.
    pub fn entries(&self, now: Timestamp) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.counts(now))
    }

    /// What counts under an id.
    #[must_use]
    pub fn entry(&self, id: &AppointmentId, now: Timestamp) -> Option<&Entry> {
        self.entries(now).find(|entry| entry.booking.id == *id)
    }

    /// Keeps a place for [`HOLD_MINUTES`].
    ///
    /// # Errors
    /// [`HoldError`]. One who holds a place already and wants another that overlaps it has to release it before.
    pub fn hold(&self, booking: &Booking, now: Timestamp) -> Result<Self, HoldError> {
        if booking.is_past(now) {
            return Err(HoldError::Past);
        }
        if self.entry(&booking.id, now).is_some() {
            return Err(HoldError::IdInUse);
        }
        let until = now.checked_add(SignedDuration::from_mins(HOLD_MINUTES));
        let until = until.map_err(|_| HoldError::Ended)?;
        let held = Place::HeldUntil(until);
        Ok(self.with(booking, held, now, &[])?)
    }

    /// Takes a place for good.
    ///
    /// A hold that has not ended is confirmed, even where its time has begun meanwhile. Where it has ended, the place is taken if nobody
    /// else has a part of it and it has not begun: the same, whether or not somebody has changed the day since, and dropped what had
    /// ended. So one may also confirm what was never held.
    ///
    /// # Errors
    /// [`ConfirmError`].
    pub fn confirm(&self, booking: &Booking, now: Timestamp) -> Result<Self, ConfirmError> {
        match self.entry(&booking.id, now) {
            Some(entry) if entry.place == Place::Confirmed => {
                return Err(ConfirmError::AlreadyConfirmed);
            }
            Some(entry) if entry.booking != *booking => return Err(ConfirmError::Different),
            None if booking.is_past(now) => return Err(ConfirmError::Past),
            Some(_) | None => {}
        }
        Ok(self.with(booking, Place::Confirmed, now, &[&booking.id])?)
    }

    /// Lets a hold go.
    ///
    /// # Errors
    /// [`ReleaseError`].
    pub fn release(&self, id: &AppointmentId, now: Timestamp) -> Result<Self, ReleaseError> {
        match self.entry(id, now).map(|entry| entry.place) {
            Some(Place::HeldUntil(_)) => Ok(self.without(&[id], now)),
            Some(Place::Confirmed) | None => Err(ReleaseError::NotHeld),
        }
    }

    /// Gives a confirmed appointment's place back.
    ///
    /// # Errors
    /// [`CancelError`].
    pub fn cancel(&self, id: &AppointmentId, now: Timestamp) -> Result<Self, CancelError> {
        match self.entry(id, now).map(|entry| entry.place) {
            Some(Place::Confirmed) => Ok(self.without(&[id], now)),
            Some(Place::HeldUntil(_)) | None => Err(CancelError::NotConfirmed),
        }
    }

    /// Without what is under an id, whether or not it counts; nothing where nothing is.
    #[must_use]
    pub fn erase(&self, id: &AppointmentId, now: Timestamp) -> Option<Self> {
        let mut ids = self.entries.iter().map(|entry| &entry.booking.id);
        ids.any(|other| other == id)
            .then(|| self.without(&[id], now))
    }

    /// The next version, with what counts but for these.
    fn without(&self, ids: &[&AppointmentId], now: Timestamp) -> Self {
        let entries = self.entries(now);
        let entries = entries.filter(|entry| !ids.contains(&&entry.booking.id));
        Self {
            calendar: self.calendar.clone(),
            date: self.date,
            span: self.span,
            version: self.version + 1,
            entries: entries.cloned().collect(),
        }
    }

    /// The next version, with a booking in the place of these.
    fn with(
        &self,
        booking: &Booking,
        place: Place,
        now: Timestamp,
        instead_of: &[&AppointmentId],
    ) -> Result<Self, NoRoom> {
        let blocked = booking.blocked();
        if !self.span.holds(blocked) {
            return Err(NoRoom::OutsideDay);
        }
        let mut day = self.without(instead_of, now);
        let before = |entry: &Entry| entry.booking.blocked().end_second() <= blocked.start_second();
        let at = day.entries.partition_point(before);
        let next = day.entries.get(at);
        if next.is_some_and(|next| next.booking.blocked().overlaps(blocked)) {
            return Err(NoRoom::Taken);
        }
        let booking = booking.clone();
        day.entries.insert(at, Entry { booking, place });
        Ok(day)
    }
}

#[cfg(test)]
mod tests;
