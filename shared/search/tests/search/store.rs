//! One contract for every store: in memory, and S3 by a local server.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws_sdk_s3::{
    Client,
    config::{BehaviorVersion, Credentials, Region},
};
use bytes::Bytes;
use http::{HeaderValue, Request};
use hyper::{
    body::Incoming,
    service::{Service, service_fn},
};
use hyper_util::{rt::TokioExecutor, rt::TokioIo, server::conn::auto};
use mostrador_core::index::IndexSource;
use mostrador_search::{
    build::build,
    load::Loader,
    publish::publish,
    store::{ArtifactStore, MemoryStore, S3Store, StoreError},
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};

use crate::library;

async fn contract(store: &dyn ArtifactStore) {
    let missing = store.get("index/none", 3).await;
    assert!(
        matches!(missing, Err(StoreError::Missing { .. })),
        "{missing:?}"
    );
    let missing = store.get_if_changed("index/none", None).await;
    assert!(
        matches!(missing, Err(StoreError::Missing { .. })),
        "{missing:?}"
    );

    // Over two parts, so that their order is seen.
    let large: Bytes = (0..20_000_000u32)
        .map(|i| (i / 7919).to_le_bytes()[0])
        .collect();
    store.put("index/a/vectors", large.clone()).await.unwrap();
    let size = u64::try_from(large.len()).unwrap();
    assert!(store.get("index/a/vectors", size).await.unwrap()[..] == large);
    // The last two are more than there is memory for: nothing may be set aside for them.
    for wrong in [size - 1, size + 1, 10, size * 2, 1 << 45, 1 << 63] {
        let answer = store.get("index/a/vectors", wrong).await;
        assert!(
            matches!(answer, Err(StoreError::WrongSize { .. })),
            "{wrong}"
        );
    }

    let key = "index/manifest.json";
    store
        .put_if(key, Bytes::from_static(b"one"), None)
        .await
        .unwrap();
    let second = store.put_if(key, Bytes::from_static(b"two"), None).await;
    assert!(
        matches!(second, Err(StoreError::Conflict { .. })),
        "{second:?}"
    );
    let first = store.get_if_changed(key, None).await.unwrap().unwrap();
    assert_eq!(first.bytes, b"one");
    let unchanged = store.get_if_changed(key, Some(&first.etag)).await.unwrap();
    assert_eq!(unchanged, None);
    let etag = Some(first.etag.as_str());
    store
        .put_if(key, Bytes::from_static(b"two"), etag)
        .await
        .unwrap();
    let second = store.get_if_changed(key, etag).await.unwrap().unwrap();
    assert_eq!(second.bytes, b"two");
    let stale = store.put_if(key, Bytes::from_static(b"three"), etag).await;
    assert!(
        matches!(stale, Err(StoreError::Conflict { .. })),
        "{stale:?}"
    );

    for _ in 0..2 {
        store.delete("index/a/vectors").await.unwrap();
        let gone = store.get("index/a/vectors", size).await;
        assert!(matches!(gone, Err(StoreError::Missing { .. })), "{gone:?}");
    }
}

/// A store on a local S3 server over a folder, which lives as long as the folder does.
async fn local_s3(folder: &Path, prefix: &str) -> S3Store {
    meddled_s3(folder, prefix, |_| {}).await
}

/// The same, with something that happens before each request is answered.
async fn meddled_s3(
    folder: &Path,
    prefix: &str,
    meddle: impl Fn(&Request<Incoming>) + Clone + Send + Sync + 'static,
) -> S3Store {
    std::fs::create_dir(folder.join("shop")).unwrap();
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder).unwrap());
    service.set_auth(SimpleAuth::from_single("key", "secret"));
    let service = service.build();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let (service, meddle) = (service.clone(), meddle.clone());
            tokio::spawn(async move {
                let service = service_fn(|request| {
                    meddle(&request);
                    Service::call(&service, request)
                });
                let server = auto::Builder::new(TokioExecutor::new());
                // A client that hangs up is no failure of the server's.
                let _ = server.serve_connection(TokioIo::new(socket), service).await;
            });
        }
    });
    S3Store::new(client(url), "shop", prefix)
}

