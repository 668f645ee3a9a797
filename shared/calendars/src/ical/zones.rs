//! The time zones that a calendar names.

use std::collections::HashMap;

use jiff::{
    SignedDuration, Timestamp, ToSpan,
    civil::{DateTime, date},
    tz::{Offset, TimeZone},
};
use mostrador_core::booking::Span;

use super::{Reading, Unreadable, lines::Component, value};
use crate::recurrence::{Budget, Range, Rule, Until};

/// Before it, a zone's own rules are not followed; nobody makes appointments then.
const RULES_SINCE: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);
/// A file of a zone counts its kinds of time by a byte.
const OFFSETS_MAX: usize = 255;

/// The time zones of one calendar: those that everybody knows, and those that it describes itself.
pub(super) struct Zones<'a> {
    reading: &'a Reading,
    described: HashMap<String, &'a Component>,
    found: HashMap<String, TimeZone>,
    until: Timestamp,
}

/// What all kinds of time in a file are called, which nobody reads, with the zero after it.
const NAME: &[u8; 4] = b"ZON\0";
const NAME_BYTES: u32 = 4;

/// A change of clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    at: i64,
    before: i32,
    after: i32,
}

impl<'a> Zones<'a> {
    pub(super) fn new(reading: &'a Reading, calendar: &'a Component, window: Span) -> Self {
        let zones = calendar.components.iter();
        let described = zones
            .filter(|zone| zone.name == "VTIMEZONE")
            .filter_map(|zone| Some((zone.property("TZID")?.value.trim().to_owned(), zone)));
        Self {
            reading,
            described: described.collect(),
            found: HashMap::new(),
            until: window.end(),
        }
    }

    /// Where times without a zone are.
    pub(super) fn floating(&self) -> TimeZone {
        self.reading.zone.clone()
    }

    /// The zone of a name: by the database of zones; by the calendar's own description, as Outlook's `Romance Standard Time`; otherwise
    /// that of the business, in which most events of its calendars are.
    ///
    /// # Errors
    /// [`Unreadable`] where the calendar's description is none.
    pub(super) fn named(&mut self, name: &str) -> Result<TimeZone, Unreadable> {
        let name = name.trim();
        if let Some(zone) = self.found.get(name) {
            return Ok(zone.clone());
        }
        let described = self.described.get(name).copied();
        let location = described.and_then(|zone| zone.property("X-LIC-LOCATION"));
        let known = known(name).or_else(|| known(location?.value.trim()));
        let zone = match (known, described) {
            (Some(zone), _) => zone,
            (None, Some(described)) => zone_described(described, self.until)?,
            (None, None) => self.floating(),
        };
        self.found.insert(name.to_owned(), zone.clone());
        Ok(zone)
    }
}

/// A zone of the database, also where a path of its writer's stands before its name.
fn known(name: &str) -> Option<TimeZone> {
    if let Ok(zone) = TimeZone::get(name) {
        return Some(zone);
    }
    let parts: Vec<&str> = name.strip_prefix('/')?.split('/').collect();
    [3, 2].into_iter().find_map(|length| {
        let at = parts.len().checked_sub(length)?;
        TimeZone::get(&parts[at..].join("/")).ok()
    })
}

/// The zone of a `VTIMEZONE`, with each change of its clocks until two years after `until`.
fn zone_described(described: &Component, until: Timestamp) -> Result<TimeZone, Unreadable> {
    const INVALID: Unreadable = Unreadable("a time zone is described wrongly");
    let to = Offset::UTC.to_datetime(until);
    let to = to.checked_add(2.years()).unwrap_or(DateTime::MAX);
    let mut changes = Vec::new();
    for observance in &described.components {
        add_changes(observance, to, &mut changes).ok_or(INVALID)?;
    }
    changes.sort_unstable();
    changes.dedup_by_key(|change| change.at);
    let file = zone_file(&changes).ok_or(INVALID)?;
    TimeZone::tzif("described", &file).map_err(|_| INVALID)
}

/// The changes of clocks to one kind of time, winter's or summer's.
fn add_changes(observance: &Component, to: DateTime, changes: &mut Vec<Change>) -> Option<()> {
    let offset = |name| value::utc_offset(observance.property(name)?.value.trim());
    let (before, after) = (offset("TZOFFSETFROM")?, offset("TZOFFSETTO")?);
    let behind = SignedDuration::from_secs(i64::from(before));
    let start = observance.property("DTSTART")?.value.trim();
    let (first, _) = value::date_time(start)?;
    let mut times = vec![first];
    let mut budget = Budget::of_call().of_object();
    for rule in observance.each("RRULE") {
        let rule: Rule = rule.value.trim().parse().ok()?;
        let last = match rule.until() {
            None => DateTime::MAX,
            Some(Until::Day(day)) => day.at(23, 59, 59, 0),
            Some(Until::Local(local)) => local,
            Some(Until::Instant(at)) => Offset::UTC.to_datetime(at).checked_add(behind).ok()?,
        };
        let from = first.max(RULES_SINCE);
        let range = Range { first, from, to };
        times.extend(rule.times(range, |time| time > last, &mut budget).ok()?);
    }
    for more in observance.each("RDATE") {
        for text in more.value.split(',') {
            times.push(value::date_time(text.trim())?.0);
        }
    }
    for time in times {
        let at = Offset::UTC.to_timestamp(time).ok()?.as_second() - i64::from(before);
        changes.push(Change { at, before, after });
    }
    Some(())
}

/// A file of a zone as RFC 8536 describes it, from which time zones are made.
fn zone_file(changes: &[Change]) -> Option<Vec<u8>> {
    let mut offsets = vec![changes.first()?.before];
    let mut places = Vec::with_capacity(changes.len());
    for change in changes {
        let known = offsets.iter().position(|offset| *offset == change.after);
        let place = known.unwrap_or_else(|| {
            offsets.push(change.after);
            offsets.len() - 1
        });
        places.push(u8::try_from(place).ok()?);
    }
    if offsets.len() > OFFSETS_MAX {
        return None;
    }
    let mut file = Vec::new();
    // Readers of the second version pass over the first, which has nothing but one offset.
    header(&mut file, 0, 1);
    file.extend([0; 6]);
    file.extend(NAME);
    header(
        &mut file,
        u32::try_from(changes.len()).ok()?,
        u32::try_from(offsets.len()).ok()?,
    );
    for change in changes {
        file.extend(change.at.to_be_bytes());
    }
    file.extend(places);
    for offset in offsets {
        file.extend(offset.to_be_bytes());
        file.extend([0, 0]);
    }
    file.extend(NAME);
    file.extend(b"\n\n");
    Some(file)
}

/// The beginning of one of the versions that a file has.
fn header(file: &mut Vec<u8>, changes: u32, offsets: u32) {
    file.extend(b"TZif2");
    file.extend([0; 15]);
    for count in [0, 0, 0, changes, offsets, NAME_BYTES] {
        file.extend(count.to_be_bytes());
    }
}
