//! A stretch of time.

use std::{fmt, num::NonZeroU16};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub(super) const MINUTE_SECONDS: i64 = 60;

/// From an instant up to a later one, which is no part of it; both in whole seconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: i64,
    end: i64,
}

impl Span {
    /// Nothing where it would end before or when it begins. Fractions of a second are cut off.
    #[must_use]
    pub fn new(start: Timestamp, end: Timestamp) -> Option<Self> {
        Self::of_seconds(start.as_second(), end.as_second())
    }

    /// The whole seconds that a stretch of time has a part in: what is taken is taken wholly.
    #[must_use]
    pub fn around(start: Timestamp, end: Timestamp) -> Option<Self> {
        let more = i64::from(end.subsec_nanosecond() > 0);
        Self::of_seconds(start.as_second(), end.as_second() + more)
    }

    /// The whole seconds within a stretch of time: what is free for a part of a second is not free in it.
    #[must_use]
    pub fn within(start: Timestamp, end: Timestamp) -> Option<Self> {
        let more = i64::from(start.subsec_nanosecond() > 0);
        Self::of_seconds(start.as_second() + more, end.as_second())
    }

    /// So many minutes from an instant on.
    #[must_use]
    pub fn lasting(start: Timestamp, minutes: NonZeroU16) -> Self {
        let start = start.as_second();
        let end = start + i64::from(minutes.get()) * MINUTE_SECONDS;
        Self { start, end }
    }

    pub(super) fn of_seconds(start: i64, end: i64) -> Option<Self> {
        (start < end).then_some(Self { start, end })
    }

    #[must_use]
    pub fn start(self) -> Timestamp {
        instant(self.start)
    }

    /// The first instant after it.
    #[must_use]
    pub fn end(self) -> Timestamp {
        instant(self.end)
    }

    /// Whether both have an instant in common.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether `other` lies in it.
    #[must_use]
    pub fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub(super) fn holds_second(self, second: i64) -> bool {
        (self.start..self.end).contains(&second)
    }

    pub(super) fn start_second(self) -> i64 {
        self.start
    }

    pub(super) fn end_second(self) -> i64 {
        self.end
    }

    /// What both have in common.
    pub(super) fn common(self, other: Self) -> Option<Self> {
        Self::of_seconds(self.start.max(other.start), self.end.min(other.end))
    }

    /// Longer by so many minutes before and after it.
    pub(super) fn widened(self, before_minutes: u16, after_minutes: u16) -> Self {
        Self {
            start: self.start - i64::from(before_minutes) * MINUTE_SECONDS,
            end: self.end + i64::from(after_minutes) * MINUTE_SECONDS,
        }
    }
}

/// The instant of a Unix second; the first or the last that there is, where it lies beyond.
pub(super) fn instant(second: i64) -> Timestamp {
    let beyond = if second < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    Timestamp::from_second(second).unwrap_or(beyond)
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start(), self.end())
    }
}

/// As it is kept: two instants by RFC 3339.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(with = "written")]
    start_at: Timestamp,
    #[serde(with = "written")]
    end_at: Timestamp,
}

impl Serialize for Span {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            start_at: self.start(),
            end_at: self.end(),
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { start_at, end_at } = Written::deserialize(deserializer)?;
        let span = Self::new(start_at, end_at);
        span.ok_or_else(|| serde::de::Error::custom("it ends before it has begun"))
    }
}

/// An instant as RFC 3339 has it.
pub(super) mod written {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(in crate::booking) fn serialize<S: Serializer>(
        at: &Timestamp,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(at)
    }

    pub(in crate::booking) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Timestamp, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