fn client(url: String) -> Client {
    let config = aws_sdk_s3::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-south-2"))
        .credentials_provider(Credentials::new("key", "secret", None, None, "test"))
        .endpoint_url(url)
        .force_path_style(true)
        .build();
    Client::from_conf(config)
}

/// As S3 answers who may not list the bucket, where the object is not there.
#[tokio::test]
async fn what_may_not_be_read_is_no_outage() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let denied = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>";
        let service = service_fn(|_| async {
            let answer = http::Response::builder().status(403);
            answer.body(denied.to_owned())
        });
        let (socket, _) = listener.accept().await.unwrap();
        let server = auto::Builder::new(TokioExecutor::new());
        let _ = server.serve_connection(TokioIo::new(socket), service).await;
    });
    let store = S3Store::new(client(url), "shop", "");
    let answer = store.get_if_changed("index/shop.json", None).await;
    assert!(
        matches!(answer, Err(StoreError::Denied { .. })),
        "{answer:?}"
    );
}

#[tokio::test]
async fn memory_keeps_the_contract() {
    contract(&MemoryStore::default()).await;
}

#[tokio::test]
async fn s3_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    contract(&local_s3(folder.path(), "tenant/").await).await;
    assert!(
        folder
            .path()
            .join("shop/tenant/index/manifest.json")
            .exists()
    );
}

#[tokio::test]
async fn an_index_goes_through_s3() {
    let folder = tempfile::tempdir().unwrap();
    let store = local_s3(folder.path(), "").await;
    let items = library::items();
    let artifact = build(&items, &*library::embedder(), "").await;
    let file = library::prepared();
    publish(&store, &artifact.unwrap(), Some(&file))
        .await
        .unwrap();
    let index = Loader::new(Arc::new(store)).current().await.unwrap();
    assert_eq!(index.info().items, 15);
}

/// The embedder has two parts; before the second is asked for, other bytes take their place.
#[tokio::test]
async fn an_object_that_changes_between_its_parts_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = library::prepared();
    let mut other = file.to_vec();
    other[9 << 20..].iter_mut().for_each(|byte| *byte = !*byte);
    let path: Arc<OnceLock<PathBuf>> = Arc::default();
    let meddle = {
        let path = path.clone();
        move |request: &Request<Incoming>| {
            let range = request.headers().get("range").map(HeaderValue::as_bytes);
            if let Some(path) = path.get()
                && range.is_some_and(|range| range.starts_with(b"bytes=8388608-"))
            {
                // The answer under way goes on with what it has begun.
                let aside = path.with_extension("other");
                std::fs::write(&aside, &other).unwrap();
                std::fs::rename(aside, path).unwrap();
            }
        }
    };
    let store = Arc::new(meddled_s3(folder.path(), "", meddle).await);
    let artifact = build(&library::items(), &*library::embedder(), "").await;
    let manifest = publish(&*store, &artifact.unwrap(), Some(&file))
        .await
        .unwrap();
    let record = manifest.embedder_file.unwrap();
    let stored = folder.path().join("shop").join(&record.key);
    assert!(Loader::new(store.clone()).current().await.is_some());

    path.set(stored.clone()).unwrap();
    let loader = Loader::new(store.clone()).with_refresh(Some(Duration::ZERO));
    assert!(loader.current().await.is_none());
    let torn = store.get(&record.key, record.size_bytes).await.unwrap();
    assert_eq!(torn.len(), file.len());
    assert!(torn[..] != file);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    let config = aws_sdk_s3::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-south-2"))
        .credentials_provider(Credentials::new("key", "secret", None, None, "test"))
        .endpoint_url("http://127.0.0.1:1")
        .retry_config(aws_sdk_s3::config::retry::RetryConfig::disabled())
        .build();
    let store = S3Store::new(Client::from_conf(config), "shop", "");
    let answer = store.get("index/manifest.json", 1).await;
    assert!(
        matches!(answer, Err(StoreError::Unavailable(_))),
        "{answer:?}"
    );
}
