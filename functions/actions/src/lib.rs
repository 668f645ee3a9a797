//! `POST /api/agent/actions/`: what a signed-in customer wants done.

mod act;
mod describe;

use std::sync::Arc;

use mostrador_core::actions::approvals::Approvals;
use mostrador_web::{Gate, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

/// What this endpoint answers.
pub const ROUTES: [Route; 1] = [Route {
    path: "/api/agent/actions/",
    methods: &["POST"],
}];

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub approvals: Approvals,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub fn wire(wiring: &Wiring) -> Result<Self, WiringError> {
        let idempotency = wiring.idempotency();
        Ok(Self {
            gate: wiring.gate(Some(idempotency.clone()))?,
            approvals: wiring.approvals(idempotency)?,
        })
    }
}

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    deps.gate
        .serve(request, &ROUTES, |call| act::act(Arc::clone(&deps), call))
        .await
}
