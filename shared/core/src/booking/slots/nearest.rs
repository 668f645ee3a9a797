//! What lies nearest to a time that cannot be had.

use jiff::Timestamp;

use super::Slot;

/// So many slots that begin nearest to a time, before it and after it, the nearest first; of two equally near the earlier.
///
/// No two begin at the same time: of several calendars the first one's is taken, since whoever wants another time is not helped by the
/// same one with somebody else. `slots` are in order, as [`super::Search::slots`] gives them.
#[must_use]
pub fn nearest<'a>(slots: &[Slot<'a>], wanted: Timestamp, most: usize) -> Vec<Slot<'a>> {
    let wanted = wanted.as_second();
    let middle = slots.partition_point(|slot| slot.time.start_second() < wanted);
    let mut nearest: Vec<Slot<'a>> = Vec::with_capacity(most.min(slots.len()));
    let (mut before, mut behind) = (&slots[..middle], &slots[middle..]);
    while nearest.len() < most {
        let distance =
            |slot: Option<&Slot<'_>>| slot.map(|slot| slot.time.start_second().abs_diff(wanted));
        let is_before = match (distance(before.last()), distance(behind.first())) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(earlier), Some(later)) => earlier <= later,
        };
        let start = if is_before {
            before.last()
        } else {
            behind.first()
        };
        let Some(start) = start.map(|slot| slot.time.start_second()) else {
            break;
        };
        if is_before {
            // Of those at the same time the first stands furthest from the middle.
            let first = before.partition_point(|slot| slot.time.start_second() < start);
            nearest.push(before[first]);
            before = &before[..first];
        } else {
            let next = behind.partition_point(|slot| slot.time.start_second() <= start);
            nearest.push(behind[0]);
            behind = &behind[next..];
        }
    }
    nearest
}
