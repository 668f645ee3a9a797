//! Everything that is kept of a customer.

use http::StatusCode;
use mostrador_core::{history::Exporter, ids::Owner};
use mostrador_web::{Call, Problem, Reply};
use serde_json::json;

use crate::parameters::place;

pub(crate) async fn export(
    exporter: &Exporter,
    owner: &Owner,
    call: &Call,
) -> Result<Reply, Problem> {
    let from = place(&call.query, "after")?;
    let part = exporter.export(owner, from).await?;
    let mut lines = part.lines;
    if let Some((conversation, seq)) = part.next {
        let next = format!("{}.{}", conversation.0, seq.0);
        lines.push_str(&json!({"type": "continued", "next": next}).to_string());
        lines.push('\n');
    }
    Ok(Reply {
        status: StatusCode::OK,
        content_type: "application/x-ndjson",
        body: lines.into(),
        settled: false,
        language: None,
    })
}
