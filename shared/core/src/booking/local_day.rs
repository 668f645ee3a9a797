//! A date where a business is, as a stretch of time.

use std::ops::Range;

use jiff::{
    SignedDuration, Timestamp,
    civil::Date,
    tz::{AmbiguousOffset, Offset, TimeZone},
};

use super::{
    Span,
    span::{MINUTE_SECONDS, instant},
};

/// A date in a time zone: 24 hours, or 23 or 25 where clocks are changed, or whatever else a zone has decreed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalDay {
    date: Date,
    span: Span,
    /// What its clocks are set to, one after the other.
    parts: Vec<Part>,
}

/// A part of a day in which clocks are not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    span: Span,
    offset: Offset,
}

impl LocalDay {
    /// Nothing where the zone has left out the date, or where no calendar reaches it.
    #[must_use]
    pub fn of(date: Date, zone: &TimeZone) -> Option<Self> {
        let (start, end) = (
            first_instant(date, zone)?,
            first_instant(date.tomorrow().ok()?, zone)?,
        );
        let span = Span::new(start, end)?;
        let mut parts = Vec::with_capacity(1);
        let (mut since, mut offset) = (start, zone.to_offset(start));
        let changes = zone.following(start);
        for change in changes.take_while(|change| change.timestamp() < end) {
            let span = Span::new(since, change.timestamp());
            parts.extend(span.map(|span| Part { span, offset }));
            (since, offset) = (change.timestamp(), change.offset());
        }
        parts.extend(Span::new(since, end).map(|span| Part { span, offset }));
        Some(Self { date, span, parts })
    }

    #[must_use]
    pub fn date(&self) -> Date {
        self.date
    }

    /// From its first instant up to the next date's.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// When its clocks show one of these minutes of the day: never where they leave it out, and once for each time that they show it.
    /// Stretches that touch are several.
    pub fn at(&self, minutes: &Range<u16>) -> impl Iterator<Item = Span> {
        let midnight = Offset::UTC.to_timestamp(self.date.at(0, 0, 0, 0));
        let midnight = midnight.map_or(0, Timestamp::as_second);
        let [from, to] = [minutes.start, minutes.end]
            .map(|minute| midnight + i64::from(minute) * MINUTE_SECONDS);
        self.parts.iter().filter_map(move |part| {
            let ahead = i64::from(part.offset.seconds());
            Span::of_seconds(from - ahead, to - ahead)?.common(part.span)
        })
    }

    /// How far its clocks are ahead of UTC at an instant of it.
    pub(super) fn offset_at(&self, second: i64) -> Offset {
        let mut parts = self.parts.iter().rev();
        let part = parts.find(|part| part.span.start_second() <= second);
        part.or(self.parts.first())
            .map_or(Offset::UTC, |part| part.offset)
    }
}

/// When a date begins. Where clocks are put forward over midnight, that is when they are.
fn first_instant(date: Date, zone: &TimeZone) -> Option<Timestamp> {
    let midnight = zone.to_ambiguous_timestamp(date.at(0, 0, 0, 0));
    let is_left_out = matches!(midnight.offset(), AmbiguousOffset::Gap { .. });
    let first = midnight.compatible().ok()?;
    if !is_left_out {
        return Some(first);
    }
    let behind = first.checked_add(SignedDuration::from_secs(1)).ok()?;
    let change = zone.preceding(behind).next()?;
    Some(change.timestamp())
}

/// The dates from one up to another, both included, so far as the zone has them.
pub(super) fn days(from: Date, to: Date, zone: &TimeZone) -> Vec<LocalDay> {
    let mut days = Vec::new();
    let mut date = from;
    while date <= to {
        days.extend(LocalDay::of(date, zone));
        let Ok(next) = date.tomorrow() else { break };
        date = next;
    }
    days
}

