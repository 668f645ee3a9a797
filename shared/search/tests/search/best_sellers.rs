//! The order of what has been sold.

use std::sync::Arc;

use mostrador_core::index::{Index, IndexQuery, Sort};

use crate::{
    library,
    query::{ask, shelf},
};

#[tokio::test]
async fn what_sells_most_comes_in_that_order_alone() {
    let index = shelf().await;
    let all = library::items();
    let of = |author: &str| -> Vec<u64> {
        let of_author = all.iter().filter(|(item, _)| item.autor.contains(author));
        of_author.map(|(item, _)| item.libro_id).collect()
    };
    let marquez = of("Márquez");
    let [first, second] = [*marquez.last().unwrap(), marquez[0]];
    let other = all.iter().map(|(item, _)| item.libro_id);
    let other = other.into_iter().find(|id| !marquez.contains(id)).unwrap();
    let found = async |text: &str, sold: &[u64]| -> Vec<u64> {
        let query = IndexQuery {
            sort: Sort::MostSold,
            sold: Arc::new(sold.iter().copied().zip(0..).collect()),
            ..ask(text)
        };
        let hits = index.search(&query).await.hits.into_iter();
        hits.map(|hit| hit.item.libro_id).collect()
    };
    assert_eq!(found("", &[]).await, [0_u64; 0]);
    assert_eq!(found("", &[first, other]).await.len(), 2);
    assert_eq!(
        found("garcía márquez", &[other, first, second]).await,
        [first, second]
    );
    assert_eq!(found("garcía márquez", &[other]).await, [0_u64; 0]);
}
