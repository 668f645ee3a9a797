//! `prove bench stream`: what streaming adds to a model that is scripted, and how it holds out.

mod client;
mod cpu;
mod crowd;
mod first_line;
mod long;
mod provider;

use anyhow::Context;
use std::io::{Write, stdout};

use super::{Goal, child::Child, print_goals};
use crate::cli::StreamBenchOptions;
use client::Caller;
use cpu::Cpu;
use crowd::Crowd;
use first_line::FirstLine;
use long::Long;
use provider::{FIRST_LINE, Provider, Script, THOUGHT_EVERY};

pub(crate) async fn bench(options: &StreamBenchOptions) -> anyhow::Result<()> {
    let mut goals = Vec::new();
    let callers = [Caller::SignedIn, Caller::Guest];

    writeln!(
        stdout(),
        "| first line of a model that has said it after {} ms | from the model, p50 ms | through the product, p50 ms | added ms | from the model's line to the product's, p50 ms |",
        FIRST_LINE.as_millis()
    )?;
    writeln!(stdout(), "|---|---|---|---|---|")?;
    let provider = Provider::start(Script::TwoLines).await?;
    let shop = start(&provider, &[], &["--ephemeral"]).await?;
    for caller in callers {
        let measured = first_line::compare(&provider, &shop, caller).await;
        let FirstLine {
            direct_ms,
            through_ms,
            passed_on_ms,
        } = measured.context("the first line")?;
        let (name, added_ms) = (caller.name(), through_ms - direct_ms);
        writeln!(
            stdout(),
            "| {name} | {direct_ms:.2} | {through_ms:.2} | {added_ms:.2} | {passed_on_ms:.2} |"
        )?;
        let [added, passed_on] = match caller {
            Caller::SignedIn => [
                "added to the first line p50, signed in",
                "from the model's first line to the product's p50, signed in",
            ],
            Caller::Guest => [
                "added to the first line p50, guest",
                "from the model's first line to the product's p50, guest",
            ],
        };
        goals.push(Goal::at_most(added, added_ms, 3.0, "ms"));
        goals.push(Goal::at_most(passed_on, passed_on_ms, 3.0, "ms"));
    }
    drop(shop);

    writeln!(
        stdout(),
        "\n| CPU on one thread, engine outside | 1,000 streamed lines, ms | a turn of five of them, ms | the same without a model, ms | with / without |"
    )?;
    writeln!(stdout(), "|---|---|---|---|---|")?;
    let provider = Provider::start(Script::FiveLines).await?;
    let engine = Child::start_in(&[NO_SUMMARIES], &["--ephemeral", "--dynamodb-port", "0"]).await?;
    let endpoint = engine
        .dynamodb_endpoint
        .clone()
        .context("the engine's endpoint")?;
    let shop = start(
        &provider,
        // As in a function.
        &[("TOKIO_WORKER_THREADS", "1")],
        &["--ephemeral", "--dynamodb-endpoint", &endpoint],
    )
    .await?;
    for caller in callers {
        let measured = cpu::measure(&shop, caller).await;
        let Cpu {
            thousand_lines_ms,
            with_model_ms,
            without_model_ms,
        } = measured.context("CPU of streamed lines")?;
        let (name, ratio) = (caller.name(), with_model_ms / without_model_ms);
        writeln!(
            stdout(),
            "| {name} | {thousand_lines_ms:.0} | {with_model_ms:.2} | {without_model_ms:.2} | {ratio:.2} |"
        )?;
    }
    drop((shop, engine));

    writeln!(
        stdout(),
        "\n| one stream whose model thinks aloud | thoughts every | resident after 10 % | after 50 % | after 95 % | 95 % / 10 % |"
    )?;
    writeln!(stdout(), "|---|---|---|---|---|---|")?;
    let Long {
        lasts,
        every,
        early_mb,
        middle_mb,
        late_mb,
    } = long::with_thinking(options.seconds)
        .await
        .context("the long stream")?;
    let ratio = late_mb / early_mb;
    writeln!(
        stdout(),
        "| {} s | {} ms | {early_mb:.1} MB | {middle_mb:.1} MB | {late_mb:.1} MB | {ratio:.3} |",
        lasts.as_secs(),
        every.as_millis()
    )?;
    if every > THOUGHT_EVERY {
        writeln!(
            stdout(),
            "\nThoughts are fewer, since 4 MiB are read of an answer at most."
        )?;
    }
    if lasts.as_secs() < options.seconds {
        writeln!(
            stdout(),
            "\nIt is shorter, since a model may take 600 seconds at most."
        )?;
    }
    let what = "resident memory over a long stream, 95 % / 10 %";
    goals.push(Goal::at_most(what, ratio, 1.05, ""));

    writeln!(
        stdout(),
        "\n| streams at once, a heartbeat each second | heartbeats missed / due | largest gap |"
    )?;
    writeln!(stdout(), "|---|---|---|")?;
    let Crowd {
        streams,
        due,
        missed,
        largest_gap,
    } = crowd::listen().await.context("many streams at once")?;
    let gap_s = largest_gap.as_secs_f64();
    writeln!(stdout(), "| {streams} | {missed} / {due} | {gap_s:.2} s |")?;
    let on_time = 100.0 * (1.0 - f64::from(missed) / f64::from(due));
    goals.push(Goal::at_least("heartbeats on time", on_time, 100.0, "%"));
    goals.push(Goal::at_most(
        "largest gap, a heartbeat each second",
        gap_s,
        1.5,
        "s",
    ));

    print_goals(&goals)?;
    Ok(())
}

/// They are made by the model too, and while something else is measured.
const NO_SUMMARIES: (&str, &str) = ("SUMMARY_AFTER_MESSAGES", "1000000");

/// A product that asks `provider` in its turns and at no other time.
async fn start(
    provider: &Provider,
    environment: &[(&str, &str)],
    arguments: &[&str],
) -> anyhow::Result<Child> {
    let model = [
        ("LLM_PROVIDER", "openai_compatible"),
        ("LLM_BASE_URL", provider.url.as_str()),
        ("LLM_MODEL", "scripted"),
        NO_SUMMARIES,
    ];
    let environment: Vec<(&str, &str)> = model.iter().chain(environment).copied().collect();
    Child::start_in(&environment, arguments).await
}
