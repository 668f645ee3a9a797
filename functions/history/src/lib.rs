//! `/api/agent/history/`: a customer's conversations.

mod conversations;
mod describe;
mod export;
mod messages;
mod page;
mod parameters;
mod search;

use std::sync::Arc;

use mostrador_core::{
    history::{Exporter, History, HistoryError},
    limits::Scope,
};
use mostrador_web::{Call, Gate, Problem, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

/// What this endpoint answers.
pub const ROUTES: [Route; 6] = [HISTORY, MESSAGES, CONVERSATIONS, SEARCH, RATING, EXPORT];
const HISTORY: Route = Route {
    path: "/api/agent/history/",
    methods: &["GET", "POST", "DELETE"],
};
const MESSAGES: Route = Route {
    path: "/api/agent/history/messages/",
    methods: &["POST"],
};
const CONVERSATIONS: Route = Route {
    path: "/api/agent/history/conversations/",
    methods: &["GET"],
};
const SEARCH: Route = Route {
    path: "/api/agent/history/search/",
    methods: &["GET"],
};
const RATING: Route = Route {
    path: "/api/agent/history/{id}/rating/",
    methods: &["PATCH"],
};
const EXPORT: Route = Route {
    path: "/api/agent/history/export/",
    methods: &["GET"],
};

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
        .serve(request, &ROUTES, |call| dispatch(Arc::clone(&deps), call))
        .await
}

async fn dispatch(deps: Arc<Deps>, call: Arc<Call>) -> Result<Reply, Problem> {
    let owner = call.signed_in()?;
    deps.gate.rate(&call, Scope::History).await?;
    let history = &deps.history;
    match ROUTES.iter().find(|route| route.matches(&call.path)) {
        Some(&MESSAGES) => messages::add(history, owner, &call).await,
        Some(&CONVERSATIONS) => conversations::list(history, owner, &call).await,
        Some(&SEARCH) => search::search(history, owner, &call).await,
        Some(&RATING) => conversations::rate(history, owner, &call).await,
        Some(&EXPORT) => export::export(&deps.exporter, owner, &call).await,
        _ => page::dispatch(history, owner, &call).await,
    }
}

fn failed(error: HistoryError) -> Problem {
    match error {
        HistoryError::NotFound => Problem::NotFound,
        HistoryError::Conflict => Problem::Conflict,
        HistoryError::InProgress => Problem::InProgress,
        HistoryError::Unavailable(source) => Problem::Unavailable(source),
    }
}
