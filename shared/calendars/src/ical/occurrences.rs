//! From events as they are written to each time that they are.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use mostrador_core::booking::{Event, Span, When};

use super::{
    Unreadable,
    entry::{Entry, Instance, Moment, instant},
    value::Duration,
};
use crate::{
    recurrence::{Budget, Exhausted, Range, Rule, Until},
    window::has_part,
};

/// Beyond each end of a window, so that no zone's clocks and no change of them leave anything out.
const MARGIN: SignedDuration = SignedDuration::from_hours(50);

/// A time of a series, by which what is otherwise of it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Day(Date),
    At(Timestamp),
}

/// When a time of a series is.
#[derive(Debug, Clone, Copy)]
struct Time {
    /// As its rule has it, also where clocks leave that out.
    local: DateTime,
    /// Its own, where it has one.
    length: Option<Duration>,
}

fn plain(local: DateTime) -> Time {
    Time {
        local,
        length: None,
    }
}

/// A series with what is otherwise of it.
struct Series<'a> {
    master: &'a Entry,
    others: BTreeMap<Slot, &'a Entry>,
    /// Those of them that are so from then on.
    later: BTreeMap<Slot, &'a Entry>,
    except: BTreeSet<Slot>,
    window: Span,
    /// Of the business.
    zone: &'a TimeZone,
}

/// Adds the times of entries that have a part of a window.
///
/// # Errors
/// [`Unreadable`] where there are too many to be looked through.
pub(super) fn add(
    entries: Vec<Entry>,
    window: Span,
    zone: &TimeZone,
    budget: &mut Budget,
    events: &mut Vec<Event>,
) -> Result<(), Unreadable> {
    let mut by_uid: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in &entries {
        by_uid.entry(&entry.uid).or_default().push(entry);
    }
    for entries in by_uid.into_values() {
        let masters = entries.iter().filter(|entry| entry.instance.is_none());
        let master = masters.max_by_key(|entry| entry.sequence).copied();
        let Some(master) = master else {
            // Of a series of somebody else's, only what one was invited to.
            let alone = entries.iter().filter_map(|entry| entry.event(window, zone));
            events.extend(alone);
            continue;
        };
        let series = Series::new(master, &entries, window, zone);
        let add = series.add(budget, events);
        add.map_err(|Exhausted| Unreadable("an event recurs too often"))?;
    }
    Ok(())
}

impl Entry {
    /// The event as it is written, where it has a part of the window.
    fn event(&self, window: Span, zone: &TimeZone) -> Option<Event> {
        let start = match &self.start {
            Moment::Day(date) => Slot::Day(*date),
            Moment::Time { .. } => Slot::At(self.start.instant()?),
        };
        self.event_at(start, self.length, window, zone)
    }

    fn event_at(
        &self,
        start: Slot,
        length: Duration,
        window: Span,
        zone: &TimeZone,
    ) -> Option<Event> {
        if self.is_off {
            return None;
        }
        let when = match start {
            Slot::Day(first) => {
                let days = SignedDuration::try_from_hours(length.days.checked_mul(24)?);
                let end = days.and_then(|days| first.checked_add(days).ok());
                let end = end.unwrap_or(Date::MAX);
                When::Days { first, end }
            }
            Slot::At(start) => {
                let end = end(start, length, &self.start).unwrap_or(Timestamp::MAX);
                When::Timed { start, end }
            }
        };
        has_part(&when, window, zone).then(|| Event {
            when,
            title: self.title.clone(),
            is_transparent: self.is_transparent,
        })
    }
}

/// Days are as long as clocks make them, and come first.
fn end(start: Timestamp, length: Duration, of: &Moment) -> Option<Timestamp> {
    let after_days = match of {
        Moment::Time { zone, .. } if length.days > 0 => {
            let days = SignedDuration::try_from_hours(length.days.checked_mul(24)?)?;
            instant(zone.to_datetime(start).checked_add(days).ok()?, zone)?
        }
        Moment::Time { .. } | Moment::Day(_) => start,
    };
    after_days.checked_add(length.exact).ok()
}

