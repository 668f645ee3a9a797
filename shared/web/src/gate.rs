//! The way every request takes: who, what, how often; then the endpoint; then the answer with its headers and its log line.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{
        ACCEPT, ACCEPT_LANGUAGE, ALLOW, AUTHORIZATION, CACHE_CONTROL, CONTENT_LANGUAGE,
        CONTENT_TYPE, RETRY_AFTER,
    },
};
use mostrador_core::{
    chain::Chain,
    clock::{Clock, elapsed_ms},
    ids::Owner,
    language::Language,
    limits::{Idempotency, IdempotentRequest, KeyState, Limits, RateDecision, Scope, StoredAnswer},
};
use secrecy::SecretString;
use uuid::Uuid;

use crate::{
    Authenticator, Body, Environment, Problem, Query, Rates, Reply, Route, SettingError,
    SystemClock, Throttle, TokenSettings,
    body::BODY_BYTES_MAX,
    call::{Call, header},
    guests, idempotency,
};

/// A whole request.
pub type Request = http::Request<Bytes>;
/// An answer.
pub type Response = http::Response<Body>;

/// Where a request came from: an extension that whoever received it puts on it.
#[derive(Debug, Clone)]
pub struct SourceAddress(pub String);

/// What all endpoints share.
pub struct Gate {
    /// Who knows callers; endpoints that are alike for everybody look at no token.
    pub authenticator: Option<Authenticator>,
    /// Who counts callers; endpoints that cost nothing count none.
    pub throttle: Option<Throttle>,
    /// Where answers are remembered by key; endpoints that only read have none.
    pub idempotency: Option<Arc<dyn Idempotency>>,
    pub clock: Arc<dyn Clock>,
}

impl Gate {
    /// The gate of a function, by its environment.
    ///
    /// # Errors
    /// [`SettingError`], naming the variable.
    pub fn from_environment(
        environment: &Environment<'_>,
        limits: Arc<dyn Limits>,
        idempotency: Option<Arc<dyn Idempotency>>,
    ) -> Result<Self, SettingError> {
        Ok(Self {
            authenticator: Some(Authenticator::new(TokenSettings::from_environment(
                environment,
            )?)),
            throttle: Some(Throttle::new(limits, Rates::from_environment(environment)?)),
            idempotency,
            clock: Arc::new(SystemClock),
        })
    }

    /// The gate of an endpoint that is alike for everybody and costs nothing.
    #[must_use]
    pub fn open() -> Self {
        Self {
            authenticator: None,
            throttle: None,
            idempotency: None,
            clock: Arc::new(SystemClock),
        }
    }

    /// The rates callers are held to.
    #[must_use]
    pub fn rates(&self) -> Option<&Rates> {
        self.throttle.as_ref().map(Throttle::rates)
    }

    /// Takes `request` through to `endpoint` if it is for one of `routes`.
    pub async fn serve<F, Fut>(&self, request: Request, routes: &[Route], endpoint: F) -> Response
    where
        F: FnOnce(Arc<Call>) -> Fut,
        Fut: Future<Output = Result<Reply, Problem>>,
    {
        self.serve_up_to(BODY_BYTES_MAX, request, routes, endpoint)
            .await
    }

