//! From a change of the catalogue to a published index, on the embedded engine, with a service that embeds.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use mostrador_core::{
    catalogue::{Details, Item},
    index::IndexSource,
    price::Price,
};
use mostrador_dynamodb::{DynamoCatalogue, Tables, connect, create_tables, import};
use mostrador_engine::Engine;
use mostrador_reindex::{Deps, ReindexError, changes::Event, handle, reindex};
use mostrador_search::{
    embedder::{EmbedError, Embedder, EmbedderIdentity, Purpose},
    load::Loader,
    store::MemoryStore,
};
use serde_json::json;
use time::{Duration, OffsetDateTime};

/// A vector of two numbers for each text, and a count of the texts.
struct Counting {
    identity: EmbedderIdentity,
    texts: AtomicUsize,
}

#[async_trait]
impl Embedder for Counting {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.texts.fetch_add(texts.len(), Ordering::SeqCst);
        Ok(texts.iter().map(|_| vec![0.6, 0.8]).collect())
    }
}

fn item(libro_id: u64) -> (Item, u32) {
    let item = Item {
        libro_id,
        titulo: format!("Libro {libro_id}"),
        autor: "Nadie".to_owned(),
        isbn: String::new(),
        precio: Price::from_minor(900),
        categoria: "Novela".to_owned(),
        editorial: String::new(),
        publicado: None,
        descripcion: format!("Lo que pasó {libro_id} veces."),
        details: Details::default(),
    };
    (item, 1)
}

#[tokio::test]
async fn a_change_is_built_and_published_once_and_paid_for_once() {
    let engine = Engine::in_memory().unwrap();
    let client = connect(&engine.configuration().await);
    let tables = Tables::default();
    create_tables(&client, &tables).await.unwrap();
    let catalogue = DynamoCatalogue::new(client, &tables.catalogue);
    let embedder = Arc::new(Counting {
        identity: EmbedderIdentity {
            name: "counting".to_owned(),
            dimensions: 2,
            sha256: "counting".to_owned(),
        },
        texts: AtomicUsize::new(0),
    });
    let store = Arc::new(MemoryStore::default());
    let deps = Deps {
        catalogue: catalogue.clone(),
        store: store.clone(),
        embedder: Some(embedder.clone()),
    };
    let paid = || embedder.texts.swap(0, Ordering::SeqCst);
    let now = OffsetDateTime::now_utc();
    let change = |at: OffsetDateTime| -> Event {
        let record = json!({"dynamodb": {"ApproximateCreationDateTime": at.unix_timestamp(), "NewImage": {}}});
        serde_json::from_value(json!({"Records": [record]})).unwrap()
    };

    let nothing = reindex(&deps, &change(now), now).await;
    assert!(matches!(nothing, Err(ReindexError::Empty)), "{nothing:?}");

    import(&catalogue, &[item(1), item(2)], |_| {})
        .await
        .unwrap();
    let first = reindex(&deps, &change(now), now).await.unwrap();
    assert!(first.is_some());
    assert_eq!(paid(), 4);

    // The same import's second call: the build has read it all.
    let earlier = change(now - Duration::minutes(1));
    assert_eq!(reindex(&deps, &earlier, now).await.unwrap(), None);
    assert_eq!(paid(), 0);

    import(&catalogue, &[item(3)], |_| {}).await.unwrap();
    let later = now + Duration::minutes(5);
    let second = reindex(&deps, &change(later), later).await.unwrap();
    assert!(second.is_some() && second != first);
    assert_eq!(paid(), 2, "title and synopsis of the new book");
    let loader = Loader::new(store).with_embedder(Some(embedder.clone()));
    let index = loader.current().await.unwrap();
    assert_eq!(index.info().items, 3);
    assert!(index.item(3).is_some());
}

/// A shop that has just been deployed imports its catalogue first.
#[tokio::test]
async fn where_nothing_is_published_a_change_is_no_failure() {
    let engine = Engine::in_memory().unwrap();
    let client = connect(&engine.configuration().await);
    let tables = Tables::default();
    create_tables(&client, &tables).await.unwrap();
    let deps = Arc::new(Deps {
        catalogue: DynamoCatalogue::new(client, &tables.catalogue),
        store: Arc::new(MemoryStore::default()),
        embedder: None,
    });
    import(&deps.catalogue, &[item(1)], |_| {}).await.unwrap();
    let event = serde_json::from_value(json!({})).unwrap();
    let answer = handle(Arc::clone(&deps), event).await.unwrap();
    assert_eq!(
        serde_json::to_value(answer).unwrap(),
        json!({"published": null})
    );
    // What is there and cannot be read is one.
    let torn = deps.store.put("index/manifest.json", "{".into());
    torn.await.unwrap();
    let event = serde_json::from_value(json!({})).unwrap();
    let failed = reindex(&deps, &event, OffsetDateTime::now_utc()).await;
    assert!(
        matches!(failed, Err(ReindexError::Embedder(_))),
        "{failed:?}"
    );
}
