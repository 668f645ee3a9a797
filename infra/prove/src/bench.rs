//! `prove bench`: how fast the product is on this machine, and what a turn costs.

mod catalogues;
mod child;
mod cold;
mod cost;
mod history;
pub(crate) mod index;
mod load;
pub(crate) mod slots;
pub(crate) mod stream;

use std::io::{Write, stdout};
use std::time::Duration;

use anyhow::Context;

use crate::cli::ProductBenchOptions;
use child::Child;
use load::{Question, run};

/// What the design asks for, in the unit of its line.
struct Goal {
    what: &'static str,
    measured: f64,
    limit: f64,
    unit: &'static str,
    /// Whether more is better.
    at_least: bool,
}

pub(crate) async fn bench(options: &ProductBenchOptions) -> anyhow::Result<()> {
    let seconds = Duration::from_secs(options.seconds.max(1));
    let mut goals = Vec::new();
    writeln!(
        stdout(),
        "| over HTTP, --ephemeral | connections | p50 ms | p99 ms | per second |"
    )?;
    writeln!(stdout(), "|---|---|---|---|---|")?;
    let shop = Child::start(&["--ephemeral"]).await?;
    for question in [Question::SignedIn, Question::Guest, Question::Search] {
        for connections in [1, 8] {
            let measured = run(&shop, question, connections, seconds).await?;
            let name = question.name();
            writeln!(
                stdout(),
                "| {name} | {connections} | {:.2} | {:.2} | {:.0} |",
                measured.p50_ms,
                measured.p99_ms,
                measured.per_second
            )?;
            goals.extend(match (question, connections) {
                (Question::SignedIn, 1) => Some(Goal::at_most(
                    "signed-in chat p50, 1 connection",
                    measured.p50_ms,
                    4.0,
                    "ms",
                )),
                (Question::SignedIn, _) => Some(Goal::at_least(
                    "signed-in chat",
                    measured.per_second,
                    200.0,
                    "/s",
                )),
                (Question::Guest, 8) => Some(Goal::at_least(
                    "guest chat",
                    measured.per_second,
                    2_000.0,
                    "/s",
                )),
                (Question::Search, 1) => Some(Goal::at_most(
                    "search p50, 1 connection",
                    measured.p50_ms,
                    2.0,
                    "ms",
                )),
                _ => None,
            });
        }
    }
    drop(shop);

    let cpu_ms = cpu_per_turn(seconds).await?;
    writeln!(
        stdout(),
        "\nCPU of a signed-in turn in our own process, on one thread as in a function, engine outside: {cpu_ms:.2} ms"
    )?;
    goals.push(Goal::at_most("CPU a signed-in turn", cpu_ms, 1.0, "ms"));

    writeln!(
        stdout(),
        "\n| per signed-in turn, as the engine reports it | calls | one after another | read units | write units |"
    )?;
    writeln!(stdout(), "|---|---|---|---|---|")?;
    let turn = cost::signed_in_turn().await.context("the cost of a turn")?;
    writeln!(
        stdout(),
        "| without a model | {:.1} | {:.1} | {:.1} | {:.1} |",
        turn.calls,
        turn.round_trips,
        turn.read_units,
        turn.write_units
    )?;
    writeln!(
        stdout(),
        "| the same with projection and summaries | {:.1} | | {:.1} | {:.1} |",
        turn.projected.calls,
        turn.projected.read_units,
        turn.projected.write_units
    )?;
    goals.push(Goal::at_most(
        "round trips one after another",
        turn.round_trips.round(),
        3.0,
        "",
    ));
    goals.push(Goal::at_most(
        "read units a turn, projection included",
        turn.projected.read_units,
        6.0,
        "",
    ));
    goals.push(Goal::at_most(
        "write units a turn, projection included",
        turn.projected.write_units,
        6.0,
        "",
    ));

    writeln!(
        stdout(),
        "\n| remembering, embedded engine in memory | p50 ms | p99 ms |"
    )?;
    writeln!(stdout(), "|---|---|---|")?;
    let kept = history::remembering().await.context("remembering")?;
    writeln!(
        stdout(),
        "| append, the read before it included | {:.2} | |",
        kept.append_p50
    )?;
    writeln!(
        stdout(),
        "| context of a conversation of 1,000 turns, one read | {:.2} | |",
        kept.context_p50
    )?;
    writeln!(
        stdout(),
        "| from a commit to the view | {:.0} | {:.0} |",
        kept.lag_p50,
        kept.lag_p99
    )?;
    goals.push(Goal::at_most("append p50", kept.append_p50, 1.5, "ms"));
    goals.push(Goal::at_most(
        "context after 1,000 turns",
        kept.context_p50,
        5.0,
        "ms",
    ));
    goals.push(Goal::at_most(
        "projection lag p99",
        kept.lag_p99,
        300.0,
        "ms",
    ));

    match cold::start(options).await? {
        Some(cold) => {
            writeln!(
                stdout(),
                "\n| cold start of `search`, process start to first answer | p50 ms | p90 ms | index | resident then |"
            )?;
            writeln!(stdout(), "|---|---|---|---|---|")?;
            writeln!(
                stdout(),
                "| {} items, local S3 | {:.0} | {:.0} | {:.1} MB | {:.1} MB |",
                cold.items,
                cold.p50_ms,
                cold.p90_ms,
                cold.index_mb,
                cold.resident_mb
            )?;
            goals.push(Goal::at_most(
                "cold start p50 (10k items: 60, 100k: 150)",
                cold.p50_ms,
                if cold.items > 20_000 { 150.0 } else { 60.0 },
                "ms",
            ));
            goals.push(Goal::at_most(
                "resident beside the index",
                cold.resident_mb - cold.index_mb,
                40.0,
                "MB",
            ));
        }
        None => writeln!(
            stdout(),
            "\ncold start: not measured, since the search function is not built (infra/lambda/build)"
        )?,
    }

    print_goals(&goals)?;
    Ok(())
}

