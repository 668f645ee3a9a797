//! `DELETE /api/agent/history/all/`: a customer is forgotten.
//!
//! A function of its own, since its role alone may delete.

mod describe;

use std::sync::Arc;

use mostrador_core::{
    erasure::{Erasure, ErasureError},
    limits::Scope,
};
use mostrador_web::{Call, Gate, Problem, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

/// What this endpoint answers.
pub const ROUTES: [Route; 1] = [Route {
    path: "/api/agent/history/all/",
    methods: &["DELETE"],
}];

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub erasure: Erasure,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub fn wire(wiring: &Wiring) -> Result<Self, WiringError> {
        Ok(Self {
            gate: wiring.gate(None)?,
            erasure: wiring.erasure()?,
        })
    }
}

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    deps.gate
        .serve(request, &ROUTES, |call| erase(Arc::clone(&deps), call))
        .await
}

async fn erase(deps: Arc<Deps>, call: Arc<Call>) -> Result<Reply, Problem> {
    let owner = call.signed_in()?;
    deps.gate.rate(&call, Scope::History).await?;
    let erased = deps
        .erasure
        .erase(owner)
        .await
        .map_err(|error| match error {
            ErasureError::Conflict => Problem::Conflict,
            ErasureError::Unavailable(source) => Problem::Unavailable(source),
        })?;
    Ok(Reply::ok(&describe::Forgotten {
        message: call.language.text("erased"),
        erased,
    }))
}
