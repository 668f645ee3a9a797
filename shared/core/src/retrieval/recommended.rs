//! What the shop recommends: its own picks, or a little of everything.

use time::OffsetDateTime;

use super::{
    LEFT_OUT, Retrieval, Retrieved, SCAN_LIMIT, SPARE_READS, found::source_of, scan::admits,
};
use crate::{
    catalogue::{CatalogueError, ItemResult},
    chain::Chain,
    ids::ItemId,
    index::{Filters, IndexQuery, Sort},
    text::{is_same, words},
    understand::{Exclusion, beside_recommending},
};

/// Why these items are recommended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recommended {
    /// The shop's profile names them.
    Picks,
    /// They differ, and there are copies of them.
    Varied,
}

/// So many of what is newest are looked at for different ones.
const NEWEST: usize = 200;

/// The shop's picks that fit.
#[derive(Default)]
struct Picks {
    /// In the profile's order, those that are in stock first.
    results: Vec<ItemResult>,
    /// What of them is not in the catalogue.
    warnings: Vec<String>,
}

impl Retrieval {
    /// The shop's picks that meet the conditions of `query`, but for those of `seen`; a little of everything where there are none.
    pub(super) async fn recommended(
        &self,
        tool: &'static str,
        query: IndexQuery,
        seen: &[u64],
        now: OffsetDateTime,
    ) -> Retrieved {
        let index = self.index.current().await;
        let mut found = Retrieved {
            build_id: index.as_ref().map(|index| index.info().build_id.clone()),
            recommended: Some(Recommended::Picks),
            ..Retrieved::nothing(tool, source_of(index.as_ref()))
        };
        match self.picks(&query.filters, now).await {
            Ok(picks) => {
                found.results = picks.results;
                found.warnings = picks.warnings;
            }
            // There may be something of the index's build.
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "the shop's picks could not be read");
            }
        }
        found.results.retain(|item| !seen.contains(&item.libro_id));
        found.results.truncate(query.top_k);
        if !found.results.is_empty() {
            return found;
        }
        let varied = self.varied(tool, query, seen, now).await;
        let warnings = [found.warnings, varied.warnings].concat();
        Retrieved {
            warnings,
            build_id: found.build_id,
            recommended: Some(Recommended::Varied),
            ..varied
        }
    }

    /// The same without what is left out.
    pub(super) async fn recommended_without(
        &self,
        exclusion: Exclusion,
        query: IndexQuery,
        now: OffsetDateTime,
    ) -> Retrieved {
        let shop = self.shop.current().await;
        let exclusion = exclusion.with_kinds(|name| shop.kinds.in_own_words(name));
        let top_k = query.top_k;
        let query = IndexQuery {
            top_k: top_k + LEFT_OUT,
            ..query
        };
        let mut found = self.recommended("search_catalog", query, &[], now).await;
        found.results.retain(|item| !exclusion.leaves_out(item));
        found.results.truncate(top_k);
        found
    }

    /// What was found, with the shop's picks of its kind first where a message asks for that kind and nothing else: "¿qué me recomiendas
    /// de poesía?"
    pub(super) async fn picks_first(
        &self,
        mut found: Retrieved,
        message: &str,
        now: OffsetDateTime,
    ) -> Retrieved {
        let Some(kind) = found.results.first().map(|item| item.categoria.clone()) else {
            return found;
        };
        let shop = self.shop.current().await;
        let own = shop.kinds.in_own_words(message);
        let wanted = beside_recommending(own.as_deref().unwrap_or(message));
        let named = words(&kind);
        let is_named = |word: &String| named.iter().any(|own| is_same(own, word));
        let is_of_kind = found.results.iter().all(|item| item.categoria == kind);
        if wanted.is_empty() || !wanted.iter().all(is_named) || !is_of_kind {
            return found;
        }
        let filters = Filters {
            categoria: Some(kind.clone()),
            disponible: Some(true),
            ..Filters::default()
        };
        let Ok(mut picks) = self.picks(&filters, now).await else {
            return found;
        };
        let top_k = found.results.len();
        picks.results.retain(|pick| pick.categoria == kind);
        found.results.retain(|item| {
            let mut picks = picks.results.iter();
            picks.all(|pick| pick.libro_id != item.libro_id)
        });
        found.results.splice(0..0, picks.results);
        found.results.truncate(top_k);
        found
    }

    /// The shop's picks that meet some conditions.
    async fn picks(&self, filters: &Filters, now: OffsetDateTime) -> Result<Picks, CatalogueError> {
        let shop = self.shop.current().await;
        let ids: Vec<u64> = shop.picks.iter().map(ItemId::number).collect();
        if ids.is_empty() {
            return Ok(Picks::default());
        }
        let mut sold = self.catalogue.get(&ids, false).await?;
        let mut picks = Picks::default();
        for pick in &shop.picks {
            let number = pick.number();
            let place = sold.iter().position(|sold| sold.item.libro_id == number);
            let Some(stocked) = place.map(|place| sold.swap_remove(place)) else {
                let warning = format!("The shop recommends {pick}, which is not in the catalogue");
                picks.warnings.push(warning);
                continue;
            };
            let stock = stocked.available(now);
            if admits(filters, &stocked) && filters.admit_live(stocked.item.precio, stock) {
                picks
                    .results
                    .push(ItemResult::new(stocked.item, stock, None));
            }
        }
        picks.results.sort_by_key(|item| item.stock == 0);
        Ok(picks)
    }

    /// Of what there are copies of and meets the conditions, different ones, the newest first.
    async fn varied(
        &self,
        tool: &'static str,
        query: IndexQuery,
        seen: &[u64],
        now: OffsetDateTime,
    ) -> Retrieved {
        let top_k = query.top_k;
        let is_unseen = |item: u64| !seen.contains(&item);
        let wanted = IndexQuery {
            text: String::new(),
            filters: Filters {
                disponible: query.filters.disponible.or(Some(true)),
                ..query.filters
            },
            sort: Sort::Newest,
            top_k: NEWEST + seen.len(),
            ..query
        };
        let Some(index) = self.index.current().await else {
            let all = IndexQuery {
                top_k: SCAN_LIMIT,
                ..wanted
            };
            let mut found = self.scan(tool, &all, now).await;
            found.results.retain(|item| is_unseen(item.libro_id));
            found.results = different(found.results, top_k, |item| [&item.categoria, &item.autor]);
            return found;
        };
        let found = index.search(&wanted).await;
        let mut retrieved = Retrieved::nothing(tool, found.source);
        let mut hits = found.hits;
        hits.retain(|hit| is_unseen(hit.item.libro_id));
        let hits = different(hits, top_k + SPARE_READS, |hit| {
            [&hit.item.categoria, &hit.item.autor]
        });
        let filters = &wanted.filters;
        self.take_live(hits, filters, now, &mut retrieved).await;
        retrieved.results.truncate(top_k);
        retrieved
    }
}

