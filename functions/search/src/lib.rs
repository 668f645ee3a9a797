//! `GET /api/agent/search/`, `…/shop/` and `…/status/`: items by text and conditions; what the shop is; what is configured.

mod describe;
mod search;
mod shop;
mod status;

use std::sync::Arc;

use http::Method;
use mostrador_core::{
    limits::Scope, model::ModelPolicy, retrieval::Retrieval, shop::ProfileSource,
};
use mostrador_web::{Gate, Matched, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

const SEARCH: &str = "/api/agent/search/";
const SHOP: &str = "/api/agent/shop/";
const STATUS: &str = "/api/agent/status/";

/// What can be asked of this endpoint.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    Search,
    Shop,
    Status,
}

/// What this endpoint answers.
pub static ROUTES: [Route<Operation>; 3] = [
    Route::anyone(Method::GET, SEARCH, Operation::Search),
    Route::anyone(Method::GET, SHOP, Operation::Shop),
    Route::signed_in(Method::GET, STATUS, Scope::Search, Operation::Status),
];

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub retrieval: Retrieval,
    pub shop: Arc<dyn ProfileSource>,
    /// Only to tell of it.
    pub policy: ModelPolicy,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub fn wire(
        wiring: &Wiring,
        retrieval: Retrieval,
        shop: Arc<dyn ProfileSource>,
    ) -> Result<Self, WiringError> {
        Ok(Self {
            gate: wiring.gate(None)?.of_shop(Arc::clone(&shop)),
            shop,
            retrieval,
            policy: wiring.policy()?,
        })
    }
}

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    deps.gate
        .serve(request, &ROUTES, |call, Matched { operation, .. }| {
            let deps = Arc::clone(&deps);
            async move {
                match operation {
                    Operation::Search => search::get(&deps, &call).await,
                    Operation::Shop => shop::get(&deps, &call).await,
                    Operation::Status => status::get(&deps).await.into(),
                }
            }
        })
        .await
}
