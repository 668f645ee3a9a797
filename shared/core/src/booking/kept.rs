//! What is kept of appointments, and the one way it changes: a mutation that holds only where everything is still as it was read.

use async_trait::async_trait;
use uuid::Uuid;

use super::{Appointment, AppointmentId, Business, BusinessId, CalendarId, Dates, Day};
use crate::{
    effects::{Happened, effects_with, happened},
    ids::Owner,
    limits::Settlement,
};

/// An appointment as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub appointment: Appointment,
    /// How often it has been changed; 0 for one that is not kept yet.
    pub version: u64,
    /// What made the newest versions, newest last.
    pub effects: Vec<Uuid>,
}

impl Kept {
    /// One that is not kept yet.
    #[must_use]
    pub fn new(appointment: Appointment) -> Self {
        Self {
            appointment,
            version: 0,
            effects: Vec::new(),
        }
    }

    /// The effects to be remembered once `effect_id` has made the next version.
    #[must_use]
    pub fn effects_with(&self, effect_id: Uuid) -> Vec<Uuid> {
        effects_with(&self.effects, effect_id)
    }

    /// Whether `mutation` is among what made it.
    #[must_use]
    pub fn shows(&self, mutation: &Mutation) -> Happened {
        let made = mutation.appointment.version + 1;
        happened(&self.effects, self.version, made, mutation.effect_id)
    }
}

/// One change of one appointment, all or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutation {
    /// Recognises the change after a lost answer.
    pub effect_id: Uuid,
    /// The appointment to be, with the version that was read.
    pub appointment: Kept,
    /// The days to be, each made of the version before it: none, one, or the two of a move.
    pub days: Vec<Day>,
    /// What becomes of the request with this change.
    pub settlement: Option<Settlement>,
}

/// Why appointments could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum BookingError {
    /// Something it assumed has changed; nothing was written.
    #[error("another change came first")]
    Conflict,
    /// The request is another attempt's now; nothing was written.
    #[error("another attempt has taken the request over")]
    Overtaken,
    /// Another change was at work. The same mutation may be sent again: it happens once.
    #[error("another change is under way")]
    Busy,
    /// So many other changes have followed that it cannot be told.
    #[error("nobody knows whether it was changed")]
    Unknown,
    #[error("the bookings table cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("a record of appointments cannot be read")]
    Corrupt,
    /// Its days were made by the clocks of another zone.
    #[error("a business that is kept stays in its time zone: give it another id")]
    OtherZone,
    /// More than one row holds.
    #[error("a business of {bytes} bytes, where at most {most} are kept")]
    TooLarge { bytes: usize, most: usize },
}

/// A calendar's days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Days {
    /// Those in which something has been booked, in order.
    pub days: Vec<Day>,
    /// Those that cannot be read: nothing of them is free.
    pub damaged: Vec<jiff::civil::Date>,
}

/// The bookings table, of which everything lies under its business. Reads are consistent.
#[async_trait]
pub trait Bookings: Send + Sync {
    /// A business as its file describes it, as JSON.
    async fn business(&self, business: &BusinessId) -> Result<Option<String>, BookingError>;

    /// Keeps a business, whose file is `file`, in the place of what was kept of it before. Its appointments stay, and so does its time zone.
    async fn put_business(&self, business: &Business, file: &str) -> Result<(), BookingError>;

    async fn days(
        &self,
        business: &BusinessId,
        calendar: &CalendarId,
        dates: Dates,
    ) -> Result<Days, BookingError>;

    async fn appointment(
        &self,
        business: &BusinessId,
        customer: &Owner,
        id: &AppointmentId,
    ) -> Result<Option<Kept>, BookingError>;

    /// A customer's appointments with an id below `before`, the last ids first. One that cannot be read is left out, and logged.
    async fn appointments(
        &self,
        business: &BusinessId,
        customer: &Owner,
        before: Option<&AppointmentId>,
        limit: usize,
    ) -> Result<Vec<Kept>, BookingError>;

    /// All appointments of a customer, of every business, with which it is; those that cannot be read are left out, and logged.
    async fn everywhere(&self, customer: &Owner) -> Result<Vec<(BusinessId, Kept)>, BookingError>;

    /// Makes the change happen once, or not at all.
    async fn commit(&self, business: &BusinessId, mutation: &Mutation) -> Result<(), BookingError>;
}