/// In milliseconds; not a number where there are no times.
fn percentile(times: &mut [Duration], percent: usize) -> f64 {
    times.sort_unstable();
    let at = times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
    at.map_or(f64::NAN, |time| time.as_secs_f64() * 1_000.0)
}

fn print_goals(goals: &[Goal]) -> std::io::Result<()> {
    writeln!(
        stdout(),
        "\n| goal | measured | limit | measured / limit | |"
    )?;
    writeln!(stdout(), "|---|---|---|---|---|")?;
    for Goal {
        what,
        measured,
        limit,
        unit,
        at_least,
    } in goals
    {
        let met = if *at_least {
            measured >= limit
        } else {
            measured <= limit
        };
        let sign = if *at_least { "≥" } else { "≤" };
        let verdict = if met { "met" } else { "missed" };
        writeln!(
            stdout(),
            "| {what} | {measured:.2} {unit} | {sign} {limit} {unit} | {:.2} | {verdict} |",
            measured / limit
        )?;
    }
    Ok(())
}

impl Goal {
    fn at_most(what: &'static str, measured: f64, limit: f64, unit: &'static str) -> Self {
        Self {
            what,
            measured,
            limit,
            unit,
            at_least: false,
        }
    }

    fn at_least(what: &'static str, measured: f64, limit: f64, unit: &'static str) -> Self {
        Self {
            what,
            measured,
            limit,
            unit,
            at_least: true,
        }
    }
}

/// Milliseconds of CPU that our process spends on a turn while the engine runs in another.
async fn cpu_per_turn(seconds: Duration) -> anyhow::Result<f64> {
    let engine = Child::start(&["--ephemeral", "--dynamodb-port", "0"]).await?;
    let endpoint = engine
        .dynamodb_endpoint
        .clone()
        .context("the engine's endpoint")?;
    // A function runs on one thread.
    let shop = Child::start_in(
        &[("TOKIO_WORKER_THREADS", "1")],
        &["--ephemeral", "--dynamodb-endpoint", &endpoint],
    )
    .await?;
    run(&shop, Question::SignedIn, 2, Duration::from_secs(1)).await?;
    let before = shop.cpu_ms()?;
    let measured = run(&shop, Question::SignedIn, 2, seconds).await?;
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let turns = measured.answers as f64;
    Ok((shop.cpu_ms()? - before) / turns)
}