/// The date of an instant.
pub(super) fn date_at(second: i64, zone: &TimeZone) -> Date {
    zone.to_datetime(instant(second)).date()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn written(day: &LocalDay, minutes: Range<u16>) -> String {
        let hours = |span: Span| (span.end_second() - span.start_second()) as f64 / 3600.0;
        let at = |second| {
            instant(second)
                .display_with_offset(day.offset_at(second))
                .to_string()
        };
        let spans = day.at(&minutes).map(|span| {
            let (start, end) = (span.start_second(), span.end_second());
            format!("{} {}h", at(start), (end - start) as f64 / 3600.0)
        });
        let spans: Vec<String> = spans.collect();
        format!("{}h: {}", hours(day.span()), spans.join(", "))
    }

    #[test]
    fn a_day_is_as_long_as_its_clocks_make_it() {
        let check = |zone: &str, date: Date, minutes: Range<u16>| {
            let zone = TimeZone::get(zone).unwrap();
            LocalDay::of(date, &zone)
                .map_or_else(|| "no such day".to_owned(), |day| written(&day, minutes))
        };
        let cases = [
            ("Europe/Madrid", date(2026, 11, 23), 60..240),
            ("Europe/Madrid", date(2026, 3, 29), 60..240),
            ("Europe/Madrid", date(2026, 3, 29), 120..180),
            ("Europe/Madrid", date(2026, 10, 25), 60..240),
            ("Europe/Madrid", date(2026, 10, 25), 120..150),
            ("America/Sao_Paulo", date(2018, 11, 4), 0..120),
            ("America/Sao_Paulo", date(2018, 2, 17), 1320..1440),
            ("Australia/Lord_Howe", date(2026, 4, 5), 60..180),
            ("Australia/Lord_Howe", date(2026, 10, 4), 60..180),
            ("America/Mexico_City", date(2026, 4, 5), 60..240),
            // Where 23:30 was followed by 0:30.
            ("America/Toronto", date(1919, 3, 31), 0..60),
            ("Pacific/Apia", date(2011, 12, 30), 0..1440),
        ];
        let lines = cases.map(|(zone, date, minutes)| {
            format!(
                "{zone} {date} {minutes:?}: {}",
                check(zone, date, minutes.clone())
            )
        });
        insta::assert_snapshot!(lines.join("\n"), @r#"
        Europe/Madrid 2026-11-23 60..240: 24h: 2026-11-23T01:00:00+01:00 3h
        Europe/Madrid 2026-03-29 60..240: 23h: 2026-03-29T01:00:00+01:00 1h, 2026-03-29T03:00:00+02:00 1h
        Europe/Madrid 2026-03-29 120..180: 23h: 
        Europe/Madrid 2026-10-25 60..240: 25h: 2026-10-25T01:00:00+02:00 2h, 2026-10-25T02:00:00+01:00 2h
        Europe/Madrid 2026-10-25 120..150: 25h: 2026-10-25T02:00:00+02:00 0.5h, 2026-10-25T02:00:00+01:00 0.5h
        America/Sao_Paulo 2018-11-04 0..120: 23h: 2018-11-04T01:00:00-02:00 1h
        America/Sao_Paulo 2018-02-17 1320..1440: 25h: 2018-02-17T22:00:00-02:00 2h, 2018-02-17T23:00:00-03:00 1h
        Australia/Lord_Howe 2026-04-05 60..180: 24.5h: 2026-04-05T01:00:00+11:00 1h, 2026-04-05T01:30:00+10:30 1.5h
        Australia/Lord_Howe 2026-10-04 60..180: 23.5h: 2026-10-04T01:00:00+10:30 1h, 2026-10-04T02:30:00+11:00 0.5h
        America/Mexico_City 2026-04-05 60..240: 24h: 2026-04-05T01:00:00-06:00 3h
        America/Toronto 1919-03-31 0..60: 23.5h: 1919-03-31T00:30:00-04:00 0.5h
        Pacific/Apia 2011-12-30 0..1440: no such day
        "#);
    }
}
