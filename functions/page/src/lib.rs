//! `GET /`: the chat page; `GET /openapi.json`: the endpoints for programs; and the 404 of every other path.

mod elsewhere;

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header};
use mostrador_core::{
    language::{Language, PageText},
    shop::Profile,
};
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
    /// What the shop calls what it sells.
    pub shop: Arc<Profile>,
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
            shop: Arc::default(),
        })
    }
}

const PAGE: &str = include_str!("chat.html");
/// Made from the types of all endpoints; a test keeps it so.
pub const OPENAPI: &str = include_str!("openapi.json");

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    let found = find(&ROUTES, request.method(), request.uri().path());
    if let Found::Route(route, _) = &found
        && route.operation == Operation::Page
    {
        return page(&request, &deps);
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

fn page(request: &Request, deps: &Deps) -> Response {
    let language = language(request);
    let body = Bytes::from(in_language(language, deps));
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    if let Ok(policy) = HeaderValue::from_str(&policy(deps)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(
        header::CONTENT_LANGUAGE,
        HeaderValue::from_static(language.tag()),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-language"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    let request_id = deps.gate.clock.new_id().to_string();
    if let Ok(id) = HeaderValue::from_str(&request_id) {
        headers.insert("x-request-id", id);
    }
    response
}

/// The language that the address names, as in `/?lang=en`, or else the caller's.
fn language(request: &Request) -> Language {
    let query = request.uri().query().unwrap_or_default();
    let named = query.split('&').find_map(|part| part.strip_prefix("lang="));
    named
        .and_then(Language::from_tag)
        .unwrap_or_else(|| mostrador_web::language(request.headers()))
}

/// The page with its strings, and with what else its template leaves open.
fn in_language(language: Language, deps: &Deps) -> String {
    let texts = deps.shop.locale(language).page();
    let mut page = String::with_capacity(2 * PAGE.len());
    let mut parts = PAGE.split("{{");
    page.extend(parts.next());
    for part in parts {
        let (name, after) = part.split_once("}}").unwrap_or((part, ""));
        match (name, texts.get(name)) {
            ("language", _) => page.push_str(language.tag()),
            ("stream", _) => page.extend(deps.stream_url.iter().map(Elsewhere::base)),
            // In a script's element nothing but a `<` ends it.
            ("texts", _) => {
                let texts = serde_json::to_string(&texts).unwrap_or_default();
                page.push_str(&texts.replace('<', "\\u003c"));
            }
            (_, Some(PageText::Plain(text))) => {
                page.push_str(&text.replace('&', "&amp;").replace('<', "&lt;"));
            }
            (_, _) => tracing::error!(name, "the page has no such string"),
        }
        page.push_str(after);
    }
    page
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
