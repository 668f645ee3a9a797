//! What sells most, counted from orders.

use std::sync::Arc;

use time::OffsetDateTime;

use super::{NOTHING_SOLD, Retrieval, Retrieved};
use crate::{
    catalogue::CatalogueError,
    chain::Chain,
    index::{IndexQuery, Sort, Source},
    understand::beside_recommending,
};

/// Best sellers that are looked through for those that fit: their keys alone are read, at three read units.
const SOLD_LIMIT: usize = 1_000;

impl Retrieval {
    /// What sells most of what `query` asks for; where nothing of that has been sold, what the shop recommends of it, but for those of
    /// `seen`.
    pub(super) async fn best_sellers(
        &self,
        tool: &'static str,
        query: IndexQuery,
        seen: &[u64],
        now: OffsetDateTime,
    ) -> Retrieved {
        let is_of_all = beside_recommending(&query.text).is_empty();
        let query = IndexQuery {
            text: if is_of_all { String::new() } else { query.text },
            ..query
        };
        let found = self.search(tool, query.clone(), now).await;
        if !found.results.is_empty() || found.error.is_some() {
            return found;
        }
        let query = IndexQuery {
            sort: Sort::Relevance,
            ..query
        };
        let text = query.text.clone();
        let found = match is_of_all {
            true => self.recommended(tool, query, seen, now).await,
            false => {
                let found = self.search(tool, query, now).await;
                self.picks_first(found, &text, now).await
            }
        };
        Retrieved {
            error: found.error.or(Some(NOTHING_SOLD)),
            ..found
        }
    }

    /// A query with what has been sold, where it asks for that.
    pub(super) async fn with_sales(&self, query: IndexQuery) -> Result<IndexQuery, CatalogueError> {
        if query.sort != Sort::MostSold {
            return Ok(query);
        }
        let sold = self.catalogue.most_sold(SOLD_LIMIT).await?;
        Ok(IndexQuery {
            sold: Arc::new(sold.into_iter().zip(0..).collect()),
            ..query
        })
    }
}

/// Nothing, since what has been sold could not be read.
pub(super) fn without_sales(tool: &'static str, error: &CatalogueError) -> Retrieved {
    tracing::warn!(error = %Chain(error), "what sells most could not be read");
    Retrieved {
        error: Some("unavailable"),
        degraded: true,
        warnings: vec!["What sells most could not be read".into()],
        ..Retrieved::nothing(tool, Source::Catalogue)
    }
}
