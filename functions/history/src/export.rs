//! Everything that is kept of a customer.

use http::StatusCode;
use mostrador_core::{history::Exporter, ids::Owner};
use mostrador_web::{Call, Problem, Reply};

use crate::{failed, parameters::place};

pub(crate) async fn export(
    exporter: &Exporter,
    owner: &Owner,
    call: &Call,
) -> Result<Reply, Problem> {
    let from = place(&call.query, "after")?;
    let lines = exporter.export(owner, from).await.map_err(failed)?;
    Ok(Reply {
        status: StatusCode::OK,
        content_type: "application/x-ndjson",
        body: lines.into(),
        settled: false,
    })
}