    /// The same, with a body of up to `bytes_max`.
    pub async fn serve_up_to<F, Fut>(
        &self,
        bytes_max: usize,
        request: Request,
        routes: &[Route],
        endpoint: F,
    ) -> Response
    where
        F: FnOnce(Arc<Call>) -> Fut,
        Fut: Future<Output = Result<Reply, Problem>>,
    {
        let started_at = self.clock.now();
        let request_id = self.clock.new_id();
        let (parts, body) = request.into_parts();
        let language = language(&parts.headers);
        let source = parts
            .extensions
            .get::<SourceAddress>()
            .map_or("unknown", |SourceAddress(address)| address);
        let mut call = Call {
            owner: None,
            language,
            request_id,
            now: started_at,
            method: parts.method,
            path: parts.uri.path().to_owned(),
            query: Query::parse(parts.uri.query()),
            byo_key: None,
            headers: parts.headers,
            body,
            source: source.to_owned(),
            rate: OnceLock::new(),
            keyed: OnceLock::new(),
            answered_by: OnceLock::new(),
        };
        let trace_id = header(&call.headers, &HeaderName::from_static("traceparent"))
            .and_then(trace_id)
            .map(str::to_owned);
        let route = routes.iter().find(|route| route.matches(&call.path));
        let mut replayed = false;
        let mut rate = None;
        let outcome = match self.admit(&mut call, route, bytes_max).await {
            Err(problem) => Err(problem),
            Ok(keyed) => {
                let call = Arc::new(call);
                let outcome = self
                    .once(keyed, &call, &mut replayed, endpoint(Arc::clone(&call)))
                    .await;
                rate = call.rate.get().copied();
                outcome
            }
        };
        let response = respond(outcome, language, request_id, rate, replayed);
        let duration_ms = elapsed_ms(started_at, self.clock.now());
        // The route, not the path: what a caller puts into an address is theirs.
        let path = route.map_or("unknown", |route| route.path);
        tracing::info!(request_id = %request_id, trace_id, path, status = response.status().as_u16(), duration_ms, replayed, "request");
        response
    }

    /// Everything that can turn a request away before its endpoint.
    async fn admit(
        &self,
        call: &mut Call,
        route: Option<&Route>,
        bytes_max: usize,
    ) -> Result<Option<IdempotentRequest>, Problem> {
        let route = route.ok_or(Problem::NotFound)?;
        if !route.methods.contains(&call.method.as_str()) {
            return Err(Problem::MethodNotAllowed {
                allow: route.allow(),
            });
        }
        call.owner = self.authenticate(&call.headers).await?;
        if !accepts_json(&call.headers) {
            return Err(Problem::NotAcceptable);
        }
        if call.body.len() > bytes_max {
            return Err(Problem::TooLarge);
        }
        if let Some(key) = call.headers.get("x-llm-api-key") {
            if call.owner.is_none() {
                return Err(Problem::AuthRequired);
            }
            call.byo_key = key
                .to_str()
                .ok()
                .filter(|key| !key.trim().is_empty())
                .map(SecretString::from);
        }
        if call.method != http::Method::POST {
            return Ok(None);
        }
        let lease = self.clock.new_id();
        // What a path names is part of what is asked.
        let named = route
            .path
            .contains('{')
            .then(|| call.path.trim_end_matches('/'));
        idempotency::of_request(
            &call.headers,
            call.owner.as_ref(),
            route.path,
            &[named.unwrap_or_default().as_bytes(), &call.body],
            lease,
        )
    }

    async fn authenticate(&self, headers: &HeaderMap) -> Result<Option<Owner>, Problem> {
        let Some(authenticator) = &self.authenticator else {
            return Ok(None);
        };
        let mut presented = headers.get_all(AUTHORIZATION).iter();
        let Some(value) = presented.next() else {
            return Ok(None);
        };
        if presented.next().is_some() {
            return Err(Problem::InvalidToken);
        }
        let token = value.to_str().ok().and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        let token = token.ok_or(Problem::InvalidToken)?;
        authenticator
            .owner(token)
            .await
            .map(Some)
            .map_err(Problem::from)
    }

