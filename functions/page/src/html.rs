//! The chat page, in the caller's language.

use bytes::Bytes;
use http::{HeaderValue, header};
use mostrador_core::{
    language::{Language, PageText},
    shop::{Locale, currency::Notation},
};
use mostrador_web::{Request, Response};
use serde_json::json;

use crate::{Deps, Elsewhere};

const PAGE: &str = include_str!("chat.html");

/// The page in the language that is wanted, in the shop's words.
pub(crate) async fn page(request: &Request, deps: &Deps) -> Response {
    let shop = deps.shop.current().await;
    let locale = shop.locale(language(request));
    let body = Bytes::from(in_language(locale, deps));
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
        HeaderValue::from_static(locale.language.tag()),
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
fn in_language(locale: Locale<'_>, deps: &Deps) -> String {
    let texts = locale.page();
    let mut page = String::with_capacity(2 * PAGE.len());
    let mut parts = PAGE.split("{{");
    page.extend(parts.next());
    for part in parts {
        let (name, after) = part.split_once("}}").unwrap_or((part, ""));
        match (name, texts.get(name)) {
            ("language", _) => page.push_str(locale.language.tag()),
            ("stream", _) => page.extend(deps.stream_url.iter().map(Elsewhere::base)),
            ("name", _) => page.push_str(&escaped(&locale.shop.name)),
            ("texts", _) => page.push_str(&data(serde_json::to_string(&texts))),
            ("money", _) => {
                let money = Notation::of(locale.language, &locale.shop.currency);
                page.push_str(&data(serde_json::to_string(&money)));
            }
            ("shop", _) => page.push_str(&data(Ok(json!({
                "assistant": locale.shop.assistant(),
                "starters": locale.starters(),
            })
            .to_string()))),
            (_, Some(PageText::Plain(text))) => page.push_str(&escaped(text)),
            (_, _) => tracing::error!(name, "the page has no such string"),
        }
        page.push_str(after);
    }
    page
}

/// A text between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// A value in a script's element, which nothing but a `<` ends.
fn data(json: serde_json::Result<String>) -> String {
    json.unwrap_or_default().replace('<', "\\u003c")
}

/// The page connects to its own origin, to the stream's and to where documents go, and holds its own script and style, nothing else.
fn policy(deps: &Deps) -> String {
    let others = deps.stream_url.iter().chain(&deps.upload_url);
    let others: String = others.map(|other| format!(" {}", other.origin())).collect();
    format!(
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; \
         connect-src 'self'{others}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
}
