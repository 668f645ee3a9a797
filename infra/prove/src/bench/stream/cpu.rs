//! What streamed lines cost in CPU, beside turns without a model.

use std::sync::Arc;

use serde_json::json;
use tokio::task::JoinSet;

use super::client::{Asker, Caller};
use crate::bench::{child::Child, load::QUERIES};

/// Milliseconds of the product's CPU.
pub(super) struct Cpu {
    pub(super) thousand_lines_ms: f64,
    /// A turn of as many lines as the model writes.
    pub(super) with_model_ms: f64,
    /// A turn with the same question.
    pub(super) without_model_ms: f64,
}

const CONNECTIONS: u16 = 8;
/// Questions on each connection, one after another; CPU is reported in steps of 10 ms.
const QUESTIONS: u16 = 120;
/// Those that are not counted.
const WARMING: u16 = 8;
/// What the model writes in a turn.
const LINES: u32 = 5;

/// Asks with and without the model, on each connection as a caller of its own.
pub(super) async fn measure(shop: &Child, caller: Caller) -> anyhow::Result<Cpu> {
    let http = reqwest::Client::builder().build()?;
    let mut askers = Vec::new();
    for _ in 0..CONNECTIONS {
        askers.push(Arc::new(Asker::new(&http, shop, caller).await?));
    }
    let turns = f64::from(CONNECTIONS) * f64::from(QUESTIONS);
    ask(shop, &askers, true, WARMING).await?;
    let with_model_ms = ask(shop, &askers, true, QUESTIONS).await? / turns;
    ask(shop, &askers, false, WARMING).await?;
    let without_model_ms = ask(shop, &askers, false, QUESTIONS).await? / turns;
    Ok(Cpu {
        thousand_lines_ms: with_model_ms / f64::from(LINES) * 1_000.0,
        with_model_ms,
        without_model_ms,
    })
}

/// CPU that the product uses meanwhile, in milliseconds.
async fn ask(
    shop: &Child,
    askers: &[Arc<Asker>],
    use_llm: bool,
    questions: u16,
) -> anyhow::Result<f64> {
    let before = shop.cpu_ms()?;
    let mut connections = JoinSet::new();
    for asker in askers {
        let asker = Arc::clone(asker);
        connections.spawn(async move {
            for query in QUERIES.iter().cycle().take(usize::from(questions)) {
                let question = json!({"message": query, "use_llm": use_llm});
                let timing = asker.ask(&question).await?;
                if use_llm {
                    timing.of_model(LINES)?;
                }
            }
            anyhow::Ok(())
        });
    }
    while let Some(ended) = connections.join_next().await {
        ended??;
    }
    Ok(shop.cpu_ms()? - before)
}
