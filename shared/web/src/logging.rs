//! Structured logs on standard output, one JSON object a line.

use tracing_subscriber::{EnvFilter, fmt};

/// Starts logging at the level of `RUST_LOG`, or `info`.
pub fn start() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    // Lambda stamps the time itself, but a line must make sense wherever it ends up.
    let _ = fmt()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_env_filter(filter)
        .try_init();
}
