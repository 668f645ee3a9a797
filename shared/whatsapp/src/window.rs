//! The 24 hours within which a business may write freely. Outside them only templates go.

use time::{Duration, OffsetDateTime};

/// From a customer's last message on.
pub const LENGTH: Duration = Duration::hours(24);

/// When it closes.
#[must_use]
pub fn closes_at(last_message_at: OffsetDateTime) -> OffsetDateTime {
    last_message_at.saturating_add(LENGTH)
}

/// Whether a message that takes `margin` to arrive may still be anything but a template. Of several messages of the customer
/// the latest counts, in whatever order they came in.
#[must_use]
pub fn is_open(
    last_message_at: Option<OffsetDateTime>,
    now: OffsetDateTime,
    margin: Duration,
) -> bool {
    last_message_at.is_some_and(|last| now.saturating_add(margin) < closes_at(last))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn it_closes_after_a_day() {
        let last = OffsetDateTime::UNIX_EPOCH + Duration::days(20_000);
        let day = Duration::hours(24);
        let minute = Duration::minutes(1);
        for (after, margin, expected) in [
            (Duration::ZERO, Duration::ZERO, true),
            (day - Duration::MILLISECOND, Duration::ZERO, true),
            (day, Duration::ZERO, false),
            (day - minute, minute, false),
            (day - minute * 2, minute, true),
            // A message from a clock that is ahead of ours.
            (-minute, Duration::ZERO, true),
        ] {
            assert_eq!(
                is_open(Some(last), last + after, margin),
                expected,
                "{after}"
            );
        }
        assert!(!is_open(None, last, Duration::ZERO));
    }

    proptest! {
        #[test]
        fn what_is_closed_stays_closed(after in 0_i64..200_000, later in 0_i64..200_000) {
            let last = OffsetDateTime::UNIX_EPOCH + Duration::days(20_000);
            let now = last + Duration::seconds(after);
            let is_open_at = |now| is_open(Some(last), now, Duration::ZERO);
            prop_assert!(is_open_at(now) || !is_open_at(now + Duration::seconds(later)));
            prop_assert_eq!(is_open_at(now), now < closes_at(last));
        }
    }
}
