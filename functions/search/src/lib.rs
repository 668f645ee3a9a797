//! `GET /api/agent/search/` and `GET /api/agent/status/`: books by text and conditions; what is configured.

mod describe;
mod search;
mod status;

use std::sync::Arc;

use mostrador_core::{model::ModelPolicy, retrieval::Retrieval};
use mostrador_web::{Call, Gate, Problem, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

/// What this endpoint answers.
pub const ROUTES: [Route; 2] = [
    Route {
        path: "/api/agent/search/",
        methods: &["GET"],
    },
    Route {
        path: "/api/agent/status/",
        methods: &["GET"],
    },
];

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub retrieval: Retrieval,
    /// Only to tell of it.
    pub policy: ModelPolicy,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub async fn wire(wiring: &Wiring) -> Result<Self, WiringError> {
        Ok(Self {
            retrieval: wiring.retrieval().await?,
            gate: wiring.gate(None)?,
            policy: wiring.policy()?,
        })
    }
}

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    deps.gate
        .serve(request, &ROUTES, |call| dispatch(Arc::clone(&deps), call))
        .await
}

async fn dispatch(deps: Arc<Deps>, call: Arc<Call>) -> Result<Reply, Problem> {
    if ROUTES[1].matches(&call.path) {
        status::get(&deps, &call).await
    } else {
        search::get(&deps, &call).await
    }
}
