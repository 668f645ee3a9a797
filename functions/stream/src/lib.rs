//! `/api/agent/stream`: a turn told as it goes on, told again after a cut, and cancelled.

mod ai_sdk;
mod describe;
mod dialect;
mod events;
mod resume;
mod speak;

use std::{sync::Arc, time::Duration};

use mostrador_core::{limits::Scope, turn::TurnEngine};
use mostrador_web::{Body, Call, Gate, Problem, Query, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};
use serde::Serialize;
use uuid::Uuid;

use dialect::Dialect;

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
const HEARTBEAT: Duration = Duration::from_secs(15);

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub engine: TurnEngine,
    pub heartbeat: Duration,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub async fn wire(wiring: &Wiring) -> Result<Self, WiringError> {
        let heartbeat = wiring.environment().seconds("STREAM_HEARTBEAT_SECONDS")?;
        Ok(Self {
            engine: wiring.turn_engine().await?,
            gate: wiring.turn_gate()?,
            heartbeat: heartbeat.unwrap_or(HEARTBEAT),
        })
    }
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
    // One that nobody knows is refused once the caller is known and counted.
    let dialect = Dialect::asked(&Query::parse(request.uri().query())).unwrap_or(Dialect::Own);
    let bytes_max = dialect.body_bytes_max();
    let mut response = deps
        .gate
        .serve_up_to(bytes_max, request, &ROUTES, |call| {
            dispatch(Arc::clone(&deps), call)
        })
        .await;
    if matches!(response.body(), Body::Stream(_)) {
        dialect.announce(response.headers_mut());
    }
    response
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
    let dialect = Dialect::asked(&call.query)?;
    let after = match dialect {
        Dialect::Own => resume::after(&call)?,
        // A chat that comes back assembles the message anew.
        Dialect::AiSdk => None,
    };
    resume::resume(deps, &call, turn_id, (after, dialect)).await
}
