//! Many streams at once whose model is silent for a while: whether each gets its heartbeats.

use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;

use super::{
    client::{Asker, Caller},
    provider::{Provider, Script},
    start,
};
use crate::bench::load::QUERIES;

pub(super) struct Crowd {
    pub(super) streams: u32,
    /// Heartbeats of all streams.
    pub(super) due: u32,
    pub(super) missed: u32,
    /// Between two pieces of bytes of any stream.
    pub(super) largest_gap: Duration,
}

const STREAMS: u32 = 200;
const SILENCE: Duration = Duration::from_secs(20);
/// A heartbeat each second of the silence; at the last, the answer may come first.
const HEARTBEAT_SECONDS: &str = "1";
const DUE: u32 = 19;
/// How late a heartbeat may be before it is missed.
const TOLERATED: Duration = Duration::from_millis(500);

/// Asks on all streams at once, half of them as signed-in customers, and receives them to their end.
pub(super) async fn listen() -> anyhow::Result<Crowd> {
    let provider = Provider::start(Script::Silent(SILENCE)).await?;
    let patient = [
        ("STREAM_HEARTBEAT_SECONDS", HEARTBEAT_SECONDS),
        ("LLM_FIRST_BYTE_SECONDS", "60"),
        ("LLM_TIMEOUT_SECONDS", "60"),
    ];
    let shop = start(&provider, &patient, &["--ephemeral"]).await?;
    let http = reqwest::Client::builder().build()?;
    let mut askers = Vec::new();
    for place in 0..STREAMS {
        let caller = if place % 2 == 0 {
            Caller::SignedIn
        } else {
            Caller::Guest
        };
        askers.push(Asker::new(&http, &shop, caller).await?);
    }
    let mut streams = JoinSet::new();
    for asker in askers {
        streams.spawn(async move {
            let question = json!({"message": QUERIES[0]});
            asker.ask(&question).await?.of_model(2)
        });
    }
    let mut crowd = Crowd {
        streams: STREAMS,
        due: STREAMS * DUE,
        missed: 0,
        largest_gap: Duration::ZERO,
    };
    while let Some(ended) = streams.join_next().await {
        for gap in ended??.gaps {
            crowd.missed = crowd.missed.saturating_add(missed(gap));
            crowd.largest_gap = crowd.largest_gap.max(gap);
        }
    }
    Ok(crowd)
}

/// Heartbeats that should have come in a gap: each second, and half a second late at most.
fn missed(gap: Duration) -> u32 {
    u32::try_from(gap.saturating_sub(TOLERATED).as_secs()).unwrap_or(u32::MAX)
}
