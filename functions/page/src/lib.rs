//! `GET /`: the chat page; `GET /openapi.json`: the endpoints for programs; and the 404 of every other path.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use mostrador_web::{Gate, Problem, Reply, Request, Response, Route};

/// What this endpoint answers.
pub const ROUTES: [Route; 2] = [
    Route {
        path: "/",
        methods: &["GET"],
    },
    Route {
        path: "/openapi.json",
        methods: &["GET"],
    },
];

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
}

const PAGE: &str = include_str!("chat.html");
/// Made from the types of all endpoints; a test keeps it so.
pub const OPENAPI: &str = include_str!("openapi.json");

/// The page speaks to its own origin and holds its own script and style, nothing else.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; \
                           connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    if request.method() == http::Method::GET && ROUTES[0].matches(request.uri().path()) {
        return page(&deps.gate.clock.new_id().to_string());
    }
    deps.gate
        .serve(request, &ROUTES, |_| async {
            Ok::<_, Problem>(Reply {
                status: StatusCode::OK,
                content_type: "application/json",
                body: Bytes::from_static(OPENAPI.as_bytes()).into(),
                settled: false,
            })
        })
        .await
}

fn page(request_id: &str) -> Response {
    let mut response = Response::new(Bytes::from_static(PAGE.as_bytes()).into());
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(PAGE_POLICY),
    );
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
