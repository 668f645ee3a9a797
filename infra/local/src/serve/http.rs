//! The socket: connections in, plain requests to whoever answers, answers out.

use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use mostrador_web::{Request, Response, SourceAddress};
use tokio::net::TcpListener;

use super::local::Local;

/// More than any endpoint takes, so that it is the endpoint that refuses.
const BODY_BYTES_READ: usize = 2 * 1024 * 1024;
/// Room for a head that holds an absurdly long token, which is the endpoint's to refuse as well.
const HEAD_BYTES: usize = 512 * 1024;
/// Time for requests under way once a stop is asked for.
const GRACE: Duration = Duration::from_secs(10);

/// Serves `local` on `listener` until `stopped` says so.
pub(super) async fn serve(
    listener: TcpListener,
    local: Arc<Local>,
    mut stopped: tokio::sync::watch::Receiver<()>,
) {
    let graceful = GracefulShutdown::new();
    let mut server = hyper::server::conn::http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(30))
        .max_buf_size(HEAD_BYTES);
    loop {
        let (socket, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // Out of file descriptors, most likely: others may end soon.
                Err(error) => {
                    tracing::error!(error = &error as &dyn std::error::Error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            // Sent once, to stop.
            _ = stopped.changed() => break,
        };
        let _ = socket.set_nodelay(true);
        let local = Arc::clone(&local);
        let service = service_fn(move |request| answer(Arc::clone(&local), request, peer));
        let connection = graceful.watch(server.serve_connection(TokioIo::new(socket), service));
        tokio::spawn(async move {
            // A client that goes away is its own business.
            let _ = connection.await;
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
}

async fn answer(
    local: Arc<Local>,
    request: http::Request<Incoming>,
    peer: SocketAddr,
) -> Result<Response, Infallible> {
    let (mut parts, body) = request.into_parts();
    let mut cut_off = false;
    let body = match Limited::new(body, BODY_BYTES_READ).collect().await {
        Ok(body) => body.to_bytes(),
        // Too long, or cut off by the client: as much as makes the endpoint refuse it.
        Err(_) => {
            cut_off = true;
            Bytes::from(vec![b' '; BODY_BYTES_READ])
        }
    };
    parts
        .extensions
        .insert(SourceAddress(peer.ip().to_string()));
    // In a task of its own: a client that hangs up does not cut a turn in half, as it would not in the cloud.
    let handled =
        tokio::spawn(async move { local.handle(Request::from_parts(parts, body)).await }).await;
    let mut response: Response = handled.unwrap_or_else(|panic| {
        tracing::error!(
            error = &panic as &dyn std::error::Error,
            "a request ended the task that answered it"
        );
        let mut response = Response::default();
        *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
        response
    });
    if cut_off {
        response.headers_mut().insert(
            http::header::CONNECTION,
            http::HeaderValue::from_static("close"),
        );
    }
    Ok(response)
}
