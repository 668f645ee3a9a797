//! `POST /api/agent/actions/`: what a signed-in customer wants done; `/api/agent/profile/`: what is remembered of them.

mod act;
mod describe;
mod profile;

use std::sync::Arc;

use http::Method;
use mostrador_core::{actions::approvals::Approvals, limits::Scope, shop::ProfileSource};
use mostrador_web::{Call, Gate, Problem, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

const ACTIONS: &str = "/api/agent/actions/";
const PROFILE: &str = "/api/agent/profile/";

/// What can be asked of this endpoint.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    Act,
    ReadProfile,
    ChangeProfile,
    ForgetProfile,
}

/// What this endpoint answers.
pub static ROUTES: [Route<Operation>; 4] = [
    Route::signed_in(Method::POST, ACTIONS, Scope::Action, Operation::Act),
    Route::signed_in(Method::GET, PROFILE, Scope::Action, Operation::ReadProfile),
    Route::signed_in(
        Method::PATCH,
        PROFILE,
        Scope::Action,
        Operation::ChangeProfile,
    ),
    Route::signed_in(
        Method::DELETE,
        PROFILE,
        Scope::Action,
        Operation::ForgetProfile,
    ),
];

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
            dispatch(Arc::clone(&deps), call, matched.operation)
        })
        .await
}

async fn dispatch(
    deps: Arc<Deps>,
    call: Arc<Call>,
    operation: Operation,
) -> Result<Reply, Problem> {
    match operation {
        Operation::Act => act::act(&deps, &call).await,
        Operation::ReadProfile => profile::read(&deps, &call).await,
        Operation::ChangeProfile => profile::change(&deps, &call).await,
        Operation::ForgetProfile => profile::forget(&deps, &call).await,
    }
}
