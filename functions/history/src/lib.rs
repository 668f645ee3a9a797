//! `/api/agent/history/`: a customer's conversations.

mod describe;
mod messages;
mod page;

use std::sync::Arc;

use http::{Method, StatusCode};
use mostrador_core::{
    history::{History, HistoryError, Page},
    limits::Scope,
};
use mostrador_web::{Call, Gate, Problem, Reply, Request, Response, Route};

pub use describe::describe;

/// What this endpoint answers.
pub const ROUTES: [Route; 2] = [
    Route {
        path: "/api/agent/history/",
        methods: &["GET", "POST", "DELETE"],
    },
    Route {
        path: "/api/agent/history/messages/",
        methods: &["POST"],
    },
];

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub history: History,
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
    if ROUTES[1].matches(&call.path) {
        return messages::add(&deps.history, owner, &call).await;
    }
    match call.method {
        Method::GET => page::get(&deps.history, owner, &call).await,
        Method::POST => {
            // There is nothing to say in the body, but what is there must be JSON.
            if call.has_body() {
                call.json()?;
            }
            let page = page::open(&deps.history, owner).await.map_err(failed)?;
            Ok(Reply::json(StatusCode::CREATED, &page))
        }
        _ => {
            let conversation = deps.history.archive(owner).await.map_err(failed)?;
            Ok(Reply::ok(&Page {
                conversation: Some(conversation),
                messages: Vec::new(),
                next: None,
            }))
        }
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