impl<'a> Series<'a> {
    fn new(master: &'a Entry, entries: &[&'a Entry], window: Span, zone: &'a TimeZone) -> Self {
        let mut others: BTreeMap<Slot, &Entry> = BTreeMap::new();
        for entry in entries.iter().copied() {
            let slot = entry.instance.as_ref().and_then(|it| master.slot(&it.of));
            let Some(slot) = slot else { continue };
            let known = others.entry(slot).or_insert(entry);
            if known.sequence <= entry.sequence {
                *known = entry;
            }
        }
        let is_later = |entry: &Entry| entry.instance.as_ref().is_some_and(|it| it.and_later);
        let later = others.iter().filter(|(_, entry)| is_later(entry));
        let except = master.except.iter();
        Self {
            later: later.map(|(slot, entry)| (*slot, *entry)).collect(),
            except: except.filter_map(|it| master.slot(it)).collect(),
            others,
            master,
            window,
            zone,
        }
    }

    fn add(&self, budget: &mut Budget, events: &mut Vec<Event>) -> Result<(), Exhausted> {
        let others = self
            .others
            .iter()
            .filter(|(slot, _)| !self.is_except(**slot));
        events.extend(others.filter_map(|(_, other)| other.event(self.window, self.zone)));
        for (slot, time) in self.slots(budget)? {
            if self.is_except(slot) || self.other(slot).is_some() {
                continue;
            }
            events.extend(self.event(slot, time));
        }
        Ok(())
    }

    /// The event of a time of the series for which nothing else is written.
    fn event(&self, slot: Slot, time: Time) -> Option<Event> {
        let moved = self
            .later
            .range(..slot)
            .next_back()
            .map(|(_, entry)| *entry);
        let entry = moved.unwrap_or(self.master);
        let slot = match moved.and_then(|entry| Some((entry, entry.instance.as_ref()?))) {
            Some((entry, instance)) => self.moved(time.local, entry, instance)?,
            None => slot,
        };
        let length = time.length.unwrap_or(entry.length);
        entry.event_at(slot, length, self.window, self.zone)
    }

    /// A time moved by as much as an earlier one of its series was, on the clocks of the series.
    fn moved(&self, local: DateTime, entry: &Entry, instance: &Instance) -> Option<Slot> {
        let by = self.shift(entry, instance)?;
        self.master.slot_of(local.checked_add(by).ok()?)
    }

    fn shift(&self, entry: &Entry, instance: &Instance) -> Option<SignedDuration> {
        let zone = self.master.zone();
        let local = |moment: &Moment| match (moment, moment.instant()) {
            (Moment::Time { zone: own, .. }, Some(at)) if *own != zone => zone.to_datetime(at),
            _ => moment.local(),
        };
        Some(local(&entry.start).duration_since(local(&instance.of)))
    }

    fn is_except(&self, slot: Slot) -> bool {
        self.except.contains(&slot) || self.except.contains(&self.master.day(slot))
    }

    /// What is written instead of a time of the series.
    fn other(&self, slot: Slot) -> Option<&Entry> {
        let by_day = || self.others.get(&self.master.day(slot));
        self.others.get(&slot).or_else(by_day).copied()
    }

    /// The times of the series that may have a part of the window.
    fn slots(&self, budget: &mut Budget) -> Result<BTreeMap<Slot, Time>, Exhausted> {
        let master = self.master;
        let zone = master.zone();
        let range = self.range(&zone);
        let mut slots = BTreeMap::new();
        let start = master.start.local();
        // The first time is one of the series, whatever the rules say, unless all of them end before it.
        let has_ended =
            !master.rules.is_empty() && master.rules.iter().all(|rule| is_past(rule, start, &zone));
        if !has_ended {
            slots.extend(master.slot_of(start).map(|slot| (slot, plain(start))));
        }
        for rule in &master.rules {
            for local in rule.times(range, |local| is_past(rule, local, &zone), budget)? {
                slots.extend(master.slot_of(local).map(|slot| (slot, plain(local))));
            }
        }
        for more in &master.more {
            budget.take()?;
            let local = match more.start.instant() {
                Some(at) => zone.to_datetime(at),
                None => more.start.local(),
            };
            let length = more.length;
            let slot = master.slot(&more.start);
            slots.extend(slot.map(|slot| (slot, Time { local, length })));
        }
        Ok(slots)
    }

    /// As clocks in the series' zone show it, what may reach into the window.
    fn range(&self, zone: &TimeZone) -> Range {
        let mut before = SignedDuration::ZERO;
        let mut after = SignedDuration::ZERO;
        let later = self.later.values().copied();
        for entry in later.chain([self.master]) {
            let days = entry.length.days.saturating_mul(86_400);
            let length = SignedDuration::from_secs(days).saturating_add(entry.length.exact);
            let shift = entry.instance.as_ref();
            let shift = shift.and_then(|instance| self.shift(entry, instance));
            let shift = shift.unwrap_or_default();
            before = before.max(length.saturating_add(shift));
            after = after.max(SignedDuration::ZERO.saturating_sub(shift));
        }
        let start = zone.to_datetime(self.window.start());
        let end = zone.to_datetime(self.window.end());
        let margin = before.saturating_add(MARGIN);
        let from = start.checked_sub(margin).unwrap_or(DateTime::MIN);
        let margin = after.saturating_add(MARGIN);
        let to = end.checked_add(margin).unwrap_or(DateTime::MAX);
        Range {
            first: self.master.start.local(),
            from,
            to,
        }
    }
}

/// Whether a time is after the last that a rule may give.
fn is_past(rule: &Rule, local: DateTime, zone: &TimeZone) -> bool {
    match rule.until() {
        None => false,
        Some(Until::Day(last)) => local.date() > last,
        Some(Until::Local(last)) => local > last,
        Some(Until::Instant(last)) => instant(local, zone).is_none_or(|at| at > last),
    }
}

impl Entry {
    /// The zone that the entry's times are counted in; of dates, any.
    fn zone(&self) -> TimeZone {
        match &self.start {
            Moment::Day(_) => TimeZone::UTC,
            Moment::Time { zone, .. } => zone.clone(),
        }
    }

    /// The time of the series that a moment is; of a series of times, a date is all of that day.
    fn slot(&self, moment: &Moment) -> Option<Slot> {
        match (&self.start, moment) {
            (Moment::Day(_), moment) => Some(Slot::Day(moment.local().date())),
            (Moment::Time { .. }, Moment::Day(date)) => Some(Slot::Day(*date)),
            (Moment::Time { .. }, moment) => moment.instant().map(Slot::At),
        }
    }

    fn slot_of(&self, local: DateTime) -> Option<Slot> {
        match &self.start {
            Moment::Day(_) => Some(Slot::Day(local.date())),
            Moment::Time { zone, .. } => instant(local, zone).map(Slot::At),
        }
    }

    /// The date of a time of the series, as its own clocks show it.
    fn day(&self, slot: Slot) -> Slot {
        match (slot, &self.start) {
            (Slot::At(at), Moment::Time { zone, .. }) => Slot::Day(zone.to_datetime(at).date()),
            _ => slot,
        }
    }
}
