//! The loader against a store where things go wrong.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use mostrador_core::index::IndexSource;
use mostrador_search::{
    artifact::{Artifact, FileName, MANIFEST_KEY, Manifest},
    build::build,
    embedder::{EmbedError, Embedder, EmbedderIdentity, Purpose},
    load::{self, Loader},
    publish::{KEPT_BUILDS, PublishError, publish, roll_back},
    store::{ArtifactStore, Buffer, MemoryStore, StoreError, Tagged},
};

use crate::library;

/// A store that counts what is asked of it, and can be cut off.
#[derive(Default)]
struct Watched {
    inner: MemoryStore,
    manifests: AtomicUsize,
    files: AtomicUsize,
    unreachable: AtomicBool,
}

impl Watched {
    fn check(&self, counter: &AtomicUsize) -> Result<(), StoreError> {
        counter.fetch_add(1, Ordering::SeqCst);
        if self.unreachable.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("cut off".into()));
        }
        Ok(())
    }

    /// How often the manifest and any file was asked for.
    fn requests(&self) -> (usize, usize) {
        let of = |counter: &AtomicUsize| counter.load(Ordering::SeqCst);
        (of(&self.manifests), of(&self.files))
    }
}

#[async_trait]
impl ArtifactStore for Watched {
    async fn get(&self, key: &str, size_bytes: u64) -> Result<Buffer, StoreError> {
        self.check(&self.files)?;
        tokio::task::yield_now().await;
        self.inner.get(key, size_bytes).await
    }

    async fn get_if_changed(
        &self,
        key: &str,
        etag: Option<&str>,
    ) -> Result<Option<Tagged>, StoreError> {
        self.check(&self.manifests)?;
        tokio::task::yield_now().await;
        self.inner.get_if_changed(key, etag).await
    }

    async fn put(&self, key: &str, bytes: Bytes) -> Result<(), StoreError> {
        self.inner.put(key, bytes).await
    }

    async fn put_if(&self, key: &str, bytes: Bytes, etag: Option<&str>) -> Result<(), StoreError> {
        self.inner.put_if(key, bytes, etag).await
    }

    async fn delete(&self, key: &str) -> Result<(), StoreError> {
        self.inner.delete(key).await
    }
}

async fn built(items: usize) -> Artifact {
    let items = &library::items()[..items];
    let built_at = "2026-01-01T00:00:00Z";
    build(items, &*library::embedder(), built_at).await.unwrap()
}

async fn published(store: &Watched, items: usize) -> Manifest {
    let file = library::prepared();
    publish(&store.inner, &built(items).await, Some(&file))
        .await
        .unwrap()
}

async fn items(loader: &Loader) -> Option<usize> {
    loader.current().await.map(|index| index.info().items)
}

#[tokio::test]
async fn what_was_built_comes_back_whole() {
    let store = Arc::new(Watched::default());
    let manifest = published(&store, 15).await;
    let loader = Loader::new(store.clone());
    let index = loader.current().await.unwrap();
    assert_eq!(index.info().build_id, manifest.build_id);
    assert_eq!(index.info().built_at, "2026-01-01T00:00:00Z");
    for (item, stock) in library::items() {
        let hit = index.item(item.libro_id).unwrap();
        assert_eq!((hit.item, hit.stock, hit.score), (item, stock, 0.0));
    }
    assert_eq!((index.item(0), index.item(16)), (None, None));
}

#[tokio::test]
async fn the_same_items_give_the_same_bytes() {
    let mut items = library::items();
    items.reverse();
    let embedder = library::embedder();
    let rebuilt = build(&items, &*embedder, "2026-01-01T00:00:00Z").await;
    assert_eq!(rebuilt.unwrap().manifest, built(15).await.manifest);
    items.push(items[0].clone());
    let twice = build(&items, &*library::embedder(), "").await;
    assert_eq!(
        twice.unwrap_err().to_string(),
        "two books have the number 15"
    );
}

#[tokio::test]
async fn an_earlier_build_never_replaces_a_later_one() {
    let store = MemoryStore::default();
    let file = library::prepared();
    let publish_built = async |items: usize, built_at: &str| {
        let items = &library::items()[..items];
        let artifact = build(items, &*library::embedder(), built_at).await.unwrap();
        publish(&store, &artifact, Some(&file)).await
    };
    publish_built(3, "2026-01-01T10:04:00Z").await.unwrap();
    let slow = publish_built(2, "2026-01-01T10:00:00Z").await;
    assert_eq!(
        slow.unwrap_err().to_string(),
        "a build of 2026-01-01T10:04:00Z is published, which is later than this one"
    );
    let current = load::published(&store).await.unwrap().unwrap();
    assert_eq!(current.items, 3);
    publish_built(4, "2026-01-01T10:05:00Z").await.unwrap();
    assert_eq!(load::published(&store).await.unwrap().unwrap().items, 4);
}

