//! An event as it is written, with what it says of its recurrences.

use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use mostrador_core::booking::AppointmentId;

use super::{
    APPOINTMENT, Unreadable,
    lines::{Component, Property},
    value::{self, Duration},
    zones::Zones,
};
use crate::recurrence::Rule;

/// A `VEVENT`.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) uid: String,
    pub(super) sequence: i64,
    pub(super) start: Moment,
    pub(super) length: Duration,
    /// Which time of its series it stands for, where it does.
    pub(super) instance: Option<Instance>,
    pub(super) rules: Vec<Rule>,
    pub(super) more: Vec<More>,
    pub(super) except: Vec<Moment>,
    /// Its people have cancelled or declined it.
    pub(super) is_off: bool,
    pub(super) is_transparent: bool,
    pub(super) title: String,
    pub(super) appointment: Option<AppointmentId>,
}

/// A date, or a time where it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Moment {
    Day(Date),
    Time { local: DateTime, zone: TimeZone },
}

/// A time of a series that is otherwise than the rest.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    pub(super) of: Moment,
    /// The later ones are so as well.
    pub(super) and_later: bool,
}

/// A time beside those of the rules.
#[derive(Debug, Clone)]
pub(super) struct More {
    pub(super) start: Moment,
    pub(super) length: Option<Duration>,
}

impl Moment {
    /// As clocks show it; a date's midnight.
    pub(super) fn local(&self) -> DateTime {
        match self {
            Self::Day(date) => date.at(0, 0, 0, 0),
            Self::Time { local, .. } => *local,
        }
    }

    /// Nothing for a date, and where no instant is.
    pub(super) fn instant(&self) -> Option<Timestamp> {
        match self {
            Self::Day(_) => None,
            Self::Time { local, zone } => instant(*local, zone),
        }
    }
}

/// When clocks show a time: the first of two, and by the clocks before a gap where they leave it out.
pub(super) fn instant(local: DateTime, zone: &TimeZone) -> Option<Timestamp> {
    zone.to_ambiguous_timestamp(local).compatible().ok()
}

impl Entry {
    /// # Errors
    /// [`Unreadable`] where it has no time, or one or a rule that cannot be understood.
    pub(super) fn read(
        event: &Component,
        zones: &mut Zones<'_>,
        owner: Option<&str>,
    ) -> Result<Self, Unreadable> {
        let value = |name| event.property(name).map(|property| property.value.trim());
        let start = event.property("DTSTART");
        let start = start.ok_or(Unreadable("an event has no start"))?;
        let start = moment(start, &start.value, zones)?;
        let length = length(event, &start, zones)?;
        let instance = match event.property("RECURRENCE-ID") {
            Some(property) => {
                let range = property.parameter("RANGE").unwrap_or_default();
                Some(Instance {
                    of: moment(property, &property.value, zones)?,
                    and_later: range.eq_ignore_ascii_case("THISANDFUTURE"),
                })
            }
            None => None,
        };
        let rules = event.each("RRULE").map(|rule| rule.value.trim().parse());
        let rules = rules.collect::<Result<Vec<Rule>, _>>();
        let except = event
            .each("EXDATE")
            .flat_map(|property| listed(property).map(move |text| (property, text)));
        let except = except.map(|(property, text)| moment(property, text, zones));
        let except = except.collect::<Result<_, _>>()?;
        let appointment = event.property(APPOINTMENT).map(Property::text);
        let is_cancelled = value("STATUS").is_some_and(|it| it.eq_ignore_ascii_case("CANCELLED"));
        Ok(Self {
            uid: value("UID").unwrap_or_default().to_owned(),
            sequence: value("SEQUENCE").map_or(0, |text| text.parse().unwrap_or(0)),
            start,
            length,
            instance,
            rules: rules.map_err(|_| Unreadable("a rule of recurrence is none"))?,
            more: more(event, zones)?,
            except,
            is_off: is_cancelled || owner.is_some_and(|owner| has_declined(event, owner)),
            is_transparent: value("TRANSP")
                .is_some_and(|it| it.eq_ignore_ascii_case("TRANSPARENT")),
            title: event
                .property("SUMMARY")
                .map_or_else(String::new, Property::text),
            appointment: appointment.and_then(|id| AppointmentId::read(&id)),
        })
    }
}

