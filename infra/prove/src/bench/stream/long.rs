//! What a long stream leaves in memory.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep_until};

use super::{
    client::{Asker, Caller},
    provider::{Provider, Script, thought_every},
    start,
};
use crate::bench::load::QUERIES;

/// What the product has in memory, in megabytes.
pub(super) struct Long {
    /// How long the model thought, and how many pieces of it came.
    pub(super) lasts: Duration,
    pub(super) every: Duration,
    /// After a tenth of it, after half, and shortly before its end.
    pub(super) early_mb: f64,
    pub(super) middle_mb: f64,
    pub(super) late_mb: f64,
}

/// The most that `LLM_TIMEOUT_SECONDS` takes, and what is left of it beside the two lines.
const TIMEOUT_SECONDS: &str = "600";
const THINKS_MAX: Duration = Duration::from_secs(590);

/// Asks one question as a signed-in customer who wants the thinking streamed.
pub(super) async fn with_thinking(seconds: u64) -> anyhow::Result<Long> {
    let lasts = Duration::from_secs(seconds).min(THINKS_MAX);
    let provider = Provider::start(Script::Thinking(lasts)).await?;
    let timeout = [("LLM_TIMEOUT_SECONDS", TIMEOUT_SECONDS)];
    let shop = start(&provider, &timeout, &["--ephemeral"]).await?;
    let http = reqwest::Client::builder().build()?;
    let asker = Asker::new(&http, &shop, Caller::SignedIn).await?;
    // What a first turn brings into memory is no matter of streams.
    for query in QUERIES {
        let question = json!({"message": query, "use_llm": false});
        asker.ask(&question).await?;
    }
    let question = json!({"message": QUERIES[0], "enable_thinking": true});
    let started = Instant::now();
    let looks = async {
        sleep_until(started + lasts / 10).await;
        let early_mb = shop.resident_mb()?;
        sleep_until(started + lasts / 2).await;
        let middle_mb = shop.resident_mb()?;
        sleep_until(started + lasts / 20 * 19).await;
        anyhow::Ok((early_mb, middle_mb, shop.resident_mb()?))
    };
    let (timing, (early_mb, middle_mb, late_mb)) = tokio::try_join!(asker.ask(&question), looks)?;
    timing.of_model(2)?;
    Ok(Long {
        lasts,
        every: thought_every(lasts),
        early_mb,
        middle_mb,
        late_mb,
    })
}
