//! Live prices over an index that is older than the table.

use std::{ops::Range, sync::Mutex};

use async_trait::async_trait;

use super::*;
use crate::{
    catalogue::{Details, Item},
    ids::ItemId,
    index::{Found, Index, IndexInfo, Source},
    price::Price,
    shop::Profile,
};

fn item(libro_id: u64) -> Item {
    Item {
        libro_id,
        titulo: format!("Tomo {libro_id}"),
        autor: String::new(),
        isbn: String::new(),
        precio: Price::from_minor(1_000),
        categoria: "Tomos".to_owned(),
        editorial: String::new(),
        publicado: None,
        descripcion: String::new(),
        details: Details::default(),
    }
}

/// An index in which everything answers everything, by number.
struct Shelf(IndexInfo);

#[async_trait]
impl Index for Shelf {
    fn info(&self) -> &IndexInfo {
        &self.0
    }

    async fn search(&self, query: &IndexQuery) -> Found {
        let mut items: Vec<Item> = (1..=self.0.items as u64).map(item).collect();
        let place = |item: &Item| query.place(item.libro_id, item.precio, 7, item.publicado);
        items.retain(|item| place(item).is_some());
        items.sort_by_key(place);
        let hits = items.into_iter().map(|item| Hit {
            item,
            stock: 7,
            score: 0.5,
            ranks: None,
        });
        Found {
            facets: None,
            hits: hits.take(query.top_k).collect(),
            source: Source::Vector,
        }
    }

    async fn likeness(&self, _: &str, _: &[&str]) -> Vec<f32> {
        Vec::new()
    }

    fn item(&self, _: u64) -> Option<Hit> {
        None
    }

    fn find_isbn(&self, _: &str) -> Option<u64> {
        None
    }

    fn find_title(&self, _: &str) -> Option<(u64, f32)> {
        None
    }

    fn is_title(&self, _: &str) -> bool {
        false
    }

    fn titles_in(&self, _: &str) -> Vec<(Range<usize>, u64)> {
        Vec::new()
    }
}

#[derive(Clone)]
struct OneShelf(Arc<Shelf>);

#[async_trait]
impl IndexSource for OneShelf {
    async fn current(&self) -> Option<Arc<dyn Index>> {
        Some(self.0.clone())
    }
}

/// A table without some of the items, sold out of others, that fails from one read on.
#[derive(Default)]
struct Table {
    gone: Vec<u64>,
    sold_out: Vec<u64>,
    most_sold: Vec<u64>,
    fails_from: Option<usize>,
    reads: Mutex<Vec<Vec<u64>>>,
}

#[async_trait]
impl Catalogue for Table {
    async fn get(&self, ids: &[u64], _: bool) -> Result<Vec<StockedItem>, CatalogueError> {
        let mut reads = self.reads.lock().unwrap();
        if self.fails_from.is_some_and(|first| reads.len() >= first) {
            return Err(CatalogueError("down".into()));
        }
        reads.push(ids.to_vec());
        let there = ids.iter().rev().filter(|id| !self.gone.contains(id));
        Ok(there
            .map(|id| StockedItem {
                item: item(*id),
                on_hand: if self.sold_out.contains(id) { 0 } else { 2 },
                holds: Vec::new(),
                sold: 0,
                version: 1,
            })
            .collect())
    }

    async fn most_sold(&self, limit: usize) -> Result<Vec<u64>, CatalogueError> {
        Ok(self.most_sold.iter().copied().take(limit).collect())
    }

    async fn find_isbn(&self, _: &str) -> Result<Option<u64>, CatalogueError> {
        Ok(None)
    }

    async fn scan(&self, _: usize) -> Result<Vec<StockedItem>, CatalogueError> {
        Ok(Vec::new())
    }
}

/// Over an index of so many items and a table, in a shop that recommends these.
fn over(items: usize, table: Arc<Table>, picks: &[&str]) -> Retrieval {
    let info = IndexInfo {
        build_id: String::new(),
        items,
        embedder: String::new(),
        built_at: String::new(),
    };
    let shop = Profile {
        picks: picks.iter().filter_map(|id| ItemId::read(id)).collect(),
        ..Profile::default()
    };
    Retrieval {
        index: Arc::new(OneShelf(Arc::new(Shelf(info)))),
        catalogue: table,
        shop: Arc::new(Arc::new(shop)),
    }
}

