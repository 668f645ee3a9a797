//! Logs: one JSON object a line on standard output for Lambda, plain lines on standard error for people.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{LevelFilter, Targets},
    fmt,
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

/// Starts logging at the level of `RUST_LOG`, or `info`.
pub fn start() {
    let lines = fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false);
    // Lambda stamps the time itself, but a line must make sense wherever it ends up.
    begin(lines, "info");
}

/// Starts logging for whoever watches a terminal, at the level of `RUST_LOG`, or `default`.
pub fn start_in_terminal(default: &str) {
    let lines = fmt::layer()
        .with_ansi(stderr().is_terminal())
        .with_writer(stderr);
    begin(lines, default);
}

fn begin<L>(lines: L, default: &str)
where
    L: Layer<tracing_subscriber::Registry> + Send + Sync,
{
    let level = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    let lines = lines.with_filter(level).with_filter(others_are_brief());
    let _ = tracing_subscriber::registry().with(lines).try_init();
}

/// What others log below `info` holds requests and answers as they are, with customers' words and keys in them. So whatever `RUST_LOG`
/// asks for, only our own crates, which hold to what may be logged, log more.
fn others_are_brief() -> Targets {
    Targets::new()
        .with_default(LevelFilter::INFO)
        .with_target("mostrador", LevelFilter::TRACE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn only_our_own_crates_log_details() {
        let filter = others_are_brief();
        for (target, level, expected) in [
            ("mostrador_web::gate", Level::TRACE, true),
            ("mostrador", Level::DEBUG, true),
            ("aws_smithy_runtime::client", Level::INFO, true),
            ("aws_smithy_runtime::client", Level::DEBUG, false),
            ("hyper_util::client", Level::TRACE, false),
            ("reqwest", Level::DEBUG, false),
            ("lambda_runtime", Level::TRACE, false),
        ] {
            assert_eq!(
                filter.would_enable(target, &level),
                expected,
                "{target} {level}"
            );
        }
    }
}
