//! From a question to items with live prices: the read-only tools.

mod asked;
mod best_sellers;
mod floor;
mod found;
mod lookup;
mod recommended;
mod scan;

use std::sync::Arc;

use time::OffsetDateTime;

use asked::all_asked_for;
use best_sellers::without_sales;
pub(crate) use found::Priced;
pub use found::Retrieved;
use found::source_of;
pub(crate) use recommended::Recommended;

use crate::{
    catalogue::{Catalogue, CatalogueError, ItemResult, StockedItem},
    chain::Chain,
    index::{Facets, Filters, Hit, IndexQuery, IndexSource, Sort},
    isbn,
    language::List,
    shop::ProfileSource,
    text::words,
    understand::{Exclusion, Route, only_asks, only_recommends, recommends},
};

/// Results given when nothing else is asked for.
pub(crate) const TOP_K: usize = 5;
/// Most results given.
pub(crate) const TOP_K_MAX: usize = 20;

/// Where items are looked for.
#[derive(Clone)]
pub struct Retrieval {
    pub index: Arc<dyn IndexSource>,
    pub catalogue: Arc<dyn Catalogue>,
    /// What else its categories are called.
    pub shop: Arc<dyn ProfileSource>,
}

/// The code of a search that says nothing of what is looked for: "recomiéndame algo".
pub(crate) const NOTHING_SAID: &str = "nothing_said";
/// The code of a search for what sells most, where nothing that fits has been sold: what is recommended comes in its place.
pub(crate) const NOTHING_SOLD: &str = "nothing_sold";
/// The code of a search for more than there is.
pub(crate) const NO_MORE: &str = "no_more";

/// Most catalogue items looked through when there is no index.
const SCAN_LIMIT: usize = 2_000;
/// Further hits asked of the index, so that items sold out or gone since the build leave no holes.
const SPARE_HITS: usize = 10;
/// How many of them are read with the first ones where an item may no longer fit: each costs half a read unit, and a hole without
/// them another round trip.
const SPARE_READS: usize = 2;
/// Further results asked for where some are to be left out.
const LEFT_OUT: usize = 20;
/// Share of a title's words that a text must hold to name that item.
const TITLE_NAMED: f32 = 0.6;

