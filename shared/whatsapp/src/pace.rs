//! How soon the next message may go to the same customer.
//!
//! The platform takes one message in six seconds from a business' number to a customer, and lets up to 45 of them go at once:
//! they are borrowed from the time that follows. Twenty at once, and nothing goes for two minutes.

use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};

/// What one message costs, and the time within which a burst is one.
pub const INTERVAL: Duration = Duration::seconds(6);
/// Most messages of a burst.
pub const BURST_MAX: u32 = 45;

/// What was sent to one customer from one number: kept with them, under both names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    #[serde(with = "time::serde::timestamp::milliseconds")]
    burst_began_at: OffsetDateTime,
    burst_sent: u32,
}

/// How many messages may be borrowed. A conversation needs two or three: an answer, and the one to what was asked meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    burst_max: u32,
}

impl Pace {
    /// One message in six seconds, nothing borrowed.
    pub const STEADY: Self = Self { burst_max: 1 };
    /// As much as the platform documents.
    pub const DOCUMENTED: Self = Self {
        burst_max: BURST_MAX,
    };

    /// Bursts of at most so many, from 1 to [`BURST_MAX`].
    #[must_use]
    pub fn bursts_of(most: u32) -> Self {
        Self {
            burst_max: most.clamp(1, BURST_MAX),
        }
    }

    /// When the next message may go: `now`, or later. Times that lie in the future of `now` count as they are.
    #[must_use]
    pub fn next_at(self, pair: Option<&Pair>, now: OffsetDateTime) -> OffsetDateTime {
        let Some(pair) = pair else { return now };
        let free_at = pair.free_at();
        let is_within = now < pair.burst_began_at + INTERVAL && pair.burst_sent < self.burst_max;
        if now >= free_at || is_within {
            now
        } else {
            free_at
        }
    }
}

impl Pair {
    /// With a message that has gone. One that was refused by the limit counts as well: it has not shown that the debt is paid.
    #[must_use]
    pub fn with(pair: Option<Self>, sent_at: OffsetDateTime) -> Self {
        match pair {
            Some(pair) if sent_at < pair.free_at() => Self {
                burst_sent: pair.burst_sent.saturating_add(1),
                ..pair
            },
            Some(_) | None => Self {
                burst_began_at: sent_at,
                burst_sent: 1,
            },
        }
    }

    /// From the times of what was sent, oldest first.
    #[must_use]
    pub fn of(sent_at: impl IntoIterator<Item = OffsetDateTime>) -> Option<Self> {
        let times = sent_at.into_iter();
        times.fold(None, |pair, sent_at| Some(Self::with(pair, sent_at)))
    }

    /// When nothing is borrowed any more.
    #[must_use]
    pub fn free_at(&self) -> OffsetDateTime {
        let debt = INTERVAL.saturating_mul(i32::try_from(self.burst_sent).unwrap_or(i32::MAX));
        self.burst_began_at.saturating_add(debt)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(seconds: f64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + Duration::days(20_000) + Duration::seconds_f64(seconds)
    }

    fn check(pace: Pace, sent: &[f64], now: f64, expected: f64) {
        let pair = Pair::of(sent.iter().copied().map(at));
        let next = pace.next_at(pair.as_ref(), at(now));
        assert_eq!(next, at(expected), "{sent:?} at {now}");
    }

    #[test]
    fn one_in_six_seconds_and_what_is_borrowed_is_paid_back() {
        check(Pace::STEADY, &[], 0.0, 0.0);
        check(Pace::STEADY, &[0.0], 1.0, 6.0);
        check(Pace::STEADY, &[0.0], 6.0, 6.0);
        check(Pace::bursts_of(2), &[0.0], 1.0, 1.0);
        check(Pace::bursts_of(2), &[0.0, 1.0], 2.0, 12.0);
        check(Pace::bursts_of(2), &[0.0, 1.0], 12.0, 12.0);
        // The platform's own example.
        check(Pace::DOCUMENTED, &[0.0; 20], 5.0, 5.0);
        check(Pace::DOCUMENTED, &[0.0; 20], 7.0, 120.0);
        check(Pace::DOCUMENTED, &[0.0; 45], 1.0, 270.0);
        check(Pace::bursts_of(1000), &[0.0; 45], 1.0, 270.0);
    }

    /// The rule as it is documented, over the whole list: within any time there are no more messages than that time is worth,
    /// and what was borrowed at its beginning.
    fn keeps_the_limit(sent: &[OffsetDateTime]) -> bool {
        let mut rest = sent;
        while let Some(first) = rest.first() {
            let burst = rest
                .iter()
                .take_while(|time| **time < *first + INTERVAL)
                .count();
            let paid_at = *first + INTERVAL * i32::try_from(burst).unwrap();
            if burst > 45 || rest.get(burst).is_some_and(|next| *next < paid_at) {
                return false;
            }
            rest = &rest[burst..];
        }
        true
    }

    proptest! {
        #[test]
        fn who_waits_is_never_refused(
            wishes in prop::collection::vec(0.0_f64..20.0, 0..120),
            most in 1_u32..60,
        ) {
            let (pace, mut pair, mut sent, mut now) = (Pace::bursts_of(most), None, Vec::new(), at(0.0));
            for pause in wishes {
                now += Duration::seconds_f64(pause);
                now = pace.next_at(pair.as_ref(), now);
                prop_assert_eq!(pace.next_at(pair.as_ref(), now), now, "what may go then may go then");
                pair = Some(Pair::with(pair, now));
                sent.push(now);
            }
            prop_assert!(keeps_the_limit(&sent));
            prop_assert_eq!(Pair::of(sent), pair);
        }

        /// Nobody waits longer than what was sent is worth.
        #[test]
        fn nobody_waits_for_nothing(pauses in prop::collection::vec(0.0_f64..10.0, 1..60)) {
            let mut now = at(0.0);
            let mut sent = Vec::new();
            for pause in pauses {
                now += Duration::seconds_f64(pause);
                sent.push(now);
            }
            let worth = |messages: usize| INTERVAL * i32::try_from(messages).unwrap();
            let paid_at = (0..sent.len()).map(|first| sent[first] + worth(sent.len() - first)).max();
            let next = Pace::STEADY.next_at(Pair::of(sent).as_ref(), now);
            prop_assert!(next <= paid_at.unwrap());
        }
    }
}
