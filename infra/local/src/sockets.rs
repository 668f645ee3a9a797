//! Sockets of this machine: so many connections at once and no more, and none that is held by whoever sends or reads nothing.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use http::{HeaderMap, HeaderName, Uri, header::HOST, header::ORIGIN};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, watch},
};
use tokio_io_timeout::TimeoutStream;

/// Room for a head that holds an absurdly long token, which is the endpoint's to refuse.
const HEAD_BYTES: usize = 512 * 1024;
/// A head that has not come within this does not come; a connection that is kept open waits no longer for its next one.
const HEAD_WITHIN: Duration = Duration::from_secs(10);
/// Whoever takes nothing of an answer for so long does not read it.
const READ_BY_CLIENT_WITHIN: Duration = Duration::from_secs(30);
/// Connections at once; further ones wait.
const CONNECTIONS: usize = 512;
/// Time for requests under way once a stop is asked for.
const GRACE: Duration = Duration::from_secs(10);

/// What a socket is for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bounds {
    /// Whoever sends nothing for so long, in the middle of a request or between two, is gone. None where answers take their time, and
    /// what comes with a request has a limit of its own.
    pub(crate) sent_within: Option<Duration>,
}

/// Serves `answer` on `listener` until `stopped`.
pub(crate) async fn serve<A, F, B, E>(
    listener: TcpListener,
    mut stopped: watch::Receiver<()>,
    bounds: Bounds,
    answer: A,
) where
    A: Fn(http::Request<Incoming>, SocketAddr) -> F + Clone + Send + 'static,
    F: Future<Output = Result<http::Response<B>, E>> + Send + 'static,
    B: http_body::Body<Data: Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>>
        + Send
        + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync>> + 'static,
{
    let graceful = GracefulShutdown::new();
    let mut server = hyper::server::conn::http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(HEAD_BYTES);
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            accepted = accepted => accepted,
            // Sent once, to stop.
            _ = stopped.changed() => break,
        };
        let (socket, peer) = match accepted {
            Ok(accepted) => accepted,
            // Out of file descriptors, most likely: others may end soon.
            Err(error) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "a connection was not accepted"
                );
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = socket.set_nodelay(true);
        let mut socket = TimeoutStream::new(socket);
        socket.set_write_timeout(Some(READ_BY_CLIENT_WITHIN));
        socket.set_read_timeout(bounds.sent_within);
        let answer = answer.clone();
        let service = service_fn(move |request| answer(request, peer));
        let connection = server.serve_connection(TokioIo::new(Box::pin(socket)), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that goes away is its own business.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
}

/// Whether a request is meant for this machine by its name, and comes from no page of another: a page elsewhere can have a name of its
/// own point to 127.0.0.1, and would then read all that is answered here.
pub(crate) fn is_from_here(headers: &HeaderMap) -> bool {
    let ours = |name: HeaderName, is_ours: fn(&str) -> bool| {
        let mut values = headers.get_all(name).iter();
        values.all(|value| value.to_str().is_ok_and(is_ours))
    };
    ours(HOST, is_loopback) && ours(ORIGIN, is_origin_of_loopback)
}

/// Whether an origin is a page's of this machine.
pub(crate) fn is_origin_of_loopback(origin: &str) -> bool {
    let authority = ["http://", "https://"]
        .iter()
        .find_map(|scheme| origin.strip_prefix(scheme));
    authority.is_some_and(is_loopback)
}

/// Whether `name` or `name:port` can only be this machine.
fn is_loopback(authority: &str) -> bool {
    let uri: Result<Uri, _> = format!("http://{authority}/").parse();
    let Ok(uri) = uri else { return false };
    let is_whole = uri.authority().is_some_and(|read| read == authority);
    is_whole
        && !authority.contains('@')
        && matches!(uri.host(), Some("localhost" | "127.0.0.1" | "[::1]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn check(given: &[(HeaderName, &'static str)], expected: bool) {
        let headers = given
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
        assert_eq!(is_from_here(&headers.collect()), expected, "{given:?}");
    }

    #[test]
    fn only_names_of_this_machine_are_its_own() {
        check(&[], true);
        for host in [
            "localhost",
            "localhost:3000",
            "127.0.0.1:3000",
            "[::1]:3000",
        ] {
            check(&[(HOST, host)], true);
        }
        for host in [
            "evil.example",
            "localhost.evil.example:3000",
            "127.0.0.1.evil.example",
            "127.0.0.1@evil.example",
            "evil.example@127.0.0.1",
            "localhost/",
            "0.0.0.0:3000",
            "",
        ] {
            check(&[(HOST, host)], false);
        }
        let here = (HOST, "localhost:3000");
        check(&[here.clone(), (HOST, "evil.example")], false);
        for origin in ["http://localhost:5173", "https://127.0.0.1"] {
            check(&[here.clone(), (ORIGIN, origin)], true);
        }
        for origin in [
            "null",
            "http://evil.example",
            "http://localhost.evil.example",
            "file://",
            "http://localhost:3000 http://evil.example",
        ] {
            check(&[here.clone(), (ORIGIN, origin)], false);
        }
    }
}