    /// Runs the endpoint, or replays what it answered to the same key before.
    async fn once(
        &self,
        keyed: Option<IdempotentRequest>,
        call: &Call,
        replayed: &mut bool,
        endpoint: impl Future<Output = Result<Reply, Problem>>,
    ) -> Result<Reply, Problem> {
        let (Some(store), Some(keyed)) = (&self.idempotency, keyed) else {
            return endpoint.await;
        };
        match store
            .acquire(&keyed, self.clock.now())
            .await
            .map_err(Problem::unavailable)?
        {
            KeyState::Acquired(begun) => {
                let _ = call.keyed.set((keyed.clone(), begun));
            }
            KeyState::InProgress => return Err(Problem::InProgress),
            KeyState::Mismatch => return Err(Problem::IdempotencyMismatch),
            KeyState::Answered(answer) => {
                *replayed = true;
                if let Some(turn_id) = answer.turn_id() {
                    let _ = call.answered_by.set(turn_id);
                    return endpoint.await;
                }
                return Ok(Reply {
                    status: StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK),
                    content_type: if answer.content_type == PROBLEM {
                        PROBLEM
                    } else {
                        "application/json"
                    },
                    body: answer.body.into(),
                    settled: true,
                });
            }
        }
        let outcome = match endpoint.await {
            // The same request would meet the same problem, so it is an answer like any other.
            Err(problem) if problem.retry_after_seconds().is_none() => {
                Ok(problem_reply(&problem, (call.language, call.request_id)))
            }
            outcome => outcome,
        };
        match &outcome {
            Ok(reply) if reply.settled => {}
            Ok(reply) => self.settle(&keyed, Some(&reply.stored())).await,
            // Trying again can help, so the key is free again.
            Err(_) => self.settle(&keyed, None).await,
        }
        outcome
    }

    /// Keeps the answer of a request by its key, or frees the key where there is none that may be kept.
    pub async fn settle(&self, keyed: &IdempotentRequest, answer: Option<&StoredAnswer>) {
        let Some(store) = &self.idempotency else {
            return;
        };
        let settled = match answer {
            Some(answer) => store.complete(keyed, answer).await,
            None => store.release(keyed).await,
        };
        if let Err(error) = settled {
            tracing::error!(
                error = %Chain(&error),
                "what became of a request could not be remembered by its key"
            );
        }
    }

    /// Counts the call against its caller's window.
    ///
    /// # Errors
    /// 429 over the limit. Where the table cannot be reached, 503 for a signed-in caller; a guest, who is only shown the
    /// catalogue, is let through.
    pub async fn rate(&self, call: &Call, scope: Scope) -> Result<(), Problem> {
        let Some(throttle) = &self.throttle else {
            return Ok(());
        };
        let subject = match &call.owner {
            Some(owner) => owner.to_string(),
            None => guests::subject(&call.source),
        };
        let decision = match throttle.take(scope, subject, call.now).await {
            Ok(decision) => decision,
            Err(error) if call.owner.is_none() => {
                tracing::warn!(
                    error = %Chain(&error),
                    "a guest was let through uncounted"
                );
                return Ok(());
            }
            Err(error) => return Err(Problem::unavailable(error)),
        };
        let _ = call.rate.set(decision);
        if decision.admitted {
            Ok(())
        } else {
            Err(Problem::RateLimited {
                retry_after_seconds: decision.reset_seconds.max(1),
            })
        }
    }
}

impl Gate {
    /// Counts a turn against its caller's window, and where a model would be asked for a guest, against what all guests together may
    /// have of it. Tells whether the model may be asked.
    ///
    /// # Errors
    /// As [`Gate::rate`].
    pub async fn rate_turn(&self, call: &Call, asks_model: bool) -> Result<bool, Problem> {
        self.rate(call, Scope::Chat).await?;
        let Some(throttle) = self.throttle.as_ref().filter(|_| call.owner.is_none()) else {
            return Ok(true);
        };
        if !asks_model {
            return Ok(true);
        }
        let guests = guests::ALL.to_owned();
        match throttle.take(Scope::GuestModel, guests, call.now).await {
            Ok(decision) => Ok(decision.admitted),
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "a guest gets no model, since it cannot be counted");
                Ok(false)
            }
        }
    }
}

const PROBLEM: &str = "application/problem+json";

