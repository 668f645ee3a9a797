//! `/api/agent/files/`: a customer's own documents, which a question can be put to.
//!
//! A document is announced, uploaded straight to the bucket, and then read: `POST files/`, `PUT` to the address given, `POST files/{id}/`.

mod describe;
mod files;
mod pdf;
mod text;

use std::sync::Arc;

use http::Method;
use mostrador_core::limits::Scope;
use mostrador_search::files::FileStore;
use mostrador_web::{Call, Gate, Matched, Problem, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;
pub use pdf::reads_pdf;

const FILES: &str = "/api/agent/files/";
const FILE: &str = "/api/agent/files/{id}/";

/// What can be asked of this endpoint.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    List,
    Announce,
    Get,
    Read,
    Remove,
}

/// What this endpoint answers.
pub static ROUTES: [Route<Operation>; 5] = [
    Route::signed_in(Method::GET, FILES, Scope::History, Operation::List),
    Route::signed_in(Method::POST, FILES, Scope::Action, Operation::Announce),
    Route::signed_in(Method::GET, FILE, Scope::History, Operation::Get),
    Route::signed_in(Method::POST, FILE, Scope::Action, Operation::Read),
    Route::signed_in(Method::DELETE, FILE, Scope::History, Operation::Remove),
];

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
    pub fn wire(wiring: &Wiring, files: Arc<FileStore>) -> Result<Self, WiringError> {
        Ok(Self {
            gate: wiring.gate(Some(wiring.idempotency()))?,
            files,
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
    let files = &*deps.files;
    match operation {
        Operation::List => files::list(files, owner).await,
        Operation::Announce => files::announce(files, owner, &call).await,
        Operation::Get => files::get(files, owner, files::id(&named)?).await,
        Operation::Read => files::read(files, owner, files::id(&named)?, &call).await,
        Operation::Remove => files::remove(files, owner, files::id(&named)?).await,
    }
}
