//! `GET /`: the chat page; `GET /openapi.json`: the endpoints for programs; and the 404 of every other path.

mod elsewhere;

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header};
use mostrador_web::{
    BODY_BYTES_MAX, Environment, Found, Gate, Reply, Request, Response, Route, SettingError, find,
};

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
}

impl Deps {
    /// By the function's settings; it has no stores.
    ///
    /// # Errors
    /// [`SettingError`], naming the variable.
    pub fn wire(environment: &Environment<'_>) -> Result<Self, SettingError> {
        Ok(Self {
            gate: Gate::open(),
            stream_url: Elsewhere::from_environment(environment, "STREAM_URL")?,
            upload_url: Elsewhere::from_environment(environment, "UPLOAD_URL")?,
        })
    }
}

const PAGE: &str = include_str!("chat.html");
/// Made from the types of all endpoints; a test keeps it so.
pub const OPENAPI: &str = include_str!("openapi.json");

/// Where the page says how it reaches the stream.
const STREAM_HERE: &str = "<meta name=\"mostrador-stream\" content=\"\">";

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    let found = find(&ROUTES, request.method(), request.uri().path());
    if let Found::Route(route, _) = &found
        && route.operation == Operation::Page
    {
        let request_id = deps.gate.clock.new_id().to_string();
        return page(&request_id, &deps);
    }
    deps.gate
        .serve_found(request, found, BODY_BYTES_MAX, |_, _| async {
            Ok(Reply {
                status: StatusCode::OK,
                content_type: "application/json",
                body: Bytes::from_static(OPENAPI.as_bytes()).into(),
                settled: false,
            })
        })
        .await
}

fn page(request_id: &str, deps: &Deps) -> Response {
    let body = match &deps.stream_url {
        None => Bytes::from_static(PAGE.as_bytes()),
        Some(stream) => {
            let there = STREAM_HERE.replace("\"\"", &format!("\"{}\"", stream.base()));
            PAGE.replacen(STREAM_HERE, &there, 1).into()
        }
    };
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    if let Ok(policy) = HeaderValue::from_str(&policy(deps)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert("x-request-id", id);
    }
    response
}

/// The page speaks to its own origin, to the stream's and to where documents go, and holds its own script and style, nothing else.
fn policy(deps: &Deps) -> String {
    let others = deps.stream_url.iter().chain(&deps.upload_url);
    let others: String = others.map(|other| format!(" {}", other.origin())).collect();
    format!(
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; \
         connect-src 'self'{others}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
}
