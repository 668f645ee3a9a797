//! `GET /`: the chat page; `GET /openapi.json`: the endpoints for programs; and the 404 of every other path.

mod elsewhere;
mod html;

use std::sync::Arc;

use bytes::Bytes;
use http::{Method, StatusCode};
use mostrador_core::shop::ProfileSource;
use mostrador_web::{BODY_BYTES_MAX, Found, Gate, Reply, Request, Response, Route, find};
use mostrador_wiring::{Wiring, WiringError};

pub use elsewhere::Elsewhere;

/// What can be asked of this endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Page,
    Document,
}

/// What this endpoint answers.
pub static ROUTES: [Route<Operation>; 2] = [
    Route::free(Method::GET, "/", Operation::Page),
    Route::free(Method::GET, "/openapi.json", Operation::Document),
];

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    /// Where turns are streamed; where the page comes from, unless it is set.
    pub stream_url: Option<Elsewhere>,
    /// Where documents are uploaded to, if the page is to bring any.
    pub upload_url: Option<Elsewhere>,
    /// Whose words the page has.
    pub shop: Arc<dyn ProfileSource>,
}

impl Deps {
    /// By the function's settings.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub fn wire(wiring: &Wiring, shop: Arc<dyn ProfileSource>) -> Result<Self, WiringError> {
        let environment = wiring.environment();
        Ok(Self {
            gate: Gate::open().of_shop(Arc::clone(&shop)),
            stream_url: Elsewhere::from_environment(&environment, "STREAM_URL")?,
            upload_url: Elsewhere::from_environment(&environment, "UPLOAD_URL")?,
            shop,
        })
    }
}

/// Made from the types of all endpoints; a test keeps it so.
pub const OPENAPI: &str = include_str!("openapi.json");

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    let found = find(&ROUTES, request.method(), request.uri().path());
    if let Found::Route(route, _) = &found
        && route.operation == Operation::Page
    {
        return html::page(&request, &deps).await;
    }
    deps.gate
        .serve_found(request, found, BODY_BYTES_MAX, |_, _| async {
            Ok(Reply {
                status: StatusCode::OK,
                content_type: "application/json",
                body: Bytes::from_static(OPENAPI.as_bytes()).into(),
                settled: false,
                language: None,
            })
        })
        .await
}
