//! The times of a series.

use std::collections::BTreeMap;

use jiff::{
    Timestamp,
    tz::{Offset, TimeZone},
};
use mostrador_calendars::Reading;
use mostrador_core::booking::{Span, When};
use serde_json::{Value, json};

use crate::{
    error::ApiError,
    resource::{Moment, Resource},
};

/// The times of a series that have a part of a span, by their ids.
///
/// # Errors
/// [`ApiError`] where its recurrence is none.
pub(crate) fn instances(
    series: &Resource,
    span: Span,
) -> Result<BTreeMap<String, Resource>, ApiError> {
    let invalid = ApiError::invalid("Invalid recurrence rule.");
    let [start, end] = series.times()?;
    let zone = match &start {
        Moment::Day(_) => TimeZone::UTC,
        Moment::Time { zone, .. } => zone.clone(),
    };
    let mut lines = vec![
        "BEGIN:VCALENDAR".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        "UID:1".to_owned(),
        line("DTSTART", &start),
        line("DTEND", &end),
    ];
    lines.extend(series.recurrence().into_iter().map(str::to_owned));
    lines.extend(["END:VEVENT".to_owned(), "END:VCALENDAR\r\n".to_owned()]);
    let reading = Reading {
        zone: TimeZone::UTC,
        owner: None,
    };
    let object = reading.object(&lines.join("\r\n"), span);
    let mut instances = BTreeMap::new();
    for event in object.map_err(|_| invalid)?.events {
        let [start, end] = match event.when {
            When::Timed { start, end } => {
                let zone = || zone.clone();
                [start, end].map(|at| Moment::Time { at, zone: zone() })
            }
            When::Days { first, end } => [first, end].map(Moment::Day),
        };
        let id = format!("{}_{}", series.text("id"), start.stamp());
        let mut fields = series.fields.clone();
        fields.remove("recurrence");
        fields.insert("id".to_owned(), json!(id));
        fields.insert("start".to_owned(), start.written());
        fields.insert("end".to_owned(), end.written());
        fields.insert("recurringEventId".to_owned(), json!(series.text("id")));
        fields.insert("originalStartTime".to_owned(), start.written());
        let change = series.change;
        instances.insert(id, Resource { fields, change });
    }
    Ok(instances)
}

fn line(name: &str, at: &Moment) -> String {
    match at {
        Moment::Day(date) => format!("{name};VALUE=DATE:{}", date.strftime("%Y%m%d")),
        Moment::Time { at, zone } => {
            let local = zone.to_datetime(*at).strftime("%Y%m%dT%H%M%S");
            let zone = zone.iana_name().unwrap_or("UTC");
            format!("{name};TZID={zone}:{local}")
        }
    }
}

/// As far as series are followed where nobody says how far: thirty years around now.
pub(crate) fn horizon() -> Option<Span> {
    let year = |year: i16| {
        let first = jiff::civil::date(year, 1, 1).at(0, 0, 0, 0);
        Offset::UTC.to_timestamp(first).ok()
    };
    let now = Offset::UTC.to_datetime(Timestamp::now()).year();
    Span::new(year(now - 15)?, year(now + 15)?)
}

/// What is told of a time of a series that is there no longer.
pub(crate) fn cancelled(id: &str, instance: &Resource, change: u64) -> Resource {
    let of = |name: &str| instance.fields.get(name).cloned().unwrap_or(Value::Null);
    let fields = [
        ("id".to_owned(), json!(id)),
        ("status".to_owned(), json!("cancelled")),
        ("recurringEventId".to_owned(), of("recurringEventId")),
        ("originalStartTime".to_owned(), of("originalStartTime")),
    ];
    Resource {
        fields: fields.into_iter().collect(),
        change,
    }
}
