//! `/api/agent/stream`: a turn streamed as it runs, resumed after a cut, and cancelled; and what the staff say meanwhile.

mod ai_sdk;
mod describe;
mod dialect;
mod events;
mod follow;
mod resume;
mod start;

use std::{sync::Arc, time::Duration};

use http::Method;
use mostrador_core::{limits::Scope, turn::TurnEngine};
use mostrador_web::{
    Body, Call, Gate, Matched, Problem, Query, Rated, Reply, Request, Response, Route, find,
};
use mostrador_wiring::{Wiring, WiringError};
use serde::Serialize;
use uuid::Uuid;

use dialect::Dialect;

pub use describe::describe;

const STREAM: &str = "/api/agent/stream/";
const TURN: &str = "/api/agent/stream/{turn_id}/";

/// What can be asked of this endpoint.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    Start,
    Follow,
    Resume,
    Cancel,
}

/// What this endpoint answers.
pub static ROUTES: [Route<Operation>; 4] = [
    Route::anyone(Method::POST, STREAM, Operation::Start),
    Route::signed_in(Method::GET, STREAM, Scope::History, Operation::Follow),
    Route::signed_in(Method::GET, TURN, Scope::History, Operation::Resume),
    Route::signed_in(Method::DELETE, TURN, Scope::History, Operation::Cancel),
];

/// The interval of heartbeats, unless set otherwise; proxies give up after 30 seconds and more.
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
    pub fn wire(wiring: &Wiring, engine: TurnEngine) -> Result<Self, WiringError> {
        let heartbeat = wiring.environment().seconds("STREAM_HEARTBEAT_SECONDS")?;
        Ok(Self {
            gate: wiring.turn_gate()?.of_shop(Arc::clone(&engine.shop)),
            engine,
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
    let dialect = Dialect::requested(&Query::parse(request.uri().query())).unwrap_or(Dialect::Own);
    let bytes_max = dialect.body_bytes_max();
    let found = find(&ROUTES, request.method(), request.uri().path());
    let mut response = deps
        .gate
        .serve_found(request, found, bytes_max, |call, matched| {
            dispatch(Arc::clone(&deps), call, matched)
        })
        .await;
    if matches!(response.body(), Body::Stream(_)) {
        dialect.announce(response.headers_mut());
    }
    response
}

async fn dispatch(
    deps: Arc<Deps>,
    call: Arc<Call>,
    Matched { operation, named }: Matched<Operation>,
) -> Rated<Reply> {
    match operation {
        Operation::Start => start::start(deps, call).await,
        Operation::Follow => follow::follow(deps, &call).await.into(),
        Operation::Resume => resume::missed(deps, &call, &named).await.into(),
        Operation::Cancel => cancel(&deps, &call, &named).await.into(),
    }
}

async fn cancel(deps: &Deps, call: &Call, turn_id: &str) -> Result<Reply, Problem> {
    let turn_id = resume::turn_id(turn_id)?;
    let cancelled = deps.engine.cancel(call.signed_in()?, turn_id).await?;
    Ok(Reply::ok(&Cancelled { turn_id, cancelled }))
}
