//! What remembering takes: an append, the context of a long conversation, and how far the view is behind.

use std::time::{Duration, Instant};

use mostrador_core::{
    history::NewMessage,
    ids::{ConversationNumber, Owner},
    log::Log,
    view::View,
};
use mostrador_engine::Engine;
use mostrador_local::{stores::Stores, streams::Streams};
use serde_json::Map;

use super::percentile;

/// Milliseconds each.
pub(super) struct Remembering {
    pub(super) append_p50: f64,
    /// The twenty newest commits of a conversation of a thousand turns.
    pub(super) context_p50: f64,
    /// From an acknowledged commit to its conversation's view.
    pub(super) lag_p50: f64,
    pub(super) lag_p99: f64,
}

const TURNS: usize = 1_000;
/// What a prompt has at most, as a turn reads it.
const CONTEXT: usize = 20;
const LOOK_EVERY: Duration = Duration::from_millis(2);

pub(super) async fn remembering() -> anyhow::Result<Remembering> {
    let stores = Stores::on_engine(Engine::in_memory()?).await?;
    // Of no settings: without a model.
    let wiring = stores.wiring(Box::new(|_| None));
    let (log, view, history) = (wiring.log(), wiring.view(), wiring.history());
    let owner = Owner::new("default", "banco")?;
    let turn = |number: usize| {
        ["user", "assistant"].map(|role| NewMessage {
            role: role.to_owned(),
            content: format!(
                "{role} {number}: «Rayuela», de Julio Cortázar: 18,95 €, 4 ejemplares"
            ),
            meta: Map::new(),
        })
    };
    let mut appends = Vec::with_capacity(TURNS);
    for number in 0..TURNS {
        let started = Instant::now();
        history.add(&owner, turn(number).into(), |_| None).await?;
        appends.push(started.elapsed());
    }
    let mut contexts = Vec::new();
    for _ in 0..200 {
        let started = Instant::now();
        let read = log.newest(&owner, None, CONTEXT).await?;
        contexts.push(started.elapsed());
        anyhow::ensure!(read.len() == CONTEXT, "the context was not read");
    }

    let streams = stores.streams.clone();
    let streams = streams.ok_or_else(|| anyhow::anyhow!("the engine has no streams"))?;
    let at_work = Streams::start(&stores, &streams, &wiring).await?;
    let other = Owner::new("default", "rezago")?;
    let mut lags = Vec::new();
    for number in 0..200 {
        let added = history.add(&other, turn(number).into(), |_| None).await?;
        let started = Instant::now();
        let last = added.last().map(|message| message.id);
        loop {
            let viewed = view.conversation(&other, ConversationNumber::FIRST).await?;
            if viewed.is_some_and(|viewed| Some(viewed.through) >= last) {
                break;
            }
            anyhow::ensure!(
                started.elapsed() < Duration::from_secs(10),
                "the view does not follow"
            );
            tokio::time::sleep(LOOK_EVERY).await;
        }
        lags.push(started.elapsed());
    }
    at_work.stop().await;
    Ok(Remembering {
        append_p50: percentile(&mut appends, 50),
        context_p50: percentile(&mut contexts, 50),
        lag_p50: percentile(&mut lags, 50),
        lag_p99: percentile(&mut lags, 99),
    })
}