impl Retrieval {
    /// Runs the tool `route` names.
    pub async fn run(
        &self,
        route: &Route,
        message: &str,
        top_k: usize,
        prefer_vector: bool,
        explain: bool,
        now: OffsetDateTime,
    ) -> Retrieved {
        let query = |text: &str, filters: Filters| IndexQuery {
            text: text.to_owned(),
            filters,
            top_k,
            prefer_vector,
            explain,
            ..IndexQuery::default()
        };
        match route {
            Route::LookupId(_) | Route::LookupIds(_) | Route::LookupIsbn(_) => {
                let ids = match route {
                    Route::LookupId(id) => vec![*id],
                    Route::LookupIds(ids) => ids.clone(),
                    Route::LookupIsbn(digits) => match isbn::normalise(digits) {
                        Some(isbn) => self.find_isbn(&isbn).await.into_iter().collect(),
                        None => Vec::new(),
                    },
                    _ => Vec::new(),
                };
                match self.lookup(&ids, now).await {
                    Some(found) => found,
                    None => {
                        self.instead_of("lookup_book", query(message, Filters::default()), now)
                            .await
                    }
                }
            }
            Route::Filter {
                filters,
                text,
                sort,
                warnings,
            } => {
                if !sort.is_relevance() && self.is_title(message).await {
                    let query = query(message, Filters::default());
                    return self.search("search_catalog", query, now).await;
                }
                let query = IndexQuery {
                    sort: *sort,
                    ..query(text, filters.clone())
                };
                let mut found = self.listed("filter_catalog", query, &[], now).await;
                found.degraded |= !warnings.is_empty();
                found.warnings.extend(warnings.iter().cloned());
                found
            }
            Route::SimilarToId(id) => self.similar(*id, top_k, prefer_vector, now).await,
            Route::SimilarToTitle(title) => match self.named_by(title).await {
                Some(id) => self.similar(id, top_k, prefer_vector, now).await,
                None => {
                    self.instead_of("recommend_similar", query(title, Filters::default()), now)
                        .await
                }
            },
            Route::More {
                text,
                filters,
                sort,
                seen,
            } => {
                let wanted = IndexQuery {
                    top_k: top_k + seen.len(),
                    sort: *sort,
                    ..query(text, filters.clone())
                };
                let mut found = self.listed("search_catalog", wanted, seen, now).await;
                found.results.retain(|item| !seen.contains(&item.libro_id));
                found.results.truncate(top_k);
                if found.results.is_empty() && matches!(found.error, None | Some(NOTHING_SOLD)) {
                    found.error = Some(NO_MORE);
                }
                found
            }
            Route::Search => {
                let whole = query(message, Filters::default());
                if only_recommends(message) && !self.is_title(message).await {
                    return self.recommended("search_catalog", whole, &[], now).await;
                }
                if let Some(exclusion) = Exclusion::of_choice(message) {
                    return self.recommended_without(exclusion, whole, now).await;
                }
                let mut found = self.search("search_catalog", whole.clone(), now).await;
                if found.results.is_empty() && found.error.is_none() && only_asks(message) {
                    found.error = Some(NOTHING_SAID);
                }
                // "I'm bored, recommend me something."
                if found.results.is_empty() && found.error.is_none() && recommends(message) {
                    return self.recommended("search_catalog", whole, &[], now).await;
                }
                let found = match Exclusion::in_text(message) {
                    Some(exclusion) => found.without_name(&exclusion.kept),
                    None => found.alone_by_title(message).without_name(message),
                };
                let mut found = match recommends(message) {
                    true => self.picks_first(found, message, now).await,
                    false => found,
                };
                // Who says for whom wants what can be had.
                let shop = self.shop.current().await;
                if recommends(message) || shop.kinds.for_age(message).is_some() {
                    found.results.sort_by_key(|item| item.stock == 0);
                }
                found
            }
        }
    }

    /// What sells most, what the shop recommends, or what is found: whichever of them a query asks for.
    async fn listed(
        &self,
        tool: &'static str,
        query: IndexQuery,
        seen: &[u64],
        now: OffsetDateTime,
    ) -> Retrieved {
        match query.sort {
            Sort::MostSold => self.best_sellers(tool, query, seen, now).await,
            Sort::Relevance if only_recommends(&query.text) => {
                self.recommended(tool, query, seen, now).await
            }
            Sort::Relevance | Sort::PriceAsc | Sort::PriceDesc | Sort::Newest | Sort::Oldest => {
                self.search(tool, query, now).await
            }
        }
    }

    /// Searches by text, filters or neighbourhood. A text that is an ISBN finds its item.
    pub async fn search(
        &self,
        tool: &'static str,
        query: IndexQuery,
        now: OffsetDateTime,
    ) -> Retrieved {
        if query.filters.is_empty()
            && query.similar_to.is_none()
            && let Some(isbn) = isbn::normalise(&query.text)
        {
            let id = self.find_isbn(&isbn).await;
            if let Some(found) = self.lookup(id.as_slice(), now).await {
                let facets = query.facets.then(|| facets_of(&found.results));
                return Retrieved {
                    tool,
                    facets,
                    ..found
                };
            }
        }
        let exclusion = match Exclusion::in_text(&query.text) {
            Some(exclusion) if !self.is_title(&query.text).await => Some(exclusion),
            _ => None,
        };
        let Some(exclusion) = exclusion else {
            return self.search_whole(tool, query, now).await;
        };
        let shop = self.shop.current().await;
        let exclusion = exclusion.with_kinds(|name| shop.kinds.in_own_words(name));
        let top_k = query.top_k;
        let query = IndexQuery {
            text: exclusion.kept.clone(),
            top_k: top_k + LEFT_OUT,
            ..query
        };
        let mut found = self.search_whole(tool, query, now).await;
        found.results.retain(|item| !exclusion.leaves_out(item));
        found.results.truncate(top_k);
        found
    }

