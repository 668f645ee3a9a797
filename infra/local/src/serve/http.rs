//! The product's own socket: connections in, plain requests to whoever answers, answers out.

use std::{convert::Infallible, error::Error, net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderValue, header::CONNECTION};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use mostrador_web::{Problem, Request, Response, SourceAddress, refusal};
use tokio::{net::TcpListener, sync::watch, time::timeout};

use super::local::Local;
use crate::sockets::{self, Bounds};

/// More than any endpoint takes, so that it is the endpoint that refuses.
const BODY_BYTES_READ: usize = 2 * 1024 * 1024;
/// Time for all of it to come.
const BODY_WITHIN: Duration = Duration::from_secs(20);
/// What no endpoint takes for JSON.
const NOTHING_READABLE: &[u8] = b"\xff";

/// Serves `local` on `listener` until `stopped`.
pub(super) async fn serve(listener: TcpListener, local: Arc<Local>, stopped: watch::Receiver<()>) {
    let answer = move |request, peer| answer(Arc::clone(&local), request, peer);
    sockets::serve(listener, stopped, Bounds::default(), answer).await;
}

/// What came as a request's body.
enum Came {
    Whole(Bytes),
    TooMuch,
    /// The client has hung up, or what it sent is no HTTP.
    Broken,
    TooSlowly,
}

async fn read(body: Incoming) -> Came {
    let read = Limited::new(body, BODY_BYTES_READ).collect();
    match timeout(BODY_WITHIN, read).await {
        Ok(Ok(body)) => Came::Whole(body.to_bytes()),
        Ok(Err(error)) if is_too_long(&*error) => Came::TooMuch,
        Ok(Err(_)) => Came::Broken,
        Err(_) => Came::TooSlowly,
    }
}

fn is_too_long(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    error.is::<LengthLimitError>()
}

async fn answer(
    local: Arc<Local>,
    request: http::Request<Incoming>,
    peer: SocketAddr,
) -> Result<Response, Infallible> {
    let (mut parts, body) = request.into_parts();
    if local.is_for_this_machine && !sockets::is_from_here(&parts.headers) {
        return Ok(closing(refusal(&Problem::Misdirected, &parts.headers)));
    }
    let (body, is_whole) = match read(body).await {
        Came::Whole(body) => (body, true),
        // As much as makes the endpoint refuse it.
        Came::TooMuch => (Bytes::from(vec![b' '; BODY_BYTES_READ]), false),
        Came::Broken => (Bytes::from_static(NOTHING_READABLE), false),
        Came::TooSlowly => return Ok(closing(refusal(&Problem::TooSlow, &parts.headers))),
    };
    parts
        .extensions
        .insert(SourceAddress(peer.ip().to_string()));
    // In a task of its own: a client that hangs up does not cut a turn in half, as it would not in the cloud.
    let handled =
        tokio::spawn(async move { local.handle(Request::from_parts(parts, body)).await }).await;
    let response = handled.unwrap_or_else(|panic| {
        tracing::error!(
            error = &panic as &dyn std::error::Error,
            "a request ended the task that answered it"
        );
        let mut response = Response::default();
        *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
        response
    });
    Ok(if is_whole {
        response
    } else {
        closing(response)
    })
}

/// The answer, after which nothing more is read: it may be anything.
fn closing(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    response
}