fn listed(property: &Property) -> impl Iterator<Item = &str> {
    let items = property.value.split(',').map(str::trim);
    items.filter(|item| !item.is_empty())
}

fn moment(property: &Property, text: &str, zones: &mut Zones<'_>) -> Result<Moment, Unreadable> {
    let text = text.trim();
    if let Some(date) = value::date(text) {
        return Ok(Moment::Day(date));
    }
    let (local, is_utc) =
        value::date_time(text).ok_or(Unreadable("a date or a time of an event is none"))?;
    let zone = match property.parameter("TZID") {
        _ if is_utc => TimeZone::UTC,
        Some(name) => zones.named(name)?,
        None => zones.floating(),
    };
    Ok(Moment::Time { local, zone })
}

/// How long an event is: as its end says exactly, or as its duration says; a whole day where it has but a date.
fn length(
    event: &Component,
    start: &Moment,
    zones: &mut Zones<'_>,
) -> Result<Duration, Unreadable> {
    let none = Duration {
        days: 0,
        exact: SignedDuration::ZERO,
    };
    let length = if let Some(end) = event.property("DTEND") {
        let end = moment(end, &end.value, zones)?;
        between(start, &end)
    } else if let Some(duration) = event.property("DURATION") {
        let duration = value::duration(duration.value.trim());
        duration.ok_or(Unreadable("a duration of an event is none"))?
    } else {
        none
    };
    Ok(match start {
        Moment::Time { .. } => Duration {
            days: length.days.max(0),
            exact: length.exact.max(SignedDuration::ZERO),
        },
        Moment::Day(_) => {
            let more = (length.exact.as_secs().max(0) + 86_399) / 86_400;
            Duration {
                days: length.days.saturating_add(more).max(1),
                ..none
            }
        }
    })
}

fn between(start: &Moment, end: &Moment) -> Duration {
    match (start, start.instant(), end.instant()) {
        (Moment::Time { .. }, Some(start), Some(end)) => Duration {
            days: 0,
            exact: end.duration_since(start),
        },
        _ => {
            let apart = end.local().duration_since(start.local());
            Duration {
                days: apart.as_secs() / 86_400,
                exact: SignedDuration::from_secs(apart.as_secs() % 86_400),
            }
        }
    }
}

fn more(event: &Component, zones: &mut Zones<'_>) -> Result<Vec<More>, Unreadable> {
    let mut more = Vec::new();
    for property in event.each("RDATE") {
        for text in listed(property) {
            let Some((start, end)) = text.split_once('/') else {
                let start = moment(property, text, zones)?;
                more.push(More {
                    start,
                    length: None,
                });
                continue;
            };
            let start = moment(property, start, zones)?;
            let length = match value::duration(end.trim()) {
                Some(duration) => duration,
                None => between(&start, &moment(property, end, zones)?),
            };
            more.push(More {
                start,
                length: Some(length),
            });
        }
    }
    Ok(more)
}

/// Whether the attendee of that address has declined.
fn has_declined(event: &Component, owner: &str) -> bool {
    let mut attendees = event.each("ATTENDEE");
    attendees.any(|attendee| {
        let address = attendee.value.trim();
        let address = match address.get(..7) {
            Some(scheme) if scheme.eq_ignore_ascii_case("mailto:") => &address[7..],
            _ => address,
        };
        let answer = attendee.parameter("PARTSTAT").unwrap_or_default();
        address.eq_ignore_ascii_case(owner) && answer.eq_ignore_ascii_case("DECLINED")
    })
}