/// So many of some items that differ: the next is always one of those whose category, and then whose maker, is there least often.
fn different<T>(
    mut items: Vec<T>,
    count: usize,
    category_and_maker: impl Fn(&T) -> [&String; 2],
) -> Vec<T> {
    let mut chosen: Vec<T> = Vec::new();
    while chosen.len() < count {
        let alike = |item: &T| {
            let own = category_and_maker(item);
            [0, 1].map(|at| {
                let others = chosen.iter().map(|other| category_and_maker(other)[at]);
                others
                    .filter(|other| !other.is_empty() && *other == own[at])
                    .count()
            })
        };
        let next = (0..items.len()).min_by_key(|&at| alike(&items[at]));
        let Some(next) = next else { break };
        chosen.push(items.remove(next));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_each_category_by_different_makers() {
        let all = [
            ("Poesía", "Lorca"),
            ("Poesía", "Neruda"),
            ("Teatro", "Lorca"),
            ("Teatro", "Lope"),
            ("", "Lorca"),
            ("Teatro", "Mihura"),
        ];
        let items = all.map(|(category, maker)| (category.to_owned(), maker.to_owned()));
        let chosen = different(items.to_vec(), 5, |(category, maker)| [category, maker]);
        let chosen: Vec<_> = chosen
            .iter()
            .map(|(c, m)| (c.as_str(), m.as_str()))
            .collect();
        let expected = [
            ("Poesía", "Lorca"),
            ("Teatro", "Lope"),
            ("", "Lorca"),
            ("Poesía", "Neruda"),
            ("Teatro", "Mihura"),
        ];
        assert_eq!(chosen, expected);
        assert_eq!(different(items.to_vec(), 9, |(c, m)| [c, m]).len(), 6);
    }
}
