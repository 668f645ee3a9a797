//! `/api/agent/history/`: a customer's conversations.

mod conversations;
mod describe;
mod export;
mod messages;
mod page;
mod parameters;
mod search;

use std::sync::Arc;

use http::Method;
use mostrador_core::{
    history::{Exporter, History},
    limits::Scope,
};
use mostrador_web::{Call, Gate, Matched, Problem, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

const HISTORY: &str = "/api/agent/history/";
const MESSAGES: &str = "/api/agent/history/messages/";
const CONVERSATIONS: &str = "/api/agent/history/conversations/";
const SEARCH: &str = "/api/agent/history/search/";
const RATING: &str = "/api/agent/history/{id}/rating/";
const EXPORT: &str = "/api/agent/history/export/";

/// What can be asked of this endpoint.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    Read,
    Open,
    Archive,
    AddMessages,
    ListConversations,
    Search,
    Rate,
    Export,
}

/// What this endpoint answers.
pub static ROUTES: [Route<Operation>; 8] = [
    Route::signed_in(Method::GET, HISTORY, Scope::History, Operation::Read),
    Route::signed_in(Method::POST, HISTORY, Scope::History, Operation::Open),
    Route::signed_in(Method::DELETE, HISTORY, Scope::History, Operation::Archive),
    Route::signed_in(
        Method::POST,
        MESSAGES,
        Scope::History,
        Operation::AddMessages,
    ),
    Route::signed_in(
        Method::GET,
        CONVERSATIONS,
        Scope::History,
        Operation::ListConversations,
    ),
    Route::signed_in(Method::GET, SEARCH, Scope::History, Operation::Search),
    Route::signed_in(Method::PATCH, RATING, Scope::History, Operation::Rate),
    Route::signed_in(Method::GET, EXPORT, Scope::History, Operation::Export),
];

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub history: History,
    pub exporter: Exporter,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub fn wire(wiring: &Wiring) -> Result<Self, WiringError> {
        Ok(Self {
            gate: wiring.gate(Some(wiring.idempotency()))?,
            history: wiring.history(),
            exporter: wiring.exporter()?,
        })
    }
}

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    deps.gate
        .serve(request, &ROUTES, |call, matched| {
            dispatch(Arc::clone(&deps), call, matched)
        })
        .await
}

async fn dispatch(
    deps: Arc<Deps>,
    call: Arc<Call>,
    Matched { operation, named }: Matched<Operation>,
) -> Result<Reply, Problem> {
    let owner = call.signed_in()?;
    let history = &deps.history;
    match operation {
        Operation::Read => page::read(history, owner, &call).await,
        Operation::Open => page::open(history, owner, &call).await,
        Operation::Archive => page::archive(history, owner).await,
        Operation::AddMessages => messages::add(history, owner, &call).await,
        Operation::ListConversations => conversations::list(history, owner, &call).await,
        Operation::Search => search::search(history, owner, &call).await,
        Operation::Rate => conversations::rate(history, owner, &named, &call).await,
        Operation::Export => export::export(&deps.exporter, owner, &call).await,
    }
}
