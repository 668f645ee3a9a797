//! Search in earlier messages.

use mostrador_core::{history::History, ids::Owner};
use mostrador_web::{Call, Problem, Reply};

use crate::parameters::place;

/// Messages given where nothing else is asked for, and at most.
const LIMIT: usize = 20;
const LIMIT_MAX: usize = 100;
/// Longest question, in characters.
const QUERY_CHARS: usize = 200;

pub(crate) async fn search(
    history: &History,
    owner: &Owner,
    call: &Call,
) -> Result<Reply, Problem> {
    let query = call.query.text("q").unwrap_or_default();
    if query.chars().count() > QUERY_CHARS {
        let detail = format!("`q` is longer than {QUERY_CHARS} characters");
        return Err(Problem::invalid(detail));
    }
    let after = place(&call.query, "after")?;
    let limit = call.query.size("limit", LIMIT_MAX)?.unwrap_or(LIMIT);
    let found = history.search(owner, query, after, limit).await;
    Ok(Reply::ok(&found?))
}
