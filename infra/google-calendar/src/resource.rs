//! Events as they are kept.

use jiff::{
    Timestamp,
    civil::{Date, DateTime},
    tz::{Offset, TimeZone},
};
use serde_json::{Map, Value, json};

use crate::error::ApiError;

/// An event, or an exception of a series.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    pub(crate) fields: Map<String, Value>,
    /// Which change of the calendar made it what it is.
    pub(crate) change: u64,
}

/// When an event begins or ends.
#[derive(Debug, Clone)]
pub(crate) enum Moment {
    Day(Date),
    Time { at: Timestamp, zone: TimeZone },
}

impl Moment {
    /// # Errors
    /// [`ApiError`] where it is none.
    pub(crate) fn read(value: &Value) -> Result<Self, ApiError> {
        let invalid = ApiError::invalid("Invalid start or end time.");
        let zone = match value["timeZone"].as_str() {
            Some(name) => TimeZone::get(name).map_err(|_| invalid)?,
            None => TimeZone::UTC,
        };
        match (value["date"].as_str(), value["dateTime"].as_str()) {
            (Some(date), None) => date.parse().map(Self::Day).map_err(|_| invalid),
            (None, Some(text)) => {
                // With an offset, or else as clocks in the zone show it.
                let at = text.parse::<Timestamp>().ok();
                let local = || {
                    let local = text.parse::<DateTime>().ok()?;
                    zone.to_ambiguous_timestamp(local).compatible().ok()
                };
                let at = at.or_else(local).ok_or(invalid)?;
                Ok(Self::Time { at, zone })
            }
            _ => Err(invalid),
        }
    }

    pub(crate) fn written(&self) -> Value {
        match self {
            Self::Day(date) => json!({"date": date.to_string()}),
            Self::Time { at, zone } => {
                let time = at.display_with_offset(zone.to_offset(*at));
                let name = zone.iana_name().unwrap_or("UTC");
                json!({"dateTime": time.to_string(), "timeZone": name})
            }
        }
    }

    pub(crate) fn instant(&self) -> Timestamp {
        match self {
            Self::Day(date) => {
                let midnight = Offset::UTC.to_timestamp(date.at(0, 0, 0, 0));
                midnight.unwrap_or(Timestamp::MIN)
            }
            Self::Time { at, .. } => *at,
        }
    }

    /// As it stands in the id of a time of a series.
    pub(crate) fn stamp(&self) -> String {
        match self {
            Self::Day(date) => date.strftime("%Y%m%d").to_string(),
            Self::Time { at, .. } => at.strftime("%Y%m%dT%H%M%SZ").to_string(),
        }
    }
}

impl Resource {
    pub(crate) fn text(&self, name: &str) -> &str {
        self.fields
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.text("status") == "cancelled"
    }

    pub(crate) fn is_series(&self) -> bool {
        !self.recurrence().is_empty()
    }

    pub(crate) fn recurrence(&self) -> Vec<&str> {
        let lines = self.fields.get("recurrence").and_then(Value::as_array);
        let lines = lines.into_iter().flatten();
        lines.filter_map(Value::as_str).collect()
    }

    /// # Errors
    /// [`ApiError`] where it has no times.
    pub(crate) fn times(&self) -> Result<[Moment; 2], ApiError> {
        let time = |name| Moment::read(self.fields.get(name).unwrap_or(&Value::Null));
        Ok([time("start")?, time("end")?])
    }

    /// Writes its times with their offsets, whether they came with them or as clocks show them.
    ///
    /// # Errors
    /// [`ApiError`] where it has no times.
    pub(crate) fn settle_times(&mut self) -> Result<[Moment; 2], ApiError> {
        let times = self.times()?;
        for (name, time) in ["start", "end"].into_iter().zip(&times) {
            self.fields.insert(name.to_owned(), time.written());
        }
        Ok(times)
    }

    /// The event as it is sent. The attendee whose calendar it is is marked.
    pub(crate) fn sent(&self, calendar_id: &str) -> Value {
        let mut fields = self.fields.clone();
        let attendees = fields.get_mut("attendees").and_then(Value::as_array_mut);
        for attendee in attendees.into_iter().flatten() {
            if attendee["email"] == calendar_id {
                attendee["self"] = json!(true);
            }
        }
        fields.insert("kind".to_owned(), json!("calendar#event"));
        fields.insert("etag".to_owned(), json!(self.etag()));
        Value::Object(fields)
    }

    pub(crate) fn etag(&self) -> String {
        format!("\"{}\"", 3_000_000 + self.change)
    }
}