#[tokio::test]
async fn an_empty_catalogue_is_an_index_too() {
    let store = Arc::new(Watched::default());
    published(&store, 0).await;
    assert_eq!(items(&Loader::new(store)).await, Some(0));
}

#[tokio::test]
async fn first_callers_share_one_load() {
    let store = Arc::new(Watched::default());
    published(&store, 3).await;
    let loader = Loader::new(store.clone());
    let callers = (0..8).map(|_| items(&loader));
    let all = futures_util::future::join_all(callers).await;
    assert_eq!(all, [Some(3); 8]);
    assert_eq!(store.requests(), (1, 4));
}

#[tokio::test]
async fn a_new_build_is_taken_up_at_the_next_interval() {
    let store = Arc::new(Watched::default());
    published(&store, 3).await;
    let refresh = Duration::from_millis(300);
    let loader = Loader::new(store.clone()).with_refresh(Some(refresh));
    assert_eq!(items(&loader).await, Some(3));
    published(&store, 5).await;
    assert_eq!(items(&loader).await, Some(3));
    assert_eq!(store.requests(), (1, 4));
    tokio::time::sleep(refresh).await;
    assert_eq!(items(&loader).await, Some(5));
    // The embedder is the same file and not fetched again.
    assert_eq!(store.requests(), (2, 7));
    tokio::time::sleep(refresh).await;
    assert_eq!(items(&loader).await, Some(5));
    assert_eq!(store.requests(), (3, 7));
}

#[tokio::test]
async fn without_any_generation_there_is_none_and_the_store_is_left_in_peace() {
    let store = Arc::new(Watched::default());
    let loader = Loader::new(store.clone());
    for _ in 0..5 {
        assert_eq!(items(&loader).await, None);
    }
    assert_eq!(store.requests(), (1, 0));
}

/// What `spoil` does to the store after a good generation was loaded is refused, and the good one stays.
async fn check_refused(name: &str, spoil: impl AsyncFnOnce(&Watched, Manifest)) {
    let store = Arc::new(Watched::default());
    published(&store, 3).await;
    let loader = Loader::new(store.clone()).with_refresh(Some(Duration::ZERO));
    assert_eq!(items(&loader).await, Some(3), "{name}");
    let manifest = published(&store, 5).await;
    spoil(&store, manifest).await;
    assert_eq!(
        items(&loader).await,
        Some(3),
        "{name}: the last good one stays"
    );
    let fresh = Loader::new(store.clone());
    assert_eq!(
        items(&fresh).await,
        None,
        "{name}: nothing bad is ever loaded"
    );
    store.unreachable.store(false, Ordering::SeqCst);
    published(&store, 7).await;
    assert_eq!(
        items(&loader).await,
        Some(7),
        "{name}: a good one is taken up again"
    );
}

async fn rewrite(store: &Watched, change: impl FnOnce(&mut serde_json::Value)) {
    let tagged = store.inner.get_if_changed(MANIFEST_KEY, None).await;
    let mut json = serde_json::from_slice(&tagged.unwrap().unwrap().bytes).unwrap();
    change(&mut json);
    let bytes = serde_json::to_vec(&json).unwrap();
    store.inner.put(MANIFEST_KEY, bytes.into()).await.unwrap();
}

#[tokio::test]
async fn damage_is_refused_and_the_last_good_one_stays() {
    check_refused("a file cut short", async |store, manifest| {
        let key = &manifest.vectors.key;
        let cut = store.inner.objects()[key].slice(..100);
        store.inner.put(key, cut).await.unwrap();
    })
    .await;
    check_refused("a flipped bit", async |store, manifest| {
        let key = &manifest.items_file.key;
        let mut bytes = store.inner.objects()[key].to_vec();
        bytes[200] ^= 1;
        store.inner.put(key, bytes.into()).await.unwrap();
    })
    .await;
    check_refused("a file that is missing", async |store, manifest| {
        store.inner.delete(&manifest.keywords.key).await.unwrap();
    })
    .await;
    check_refused("a file of another build", async |store, manifest| {
        let other = built(4).await;
        let keywords = other.manifest.keywords.clone();
        let bytes = other.read(FileName::Keywords).unwrap().into();
        store.inner.put(&keywords.key, bytes).await.unwrap();
        assert_ne!(keywords, manifest.keywords);
        rewrite(store, |json| {
            json["keywords"] = serde_json::to_value(keywords).unwrap()
        })
        .await;
    })
    .await;
    check_refused("a torn manifest", async |store, _| {
        let torn = store.inner.objects()[MANIFEST_KEY].slice(..80);
        store.inner.put(MANIFEST_KEY, torn).await.unwrap();
    })
    .await;
    check_refused("no manifest", async |store, _| {
        store.inner.delete(MANIFEST_KEY).await.unwrap();
    })
    .await;
    check_refused("a later format", async |store, _| {
        rewrite(store, |json| {
            *json = serde_json::json!({"format": 3, "shards": []})
        })
        .await;
    })
    .await;
    check_refused("another embedder's vectors", async |store, _| {
        rewrite(store, |json| {
            json["embedder"]["sha256"] = "0".repeat(64).into()
        })
        .await;
    })
    .await;
    check_refused("a store out of reach", async |store, _| {
        store.unreachable.store(true, Ordering::SeqCst);
    })
    .await;
}

