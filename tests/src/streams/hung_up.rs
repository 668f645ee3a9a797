//! Callers who hang up: for those who cannot come back, no model goes on.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    http::header::CONTENT_TYPE,
    response::IntoResponse,
    routing::post,
};
use futures_util::stream::{self, StreamExt};
use serde_json::json;

use super::ask;
use crate::harness::{Setup, serve};

/// The beginning of a line, as a server streams it.
const BEGINNING: &str =
    r#"data: {"choices": [{"index": 0, "delta": {"content": "- Tengo "}, "finish_reason": null}]}"#;

/// One who listens to a model, until the connection is gone.
struct Listener(Arc<AtomicUsize>);

impl Listener {
    fn new(listening: &Arc<AtomicUsize>) -> Self {
        listening.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(listening))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The URL of a model that begins an answer and sends no more, and how many listen to it.
fn speechless() -> (String, Arc<AtomicUsize>) {
    let listening = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&listening);
    let complete = move |_: Bytes| {
        let listener = Listener::new(&counted);
        async move {
            let words = stream::iter([format!("{BEGINNING}\n\n")]).chain(stream::pending());
            let listened = words.map(move |word| {
                let _guard = &listener;
                Ok::<_, Infallible>(word)
            });
            let body = Body::from_stream(listened);
            ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
        }
    };
    let router = Router::new().route("/v1/chat/completions", post(complete));
    (format!("{}/v1", serve(router)), listening)
}

/// Whether nobody listens any more, now or soon.
fn is_left_alone(listening: &AtomicUsize) -> bool {
    let deadline = Instant::now() + Duration::from_secs(5);
    while listening.load(Ordering::SeqCst) > 0 {
        if Instant::now() > deadline {
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
    true
}

#[test]
fn a_model_is_stopped_where_nobody_listens() {
    let (url, listening) = speechless();
    let shop = Setup::new()
        .set("LLM_BASE_URL", &url)
        .set("LLM_MODEL", "speechless")
        .set("LLM_TIMEOUT_SECONDS", "12")
        .set("STREAM_HEARTBEAT_SECONDS", "1")
        .start();
    let (customer, guest) = (shop.customer("brief"), shop.guest());
    let is_streaming = |_: &str| listening.load(Ordering::SeqCst) > 0;
    let question = json!({"message": "libro 12"});
    let unkept = json!({"message": "libro 12", "save_history": false});
    ask(&guest, &question).cut_off(is_streaming);
    assert!(is_left_alone(&listening), "a guest's model goes on");
    // Its key is free again.
    for _ in 0..2 {
        let keyed = ask(&customer, &unkept).header("idempotency-key", "k-1");
        keyed.cut_off(is_streaming);
        assert!(is_left_alone(&listening), "an unkept turn's model goes on");
        thread::sleep(Duration::from_millis(500));
    }
    // What is kept is resumed to its end by whoever comes back.
    ask(&customer, &question).cut_off(is_streaming);
    thread::sleep(Duration::from_secs(3));
    assert_eq!(listening.load(Ordering::SeqCst), 1);
}
