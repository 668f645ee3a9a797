//! What answers a question, in the order of prices, years or sales.

use mostrador_core::index::{Found, IndexQuery, Sort, Source};

use super::{Generation, Question, filter::Admission, rank::Candidate};
use crate::tuning::{FieldWeights, NEARLY_ALL, ORDERED, SUCH};

impl Generation {
    /// All that have the question's words, or else the nearest by meaning, in the order that is asked for.
    pub(super) async fn search_in_order(
        &self,
        question: &Question,
        weights: &FieldWeights,
        admission: &Admission,
        query: &IndexQuery,
    ) -> Found {
        if let Some(found) = self.all_in_order(question, weights, admission, query) {
            return found;
        }
        // Nothing has the words: of the nearest by meaning, those come first.
        let nearest = IndexQuery {
            sort: Sort::Relevance,
            top_k: ORDERED.max(query.top_k),
            ..query.clone()
        };
        let found = Box::pin(self.search_text(question, &nearest)).await;
        let near = found.hits.iter().filter_map(|hit| {
            let row = self.items.row(hit.item.libro_id)?;
            Some(Candidate::from((row, hit.score)))
        });
        Found {
            source: found.source,
            ..self.in_order(near.collect(), query)
        }
    }

    /// All that have as much of a question's words as any, in the order that is asked for: "novelas de terror, las más baratas". Nothing
    /// where none has nearly all of them.
    fn all_in_order(
        &self,
        question: &Question,
        weights: &FieldWeights,
        admission: &Admission,
        query: &IndexQuery,
    ) -> Option<Found> {
        let mut evidence = self.take_evidence();
        evidence.gather(&self.keywords, question, weights, |_| false);
        let scores = evidence.scores();
        let admitted = || {
            let rows = evidence.touched().iter().copied();
            rows.filter(|&row| admission.admits(row))
        };
        let most = admitted().map(|row| scores[row]).fold(0.0, f32::max);
        let such = admitted().filter(|&row| scores[row] >= SUCH * most);
        let such = such
            .map(|row| Candidate::from((row, scores[row])))
            .collect();
        let found = (most >= NEARLY_ALL).then(|| self.in_order(such, query));
        self.return_evidence(evidence);
        found
    }

    /// The first of some items in the order that is asked for, of those that are in it.
    pub(super) fn in_order(&self, mut candidates: Vec<Candidate>, query: &IndexQuery) -> Found {
        let items = &self.items;
        let place = |candidate: &Candidate| {
            let (row, libro_id) = (candidate.row, items.libro_id(candidate.row));
            let place = query.place(
                libro_id,
                items.price(row),
                items.stock(row),
                items.year(row),
            );
            Some((place?, libro_id))
        };
        candidates.retain(|candidate| place(candidate).is_some());
        let facets = query.facets.then(|| {
            self.facets(
                candidates.iter().map(|candidate| candidate.row),
                &Admission::default(),
            )
        });
        candidates.sort_by_cached_key(place);
        candidates.truncate(query.top_k);
        self.found(&candidates, Source::Keyword, facets)
    }
}
