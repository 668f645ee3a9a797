//! Questions over HTTP, one after another on each connection.

use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::child::Child;

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub(super) enum Question {
    SignedIn,
    Guest,
    Search,
}

/// What came of it.
pub(super) struct Measured {
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) per_second: f64,
    pub(super) answers: usize,
}

pub(super) const QUERIES: [&str; 8] = [
    "novela de realismo mágico sobre una familia",
    "tolkien",
    "garcia marquez",
    "un detective en Barcelona",
    "poemas de amor",
    "viajes en el tiempo",
    "historia de la guerra civil",
    "cuentos fantásticos",
];

impl Question {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SignedIn => "chat, signed in",
            Self::Guest => "chat, guest",
            Self::Search => "search",
        }
    }
}

/// Asks for `duration` on so many connections, each as a user of its own.
pub(super) async fn run(
    shop: &Child,
    question: Question,
    connections: usize,
    duration: Duration,
) -> anyhow::Result<Measured> {
    let mut clients = JoinSet::new();
    let started = Instant::now();
    for connection in 0..connections {
        let url = shop.url.clone();
        clients.spawn(async move { client(&url, question, connection, duration).await });
    }
    let mut times_ms = Vec::new();
    while let Some(ended) = clients.join_next().await {
        times_ms.extend(ended??);
    }
    let elapsed = started.elapsed().as_secs_f64();
    times_ms.sort_by(f64::total_cmp);
    anyhow::ensure!(!times_ms.is_empty(), "nothing was answered");
    #[expect(clippy::cast_precision_loss, reason = "a few hundred thousand")]
    let per_second = times_ms.len() as f64 / elapsed;
    let at = |percent: usize| times_ms[(times_ms.len() - 1) * percent / 100];
    Ok(Measured {
        p50_ms: at(50),
        p99_ms: at(99),
        per_second,
        answers: times_ms.len(),
    })
}

/// A user's token.
pub(super) async fn sign_in(
    http: &reqwest::Client,
    url: &str,
    user: &str,
) -> anyhow::Result<String> {
    let answer: Value = http
        .post(format!("{url}/dev/token"))
        .json(&json!({"sub": user}))
        .send()
        .await?
        .json()
        .await?;
    Ok(answer["token"].as_str().context("no token")?.to_owned())
}

async fn client(
    url: &str,
    question: Question,
    connection: usize,
    duration: Duration,
) -> anyhow::Result<Vec<f64>> {
    let http = reqwest::Client::builder()
        .pool_max_idle_per_host(1)
        .build()?;
    let token = match question {
        Question::SignedIn => {
            let user = format!("bench-{connection}-{}", uuid::Uuid::now_v7());
            Some(sign_in(&http, url, &user).await?)
        }
        Question::Guest | Question::Search => None,
    };
    let mut times_ms = Vec::new();
    let started = Instant::now();
    for query in QUERIES.iter().cycle() {
        if started.elapsed() >= duration {
            break;
        }
        let request = match question {
            Question::Search => http
                .get(format!("{url}/api/agent/search/"))
                .query(&[("q", query)]),
            Question::SignedIn | Question::Guest => http
                .post(format!("{url}/api/agent/"))
                .json(&json!({"message": query})),
        };
        let request = match &token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        let sent_at = Instant::now();
        let answer = request.send().await?;
        let status = answer.status();
        let body = answer.bytes().await?;
        times_ms.push(sent_at.elapsed().as_secs_f64() * 1_000.0);
        anyhow::ensure!(
            status.is_success(),
            "{status}: {}",
            String::from_utf8_lossy(&body)
        );
    }
    Ok(times_ms)
}
