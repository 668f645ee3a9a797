//! Meaning and words together: who is a candidate, and who of the best is nearer than words alone show.

use std::sync::{MutexGuard, PoisonError};

use mostrador_core::index::{IndexQuery, Ranks, Source};

use super::{
    Generation,
    evidence::Evidence,
    filter::Admission,
    likeness::{ItemWords, Likeness},
    rank::{Candidate, best},
    words::Question,
};
use crate::{
    artifact::vectors::{QueryVector, Scores},
    tuning::{COMMON, NAMED, NEAR_COSINE, NEAREST, SECOND_LOOK, SUFFICIENT_COSINE},
};

/// Where a row stands by its cosine among those looked at, and by its words among all admitted that share any with the question.
pub(super) fn ranks(
    row: usize,
    looked_at: &[Candidate],
    source: Source,
    evidence: &Evidence,
    admission: &Admission,
) -> Ranks {
    let words = evidence.scores();
    let cosine = |candidate: &Candidate| candidate.score - words[candidate.row];
    let own = looked_at.iter().find(|candidate| candidate.row == row);
    let vector = own.filter(|_| source == Source::Vector).map(|own| {
        let before = |other: &&Candidate| cosine(other) > cosine(own);
        1 + looked_at.iter().filter(before).count()
    });
    let keyword = (words[row] > 0.0).then(|| {
        let before = |other: &&usize| words[**other] > words[row];
        let admitted = |other: &&usize| admission.admits(**other);
        let others = evidence.touched().iter().filter(admitted);
        1 + others.filter(before).count()
    });
    Ranks { vector, keyword }
}

impl Generation {
    fn lock_item_words(&self) -> MutexGuard<'_, ItemWords> {
        self.item_words
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Items near the question, and those that share the most words with it; scored by cosine and words.
    pub(super) fn near(
        &self,
        vector: &QueryVector,
        evidence: &Evidence,
        query: &IndexQuery,
        admission: &Admission,
    ) -> Vec<Candidate> {
        let words = evidence.scores();
        let scores = Scores {
            of: words,
            rows: evidence.touched(),
        };
        let wanted = query.top_k.saturating_add(NEAREST);
        let near = self.nearest_admitted(vector, Some(scores), wanted, admission);
        let nearest = near.iter().map(|(_, cosine)| *cosine).fold(0.0, f32::max);
        let sufficient = if nearest >= NEAR_COSINE {
            SUFFICIENT_COSINE
        } else {
            f32::INFINITY
        };
        near.into_iter()
            .filter(|&(row, cosine)| words[row] > 0.0 || cosine >= sufficient)
            .map(|(row, cosine)| Candidate::from((row, cosine + words[row])))
            .collect()
    }

    /// Where no item is named, the best (`top_k` at least) are scored again, by what they have of the question in its words or in
    /// others; the rest is left out.
    pub(super) fn rescore(
        &self,
        candidates: Vec<Candidate>,
        question: &Question,
        evidence: &Evidence,
        admission: &Admission,
        top_k: usize,
    ) -> Vec<Candidate> {
        let words = evidence.scores();
        let named = |candidate: &Candidate| words[candidate.row] >= NAMED;
        let Some(vectors) = self.embedder.words() else {
            return candidates;
        };
        if candidates.iter().any(named) {
            return candidates;
        }
        let likeness = Likeness::of(&question.content, vectors);
        let mut item_words = self.lock_item_words();
        let mut looked_at = best(candidates, admission, &self.items, top_k.max(SECOND_LOOK));
        for candidate in &mut looked_at {
            let row = candidate.row;
            let cosine = candidate.score - words[row];
            let near = likeness.to_words(item_words.of(row, &self.items, vectors));
            let like = |place: usize, slip| {
                if likeness.counts(place, slip) {
                    near[place]
                } else {
                    0.0
                }
            };
            let (covered, named) = evidence.with_likeness(row, like);
            candidate.score = cosine - COMMON * self.vectors.commonness(row) + covered + named;
        }
        looked_at
    }
}
