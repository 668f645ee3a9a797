//! Calls of a calendar's server: bounded in size, in time and in how often they are tried.

mod retry_after;

use std::{error::Error, time::Duration};

use mostrador_core::booking::RemoteError;
use reqwest::{
    Client, Method, RequestBuilder, StatusCode, Url,
    header::{ETAG, HeaderMap, RETRY_AFTER},
    redirect::Policy,
};
use serde::de::DeserializeOwned;

/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Largest answer that is read. Ten thousand events with long descriptions take about five.
const ANSWER_BYTES_MAX: usize = 8 << 20;

/// How long a server is waited for, and how often it is called where it is busy or cannot be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// From a call to the last byte of its answer.
    pub attempt: Duration,
    /// At least one.
    pub attempts: u32,
    /// Before the second attempt, at most; twice as long before each later one.
    pub pause: Duration,
    /// Longest pause. A server that asks for a longer one is not called again.
    pub pause_max: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            attempt: Duration::from_secs(10),
            attempts: 4,
            pause: Duration::from_millis(400),
            pause_max: Duration::from_secs(5),
        }
    }
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// Why an attempt got no answer.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("the server answers with status {0}")]
    Busy(StatusCode, Option<Duration>),
    #[error("the server was not reached, or its answer was cut off")]
    Unreached(#[source] reqwest::Error),
    #[error("the answer is larger than {ANSWER_BYTES_MAX} bytes")]
    TooLarge,
}

/// What makes calls.
#[derive(Debug)]
pub(crate) struct Caller {
    client: Client,
    patience: Patience,
}

impl Caller {
    /// Nothing where no client can be made on this machine.
    pub(crate) fn new(patience: Patience) -> Option<Self> {
        // A redirect would carry a password to where nobody has sent it.
        let client = Client::builder()
            .redirect(Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(patience.attempt)
            .build()
            .ok()?;
        Some(Self { client, patience })
    }

    /// The answer to a request that may be made several times, whatever its status, unless that says that the server is busy.
    ///
    /// `is_busy` says so of answers whose status does not.
    ///
    /// # Errors
    /// [`RemoteError::Unavailable`] and [`RemoteError::Unreadable`].
    pub(crate) async fn call(
        &self,
        method: &Method,
        url: &Url,
        with: impl Fn(RequestBuilder) -> RequestBuilder,
        is_busy: impl Fn(&Answer) -> bool,
    ) -> Result<Answer, RemoteError> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let request = with(self.client.request(method.clone(), url.clone()));
            let failed = match self.attempt(request, &is_busy).await {
                Ok(answer) => return Ok(answer),
                Err(failed @ Failed::TooLarge) => {
                    return Err(RemoteError::Unreadable(failed.to_string()));
                }
                Err(failed) => failed,
            };
            let pause = self.pause(attempt, &failed);
            let Some(pause) = pause.filter(|_| attempt < self.patience.attempts) else {
                let source: Box<dyn Error + Send + Sync> = Box::new(failed);
                return Err(RemoteError::Unavailable(source));
            };
            tokio::time::sleep(pause).await;
        }
    }

    async fn attempt(
        &self,
        request: RequestBuilder,
        is_busy: &impl Fn(&Answer) -> bool,
    ) -> Result<Answer, Failed> {
        // An address may be somebody's secret.
        let unreached = |error: reqwest::Error| Failed::Unreached(error.without_url());
        let mut response = request.send().await.map_err(unreached)?;
        let status = response.status();
        let headers = response.headers().clone();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(unreached)? {
            if body.len() + chunk.len() > ANSWER_BYTES_MAX {
                return Err(Failed::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        let answer = Answer {
            status,
            headers,
            body,
        };
        let is_full = status == StatusCode::INSUFFICIENT_STORAGE;
        let says_busy = status == StatusCode::TOO_MANY_REQUESTS
            || status == StatusCode::REQUEST_TIMEOUT
            || (status.is_server_error() && !is_full);
        if says_busy || is_busy(&answer) {
            let wait = answer.header(&RETRY_AFTER).and_then(retry_after::read);
            return Err(Failed::Busy(status, wait));
        }
        Ok(answer)
    }

    /// How long to wait after so many attempts; nothing where that is too long.
    fn pause(&self, attempts: u32, failed: &Failed) -> Option<Duration> {
        let most = self.patience.pause_max;
        let doubled = 1_u32.checked_shl(attempts - 1).unwrap_or(u32::MAX);
        let own = self.patience.pause.saturating_mul(doubled).min(most);
        // Many callers that were refused together do not come back together.
        let own = own.mul_f64(fastrand::f64().mul_add(0.5, 0.5));
        match failed {
            Failed::Busy(_, Some(wait)) => (*wait <= most).then(|| own.max(*wait)),
            Failed::Busy(_, None) | Failed::Unreached(_) | Failed::TooLarge => Some(own),
        }
    }
}

impl Answer {
    fn header(&self, name: &reqwest::header::HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// By which a change of what was answered is told.
    pub(crate) fn etag(&self) -> Option<&str> {
        self.header(&ETAG).filter(|etag| !etag.is_empty())
    }

    /// # Errors
    /// [`RemoteError::Unreadable`] where it is no text.
    pub(crate) fn text(&self) -> Result<&str, RemoteError> {
        let text = std::str::from_utf8(&self.body);
        text.map_err(|_| RemoteError::Unreadable("it is no text".to_owned()))
    }

    /// Nothing where it is no such JSON.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&self.body).ok()
    }

    /// As what a server says that will not have it otherwise.
    pub(crate) fn refused(&self) -> RemoteError {
        RemoteError::Refused {
            status: self.status.as_u16(),
        }
    }
}
