//! `/api/agent/stream`: a turn told as it goes on, told again after a cut, and cancelled.

mod describe;
mod events;
mod resume;
mod speak;

use std::{sync::Arc, time::Duration};

use mostrador_core::{limits::Scope, turn::TurnEngine};
use mostrador_web::{Call, Gate, Problem, Reply, Request, Response, Route};
use serde::Serialize;
use uuid::Uuid;

pub use describe::describe;

/// What this endpoint answers.
pub const ROUTES: [Route; 2] = [STREAM, TURN];
const STREAM: Route = Route {
    path: "/api/agent/stream/",
    methods: &["POST"],
};
const TURN: Route = Route {
    path: "/api/agent/stream/{turn_id}/",
    methods: &["GET", "DELETE"],
};

/// How often a stream says that it is still there, unless set otherwise; proxies give up after 30 seconds and more.
pub const HEARTBEAT: Duration = Duration::from_secs(15);

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub engine: TurnEngine,
    pub heartbeat: Duration,
}

/// What came of a cancellation.
#[derive(Debug, Serialize, schemars::JsonSchema)]
struct Cancelled {
    turn_id: Uuid,
    /// Whether it was open: one that is over stays as it is.
    cancelled: bool,
}

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    deps.gate
        .serve(request, &ROUTES, |call| dispatch(Arc::clone(&deps), call))
        .await
}

async fn dispatch(deps: Arc<Deps>, call: Arc<Call>) -> Result<Reply, Problem> {
    if STREAM.matches(&call.path) {
        return speak::speak(deps, call).await;
    }
    let owner = call.signed_in()?;
    deps.gate.rate(&call, Scope::History).await?;
    let turn_id = TURN.parameter(&call.path, "turn_id").unwrap_or_default();
    let turn_id = Uuid::parse_str(turn_id).map_err(|_| Problem::NotFound)?;
    if call.method == http::Method::DELETE {
        let cancelled = deps.engine.cancel(owner, turn_id).await?;
        return Ok(Reply::ok(&Cancelled { turn_id, cancelled }));
    }
    let after = resume::after(&call)?;
    resume::resume(deps, &call, turn_id, after).await
}
