//! Items by their number, their ISBN or their title.

use time::OffsetDateTime;

use super::{
    Retrieval, Retrieved, SCAN_LIMIT, SNAPSHOT_WARNING, TITLE_NAMED, from_snapshot, source_of,
};
use crate::{
    catalogue::{ItemResult, StockedItem},
    chain::Chain,
    text::{fold, place_of, words},
};

impl Retrieval {
    /// Items by number, in that order: live, or from the index where the table cannot be reached. Nothing where none is there.
    pub(super) async fn lookup(&self, ids: &[u64], now: OffsetDateTime) -> Option<Retrieved> {
        if ids.is_empty() {
            return None;
        }
        let index = self.index.current().await;
        let (results, degraded): (Vec<_>, _) = match self.catalogue.get(ids, false).await {
            Ok(items) => {
                let at = |id: &u64| items.iter().find(|stocked| stocked.item.libro_id == *id);
                let result = |stocked: &StockedItem| {
                    ItemResult::new(stocked.item.clone(), stocked.available(now), None)
                };
                (ids.iter().filter_map(at).map(result).collect(), false)
            }
            Err(error) => {
                tracing::warn!(
                    error = %Chain(&error),
                    "items could not be read live"
                );
                let of_index = |id: &u64| {
                    let hit = index.as_ref()?.item(*id)?;
                    Some(ItemResult {
                        score: None,
                        ..from_snapshot(hit)
                    })
                };
                (ids.iter().filter_map(of_index).collect(), true)
            }
        };
        let source = source_of(index.as_ref());
        (!results.is_empty()).then(|| Retrieved {
            results,
            degraded,
            warnings: if degraded {
                vec![SNAPSHOT_WARNING.into()]
            } else {
                Vec::new()
            },
            build_id: index.map(|index| index.info().build_id.clone()),
            ..Retrieved::nothing("lookup_book", source)
        })
    }

    pub(super) async fn find_isbn(&self, isbn: &str) -> Option<u64> {
        if let Some(id) = self
            .index
            .current()
            .await
            .and_then(|index| index.find_isbn(isbn))
        {
            return Some(id);
        }
        // Not in the index: perhaps newer than its build.
        self.catalogue
            .find_isbn(isbn)
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(
                    error = %Chain(&error),
                    "an ISBN could not be looked up"
                );
                None
            })
    }

    pub(super) async fn find_title(&self, title: &str) -> Option<u64> {
        match self.index.current().await {
            Some(index) => index
                .find_title(title)
                .filter(|(_, share)| *share >= TITLE_NAMED)
                .map(|(id, _)| id),
            None => {
                let wanted = fold(title);
                let items = self.catalogue.scan(SCAN_LIMIT).await.ok()?;
                items
                    .into_iter()
                    .find(|stocked| stocked.item.titles().any(|title| fold(title) == wanted))
                    .map(|stocked| stocked.item.libro_id)
            }
        }
    }

    /// Whether a text is a title and nothing else: "The Latest" asks for no order.
    pub(crate) async fn is_title(&self, text: &str) -> bool {
        let index = self.index.current().await;
        let named = index.as_ref().and_then(|index| {
            let (id, _) = index.find_title(text)?;
            index.item(id)
        });
        named.is_some_and(|hit| hit.item.titles().any(|title| words(title) == words(text)))
    }

    /// Whether a message has a whole title of several words in it: "then add The Last Unicorn"; `named` is the message without what asks
    /// for it.
    pub(crate) async fn names_title(&self, message: &str, named: &str) -> bool {
        self.is_title(message).await || self.titled(message, named, 2).await.is_some()
    }

    /// The item whose whole title is in a message, where that has so many words.
    pub(crate) async fn titled(&self, message: &str, named: &str, least: usize) -> Option<u64> {
        let index = self.index.current().await?;
        let (id, _) = index.find_title(named)?;
        let said = words(message);
        let hit = index.item(id)?;
        let mut titles = hit.item.titles().map(words);
        let is_said =
            |title: Vec<String>| title.len() >= least && place_of(&title, &said).is_some();
        titles.any(is_said).then_some(id)
    }
}
