//! `DELETE /api/agent/history/all/`: a customer is forgotten.
//!
//! A function of its own, since its role alone may delete.

mod describe;

use std::sync::Arc;

use http::Method;
use mostrador_core::{
    erasure::{Erasure, ErasureError},
    limits::Scope,
};
use mostrador_web::{Call, Gate, Problem, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

const PATH: &str = "/api/agent/history/all/";

/// What can be asked of this endpoint.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    Erase,
}

/// What this endpoint answers.
pub static ROUTES: [Route<Operation>; 1] = [Route::signed_in(
    Method::DELETE,
    PATH,
    Scope::History,
    Operation::Erase,
)];

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
        .serve(request, &ROUTES, |call, matched| {
            let Operation::Erase = matched.operation;
            erase(Arc::clone(&deps), call)
        })
        .await
}

async fn erase(deps: Arc<Deps>, call: Arc<Call>) -> Result<Reply, Problem> {
    let owner = call.signed_in()?;
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
