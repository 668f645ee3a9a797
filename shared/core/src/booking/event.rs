//! What a calendar elsewhere holds.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::{Span, local_day::LocalDay};
use crate::{
    language::List,
    text::{fold, place_of, words},
};

/// An event of a calendar, one for each time that it recurs. What its people have declined or cancelled is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub when: When,
    pub title: String,
    /// It takes no time: whom it is about is free meanwhile.
    pub is_transparent: bool,
}

/// When an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// From an instant up to another.
    Timed { start: Timestamp, end: Timestamp },
    /// On whole days, wherever one is: from a date up to another, on which it is no longer.
    Days { first: Date, end: Date },
}

/// What an event does to its calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Opens,
    Blocks,
    Nothing,
}

/// What the title of an event has in it by which a calendar is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    text: String,
    /// Folded; never none.
    words: Vec<String>,
}

/// A text without a letter or a digit, by which no title would be known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("has neither a letter nor a digit")]
pub struct InvalidMarker;

impl Marker {
    /// # Errors
    /// [`InvalidMarker`].
    pub fn read(text: &str) -> Result<Self, InvalidMarker> {
        let words = words(text);
        if words.is_empty() {
            return Err(InvalidMarker);
        }
        Ok(Self {
            text: text.to_owned(),
            words,
        })
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether an event of that title opens its calendar: its words have the marker's among them, one after the other, whatever their
    /// case and accents, and nothing before it in the title says no.
    #[must_use]
    pub fn opens(&self, title: &str) -> bool {
        // Most titles do not have it anywhere, and are not taken apart.
        if !fold(title).contains(self.words[0].as_str()) {
            return false;
        }
        let title = words(title);
        let Some(place) = place_of(&self.words, &title) else {
            return false;
        };
        let small = List::Markers.in_all();
        let mut before = title[..place].iter();
        !before.any(|word| small.stands(word, "negation"))
    }
}

impl Event {
    /// The time that it is, in whole seconds; nothing where it is none.
    ///
    /// What it does with a part of a second it does with all of it where it blocks, and with none of it where it opens.
    pub(super) fn span(&self, zone: &TimeZone, effect: Effect) -> Option<Span> {
        match self.when {
            When::Timed { start, end } => match effect {
                Effect::Opens | Effect::Nothing => Span::within(start, end),
                Effect::Blocks => Span::around(start, end),
            },
            When::Days { first, end } => {
                let last = end.yesterday().ok().filter(|last| *last >= first)?;
                let first = LocalDay::of(first, zone)?.span();
                let last = LocalDay::of(last, zone)?.span();
                Span::new(first.start(), last.end())
            }
        }
    }

    /// What it does to a calendar that is open by `marker`; nothing opens one that is open by hours of its own.
    pub(super) fn effect(&self, marker: Option<&Marker>) -> Effect {
        // People often mark as free what says that they are.
        if marker.is_some_and(|marker| marker.opens(&self.title)) {
            Effect::Opens
        } else if self.is_transparent {
            Effect::Nothing
        } else {
            Effect::Blocks
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_found_in_titles() {
        for (marker, title, opens) in [
            ("disponible", "Disponible", true),
            ("disponible", "DISPONIBLE (mañanas)", true),
            ("disponible", "Ana: disponible", true),
            ("disponible", "No disponible", false),
            ("disponible", "não estou disponível", false),
            ("disponible", "Ana no está disponible", false),
            ("disponible", "disponible, no llamar", true),
            ("disponible", "Indisponible", false),
            ("disponible", "Almuerzo", false),
            ("disponible", "", false),
            ("Disponível", "DISPONIVEL", true),
            ("[abierto]", "Tarde [Abierto]", true),
            ("libre para citas", "Libre, para citas.", true),
            ("libre para citas", "citas: para libre", false),
            ("agenda_on", "Agenda_ON", true),
        ] {
            let marker = Marker::read(marker).unwrap();
            assert_eq!(marker.opens(title), opens, "{marker:?} in {title:?}");
        }
        assert_eq!(Marker::read(" ✅ "), Err(InvalidMarker));
    }

    #[test]
    fn whole_days_are_those_of_the_business() {
        let zone = TimeZone::get("Europe/Madrid").unwrap();
        let days = |first: &str, end: &str| {
            let event = Event {
                when: When::Days {
                    first: first.parse().unwrap(),
                    end: end.parse().unwrap(),
                },
                title: String::new(),
                is_transparent: false,
            };
            format!("{:?}", event.span(&zone, Effect::Blocks))
        };
        insta::assert_snapshot!(days("2026-10-25", "2026-10-26"), @"Some(2026-10-24T22:00:00Z..2026-10-25T23:00:00Z)");
        insta::assert_snapshot!(days("2026-03-28", "2026-03-30"), @"Some(2026-03-27T23:00:00Z..2026-03-29T22:00:00Z)");
        insta::assert_snapshot!(days("2026-03-28", "2026-03-28"), @"None");
    }

    #[test]
    fn parts_of_seconds_count_against_the_customer() {
        let event = |start: &str, end: &str| Event {
            when: When::Timed {
                start: start.parse().unwrap(),
                end: end.parse().unwrap(),
            },
            title: String::new(),
            is_transparent: false,
        };
        let one = event("2026-11-23T09:00:00.5Z", "2026-11-23T10:00:00.5Z");
        let zone = TimeZone::UTC;
        insta::assert_snapshot!(format!("{:?}", one.span(&zone, Effect::Blocks)), @"Some(2026-11-23T09:00:00Z..2026-11-23T10:00:01Z)");
        insta::assert_snapshot!(format!("{:?}", one.span(&zone, Effect::Opens)), @"Some(2026-11-23T09:00:01Z..2026-11-23T10:00:00Z)");
        let backwards = event("2026-11-23T09:00:00Z", "2026-11-23T08:00:00Z");
        assert_eq!(backwards.span(&zone, Effect::Blocks), None);
    }
}
