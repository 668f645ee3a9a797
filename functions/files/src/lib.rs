//! `/api/agent/files/`: a customer's own documents, which a question can be put to.
//!
//! A document is announced, uploaded straight to the bucket, and then read: `POST files/`, `PUT` to the address given, `POST files/{id}/`.

mod describe;
mod files;
mod pdf;
mod text;

use std::sync::Arc;

use mostrador_core::limits::Scope;
use mostrador_search::files::FileStore;
use mostrador_web::{Call, Gate, Problem, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;
pub use pdf::reads_pdf;

/// What this endpoint answers.
pub const ROUTES: [Route; 2] = [FILES, FILE];
const FILES: Route = Route {
    path: "/api/agent/files/",
    methods: &["GET", "POST"],
};
const FILE: Route = Route {
    path: "/api/agent/files/{id}/",
    methods: &["GET", "POST", "DELETE"],
};

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub files: Arc<FileStore>,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub async fn wire(wiring: &Wiring) -> Result<Self, WiringError> {
        Ok(Self {
            files: wiring.files().await?,
            gate: wiring.gate(Some(wiring.idempotency()))?,
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
    let (files, method) = (&*deps.files, call.method.as_str());
    let scope = match method {
        "POST" => Scope::Action,
        _ => Scope::History,
    };
    deps.gate.rate(&call, scope).await?;
    match (FILE.parameter(&call.path, "id"), method) {
        (None, "POST") => files::announce(files, owner, &call).await,
        (None, _) => files::list(files, owner).await,
        (Some(id), "POST") => files::read(files, owner, files::id(id)?, &call).await,
        (Some(id), "DELETE") => files::remove(files, owner, files::id(id)?).await,
        (Some(id), _) => files::show(files, owner, files::id(id)?).await,
    }
}
