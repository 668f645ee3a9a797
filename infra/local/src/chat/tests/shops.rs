//! What is talked to: the local product, and what answers badly.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::{
    cli::{ServeOptions, StoreOptions},
    serve::{self, Running},
};

/// The demo bookshop, in memory; 0 for any free port.
pub(super) async fn start(port: u16) -> Running {
    let options = ServeOptions {
        port: Some(port),
        stores: StoreOptions {
            ephemeral: true,
            ..StoreOptions::default()
        },
        ..ServeOptions::default()
    };
    serve::start(&options).await.expect("a shop")
}

pub(super) fn port(shop: &Running) -> u16 {
    let (_, port) = shop.url.rsplit_once(':').expect("a port");
    port.parse().expect("a number")
}

/// Answers the conversation that waits for a person.
pub(super) async fn answer_as_staff(url: &str, answer: &Value) {
    let http = reqwest::Client::new();
    let who = json!({"sub": "eva", "role": "staff"});
    let token = http.post(format!("{url}/dev/token")).json(&who).send();
    let token: Value = token.await.expect("a token").json().await.expect("JSON");
    let token = token["token"].as_str().expect("a token");
    let talks = format!("{url}/api/agent/staff/conversations/");
    let waiting = http.get(&talks).bearer_auth(token).send();
    let waiting: Value = waiting.await.expect("a list").json().await.expect("JSON");
    let id = waiting["conversations"][0]["id"]
        .as_str()
        .unwrap_or_else(|| panic!("{waiting}"));
    let said = http
        .post(format!("{talks}{id}/"))
        .bearer_auth(token)
        .json(answer)
        .send();
    let status = said.await.expect("an answer").status();
    assert!(status.is_success(), "{status}");
}

/// A shop that has a profile, and to every message the same answer.
pub(super) struct Stub {
    pub(super) url: String,
    serving: JoinHandle<()>,
}

impl Stub {
    /// Answers nothing.
    pub(super) const SILENT: &'static str = "";

    pub(super) async fn start(answer: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(async move {
            let mut silent = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let request = read(&mut stream).await;
                if request.starts_with("GET /api/agent/shop/ ") {
                    let shop = json!({"name": "Stub", "currency": {"code": "EUR"}});
                    write(&mut stream, &format!("200 OK\r\n\r\n{shop}")).await;
                } else if answer == Self::SILENT {
                    silent.push(stream);
                } else {
                    write(&mut stream, answer).await;
                }
            }
        });
        Self { url, serving }
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// A request to its end.
async fn read(stream: &mut TcpStream) -> String {
    let mut request = String::new();
    while !is_whole(&request) {
        let mut part = vec![0; 8_192];
        let length = stream.read(&mut part).await.expect("a request");
        request.push_str(&String::from_utf8_lossy(&part[..length]));
        if length == 0 {
            break;
        }
    }
    request
}

fn is_whole(request: &str) -> bool {
    let Some((head, body)) = request.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.map_or(0, |length| length.parse().expect("a length"));
    body.len() >= length
}

async fn write(stream: &mut TcpStream, answer: &str) {
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let length = body.len();
    let answer =
        format!("HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}");
    stream
        .write_all(answer.as_bytes())
        .await
        .expect("it is read");
}
