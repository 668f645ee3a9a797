//! An embedder behind a URL, against a scripted server.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    sync::mpsc::{self, Receiver},
    thread,
};

use mostrador_search::embedder::{EmbedError, Embedder, Purpose, ServiceEmbedder, ServiceSettings};
use serde_json::{Value, json};

/// What the server answers a request with.
enum Turn {
    Status(u16),
    Body(String),
    /// A vector for each text, distinguished by the text's length, last text first.
    Vectors,
    HangUp,
}

/// A server that answers one request a turn, and records each request with its key.
fn server(turns: Vec<Turn>) -> (String, Receiver<(Value, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let (sender, received) = mpsc::channel();
    thread::spawn(move || {
        for turn in turns {
            let (mut socket, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(socket.try_clone().unwrap());
            let mut lines = Vec::new();
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if line.trim().is_empty() {
                    break;
                }
                lines.push(line.to_lowercase());
            }
            assert!(lines[0].starts_with("post /v1/embeddings "), "{lines:?}");
            let header = |name: &str| {
                let line = lines.iter().find_map(|line| line.strip_prefix(name));
                line.unwrap_or_default().trim().to_owned()
            };
            let mut body = vec![0; header("content-length:").parse().unwrap()];
            reader.read_exact(&mut body).unwrap();
            let request: Value = serde_json::from_slice(&body).unwrap();
            let (status, answer) = match turn {
                Turn::HangUp => continue,
                Turn::Status(status) => (status, "{}".to_owned()),
                Turn::Body(body) => (200, body),
                Turn::Vectors => (200, vectors(&request)),
            };
            let _ = sender.send((request, header("authorization:")));
            let answer = format!(
                "HTTP/1.1 {status} As told\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
                answer.len()
            );
            socket.write_all(answer.as_bytes()).unwrap();
        }
    });
    (url, received)
}

fn vectors(request: &Value) -> String {
    let texts = request["input"].as_array().unwrap();
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .rev()
        .map(|(index, text)| json!({"index": index, "embedding": [3.0, text.as_str().unwrap().len(), 0.0]}))
        .collect();
    json!({"data": data, "model": "small"}).to_string()
}

fn embedder(base_url: &str) -> ServiceEmbedder {
    ServiceEmbedder::new(settings(base_url)).unwrap()
}

fn settings(base_url: &str) -> ServiceSettings {
    ServiceSettings {
        base_url: base_url.to_owned(),
        model: "small".to_owned(),
        dimensions: 3,
        key: Some("sk-secreto".to_owned().into()),
        query_prefix: "query: ".to_owned(),
        document_prefix: String::new(),
    }
}

#[tokio::test]
async fn each_text_gets_its_own_vector() {
    let (url, received) = server(vec![Turn::Vectors, Turn::Vectors, Turn::Vectors]);
    let embedder = embedder(&url);
    // More than are sent together; the first is four letters long, which makes its vector (0.6, 0.8, 0).
    let texts: Vec<String> = (0..70).map(|more| "a".repeat(4 + more)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embedder.embed(&texts, Purpose::Document).await.unwrap();
    assert_eq!(vectors.len(), 70);
    for (text, vector) in texts.iter().zip(&vectors) {
        let ratio = vector[1] / vector[0] * 3.0;
        assert!(
            (ratio - text.len() as f32).abs() < 1e-3,
            "{text} {vector:?}"
        );
        let length: f32 = vector.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-5, "{vector:?}");
    }
    embedder.embed(&["luz"], Purpose::Query).await.unwrap();
    let requests: Vec<(Value, String)> = received.iter().take(3).collect();
    let sizes: Vec<usize> = requests
        .iter()
        .map(|(body, _)| body["input"].as_array().unwrap().len())
        .collect();
    assert_eq!(sizes, [64, 6, 1]);
    let expected = json!({"model": "small", "input": ["query: luz"], "encoding_format": "float"});
    assert_eq!(requests[2], (expected, "bearer sk-secreto".to_owned()));
}

#[tokio::test]
async fn a_build_retries_and_a_question_does_not_wait() {
    let stumbling = || {
        vec![
            Turn::Status(503),
            Turn::HangUp,
            Turn::Status(429),
            Turn::Vectors,
        ]
    };
    let (url, _received) = server(stumbling());
    let found = embedder(&url).embed(&["luz"], Purpose::Document).await;
    assert_eq!(found.unwrap().len(), 1);
    let (url, _received) = server(stumbling());
    let refused = embedder(&url).embed(&["luz"], Purpose::Query).await;
    assert!(
        matches!(refused, Err(EmbedError::Refused { status: 503, .. })),
        "{refused:?}"
    );
    // A wrong key stays wrong.
    let (url, _received) = server(vec![Turn::Status(401), Turn::Vectors]);
    let refused = embedder(&url).embed(&["luz"], Purpose::Document).await;
    assert!(
        matches!(refused, Err(EmbedError::Refused { status: 401, .. })),
        "{refused:?}"
    );
    assert!(!format!("{refused:?}").contains("sk-secreto"));
}

#[tokio::test]
async fn what_is_no_vector_for_each_text_is_refused() {
    for answer in [
        "",
        "[]",
        r#"{"data": []}"#,
        r#"{"data": [{"index": 0, "embedding": [1, 2]}]}"#,
        r#"{"data": [{"index": 1, "embedding": [1, 2, 3]}]}"#,
        r#"{"data": [{"index": 0, "embedding": [1, 2, 1e60]}]}"#,
        r#"{"data": [{"index": 0, "embedding": [1, 2, 3]}, {"index": 0, "embedding": [1, 2, 3]}]}"#,
    ] {
        let (url, _received) = server(vec![Turn::Body(answer.to_owned())]);
        let refused = embedder(&url).embed(&["luz"], Purpose::Document).await;
        assert!(
            matches!(refused, Err(EmbedError::Malformed)),
            "{answer}: {refused:?}"
        );
    }
}

#[test]
fn another_model_or_prefix_is_another_embedder() {
    let identity = |change: fn(&mut ServiceSettings)| {
        let mut settings = settings("http://localhost/v1");
        change(&mut settings);
        ServiceEmbedder::new(settings).unwrap().identity().clone()
    };
    let usual = identity(|_| {});
    assert_eq!(
        usual,
        identity(|settings| settings.base_url = "https://elsewhere/v1/".into())
    );
    assert_eq!(usual, identity(|settings| settings.key = None));
    for other in [
        identity(|settings| settings.model = "large".into()),
        identity(|settings| settings.dimensions = 4),
        identity(|settings| settings.query_prefix = String::new()),
        identity(|settings| settings.document_prefix = "passage: ".into()),
    ] {
        assert_ne!(usual, other);
    }
    for base_url in ["", "localhost", "ftp://host/v1"] {
        assert!(
            ServiceEmbedder::new(settings(base_url)).is_none(),
            "{base_url}"
        );
    }
}
