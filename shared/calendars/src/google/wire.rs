//! Events as Google's API has them.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use mostrador_core::booking::{AppointmentId, Event, RemoteEntry, RemoteError, Span, When};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::window::has_part;

/// The private property by which an appointment that was written here is known.
const APPOINTMENT: &str = "mostradorAppointment";

/// A page of events.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct List {
    kind: String,
    pub(super) items: Vec<Item>,
    pub(super) next_page_token: Option<String>,
    /// On the last page.
    pub(super) next_sync_token: Option<String>,
}

/// An event, or one time of a series.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item {
    pub(super) id: String,
    #[serde(default)]
    pub(super) etag: String,
    status: Option<String>,
    /// Of which series it is a time.
    pub(super) recurring_event_id: Option<String>,
    #[serde(default)]
    summary: String,
    start: Option<Moment>,
    end: Option<Moment>,
    transparency: Option<String>,
    #[serde(default)]
    attendees: Vec<Attendee>,
    #[serde(default)]
    extended_properties: ExtendedProperties,
    #[serde(default)]
    recurrence: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Moment {
    date: Option<String>,
    date_time: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attendee {
    /// Whose calendar it is.
    #[serde(default, rename = "self")]
    is_self: bool,
    response_status: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct ExtendedProperties {
    #[serde(default)]
    private: std::collections::BTreeMap<String, String>,
}

impl List {
    /// What is no list of events has none, and is not one of a calendar without any.
    pub(super) fn is_one(&self) -> bool {
        self.kind == "calendar#events"
    }
}

/// The id of an appointment's event, another one for each: Google takes the digits and the letters up to v.
pub(super) fn id(appointment: &AppointmentId) -> String {
    let bytes = appointment.as_str().bytes();
    let digits = bytes.map(|byte| format!("{byte:02x}"));
    format!("mostrador{}", digits.collect::<String>())
}

/// An appointment as an event.
pub(super) fn event(entry: &RemoteEntry) -> Value {
    let appointment = entry.appointment.as_str();
    json!({
        "id": id(&entry.appointment),
        "summary": entry.title,
        "start": {"dateTime": entry.time.start().to_string()},
        "end": {"dateTime": entry.time.end().to_string()},
        "status": "confirmed",
        "transparency": "opaque",
        "extendedProperties": {"private": {APPOINTMENT: appointment}},
    })
}

impl Item {
    pub(super) fn is_deleted(&self) -> bool {
        self.status.as_deref() == Some("cancelled")
    }

    pub(super) fn appointment(&self) -> Option<AppointmentId> {
        let id = self.extended_properties.private.get(APPOINTMENT)?;
        AppointmentId::read(id)
    }

    /// The event, where it has a part of a window and is neither deleted nor declined.
    ///
    /// # Errors
    /// [`RemoteError::Unreadable`] where it has no time.
    pub(super) fn event(
        &self,
        window: Span,
        zone: &TimeZone,
    ) -> Result<Option<Event>, RemoteError> {
        let has_declined = self.attendees.iter().any(|attendee| {
            attendee.is_self && attendee.response_status.as_deref() == Some("declined")
        });
        if self.is_deleted() || has_declined {
            return Ok(None);
        }
        let when = self
            .when()
            .ok_or_else(|| RemoteError::Unreadable("an event has no time".to_owned()))?;
        Ok(has_part(&when, window, zone).then(|| Event {
            when,
            title: self.summary.clone(),
            is_transparent: self.is_transparent(),
        }))
    }

    /// Whether it is that appointment, and nothing else.
    pub(super) fn is_written(&self, entry: &RemoteEntry) -> bool {
        let (start, end) = (entry.time.start(), entry.time.end());
        self.appointment().as_ref() == Some(&entry.appointment)
            && !self.is_deleted()
            && self.when() == Some(When::Timed { start, end })
            && self.summary.trim() == entry.title.trim()
            && !self.is_transparent()
            && self.recurrence.is_empty()
    }

    fn is_transparent(&self) -> bool {
        self.transparency.as_deref() == Some("transparent")
    }

    fn when(&self) -> Option<When> {
        let (start, end) = (self.start.as_ref()?, self.end.as_ref()?);
        if let (Some(first), Some(end)) = (&start.date, &end.date) {
            let first: Date = first.parse().ok()?;
            let end: Date = end.parse().ok()?;
            // A day at least, as other calendars have it.
            let end = end.max(first.tomorrow().ok()?);
            return Some(When::Days { first, end });
        }
        let instant = |moment: &Moment| moment.date_time.as_ref()?.parse::<Timestamp>().ok();
        let (start, end) = (instant(start)?, instant(end)?);
        let end = end.max(start);
        Some(When::Timed { start, end })
    }
}