/// The answer to a request that got no further than the socket.
#[must_use]
pub fn refusal(problem: &Problem, headers: &HeaderMap) -> Response {
    let language = language(headers);
    let (request_id, reply) = (SystemClock.new_id(), |id| {
        problem_reply(problem, (language, id))
    });
    respond(Ok(reply(request_id)), language, request_id, None, false)
}

/// The language that a caller asks for.
#[must_use]
pub fn language(headers: &HeaderMap) -> Language {
    let accepted = header(headers, &ACCEPT_LANGUAGE);
    accepted.map_or(Language::default(), Language::from_accept_language)
}

fn respond(
    outcome: Result<Reply, Problem>,
    language: Language,
    request_id: Uuid,
    rate: Option<RateDecision>,
    replayed: bool,
) -> Response {
    let mut headers = HeaderMap::new();
    let reply = outcome.unwrap_or_else(|problem| {
        if let Problem::Unavailable(source) = &problem {
            tracing::error!(request_id = %request_id, error = %Chain(&**source), "a store could not be reached");
        }
        if let Some(seconds) = problem.retry_after_seconds() {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        if let Problem::MethodNotAllowed { allow } = &problem
            && let Ok(allow) = HeaderValue::from_str(allow)
        {
            headers.insert(ALLOW, allow);
        }
        if problem.status() == StatusCode::UNAUTHORIZED {
            headers.insert(http::header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        problem_reply(&problem, (language, request_id))
    });
    if let Some(rate) = rate {
        headers.insert(
            HeaderName::from_static("ratelimit-limit"),
            rate.limit.into(),
        );
        headers.insert(
            HeaderName::from_static("ratelimit-remaining"),
            rate.remaining.into(),
        );
        headers.insert(
            HeaderName::from_static("ratelimit-reset"),
            rate.reset_seconds.into(),
        );
    }
    if replayed {
        headers.insert(
            HeaderName::from_static("idempotent-replayed"),
            HeaderValue::from_static("true"),
        );
    }
    if let Ok(id) = HeaderValue::from_str(&request_id.to_string()) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    if matches!(reply.body, Body::Stream(_)) {
        // Or a proxy may keep what is said until all is said.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(reply.content_type));
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(language.tag()));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        HeaderName::from_static("x-content-type-options"),
        HeaderValue::from_static("nosniff"),
    );
    let mut response = Response::new(reply.body);
    *response.status_mut() = reply.status;
    *response.headers_mut() = headers;
    response
}

fn problem_reply(problem: &Problem, (language, request_id): (Language, Uuid)) -> Reply {
    Reply {
        content_type: PROBLEM,
        ..Reply::json(problem.status(), &problem.body(language, request_id))
    }
}

/// The trace that a W3C `traceparent` says this request belongs to.
fn trace_id(traceparent: &str) -> Option<&str> {
    let mut parts = traceparent.trim().split('-');
    let (version, id, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |part: &str, length| {
        part.len() == length && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_zero = |part: &str| part.bytes().all(|b| b == b'0');
    let well_formed = is_hex(version, 2)
        && version != "ff"
        && is_hex(id, 32)
        && is_hex(parent, 16)
        && is_hex(flags, 2);
    (well_formed && !is_zero(id) && !is_zero(parent)).then_some(id)
}

/// Whether the caller can read JSON; without an `Accept`, anything goes.
fn accepts_json(headers: &HeaderMap) -> bool {
    let mut ranges = headers
        .get_all(ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .peekable();
    ranges.peek().is_none()
        || ranges.flat_map(|value| value.split(',')).any(|range| {
            let (essence, parameters) = range.split_once(';').unwrap_or((range, ""));
            let refused = parameters
                .split(';')
                .any(|p| matches!(p.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
            let essence = essence.trim().to_ascii_lowercase();
            !refused
                && matches!(
                    essence.as_str(),
                    "*/*"
                        | "application/*"
                        | "application/json"
                        | "application/problem+json"
                        | "application/x-ndjson"
                        | "text/event-stream"
                        | ""
                )
        })
}
