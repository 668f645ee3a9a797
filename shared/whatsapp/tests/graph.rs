//! The client of the Graph API against peers that answer, cut and hang as they are scripted.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use mostrador_whatsapp::{
    cause::Recipient as Reason,
    graph::{Graph, Outcome, Patience, VERSION},
    ids::{MessageId, Phone, PhoneNumberId},
    message::{Choice, Outgoing, Receipt, Recipient, Request, Wording},
};
use secrecy::SecretString;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tracing_subscriber::fmt::MakeWriter;

/// What a peer does with a request that it has read.
#[derive(Clone)]
enum Peer {
    Answers(String),
    /// Closes without an answer.
    Cuts,
    Hangs,
}

fn http(status: u16, headers: &str, body: &str) -> Peer {
    let length = body.len();
    Peer::Answers(format!(
        "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n{headers}connection: close\r\n\r\n{body}"
    ))
}

fn error(status: u16, code: i64) -> Peer {
    http(
        status,
        "",
        &format!(
            r#"{{"error":{{"message":"34600111222","type":"OAuthException","code":{code}}}}}"#
        ),
    )
}

/// The address of a peer, how often it was called, and with what.
struct Script {
    base: String,
    calls: Arc<AtomicU32>,
    last: Arc<Mutex<String>>,
}

async fn script(peers: Vec<Peer>) -> Script {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let (calls, last) = (Arc::new(AtomicU32::new(0)), Arc::new(Mutex::default()));
    let script = Script {
        base,
        calls: calls.clone(),
        last: last.clone(),
    };
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let call = usize::try_from(calls.fetch_add(1, Ordering::SeqCst)).unwrap();
            let peer = peers[call.min(peers.len() - 1)].clone();
            let last = last.clone();
            tokio::spawn(async move {
                let mut request = Vec::new();
                let mut buffer = [0; 8192];
                while !request.ends_with(b"}") {
                    let read = stream.read(&mut buffer).await.unwrap();
                    request.extend_from_slice(&buffer[..read]);
                    if read == 0 {
                        break;
                    }
                }
                *last.lock().unwrap() = String::from_utf8(request).unwrap();
                match peer {
                    Peer::Answers(answer) => stream.write_all(answer.as_bytes()).await.unwrap(),
                    Peer::Cuts => {}
                    Peer::Hangs => tokio::time::sleep(Duration::from_secs(60)).await,
                }
            });
        }
    });
    script
}

fn graph(base: &str) -> Graph {
    let patience = Patience {
        connect: Duration::from_millis(300),
        answer: Duration::from_millis(300),
        tries: 3,
        pause: Duration::from_millis(1),
    };
    Graph::new(base, VERSION, SecretString::from("EAAtoken"), patience).unwrap()
}

fn request() -> Request {
    let wording = Wording {
        open_list: "Ver".to_owned(),
        more: Choice {
            id: "more".to_owned(),
            title: "Más".to_owned(),
            description: None,
        },
    };
    let body = Outgoing::plain("un secreto {}").body(&wording).unwrap();
    Request::new(&Recipient::Phone(Phone::new("34600111222").unwrap()), body)
}

fn number() -> PhoneNumberId {
    PhoneNumberId::new("106540352242922").unwrap()
}

async fn check(peers: Vec<Peer>, expected: Outcome, calls: u32) {
    let script = script(peers).await;
    let outcome = graph(&script.base).send(&number(), &request()).await;
    assert_eq!(outcome, expected);
    assert_eq!(script.calls.load(Ordering::SeqCst), calls, "{expected:?}");
}

fn sent() -> Peer {
    http(
        200,
        "",
        r#"{"messaging_product":"whatsapp","messages":[{"id":"wamid.1"}]}"#,
    )
}

fn was_sent() -> Outcome {
    Outcome::Sent(MessageId::new("wamid.1").unwrap())
}