    /// The same of a text that leaves nothing out.
    async fn search_whole(
        &self,
        tool: &'static str,
        query: IndexQuery,
        now: OffsetDateTime,
    ) -> Retrieved {
        let query = match self.with_sales(query).await {
            Ok(query) => query,
            Err(error) => return without_sales(tool, &error),
        };
        let Some(index) = self.index.current().await else {
            return self.scan(tool, &query, now).await;
        };
        let shop = self.shop.current().await;
        // "Essays under 10 euros, cheapest first" are all of those, whatever has such a title.
        let is_bounded = !query.sort.is_relevance() || query.filters.are_live();
        let may_be_of_kind = is_bounded && query.filters.categoria.is_none();
        let kind = match may_be_of_kind && query.similar_to.is_none() {
            true => shop.kinds.of_clause(&query.text),
            false => None,
        };
        let is_of_kind = kind.is_some();
        let query = match kind {
            Some((kind, rest)) => IndexQuery {
                text: match List::beside(&List::SMALL, &words(&rest))[..] {
                    [] => String::new(),
                    _ => rest,
                },
                filters: Filters {
                    categoria: Some(kind.to_owned()),
                    ..query.filters
                },
                ..query
            },
            None => query,
        };
        let own = match query.similar_to {
            None => shop.kinds.in_own_words(&query.text),
            Some(_) => None,
        };
        // "Memoirs" may be a title, too.
        let is_whole_title = own.is_some() && self.is_title(&query.text).await;
        let own = own.filter(|_| !is_whole_title);
        // Who is eight is given no book for those who are grown up.
        let for_age = shop.kinds.for_age(&query.text);
        let for_age = for_age.filter(|_| own.is_some() && query.filters.categoria.is_none());
        let wanted = IndexQuery {
            top_k: query.top_k + SPARE_HITS,
            text: own.unwrap_or(query.text),
            filters: Filters {
                categoria: for_age
                    .map(str::to_owned)
                    .or(query.filters.categoria.clone()),
                ..query.filters
            },
            ..query
        };
        let mut found = index.search(&wanted).await;
        if found.hits.is_empty() && is_of_kind && !wanted.text.is_empty() {
            // What else is said tells nothing of it: "Marvellous. Could you show me fantasy under 18 euros?"
            let of_kind = IndexQuery {
                text: String::new(),
                ..wanted.clone()
            };
            found = index.search(&of_kind).await;
        }
        // Of those that are all that was asked for, what can be had comes first; and so it does of what the shop recommends.
        let are_alike =
            wanted.similar_to.is_some() || (!wanted.filters.is_empty() && wanted.text.is_empty());
        let mut alike = are_alike.then(|| wanted.filters.clone());
        if let Some(filters) = all_asked_for(&wanted, &found.hits) {
            // In an order, all of them count, and not only those that the words are nearest to.
            let text = match wanted.sort.is_relevance() {
                true => wanted.text.clone(),
                false => String::new(),
            };
            let of_them = IndexQuery {
                filters: filters.clone(),
                text,
                ..wanted.clone()
            };
            let narrower = index.search(&of_them).await;
            // "Cuentos, Rodari" is a book for children.
            if !narrower.hits.is_empty() {
                found = narrower;
                alike = Some(filters);
            }
        }
        let mut retrieved = Retrieved {
            build_id: Some(index.info().build_id.clone()),
            facets: found.facets,
            sort: query.sort,
            ..Retrieved::nothing(tool, found.source)
        };
        let mut spare = if wanted.filters.are_live() {
            SPARE_READS
        } else {
            0
        };
        // An order has a place for what is sold out by itself.
        let alike = alike.filter(|_| query.sort.is_relevance());
        let mut hits = found.hits;
        hits.sort_by_key(|hit| among_alike(alike.as_ref(), &hit.item.categoria, hit.stock));
        retrieved.ranks = hits
            .iter()
            .filter_map(|hit| Some((hit.item.libro_id, hit.ranks?)))
            .collect();
        while !hits.is_empty() && retrieved.results.len() < query.top_k {
            let missing = query.top_k - retrieved.results.len();
            let later = hits.split_off(hits.len().min(missing + spare));
            // Once some are missing more may be, and each further read is a round trip.
            spare = SPARE_READS;
            let filters = &wanted.filters;
            self.take_live(hits, filters, now, &mut retrieved).await;
            if retrieved.degraded {
                break;
            }
            hits = later;
        }
        retrieved.results.truncate(query.top_k);
        in_order(&mut retrieved.results, query.sort);
        // As it is now, and not as it was when the index was built.
        let results = &mut retrieved.results;
        results.sort_by_key(|item| among_alike(alike.as_ref(), &item.categoria, item.stock));
        retrieved
    }