/// An embedder that is not the one an index was built with.
struct Other(EmbedderIdentity);

#[async_trait]
impl Embedder for Other {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    async fn embed(&self, _: &[&str], _: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        Err(EmbedError::Malformed)
    }
}

#[tokio::test]
async fn an_index_of_another_embedder_than_the_configured_one_is_refused() {
    let store = Arc::new(Watched::default());
    published(&store, 3).await;
    let mut identity = library::embedder().identity().clone();
    let same = Loader::new(store.clone()).with_embedder(Some(Arc::new(Other(identity.clone()))));
    assert_eq!(items(&same).await, Some(3));
    identity.dimensions = 3;
    let other = Loader::new(store).with_embedder(Some(Arc::new(Other(identity))));
    assert_eq!(items(&other).await, None);
}

#[tokio::test]
async fn of_two_publishers_one_gets_a_conflict() {
    let store = MemoryStore::default();
    let file = library::prepared();
    let artifact = built(2).await;
    publish(&store, &artifact, Some(&file)).await.unwrap();
    let stale = store.put_if(MANIFEST_KEY, Bytes::new(), None).await;
    assert!(matches!(stale, Err(StoreError::Conflict { .. })));
    let published = publish(&store, &artifact, Some(&file)).await.unwrap();
    let record = published.embedder_file.unwrap();
    assert_eq!(record.key, format!("index/embedder/{}", record.blake3));
    let objects = store.objects();
    let keys: Vec<&str> = objects.keys().map(String::as_str).collect();
    let id = &artifact.manifest.build_id;
    let mut expected = [
        format!("index/{id}/items"),
        format!("index/{id}/keywords"),
        format!("index/{id}/vectors"),
        record.key,
        MANIFEST_KEY.to_owned(),
    ];
    expected.sort();
    assert_eq!(
        (keys, id.len()),
        (expected.iter().map(String::as_str).collect(), 16)
    );
}

/// Whether each build's files are there.
fn kept(store: &MemoryStore, builds: &[&Manifest]) -> Vec<bool> {
    let objects = store.objects();
    builds
        .iter()
        .map(|build| objects.contains_key(&build.items_file.key))
        .collect()
}

#[tokio::test]
async fn the_last_builds_are_kept_and_can_be_restored() {
    let store = Arc::new(Watched::default());
    let nothing = roll_back(&store.inner, None).await;
    assert!(matches!(nothing, Err(PublishError::NoManifest)));
    let mut builds = Vec::new();
    for items in 1..=4 {
        builds.push(published(&store, items).await);
    }
    let [one, two, three, four] = [0, 1, 2, 3].map(|place| &builds[place]);
    let ids = |manifest: &Manifest| -> Vec<String> {
        let earlier = manifest.earlier.iter();
        earlier.map(|build| build.build_id.clone()).collect()
    };
    assert_eq!(
        (KEPT_BUILDS, ids(four)),
        (3, vec![three.build_id.clone(), two.build_id.clone()])
    );
    assert_eq!(
        kept(&store.inner, &[one, two, three, four]),
        [false, true, true, true]
    );

    let loader = Loader::new(store.clone()).with_refresh(Some(Duration::ZERO));
    assert_eq!(items(&loader).await, Some(4));
    let back = roll_back(&store.inner, None).await.unwrap();
    assert_eq!(
        (back.build_id.as_str(), items(&loader).await),
        (three.build_id.as_str(), Some(3))
    );
    let further = roll_back(&store.inner, Some(&two.build_id)).await.unwrap();
    assert_eq!((ids(&further).len(), items(&loader).await), (2, Some(2)));
    let forward = roll_back(&store.inner, Some(&four.build_id)).await.unwrap();
    assert_eq!(
        (forward.build_id.as_str(), items(&loader).await),
        (four.build_id.as_str(), Some(4))
    );
    let gone = roll_back(&store.inner, Some(&one.build_id)).await;
    assert!(matches!(gone, Err(PublishError::NoSuchBuild)));

    // A damaged build is not gone back to.
    store.inner.delete(&two.vectors.key).await.unwrap();
    let damaged = roll_back(&store.inner, Some(&two.build_id)).await;
    assert!(
        matches!(damaged, Err(PublishError::Damaged { .. })),
        "{damaged:?}"
    );
    assert_eq!(items(&loader).await, Some(4));
    // The same build again makes no second place for itself.
    let rebuilt = published(&store, 4).await;
    assert!(!ids(&rebuilt).contains(&rebuilt.build_id));
}
