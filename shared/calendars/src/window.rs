//! Which events have a part of a window.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use mostrador_core::booking::{Span, When};

/// Whether an event has a part of a window; one that takes no time has, where it begins in it.
pub(crate) fn has_part(when: &When, window: Span, zone: &TimeZone) -> bool {
    let Some((from, to)) = bounds(when, zone) else {
        return false;
    };
    from < window.end() && (to > window.start() || from >= window.start())
}

/// When an event begins; of whole days, where the business is.
pub(crate) fn start(when: &When, zone: &TimeZone) -> Timestamp {
    bounds(when, zone).map_or(Timestamp::MIN, |(start, _)| start)
}

fn bounds(when: &When, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
    match *when {
        When::Timed { start, end } => Some((start, end)),
        When::Days { first, end } => Some((midnight(first, zone)?, midnight(end, zone)?)),
    }
}

fn midnight(date: Date, zone: &TimeZone) -> Option<Timestamp> {
    let midnight = zone.to_ambiguous_timestamp(date.at(0, 0, 0, 0));
    midnight.compatible().ok()
}
