//! How long it takes to tell what is free.

use std::{
    io::{Write, stdout},
    time::{Duration, Instant},
};

use anyhow::Context;
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use mostrador_catalogue_file::business_from_toml;
use mostrador_core::booking::{
    Agenda, Business, Calendar, CalendarId, Dates, Event, LocalDay, Search, Service, Source, When,
};

use super::{Goal, percentile, print_goals};

const CALENDARS: usize = 10;
const DAYS: i64 = 30;
/// Of each calendar.
const EVENTS: usize = 200;
const ROUNDS: usize = 500;
const FIRST: Date = date(2026, 10, 12);

/// The business that the calendars are of: its hours, its step, and a service with buffers.
const SALON: &str = include_str!("../../../local/demo/salon/business.toml");

pub(crate) fn bench() -> anyhow::Result<()> {
    let business = business_from_toml(SALON);
    let (business, _) = business.map_err(|faults| anyhow::anyhow!("the salon: {}", faults[0]))?;
    let (one, service) = longest(&business).context("a calendar that offers something")?;
    let calendars: Vec<(Calendar, Vec<Event>)> = (0..CALENDARS)
        .map(|index| calendar(&business, one, index))
        .collect::<anyhow::Result<_>>()?;
    let agenda = |(calendar, events)| Agenda {
        calendar,
        events,
        days: &[],
    };
    let agendas = calendars
        .iter()
        .map(|(calendar, events)| (calendar, &events[..]));
    let agendas: Vec<Agenda<'_, '_>> = agendas.map(agenda).collect();
    let dates = Dates {
        from: FIRST,
        to: FIRST + (DAYS - 1).days(),
    };
    let now = day(&business)?.span().start() - 24.hours();
    let run = || {
        Search::new(&business, service, dates, &agendas, now)
            .slots()
            .len()
    };
    let slots = run();
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let started = Instant::now();
            std::hint::black_box(run());
            started.elapsed()
        })
        .collect();
    let (p50, p99) = (percentile(&mut times, 50), percentile(&mut times, 99));
    let mut out = stdout().lock();
    writeln!(out, "| free times | slots | p50 ms | p99 ms |")?;
    writeln!(out, "|---|---|---|---|")?;
    writeln!(
        out,
        "| {CALENDARS} calendars, {DAYS} days, {} busy events; {} | {slots} | {:.2} | {:.2} |",
        CALENDARS * EVENTS,
        service.name,
        p50,
        p99
    )?;
    drop(out);
    print_goals(&[Goal::at_most("free times p50", p50, 2.0, "ms")])?;
    Ok(())
}

/// The first calendar, with what it offers that blocks most time around it.
fn longest(business: &Business) -> Option<(&Calendar, &Service)> {
    let one = business.calendars.first()?;
    let services = business.services.iter();
    let offered = services.filter(|service| one.offers(&service.id));
    let buffers = |service: &&Service| service.buffer_before_minutes + service.buffer_after_minutes;
    Some((one, offered.max_by_key(buffers)?))
}

fn day(business: &Business) -> anyhow::Result<LocalDay> {
    LocalDay::of(FIRST, &business.time_zone).context("a date of the salon's")
}

/// A calendar like that one with events in no order, some across others; every second one is open by events of its own.
fn calendar(
    business: &Business,
    one: &Calendar,
    index: usize,
) -> anyhow::Result<(Calendar, Vec<Event>)> {
    let mut calendar = one.clone();
    calendar.id = CalendarId::read(&format!("c{index}")).context("an id")?;
    let mut events = Vec::with_capacity(EVENTS + 1);
    if index.is_multiple_of(2) {
        calendar.source = Source::Google {
            calendar_id: format!("{index}@example"),
        };
        events.push(Event {
            when: When::Days {
                first: FIRST,
                end: FIRST + DAYS.days(),
            },
            title: business.availability_marker.as_str().to_owned(),
            is_transparent: true,
        });
    }
    let start = day(business)?.span().start();
    for event in 0..EVENTS {
        let minutes = (event * 7_919 + index * 331) % (30 * 1_440);
        let start = start + i64::try_from(minutes)?.minutes();
        events.push(Event {
            when: When::Timed {
                start,
                end: start + i64::try_from(10 + event % 50)?.minutes(),
            },
            title: format!("Cita con proveedor número {event}"),
            is_transparent: false,
        });
    }
    Ok((calendar, events))
}
