//! `POST /api/agent/actions/`: what a signed-in customer wants done.

mod act;
mod describe;

use std::sync::Arc;

use http::Method;
use mostrador_core::{actions::approvals::Approvals, limits::Scope, shop::ProfileSource};
use mostrador_web::{Gate, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

const PATH: &str = "/api/agent/actions/";

/// What can be asked of this endpoint.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    Act,
}

/// What this endpoint answers.
pub static ROUTES: [Route<Operation>; 1] = [Route::signed_in(
    Method::POST,
    PATH,
    Scope::Action,
    Operation::Act,
)];

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
    pub fn wire(wiring: &Wiring, shop: Arc<dyn ProfileSource>) -> Result<Self, WiringError> {
        let idempotency = wiring.idempotency();
        Ok(Self {
            gate: wiring
                .gate(Some(idempotency.clone()))?
                .of_shop(Arc::clone(&shop)),
            approvals: wiring.approvals(idempotency, shop)?,
        })
    }
}

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    deps.gate
        .serve(request, &ROUTES, |call, matched| {
            let Operation::Act = matched.operation;
            act::act(Arc::clone(&deps), call)
        })
        .await
}
