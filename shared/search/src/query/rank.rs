//! The best of the candidates that are admitted.

use std::cmp::Ordering;

use super::filter::Admission;
use crate::artifact::items::Items;

/// An item that may be an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub(super) row: usize,
    pub(super) score: f32,
}

impl From<(usize, f32)> for Candidate {
    fn from((row, score): (usize, f32)) -> Self {
        Self { row, score }
    }
}

/// At most `top_k` of the admitted candidates: those of exactly the category asked for first, then by score, then by
/// item number.
pub(super) fn best(
    mut candidates: Vec<Candidate>,
    admission: &Admission,
    items: &Items,
    top_k: usize,
) -> Vec<Candidate> {
    candidates.retain(|candidate| admission.admits(candidate.row));
    let order = |a: &Candidate, b: &Candidate| -> Ordering {
        let exact = |row| admission.is_exact_category(items, row);
        exact(b.row)
            .cmp(&exact(a.row))
            .then(b.score.total_cmp(&a.score))
            .then_with(|| items.libro_id(a.row).cmp(&items.libro_id(b.row)))
    };
    if top_k < candidates.len() {
        candidates.select_nth_unstable_by(top_k, order);
        candidates.truncate(top_k);
    }
    candidates.sort_unstable_by(order);
    candidates
}
