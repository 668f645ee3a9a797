//! A shop whose texts are embedded by a service, or by a model of Bedrock's: built by it, asked by it, and answered by keywords when it
//! is gone.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header::AUTHORIZATION},
    routing::post,
};
use serde_json::{Value, json};

use crate::harness::{Setup, keys, serve};

const DIMENSIONS: usize = 64;

/// What the service was sent, and whether it answers.
#[derive(Default)]
struct Service {
    texts: Mutex<Vec<String>>,
    gone: AtomicBool,
    /// Whether it has asked for patience, as Bedrock does once.
    throttled: AtomicBool,
}

/// A text's vector: a one for each of its words, at a place that the word chooses.
fn vector(text: &str, dimensions: usize) -> Vec<f32> {
    let mut vector = vec![0.0; dimensions];
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        let place = word.bytes().fold(7usize, |hash, byte| {
            hash.wrapping_mul(31).wrapping_add(byte.into())
        });
        vector[place % dimensions] += 1.0;
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
        .map(|(index, text)| json!({"index": index, "embedding": vector(text, DIMENSIONS)}))
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
    let item = json!({
        "libro_id": 9_001, "titulo": "Un libro de hoy", "autor": "Nadie Todavía", "precio": "9.00",
        "categoria": "Novela", "stock": 1, "descripcion": "Lo que pasa cuando alguien compra pan."
    });
    std::fs::write(&new, item.to_string()).expect("a file");
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

/// Bedrock's `InvokeModel`, as Titan and both generations of Cohere's models answer it.
async fn invoke(
    State(service): State<Arc<Service>>,
    Path(model): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> (StatusCode, HeaderMap, Json<Value>) {
    let refused = |status, error: &'static str, message: &str| {
        let name = (
            "x-amzn-errortype".parse().expect("a name"),
            error.parse().expect("a value"),
        );
        (
            status,
            HeaderMap::from_iter([name]),
            Json(json!({"message": message})),
        )
    };
    let signature = headers[AUTHORIZATION].to_str().expect("a signature");
    assert!(signature.contains("Credential=a-key/"), "{signature}");
    assert!(
        signature.contains("/eu-west-3/bedrock/aws4_request"),
        "{signature}"
    );
    if model == "eu.cohere.embed-v4:0" && service.gone.load(Ordering::SeqCst) {
        return refused(
            StatusCode::FORBIDDEN,
            "AccessDeniedException",
            "No access to this model.",
        );
    }
    if service.gone.load(Ordering::SeqCst) {
        return refused(
            StatusCode::SERVICE_UNAVAILABLE,
            "ServiceUnavailableException",
            "Not now.",
        );
    }
    if !service.throttled.swap(true, Ordering::SeqCst) {
        return refused(
            StatusCode::TOO_MANY_REQUESTS,
            "ThrottlingException",
            "Too many.",
        );
    }
    let one = body["inputText"]
        .as_str()
        .map(|_| vec![body["inputText"].clone()]);
    let texts = one.unwrap_or_else(|| body["texts"].as_array().expect("texts").clone());
    let texts: Vec<&str> = texts
        .iter()
        .map(|text| text.as_str().expect("a text"))
        .collect();
    service.texts.lock().expect("the record").extend(
        texts
            .iter()
            .map(|text| format!("{}{text}", body["input_type"].as_str().unwrap_or_default())),
    );
    let vectors = |dimensions: usize| -> Vec<Vec<f32>> {
        texts.iter().map(|text| vector(text, dimensions)).collect()
    };
    let answer = match model.as_str() {
        "amazon.titan-embed-text-v2:0" => {
            assert_eq!((texts.len(), &body["dimensions"]), (1, &json!(256)));
            json!({"embedding": vectors(256)[0], "inputTextTokenCount": 5})
        }
        "cohere.embed-multilingual-v3" => {
            assert!(texts.len() <= 96 && texts.iter().all(|text| text.chars().count() <= 2_048));
            assert_eq!(
                (&body["truncate"], &body["output_dimension"]),
                (&json!("END"), &Value::Null)
            );
            json!({"embeddings": {"float": vectors(1_024)}, "response_type": "embeddings_by_type"})
        }
        "eu.cohere.embed-v4:0" => {
            assert_eq!(
                (&body["truncate"], &body["output_dimension"]),
                (&json!("RIGHT"), &json!(512))
            );
            json!({"embeddings": vectors(512), "response_type": "embeddings_floats"})
        }
        other => panic!("{other} was asked"),
    };
    (StatusCode::OK, HeaderMap::new(), Json(answer))
}

#[test]
fn models_of_bedrock_embed_catalogue_and_questions() {
    for (model, dimensions, document, query) in [
        ("amazon.titan-embed-text-v2:0", "256", "", ""),
        (
            "cohere.embed-multilingual-v3",
            "1024",
            "search_document",
            "search_query",
        ),
        (
            "eu.cohere.embed-v4:0",
            "512",
            "search_document",
            "search_query",
        ),
    ] {
        let service = Arc::new(Service::default());
        let router = Router::new()
            .route("/model/{model}/invoke", post(invoke))
            .with_state(Arc::clone(&service));
        let setup = Setup::new()
            .set("EMBEDDER", "bedrock")
            .set("EMBEDDING_MODEL", model)
            .set("EMBEDDING_DIMENSIONS", dimensions)
            .set("EMBEDDING_REGION", "eu-west-3")
            .set("AWS_REGION", "eu-south-2")
            .set("AWS_ACCESS_KEY_ID", "a-key")
            .set("AWS_SECRET_ACCESS_KEY", "a-secret")
            .set("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", &serve(router));
        let shop = setup.start();
        let documents = service.sent();
        assert_eq!(documents.len(), 2 * 374);
        assert!(documents.iter().all(|text| text.starts_with(document)));
        let question = "familia en un pueblo perdido";
        let found = shop.guest().search(&[("q", question)]).is(200);
        assert_eq!(
            (&found["source"], &found["degraded"]),
            (&json!("vector"), &json!(false))
        );
        assert_eq!(service.sent(), [format!("{query}{question}")]);

        service.gone.store(true, Ordering::SeqCst);
        let found = shop
            .guest()
            .search(&[("q", "cien años de soledad")])
            .is(200);
        assert_eq!(found["source"], "keyword");
        drop(shop);
        if model == "eu.cohere.embed-v4:0" {
            let folder = tempfile::tempdir().expect("a folder");
            let setup = setup.stored_inside();
            let mut serve = setup.command();
            let ended = serve
                .args(["serve", "--port", "0", "--data-dir"])
                .arg(folder.path())
                .output();
            let printed =
                String::from_utf8_lossy(&ended.expect("the server runs").stderr).into_owned();
            assert!(
                printed.contains("status 403 AccessDeniedException"),
                "{printed}"
            );
            // The service's own words may be anybody's.
            assert!(!printed.contains("No access to this model."), "{printed}");
        }
    }
}
