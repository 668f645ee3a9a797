//! When a branch is open, or somebody works.

use std::ops::{Range, RangeInclusive};

use jiff::civil::Date;

use super::{LocalDay, Span, spans};
use crate::shop::{Texts, Weekday};

/// Hours by weekday, with exceptions by date.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hours {
    /// Monday first: minutes of the day, in order and apart.
    pub(super) week: [Vec<Range<u16>>; 7],
    pub(super) special: Vec<SpecialDays>,
}

/// Dates with other hours than their weekdays'.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecialDays {
    pub dates: RangeInclusive<Date>,
    /// None where it is closed.
    pub hours: Vec<Range<u16>>,
    /// Why, by the tags of languages; nothing where it is not said.
    pub reason: Texts,
}

impl Hours {
    /// The minutes of a date that are open, and the exception that they are of, where they are.
    ///
    /// Of several exceptions of one date the one that is named first counts.
    #[must_use]
    pub fn on(&self, date: Date) -> (&[Range<u16>], Option<&SpecialDays>) {
        let mut special = self.special.iter();
        let special = special.find(|special| special.dates.contains(&date));
        let minutes = match special {
            Some(special) => &special.hours,
            None => &self.week[Weekday::of(date) as usize],
        };
        (minutes, special)
    }

    /// Whether there is any minute that is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let special = self.special.iter().map(|special| &special.hours);
        self.week.iter().chain(special).all(Vec::is_empty)
    }

    /// When it is open on these days.
    pub(super) fn over(&self, days: &[LocalDay]) -> Vec<Span> {
        let open = days.iter().flat_map(|day| {
            let minutes = self.on(day.date()).0.iter();
            minutes.flat_map(|minutes| day.at(minutes))
        });
        spans::union(open.collect())
    }
}