#[tokio::test]
async fn each_answer_means_one_thing() {
    check(vec![sent()], was_sent(), 1).await;
    let second = Duration::from_secs(1);
    let some = |code| Some(code);
    for (peer, expected) in [
        (
            error(400, 131_056),
            Outcome::PairLimited { wait: second * 6 },
        ),
        (error(429, 130_429), Outcome::Throttled { wait: None }),
        (error(400, 80_007), Outcome::Throttled { wait: None }),
        (
            http(429, "retry-after: 7\r\n", ""),
            Outcome::Throttled {
                wait: Some(second * 7),
            },
        ),
        (error(400, 131_047), Outcome::OutsideWindow),
        (
            error(400, 131_026),
            Outcome::Recipient(Reason::Undeliverable),
        ),
        (error(400, 131_049), Outcome::Recipient(Reason::Spared)),
        (error(400, 131_050), Outcome::Recipient(Reason::OptedOut)),
        (error(400, 131_030), Outcome::Recipient(Reason::NotAllowed)),
        (error(400, 131_062), Outcome::Recipient(Reason::NeedsPhone)),
        (error(400, 100), Outcome::Invalid { code: some(100) }),
        (
            error(400, 131_008),
            Outcome::Invalid {
                code: some(131_008),
            },
        ),
        (
            error(400, 131_009),
            Outcome::Invalid {
                code: some(131_009),
            },
        ),
        (
            error(400, 424_242),
            Outcome::Invalid {
                code: some(424_242),
            },
        ),
        (http(413, "", "<html>"), Outcome::Invalid { code: None }),
        (
            error(404, 132_001),
            Outcome::Template {
                code: some(132_001),
            },
        ),
        (error(401, 190), Outcome::Credentials { code: some(190) }),
        (error(403, 10), Outcome::Credentials { code: some(10) }),
        (error(403, 200), Outcome::Credentials { code: some(200) }),
        (http(401, "", ""), Outcome::Credentials { code: None }),
        (
            error(403, 131_031),
            Outcome::Account {
                code: some(131_031),
            },
        ),
        (
            error(400, 131_042),
            Outcome::Account {
                code: some(131_042),
            },
        ),
        // It has left, and nobody says what came of it.
        (
            error(500, 131_000),
            Outcome::Unknown {
                code: some(131_000),
            },
        ),
        (error(500, 1), Outcome::Unknown { code: some(1) }),
        (http(502, "", "<html>"), Outcome::Unknown { code: None }),
        (http(200, "", "{}"), Outcome::Unknown { code: None }),
        (
            http(200, "", &"x".repeat(70_000)),
            Outcome::Unknown { code: None },
        ),
        (
            http(307, "location: http://127.0.0.1:1/\r\n", ""),
            Outcome::Unknown { code: None },
        ),
        (
            Peer::Answers("HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{\"messages\"".into()),
            Outcome::Unknown { code: None },
        ),
        (Peer::Cuts, Outcome::Unknown { code: None }),
        (Peer::Hangs, Outcome::Unknown { code: None }),
    ] {
        check(vec![peer], expected, 1).await;
    }
}

#[tokio::test]
async fn only_what_was_certainly_not_sent_is_tried_further() {
    let unavailable = || error(503, 131_016);
    check(vec![unavailable(), unavailable(), sent()], was_sent(), 3).await;
    check(vec![unavailable()], Outcome::NotSent, 3).await;
    check(
        vec![unavailable(), Peer::Cuts, sent()],
        Outcome::Unknown { code: None },
        2,
    )
    .await;
    // Nobody listens there.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    assert_eq!(
        graph(&base).send(&number(), &request()).await,
        Outcome::NotSent
    );
}

#[tokio::test]
async fn a_request_is_as_documented() {
    let peer = script(vec![sent()]).await;
    let base = format!("{}/", peer.base);
    graph(&base).send(&number(), &request()).await;
    let request = peer.last.lock().unwrap().clone();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let first = head.lines().next().unwrap();
    insta::assert_snapshot!(first, @"POST /v26.0/106540352242922/messages HTTP/1.1");
    assert!(head.contains("authorization: Bearer EAAtoken"), "{head}");
    insta::assert_snapshot!("a_request_is_as_documented", body);

    let peer = script(vec![
        http(200, "", r#"{"success":true}"#),
        error(400, 131_009),
    ])
    .await;
    let graph = graph(&peer.base);
    let receipt = Receipt::typing(&MessageId::new("wamid.1").unwrap());
    assert!(graph.mark_read(&number(), &receipt).await);
    assert!(!graph.mark_read(&number(), &receipt).await);
    for (base, version) in [
        ("ftp://a", "v26.0"),
        ("x", "v26.0"),
        ("http://a", "26"),
        ("http://a", "v1/x"),
    ] {
        assert!(Graph::new(base, version, SecretString::from("t"), Patience::default()).is_err());
    }
}

/// Everything that was logged.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn logs_name_nobody() {
    let lines = Lines::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(lines.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    for peer in [
        sent(),
        error(400, 131_026),
        error(400, 100),
        error(401, 190),
        error(500, 1),
        Peer::Cuts,
    ] {
        let script = script(vec![peer]).await;
        let graph = graph(&script.base);
        graph.send(&number(), &request()).await;
        graph
            .mark_read(
                &number(),
                &Receipt::read(&MessageId::new("wamid.34600111222").unwrap()),
            )
            .await;
    }
    drop(guard);
    let log = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("sent"), "{log}");
    for secret in ["secreto", "34600111222", "EAAtoken", "wamid"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}
