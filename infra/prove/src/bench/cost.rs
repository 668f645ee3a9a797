//! What a turn costs, and how many calls of it wait for one another.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use mostrador_core::{
    ids::{ConversationNumber, Owner},
    model::ModelPolicy,
    projection::{SUMMARY_AFTER_MESSAGES, SUMMARY_CHARS, Summariser, catch_up},
};
use mostrador_engine::{Engine, Meter};
use mostrador_llm::NoModel;
use mostrador_local::{import, index, secret, shop::Shop, stores::Stores};
use mostrador_web::Request;
use serde_json::json;

/// The mean over many turns.
pub(super) struct TurnCost {
    pub(super) calls: f64,
    pub(super) round_trips: f64,
    pub(super) read_units: f64,
    pub(super) write_units: f64,
    /// With what the streams set off.
    pub(super) projected: Projected,
}

/// The mean of a turn with its projection, and its share of the summaries.
pub(super) struct Projected {
    pub(super) calls: f64,
    pub(super) read_units: f64,
    pub(super) write_units: f64,
}

/// Within the rate that a user has by default, the first turn included.
const TURNS: u32 = 12;
/// So long that everything else in a turn is nothing beside it.
const ROUND_TRIP: Duration = Duration::from_millis(40);

/// Asks one question again and again over an engine that counts, then over one that takes its time.
pub(super) async fn signed_in_turn() -> anyhow::Result<TurnCost> {
    let meter = Arc::new(Meter::default());
    let engine = Engine::in_memory()?;
    let metered = Stores::on_engine(engine.clone().metered(meter.clone())).await?;
    import::bring_in(&metered, &import::demo()?).await?;
    index::publish_if_needed(&metered).await?;
    let secret = secret::secret(None)?;
    let token = secret::token(&secret, "coste", 1)?;

    let wiring = metered.wiring(secret::settings(&secret));
    let shop = Shop::open(&metered, &wiring).await?;
    ask(&shop, &token).await?;
    let _ = meter.take();
    for _ in 0..TURNS {
        ask(&shop, &token).await?;
    }
    let cost = meter.take();
    let (log, view) = (wiring.log(), wiring.view());
    let owner = Owner::new("default", "coste")?;
    let one = ConversationNumber::FIRST;
    let summariser = Summariser {
        log: log.clone(),
        view: view.clone(),
        model: Arc::new(NoModel),
        policy: ModelPolicy::none(),
        max_chars: SUMMARY_CHARS,
    };
    for turn in 1..=TURNS {
        ask(&shop, &token).await?;
        catch_up(&*log, &*view, &owner, one, SUMMARY_AFTER_MESSAGES).await?;
        // Two messages a turn.
        if u64::from(turn) % (SUMMARY_AFTER_MESSAGES / 2 + 1) == 0 {
            summariser.summarise(&owner, one).await?;
        }
    }
    let with_projection = meter.take();

    let delayed = metered.with_engine(engine.delayed(ROUND_TRIP)).await;
    let wiring = delayed.wiring(secret::settings(&secret));
    let shop = Shop::open(&delayed, &wiring).await?;
    let token = secret::token(&secret, "demora", 1)?;
    ask(&shop, &token).await?;
    let mut times = Vec::new();
    for _ in 0..9 {
        let started = Instant::now();
        ask(&shop, &token).await?;
        times.push(started.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let turns = f64::from(TURNS);
    #[expect(clippy::cast_precision_loss, reason = "a few hundred calls")]
    let calls = cost.calls as f64;
    Ok(TurnCost {
        calls: calls / turns,
        round_trips: times[times.len() / 2] / ROUND_TRIP.as_secs_f64(),
        read_units: cost.read_units / turns,
        write_units: cost.write_units / turns,
        projected: Projected {
            #[expect(clippy::cast_precision_loss, reason = "a few hundred calls")]
            calls: with_projection.calls as f64 / turns,
            read_units: with_projection.read_units / turns,
            write_units: with_projection.write_units / turns,
        },
    })
}

async fn ask(shop: &Shop, token: &str) -> anyhow::Result<()> {
    let body = json!({"message": "novela de realismo mágico sobre una familia"}).to_string();
    let request = Request::new(Bytes::from(body));
    let (mut parts, body) = request.into_parts();
    parts.method = http::Method::POST;
    parts.uri = http::Uri::from_static("/api/agent/");
    parts.headers.insert(
        CONTENT_TYPE,
        http::HeaderValue::from_static("application/json"),
    );
    parts.headers.insert(
        AUTHORIZATION,
        format!("Bearer {token}").parse().context("the token")?,
    );
    let answer = shop.handle(Request::from_parts(parts, body)).await;
    anyhow::ensure!(
        answer.status().is_success(),
        "{}: {}",
        answer.status(),
        String::from_utf8_lossy(answer.body().whole())
    );
    Ok(())
}
