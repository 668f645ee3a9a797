//! Calendars of their own on each server, and a person who works in them.

use std::{future::Future, sync::Arc, time::Duration};

use async_trait::async_trait;
use jiff::{Timestamp, tz::TimeZone};
use mostrador_calendars::Patience;
use mostrador_core::booking::{
    AppointmentId, Changes, Event, Remote, RemoteEntry, RemoteObject, Span, When,
};

use crate::{draft::Draft, google::GoogleDesk, radicale::Radicale};

/// Whose calendars they are.
pub(crate) const OWNER: &str = "ana@salon.example";

/// A calendar on a server, by another way than ours.
#[async_trait]
pub(crate) trait Desk: Send + Sync {
    /// Our way to it.
    fn remote(&self) -> Arc<dyn Remote>;
    /// Our way to it with a wrong password.
    fn stranger(&self) -> Arc<dyn Remote>;
    /// Our way to a calendar that there is not.
    fn nowhere(&self) -> Arc<dyn Remote>;
    /// Writes an event, or another into its place.
    async fn write(&self, name: &str, draft: &Draft);
    async fn delete(&self, name: &str);
    /// Moves what we have written.
    async fn move_appointment(&self, appointment: &AppointmentId, time: Span);
    async fn delete_appointment(&self, appointment: &AppointmentId);
    /// A token like that one, which the server does not take any longer.
    async fn expired(&self, token: &str) -> String;
}

/// Runs a part of the contract on each server at hand, in a calendar of its own.
pub(crate) async fn each<F: Future<Output = ()>>(part: impl Fn(Arc<dyn Desk>) -> F) {
    part(Arc::new(GoogleDesk::start().await)).await;
    match Radicale::start().await {
        Some(radicale) => part(Arc::new(radicale)).await,
        None => eprintln!("skipped: CalDAV on Radicale (no MOSTRADOR_TEST_RADICALE)"),
    }
}

/// Short enough for tests.
pub(crate) fn patience() -> Patience {
    Patience {
        attempt: Duration::from_secs(5),
        attempts: 3,
        pause: Duration::from_millis(5),
        pause_max: Duration::from_millis(100),
    }
}

pub(crate) fn zone() -> TimeZone {
    TimeZone::get("Europe/Madrid").unwrap()
}

pub(crate) fn span(from: &str, to: &str) -> Span {
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    Span::new(at(from), at(to)).unwrap()
}

/// November and December of 2026.
pub(crate) fn window() -> Span {
    span("2026-11-01T00:00:00Z", "2027-01-01T00:00:00Z")
}

pub(crate) fn appointment(id: &str) -> AppointmentId {
    AppointmentId::read(id).unwrap()
}

pub(crate) fn entry(id: &str, title: &str, from: &str, to: &str) -> RemoteEntry {
    RemoteEntry {
        appointment: appointment(id),
        title: title.to_owned(),
        time: span(from, to),
    }
}

pub(crate) fn line(event: &Event) -> String {
    let when = match event.when {
        When::Timed { start, end } => format!("{start} {end}"),
        When::Days { first, end } => format!("{first} {end}"),
    };
    let free = if event.is_transparent { " (free)" } else { "" };
    format!("{when} {}{free}", event.title)
}

pub(crate) fn lines(events: &[Event]) -> String {
    let mut lines: Vec<String> = events.iter().map(line).collect();
    lines.sort();
    lines.join("\n")
}

/// What has changed, without ids, which are the server's.
pub(crate) fn summary(changes: &Changes) -> String {
    let whole = if changes.is_whole { "all" } else { "changes" };
    let mut objects: Vec<String> = changes.objects.iter().map(object).collect();
    objects.sort();
    let objects = objects.concat();
    format!("{whole}, {} gone{objects}", changes.gone.len())
}

fn object(object: &RemoteObject) -> String {
    assert!(!object.version.is_empty() && !object.id.is_empty());
    let own = object.appointment.as_ref();
    let own = own.map_or_else(|| "theirs".to_owned(), |id| format!("appointment {id}"));
    let events: Vec<String> = object.events.iter().map(line).collect();
    format!("\n{own}: {}", events.join(", "))
}
