//! What of the items that a profile recommends makes no sense.

use super::Check;

/// Most items that a shop recommends: all of them are read at once.
const PICKS_MOST: usize = 40;

impl Check<'_> {
    pub(super) fn picks(&mut self) {
        let picks = &self.shop.picks;
        if picks.len() > PICKS_MOST {
            self.faults.add(
                "picks",
                format!("are {} — leave {PICKS_MOST} at most", picks.len()),
            );
        }
        for (index, pick) in picks.iter().enumerate() {
            if picks[..index].contains(pick) {
                self.faults.add(
                    format!("picks[{index}]"),
                    format!("{:?} is there twice — leave one", pick.as_str()),
                );
            }
        }
    }
}
