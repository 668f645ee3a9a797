//! A shop whose texts are embedded by a service: built by it, asked by it, and answered by keywords when it is gone.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{Json, Router, extract::State, http::StatusCode, routing::post};
use serde_json::{Value, json};

use crate::harness::{Setup, keys, serve};

const DIMENSIONS: usize = 64;

/// What the service was sent, and whether it answers.
#[derive(Default)]
struct Service {
    texts: Mutex<Vec<String>>,
    gone: AtomicBool,
}

/// A text's vector: a one for each of its words, at a place that the word chooses.
fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS];
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        let place = word.bytes().fold(7usize, |hash, byte| {
            hash.wrapping_mul(31).wrapping_add(byte.into())
        });
        vector[place % DIMENSIONS] += 1.0;
    }
    vector
}

async fn embeddings(
    State(service): State<Arc<Service>>,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    if service.gone.load(Ordering::SeqCst) {
        return (StatusCode::SERVICE_UNAVAILABLE, Json(json!({})));
    }
    let texts: Vec<String> = body["input"]
        .as_array()
        .expect("texts")
        .iter()
        .map(|text| text.as_str().expect("a text").to_owned())
        .collect();
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({"index": index, "embedding": vector(text)}))
        .collect();
    service.texts.lock().expect("the record").extend(texts);
    (StatusCode::OK, Json(json!({"data": data})))
}

impl Service {
    /// The texts sent since this was last asked.
    fn sent(&self) -> Vec<String> {
        std::mem::take(&mut *self.texts.lock().expect("the record"))
    }
}

/// A running service, and a shop that is set to use it.
fn shop_with_service() -> (Arc<Service>, Setup) {
    let service = Arc::new(Service::default());
    let router = Router::new()
        .route("/v1/embeddings", post(embeddings))
        .with_state(Arc::clone(&service));
    let setup = Setup::new()
        .set("EMBEDDER", "openai_compatible")
        .set("EMBEDDING_BASE_URL", &format!("{}/v1", serve(router)))
        .set("EMBEDDING_MODEL", "words-64")
        .set("EMBEDDING_DIMENSIONS", &DIMENSIONS.to_string());
    (service, setup)
}

#[test]
fn a_service_embeds_catalogue_and_questions() {
    let (service, setup) = shop_with_service();
    let shop = setup
        .set("EMBEDDING_QUERY_PREFIX", "query: ")
        .set("EMBEDDING_DOCUMENT_PREFIX", "passage: ")
        .start();
    let documents = service.sent();
    // Title and synopsis of each book.
    assert_eq!(documents.len(), 2 * 374);
    assert!(documents.iter().all(|text| text.starts_with("passage: ")));

    let status = shop.customer("curious").get("/api/agent/status/").is(200);
    assert_eq!(status["retrieval"]["embedder"], "words-64");
    let question = "una saga familiar con fantasmas";
    let found = shop.guest().search(&[("q", question)]).is(200);
    assert_eq!(
        (&found["source"], &found["degraded"]),
        (&json!("vector"), &json!(false))
    );
    assert_eq!(service.sent(), [format!("query: {question}")]);

    service.gone.store(true, Ordering::SeqCst);
    let begun = Instant::now();
    let found = shop.guest().search(&[("q", "tolkien")]).is(200);
    assert_eq!(
        (&found["source"], keys(&found["results"], "autor").len()),
        (&json!("keyword"), 3)
    );
    assert!(
        begun.elapsed() < Duration::from_secs(4),
        "{:?}",
        begun.elapsed()
    );
}

/// What was embedded before is not paid for again: only what is new in the catalogue, and all of it for another model.
#[test]
fn a_build_embeds_only_what_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (service, setup) = shop_with_service();
    let setup = setup.stored_inside().kept_in(folder.path());
    drop(setup.start());
    assert_eq!(service.sent().len(), 2 * 374);
    drop(setup.start());
    assert_eq!(service.sent(), Vec::<String>::new());

    let new = folder.path().join("new.jsonl");
    let book = json!({
        "libro_id": 9_001, "titulo": "Un libro de hoy", "autor": "Nadie Todavía", "precio": "9.00",
        "categoria": "Novela", "stock": 1, "descripcion": "Lo que pasa cuando alguien compra pan."
    });
    std::fs::write(&new, book.to_string()).expect("a file");
    let mut import = setup.command();
    import.arg("import").arg(&new).arg("--data-dir");
    let imported = import
        .arg(folder.path())
        .output()
        .expect("the command runs");
    assert!(imported.status.success(), "{imported:?}");
    drop(setup.start());
    assert_eq!(
        service.sent(),
        ["Un libro de hoy", "Lo que pasa cuando alguien compra pan."]
    );

    drop(setup.set("EMBEDDING_MODEL", "words-65").start());
    assert_eq!(service.sent().len(), 2 * 375);
}