    /// The item's neighbours, never the item itself.
    pub async fn similar(
        &self,
        libro_id: u64,
        top_k: usize,
        prefer_vector: bool,
        now: OffsetDateTime,
    ) -> Retrieved {
        let query = IndexQuery {
            similar_to: Some(libro_id),
            top_k,
            prefer_vector,
            ..IndexQuery::default()
        };
        self.search("recommend_similar", query, now).await
    }

    /// Adds the items of `hits` as they are now; or as they were when the index was built, where that cannot be read.
    async fn take_live(
        &self,
        hits: Vec<Hit>,
        filters: &Filters,
        now: OffsetDateTime,
        found: &mut Retrieved,
    ) {
        match self.live(&hits, filters, now).await {
            Ok(results) => found.results.extend(results),
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "live prices could not be read");
                found.degraded = true;
                found.warnings.push(SNAPSHOT_WARNING.into());
                found.results.extend(hits.into_iter().map(from_snapshot));
            }
        }
    }

    /// The items of `hits` as they are now, in the same order, without those that are gone or no longer fit.
    async fn live(
        &self,
        hits: &[Hit],
        filters: &Filters,
        now: OffsetDateTime,
    ) -> Result<Vec<ItemResult>, CatalogueError> {
        let ids: Vec<u64> = hits.iter().map(|hit| hit.item.libro_id).collect();
        let mut live = self.catalogue.get(&ids, false).await?;
        let results = hits.iter().filter_map(|hit| {
            let same = |stocked: &StockedItem| stocked.item.libro_id == hit.item.libro_id;
            let stocked = live.swap_remove(live.iter().position(same)?);
            let stock = stocked.available(now);
            let fits = filters.admit_live(stocked.item.precio, stock);
            fits.then(|| ItemResult::new(stocked.item, stock, Some(hit.score)))
        });
        Ok(results.collect())
    }

    /// What a tool asked for is not there: a search for the same words, marked.
    async fn instead_of(
        &self,
        tool: &'static str,
        query: IndexQuery,
        now: OffsetDateTime,
    ) -> Retrieved {
        let found = self.search(tool, query, now).await;
        Retrieved {
            tool,
            error: Some("book_not_found"),
            degraded: true,
            ..found
        }
    }
}

pub(crate) const SNAPSHOT_WARNING: &str =
    "Live price and stock could not be read; they are those of the index build";

fn facets_of<'a>(found: impl IntoIterator<Item = &'a ItemResult>) -> Facets {
    let found: Vec<&ItemResult> = found.into_iter().collect();
    let named = found.iter();
    Facets::of(named.map(|item| (item.categoria.as_str(), item.autor.as_str())))
        .with_attributes(found.iter().map(|item| item.details.atributos.clone()))
}

/// Where an item stands among others that are all what was asked for by some filters: behind those that can be had, and behind those of the
/// very kind, where its own kind only has that in its name.
fn among_alike(asked: Option<&Filters>, categoria: &str, stock: u32) -> Option<(bool, bool)> {
    let kind = asked?.categoria.as_ref();
    let is_other = kind.is_some_and(|kind| words(kind) != words(categoria));
    Some((is_other, stock == 0))
}

/// Puts items into an order by what they cost and have now.
fn in_order(items: &mut [ItemResult], sort: Sort) {
    items.sort_by_key(|item| sort.place(item.precio, item.stock, item.publicado));
}

fn from_snapshot(hit: Hit) -> ItemResult {
    ItemResult::new(hit.item, hit.stock, Some(hit.score))
}

#[cfg(test)]
mod tests;