/// Asks for three available items out of `items`: what is found, with its stock, and what was read.
async fn three(items: usize, table: Table) -> (Vec<(u64, u32)>, Vec<Vec<u64>>, bool) {
    let available = Filters {
        disponible: Some(true),
        ..Filters::default()
    };
    three_of(items, table, available).await
}

async fn three_of(
    items: usize,
    table: Table,
    filters: Filters,
) -> (Vec<(u64, u32)>, Vec<Vec<u64>>, bool) {
    let table = Arc::new(table);
    let retrieval = over(items, table.clone(), &[]);
    let query = IndexQuery {
        text: "tomo".to_owned(),
        filters,
        top_k: 3,
        ..IndexQuery::default()
    };
    let now = OffsetDateTime::UNIX_EPOCH;
    let found = retrieval.search("search_catalog", query, now).await;
    let results = found.results.iter().map(|item| (item.libro_id, item.stock));
    let reads = table.reads.lock().unwrap().clone();
    (results.collect(), reads, found.degraded)
}

#[tokio::test]
async fn one_live_read_where_all_is_there() {
    let (found, reads, degraded) = three(12, Table::default()).await;
    assert_eq!(found, [(1, 2), (2, 2), (3, 2)]);
    assert_eq!(reads, [vec![1, 2, 3, 4, 5]]);
    assert!(!degraded);
}

#[tokio::test]
async fn what_cannot_have_changed_is_read_without_spare_ones() {
    let (found, reads, _) = three_of(12, Table::default(), Filters::default()).await;
    assert_eq!(found, [(1, 2), (2, 2), (3, 2)]);
    assert_eq!(reads, [vec![1, 2, 3]]);
    let table = Table {
        gone: vec![2, 4, 5],
        ..Table::default()
    };
    let (found, reads, _) = three_of(12, table, Filters::default()).await;
    assert_eq!(found, [(1, 2), (3, 2), (6, 2)]);
    assert_eq!(reads, [vec![1, 2, 3], vec![4, 5, 6]]);
}

#[tokio::test]
async fn holes_are_filled_from_further_hits() {
    let table = Table {
        gone: vec![1, 3],
        sold_out: vec![4, 5],
        ..Table::default()
    };
    let (found, reads, degraded) = three(12, table).await;
    assert_eq!(found, [(2, 2), (6, 2), (7, 2)]);
    assert_eq!(reads, [vec![1, 2, 3, 4, 5], vec![6, 7, 8, 9]]);
    assert!(!degraded);

    let table = Table {
        gone: (1..=12).collect(),
        ..Table::default()
    };
    let (found, reads, _) = three(12, table).await;
    assert_eq!(found, []);
    assert_eq!(reads.concat(), (1..=12).collect::<Vec<_>>());
}

#[tokio::test]
async fn what_cannot_be_read_live_comes_from_the_build_and_is_marked() {
    let table = Table {
        gone: vec![1, 2, 4, 5],
        fails_from: Some(1),
        ..Table::default()
    };
    let (found, _, degraded) = three(12, table).await;
    assert_eq!(found, [(3, 2), (6, 7), (7, 7)]);
    assert!(degraded);
}

/// What is recommended to a message that is routed so: the items, why, and the warnings.
async fn recommended(
    retrieval: &Retrieval,
    route: &Route,
    message: &str,
) -> (Vec<u64>, Option<Recommended>, usize) {
    let now = OffsetDateTime::UNIX_EPOCH;
    let found = retrieval.run(route, message, 3, true, false, now).await;
    let items = found.results.iter().map(|item| item.libro_id).collect();
    (items, found.recommended, found.warnings.len())
}

