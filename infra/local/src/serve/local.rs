//! What only the local product answers: whether it is up, and tokens for trying it out.

use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header::CONTENT_TYPE};
use mostrador_web::{Request, Response};
use secrecy::SecretString;
use serde_json::{Value, json};

use crate::{secret, shop::Shop};

/// A shop with its back door.
pub(crate) struct Local {
    pub(crate) shop: Shop,
    pub(crate) secret: SecretString,
    /// Whether anybody who can reach it may sign in as anybody: only on this machine.
    pub(crate) dev: bool,
    /// Whether only this machine reaches it, by its own names.
    pub(crate) is_for_this_machine: bool,
    /// Keeps other servers off the data folder.
    pub(super) _lock: Option<std::fs::File>,
}

impl Local {
    pub(super) async fn handle(&self, request: Request) -> Response {
        match (request.uri().path(), request.method()) {
            ("/healthz", &Method::GET) => self.health().await,
            ("/dev/token", &Method::POST) if self.dev => self.token(request.body()),
            ("/favicon.ico", &Method::GET) => status(StatusCode::NO_CONTENT),
            _ => self.shop.handle(request).await,
        }
    }

    async fn health(&self) -> Response {
        match self.shop.index.current().await {
            Some(index) => {
                let info = index.info();
                json_answer(
                    StatusCode::OK,
                    &json!({"status": "ok", "index": info.build_id, "items": info.items, "dev": self.dev}),
                )
            }
            None => json_answer(
                StatusCode::SERVICE_UNAVAILABLE,
                &json!({"status": "no index", "dev": self.dev}),
            ),
        }
    }

    fn token(&self, body: &Bytes) -> Response {
        let request: Value = serde_json::from_slice(body).unwrap_or_default();
        let subject = request["sub"]
            .as_str()
            .filter(|subject| (1..=100).contains(&subject.len()));
        let sign = if request["role"] == "staff" {
            secret::staff_token
        } else {
            secret::token
        };
        match subject.map(|subject| sign(&self.secret, subject, 24)) {
            Some(Ok(token)) => json_answer(StatusCode::OK, &json!({"token": token})),
            _ => json_answer(
                StatusCode::BAD_REQUEST,
                &json!({"error": "invalid_request", "message": "Escribe un nombre: {\"sub\": \"ana\"}.", "results": [], "actions": []}),
            ),
        }
    }
}

fn status(status: StatusCode) -> Response {
    let mut response = Response::default();
    *response.status_mut() = status;
    response
}

fn json_answer(code: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(body.to_string().into());
    *response.status_mut() = code;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
