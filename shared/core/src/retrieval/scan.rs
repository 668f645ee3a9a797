//! A look through the catalogue's table, where there is no index.

use time::OffsetDateTime;

use super::{Retrieval, Retrieved, SCAN_LIMIT, facets_of};
use crate::{
    catalogue::{ItemResult, StockedItem},
    chain::Chain,
    index::{Filters, IndexQuery, Source},
    text::words,
};

impl Retrieval {
    /// No index: a bounded look through the table itself.
    pub(super) async fn scan(
        &self,
        tool: &'static str,
        query: &IndexQuery,
        now: OffsetDateTime,
    ) -> Retrieved {
        let mut retrieved = Retrieved {
            degraded: true,
            warnings: vec!["There is no search index; the catalogue was looked through".into()],
            ..Retrieved::nothing(tool, Source::Catalogue)
        };
        let items = match self.catalogue.scan(SCAN_LIMIT).await {
            Ok(items) => items,
            Err(error) => {
                tracing::warn!(
                    error = %Chain(&error),
                    "the catalogue could not be looked through"
                );
                retrieved.error = Some("unavailable");
                retrieved
                    .warnings
                    .push("The catalogue could not be read".into());
                return retrieved;
            }
        };
        let near = query
            .similar_to
            .and_then(|id| items.iter().find(|stocked| stocked.item.libro_id == id));
        let wanted = words(near.map_or(query.text.as_str(), |stocked| &stocked.item.categoria));
        let mut scored: Vec<(f32, ItemResult)> = items
            .iter()
            .filter(|stocked| Some(stocked.item.libro_id) != query.similar_to)
            .filter_map(|stocked| {
                let score = share_of_words(&wanted, stocked);
                let stock = stocked.available(now);
                let admitted = (wanted.is_empty() || score > 0.0)
                    && admits(&query.filters, stocked)
                    && query.filters.admit_live(stocked.item.precio, stock);
                admitted.then(|| {
                    (
                        score,
                        ItemResult::new(stocked.item.clone(), stock, Some(score)),
                    )
                })
            })
            .collect();
        let place =
            |item: &ItemResult| query.place(item.libro_id, item.precio, item.stock, item.publicado);
        scored.retain(|(_, item)| place(item).is_some());
        scored.sort_by(|(a, first), (b, second)| {
            place(first)
                .cmp(&place(second))
                .then(b.total_cmp(a))
                .then(first.libro_id.cmp(&second.libro_id))
        });
        retrieved.facets = query
            .facets
            .then(|| facets_of(scored.iter().map(|(_, result)| result)));
        retrieved.results = scored
            .into_iter()
            .map(|(_, result)| result)
            .take(query.top_k)
            .collect();
        retrieved
    }
}

fn share_of_words(wanted: &[String], StockedItem { item, .. }: &StockedItem) -> f32 {
    if wanted.is_empty() {
        return 0.0;
    }
    let text = words(&format!(
        "{} {} {} {}",
        item.titulo, item.autor, item.categoria, item.descripcion
    ));
    let found = wanted.iter().filter(|word| text.contains(word)).count();
    #[expect(clippy::cast_precision_loss, reason = "a message holds few words")]
    let share = found as f32 / wanted.len() as f32;
    share
}

pub(super) fn admits(filters: &Filters, StockedItem { item, .. }: &StockedItem) -> bool {
    let holds = |condition: &Option<String>, field: &str| {
        condition.as_ref().is_none_or(|condition| {
            let field = words(field);
            words(condition).iter().all(|word| field.contains(word))
        })
    };
    holds(&filters.categoria, &item.categoria)
        && holds(&filters.autor, &item.autor)
        && holds(&filters.editorial, &item.editorial)
        && filters.wanted_attributes().admit(&item.details.atributos)
}
