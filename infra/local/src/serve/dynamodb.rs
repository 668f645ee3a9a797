//! The embedded DynamoDB engine on a socket, for functions that run in processes of their own.

use std::{convert::Infallible, time::Duration};

use http::{HeaderValue, Request, Response, StatusCode, header::CONTENT_TYPE};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use mostrador_engine::Engine;
use tokio::{net::TcpListener, sync::watch};

use crate::sockets::{self, Bounds};

/// A batch or a transaction of DynamoDB's is of 16 MB at most.
const BODY_BYTES_MAX: usize = 16 << 20;
/// Longer than a client of the SDK keeps a connection that it does not use.
const SENT_WITHIN: Duration = Duration::from_secs(120);

/// Serves `engine` on `listener` until `stopped`.
pub(super) async fn serve(listener: TcpListener, engine: Engine, stopped: watch::Receiver<()>) {
    let bounds = Bounds {
        sent_within: Some(SENT_WITHIN),
    };
    let answer = move |request, _| {
        let engine = engine.clone();
        async move { Ok::<_, Infallible>(answer(&engine, request).await) }
    };
    sockets::serve(listener, stopped, bounds, answer).await;
}

async fn answer(engine: &Engine, request: Request<Incoming>) -> Response<Full<bytes::Bytes>> {
    if !sockets::is_from_here(request.headers()) {
        return response(StatusCode::MISDIRECTED_REQUEST, String::new());
    }
    let target = request.headers().get("x-amz-target").cloned();
    let target = target.as_ref().and_then(|target| target.to_str().ok());
    let body = Limited::new(request.into_body(), BODY_BYTES_MAX).collect();
    let Ok(body) = body.await else {
        return response(StatusCode::BAD_REQUEST, String::new());
    };
    let (status, json) = engine.answer_http(target.unwrap_or_default(), &body.to_bytes());
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response(status, json)
}

fn response(status: StatusCode, json: String) -> Response<Full<bytes::Bytes>> {
    let mut response = Response::new(Full::from(json));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/x-amz-json-1.0");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}
