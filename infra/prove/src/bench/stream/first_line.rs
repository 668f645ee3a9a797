//! How long the first line takes: from the model, and the same through the product.

use std::time::Duration;

use anyhow::Context;
use serde_json::json;
use tokio::time::sleep;

use super::{
    client::{Asker, Caller, first_line_of_model},
    provider::Provider,
};
use crate::bench::{child::Child, load::QUERIES, percentile};

/// The median of each.
pub(super) struct FirstLine {
    /// From the question to the model's line, and to the product's.
    pub(super) direct_ms: f64,
    pub(super) through_ms: f64,
    /// From the model's line to the product's.
    pub(super) passed_on_ms: f64,
}

/// Rounds that are not counted.
const WARMING: usize = 30;
const ROUNDS: usize = 300;
/// Nobody asks again sooner, and a function beside this one is projecting the turn before until then.
const PAUSE: Duration = Duration::from_millis(100);

/// Asks the product, and then the model itself the very same that the product has asked it, in turns.
pub(super) async fn compare(
    provider: &Provider,
    shop: &Child,
    caller: Caller,
) -> anyhow::Result<FirstLine> {
    let http = reqwest::Client::builder().build()?;
    let asker = Asker::new(&http, shop, caller).await?;
    let question = json!({"message": QUERIES[0]});
    let (mut direct, mut through, mut passed_on) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..WARMING + ROUNDS {
        sleep(PAUSE).await;
        let timing = asker.ask(&question).await?.of_model(2)?;
        let written_at = provider.first_line().context("the model said no line")?;
        let alone = first_line_of_model(&http, &provider.url, provider.question()).await?;
        if round >= WARMING {
            through.push(timing.first_line);
            passed_on.push(timing.first_line_at.duration_since(written_at));
            direct.push(alone);
        }
    }
    Ok(FirstLine {
        direct_ms: percentile(&mut direct, 50),
        through_ms: percentile(&mut through, 50),
        passed_on_ms: percentile(&mut passed_on, 50),
    })
}