#[tokio::test]
async fn what_the_shop_recommends_comes_in_its_order_and_in_stock_first() {
    let table = Table {
        gone: vec![9],
        sold_out: vec![4],
        ..Table::default()
    };
    let retrieval = over(6, Arc::new(table), &["4", "9", "6", "2", "5"]);
    let (picks, varied) = (Some(Recommended::Picks), Some(Recommended::Varied));
    let message = "¿qué me recomiendas?";
    let first = recommended(&retrieval, &Route::Search, message).await;
    assert_eq!(first, (vec![6, 2, 5], picks, 1));
    let more = |seen: &[u64]| Route::More {
        text: message.to_owned(),
        filters: Filters::default(),
        sort: Sort::default(),
        seen: seen.to_vec(),
    };
    let second = recommended(&retrieval, &more(&[6, 2, 5]), "otro").await;
    assert_eq!(second, (vec![4], picks, 1));
    let third = recommended(&retrieval, &more(&[6, 2, 5, 4]), "otro").await;
    assert_eq!(third, (vec![1, 3], varied, 1));
    let dear = Route::Filter {
        filters: Filters {
            precio_min: Some(Price::from_minor(2_000)),
            ..Filters::default()
        },
        text: "recomiendame algo".to_owned(),
        sort: Sort::default(),
        warnings: Vec::new(),
    };
    let none = recommended(&retrieval, &dear, "recomiéndame algo").await;
    assert_eq!(none, (vec![], varied, 1));
}

#[tokio::test]
async fn a_shop_that_recommends_nothing_shows_what_it_has() {
    let table = Table {
        sold_out: vec![1],
        ..Table::default()
    };
    let retrieval = over(6, Arc::new(table), &[]);
    let found = recommended(&retrieval, &Route::Search, "surprise me").await;
    assert_eq!(found, (vec![2, 3, 4], Some(Recommended::Varied), 0));
    let table = Table {
        fails_from: Some(0),
        ..Table::default()
    };
    let retrieval = over(6, Arc::new(table), &["5"]);
    let found = recommended(&retrieval, &Route::Search, "surprise me").await;
    // Of the build, which is said.
    assert_eq!(found, (vec![1, 2, 3], Some(Recommended::Varied), 1));
}

#[tokio::test]
async fn a_kind_is_looked_for_with_the_picks_of_it_first() {
    let retrieval = over(6, Arc::new(Table::default()), &["5", "2"]);
    for (message, expected) in [
        ("¿qué me recomiendas de tomos?", vec![5, 2, 1]),
        ("tomos", vec![1, 2, 3]),
        ("recomiéndame tomos viejos", vec![1, 2, 3]),
    ] {
        let (found, ..) = recommended(&retrieval, &Route::Search, message).await;
        assert_eq!(found, expected, "{message}");
    }
}

/// What a request for best sellers is answered with, among six items of which some have been sold.
async fn best_of(most_sold: &[u64], message: &str) -> (Vec<u64>, Sort, Option<&'static str>) {
    let table = Table {
        most_sold: most_sold.to_vec(),
        sold_out: vec![2],
        ..Table::default()
    };
    let retrieval = over(6, Arc::new(table), &["3"]);
    let route = crate::understand::route(message, "EUR");
    let now = OffsetDateTime::UNIX_EPOCH;
    let found = retrieval.run(&route, message, 3, true, false, now).await;
    let items = found.results.iter().map(|item| item.libro_id).collect();
    (items, found.sort, found.error)
}

#[tokio::test]
async fn what_sells_most_comes_first_and_what_has_not_been_sold_does_not_come() {
    for message in [
        "los más vendidos",
        "what's popular?",
        "recomiéndame los tomos más vendidos",
        "os mais vendidos",
    ] {
        let found = best_of(&[5, 2, 4, 6], message).await;
        assert_eq!(found, (vec![5, 4, 2], Sort::MostSold, None), "{message}");
    }
    let one = best_of(&[4], "best sellers").await;
    assert_eq!(one, (vec![4], Sort::MostSold, None));
}

#[tokio::test]
async fn where_nothing_has_been_sold_the_shop_says_so_and_recommends() {
    for (message, expected) in [
        ("los más vendidos", vec![3]),
        ("los tomos más vendidos", vec![3, 1, 2]),
        ("los más vendidos por más de 50 euros", vec![]),
    ] {
        let found = best_of(&[], message).await;
        let expected = (expected, Sort::Relevance, Some(NOTHING_SOLD));
        assert_eq!(found, expected, "{message}");
    }
}
