//! Calendars as RFC 5545 writes them, so far as events need them.

mod entry;
mod lines;
mod occurrences;
#[cfg(test)]
mod tests;
pub(crate) mod value;
mod zones;

use jiff::tz::TimeZone;
use mostrador_core::booking::{AppointmentId, Event, RemoteError, Span};

pub(crate) use self::lines::escaped;
use self::{entry::Entry, lines::components, zones::Zones};
use crate::{recurrence::Budget, window};

/// The property by which an appointment that was written here is known.
pub(crate) const APPOINTMENT: &str = "X-MOSTRADOR-APPOINTMENT";

/// How a calendar is read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Where times without a zone are.
    pub zone: TimeZone,
    /// The address of whose calendar it is, of whom an event may say that it was declined.
    pub owner: Option<String>,
}

/// What a calendar object has: the events of one UID, usually.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The appointment that was written here, where it is one.
    pub appointment: Option<AppointmentId>,
    /// In the order of their times.
    pub events: Vec<Event>,
}

/// A text that is no calendar, or one that would take too long; what of it, in words of our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub(crate) &'static str);

impl Reading {
    /// The events of an iCalendar object that have a part of `span`, each time that they recur.
    ///
    /// # Errors
    /// [`Unreadable`] where it is no calendar, an event of it has no time, or its recurrences are too many to be looked through.
    pub fn object(&self, text: &str, span: Span) -> Result<Object, Unreadable> {
        self.object_within(text, span, &mut Budget::of_call())
    }

    /// The same, of what is left of a budget.
    pub(crate) fn object_within(
        &self,
        text: &str,
        span: Span,
        left: &mut Budget,
    ) -> Result<Object, Unreadable> {
        let calendars = components(text)?;
        let is_calendar = |name: &str| name == "VCALENDAR";
        if calendars.is_empty() || !calendars.iter().all(|one| is_calendar(&one.name)) {
            return Err(Unreadable("it is no calendar"));
        }
        let mut object = Object {
            appointment: None,
            events: Vec::new(),
        };
        let mut budget = left.of_object();
        for calendar in &calendars {
            let mut zones = Zones::new(self, calendar, span);
            let mut entries = Vec::new();
            let events = calendar.components.iter();
            for event in events.filter(|one| one.name == "VEVENT") {
                entries.push(Entry::read(event, &mut zones, self.owner.as_deref())?);
            }
            let mut appointments = entries.iter().filter_map(|entry| entry.appointment.clone());
            object.appointment = object.appointment.or_else(|| appointments.next());
            occurrences::add(entries, span, &self.zone, &mut budget, &mut object.events)?;
        }
        left.take_used(&budget);
        let zone = &self.zone;
        let events = &mut object.events;
        events.sort_by_cached_key(|event| window::start(&event.when, zone));
        Ok(object)
    }
}

impl From<Unreadable> for RemoteError {
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable.to_string())
    }
}
