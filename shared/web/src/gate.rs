//! The way every request takes: who, what, how often; then the endpoint; then the answer with its headers and its log line.

mod identify;

use std::sync::Arc;

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{ACCEPT_LANGUAGE, ALLOW, CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_TYPE, RETRY_AFTER},
};
use mostrador_core::{
    chain::Chain,
    clock::{Clock, elapsed_ms},
    language::Language,
    limits::{Idempotency, IdempotentRequest, KeyState, Limits, StoredAnswer},
    shop::ProfileSource,
};
use secrecy::SecretString;
use uuid::Uuid;

use crate::{
    Authenticator, Body, Environment, Problem, Query, Rated, Rates, Reply, Route, SettingError,
    SystemClock, Throttle, TokenSettings, Traces,
    body::BODY_BYTES_MAX,
    call::{Call, header},
    headers::{accepts_json, trace_id},
    idempotency,
    route::{Admission, Found, Matched, find},
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
    /// Whose languages are answered in; all that there are, where the endpoint knows no shop.
    pub shop: Option<Arc<dyn ProfileSource>>,
    /// Who may have the trace of an answer.
    pub traces: Traces,
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
            shop: None,
            traces: Traces::from_environment(environment)?,
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
            shop: None,
            traces: Traces::Nobodys,
        }
    }

    /// The same gate, answering in the languages of `shop` alone.
    #[must_use]
    pub fn of_shop(self, shop: Arc<dyn ProfileSource>) -> Self {
        let shop = Some(shop);
        Self { shop, ..self }
    }

    async fn language(&self, headers: &HeaderMap) -> Language {
        let wanted = language(headers);
        match &self.shop {
            Some(shop) => shop.current().await.locale(wanted).language,
            None => wanted,
        }
    }

    /// The rates callers are held to.
    #[must_use]
    pub fn rates(&self) -> Option<&Rates> {
        self.throttle.as_ref().map(Throttle::rates)
    }

    /// Takes `request` through to `endpoint` if it is for one of `routes`.
    pub async fn serve<O, F, Fut, A>(
        &self,
        request: Request,
        routes: &[Route<O>],
        endpoint: F,
    ) -> Response
    where
        O: Copy,
        F: FnOnce(Arc<Call>, Matched<O>) -> Fut,
        Fut: Future<Output = A>,
        A: Into<Rated<Reply>>,
    {
        let found = find(routes, request.method(), request.uri().path());
        self.serve_found(request, found, BODY_BYTES_MAX, endpoint)
            .await
    }

    /// The same for a request that has been looked up, with a body of up to `bytes_max`.
    pub async fn serve_found<O, F, Fut, A>(
        &self,
        request: Request,
        found: Found<'_, O>,
        bytes_max: usize,
        endpoint: F,
    ) -> Response
    where
        O: Copy,
        F: FnOnce(Arc<Call>, Matched<O>) -> Fut,
        Fut: Future<Output = A>,
        A: Into<Rated<Reply>>,
    {
        let started_at = self.clock.now();
        let request_id = self.clock.new_id();
        let (parts, body) = request.into_parts();
        let language = self.language(&parts.headers).await;
        // The route, not the path: what a caller puts into an address is theirs.
        let path = match &found {
            Found::Route(Route { path, .. }, _) | Found::OtherMethods { path, .. } => *path,
            Found::Nothing => "unknown",
        };
        let source = parts
            .extensions
            .get::<SourceAddress>()
            .map_or("unknown", |SourceAddress(address)| address);
        let call = Call {
            owner: None,
            may_trace: false,
            language,
            request_id,
            now: started_at,
            query: Query::parse(parts.uri.query()),
            byo_key: None,
            headers: parts.headers,
            body,
            source: source.to_owned(),
            keyed: None,
            answered_by: None,
        };
        let trace_id = header(&call.headers, &HeaderName::from_static("traceparent"))
            .and_then(trace_id)
            .map(str::to_owned);
        let served = self.answer(call, found, bytes_max, endpoint).await;
        let served = served.unwrap_or_else(|problem| Served {
            rated: Err(problem).into(),
            replayed: false,
        });
        let replayed = served.replayed;
        let response = respond(served, language, request_id);
        let duration_ms = elapsed_ms(started_at, self.clock.now());
        tracing::info!(request_id = %request_id, trace_id, path, status = response.status().as_u16(), duration_ms, replayed, "request");
        response
    }

    /// Runs the endpoint, or replays what it answered to the same key before.
    async fn answer<O, F, Fut, A>(
        &self,
        mut call: Call,
        found: Found<'_, O>,
        bytes_max: usize,
        endpoint: F,
    ) -> Result<Served, Problem>
    where
        O: Copy,
        F: FnOnce(Arc<Call>, Matched<O>) -> Fut,
        Fut: Future<Output = A>,
        A: Into<Rated<Reply>>,
    {
        let (route, named) = match found {
            Found::Route(route, named) => (route, named),
            Found::OtherMethods {
                allow, is_staffs, ..
            } => {
                if is_staffs {
                    self.identify(&mut call, true).await?;
                }
                return Err(Problem::MethodNotAllowed { allow });
            }
            Found::Nothing => return Err(Problem::NotFound),
        };
        let keyed = self.admit(&mut call, route, &named, bytes_max).await?;
        let replayed = match self.acquire(&mut call, keyed).await? {
            Acquired::Now => false,
            Acquired::KeptTurn => true,
            Acquired::Answered(reply) => {
                return Ok(Served {
                    rated: Ok(reply).into(),
                    replayed: true,
                });
            }
        };
        let call = Arc::new(call);
        let operation = route.operation;
        let run = || endpoint(Arc::clone(&call), Matched { operation, named });
        let Rated { rate, outcome } = match route.admission {
            Admission::Free | Admission::Anyone => run().await.into(),
            Admission::SignedIn(_) | Admission::Staff(_) if call.owner.is_none() => {
                Err(Problem::AuthRequired).into()
            }
            Admission::SignedIn(scope) | Admission::Staff(scope) => {
                let counted = self.rate(&call, scope).await;
                counted
                    .and_then(async |()| run().await.into().outcome)
                    .await
            }
        };
        let outcome = match &call.keyed {
            Some((keyed, _)) => self.settled(keyed, &call, outcome).await,
            None => outcome,
        };
        Ok(Served {
            rated: Rated { rate, outcome },
            replayed,
        })
    }

    /// Everything that can turn a request away before its endpoint.
    async fn admit<O>(
        &self,
        call: &mut Call,
        route: &Route<O>,
        named: &str,
        bytes_max: usize,
    ) -> Result<Option<IdempotentRequest>, Problem> {
        self.identify(call, route.is_staffs()).await?;
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
        if route.method != http::Method::POST {
            return Ok(None);
        }
        let lease = self.clock.new_id();
        // What a path names is part of what is asked.
        idempotency::of_request(
            &call.headers,
            call.owner.as_ref(),
            route.path,
            &[named.as_bytes(), &call.body],
            lease,
        )
    }

    /// Takes the request's key, if it has one that counts.
    async fn acquire(
        &self,
        call: &mut Call,
        keyed: Option<IdempotentRequest>,
    ) -> Result<Acquired, Problem> {
        let (Some(store), Some(keyed)) = (&self.idempotency, keyed) else {
            return Ok(Acquired::Now);
        };
        match store
            .acquire(&keyed, self.clock.now())
            .await
            .map_err(Problem::unavailable)?
        {
            KeyState::Acquired(begun) => {
                call.keyed = Some((keyed, begun));
                Ok(Acquired::Now)
            }
            KeyState::InProgress => Err(Problem::InProgress),
            KeyState::Mismatch => Err(Problem::IdempotencyMismatch),
            KeyState::Answered(answer) => {
                if let Some(turn_id) = answer.turn_id() {
                    call.answered_by = Some(turn_id);
                    return Ok(Acquired::KeptTurn);
                }
                Ok(Acquired::Answered(Reply {
                    status: StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK),
                    content_type: if answer.content_type == PROBLEM {
                        PROBLEM
                    } else {
                        "application/json"
                    },
                    body: answer.body.into(),
                    settled: true,
                    language: None,
                }))
            }
        }
    }

    /// What came of a request with a key, once that is settled.
    async fn settled(
        &self,
        keyed: &IdempotentRequest,
        call: &Call,
        outcome: Result<Reply, Problem>,
    ) -> Result<Reply, Problem> {
        let outcome = match outcome {
            // The same request would meet the same problem, so it is an answer like any other.
            Err(problem) if problem.retry_after_seconds().is_none() => {
                Ok(problem_reply(&problem, (call.language, call.request_id)))
            }
            outcome => outcome,
        };
        match &outcome {
            Ok(reply) if reply.settled => {}
            Ok(reply) => self.settle(keyed, Some(&reply.stored())).await,
            // Trying again can help, so the key is free again.
            Err(_) => self.settle(keyed, None).await,
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
}

/// Whether a request is to be worked on, by its key.
enum Acquired {
    Now,
    /// It was a turn, which is kept: the endpoint renders that.
    KeptTurn,
    /// It was answered before, with this.
    Answered(Reply),
}

/// What came of a request, and whether that was of an earlier one with the same key.
struct Served {
    rated: Rated<Reply>,
    replayed: bool,
}

const PROBLEM: &str = "application/problem+json";

/// The answer to a request that got no further than the socket.
#[must_use]
pub fn refusal(problem: &Problem, headers: &HeaderMap) -> Response {
    let language = language(headers);
    let (request_id, reply) = (SystemClock.new_id(), |id| {
        problem_reply(problem, (language, id))
    });
    let served = Served {
        rated: Ok(reply(request_id)).into(),
        replayed: false,
    };
    respond(served, language, request_id)
}

/// The language that a caller asks for.
#[must_use]
pub fn language(headers: &HeaderMap) -> Language {
    let accepted = header(headers, &ACCEPT_LANGUAGE);
    accepted.map_or(Language::default(), Language::from_accept_language)
}

fn respond(served: Served, language: Language, request_id: Uuid) -> Response {
    let Served {
        rated: Rated { rate, outcome },
        replayed,
    } = served;
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
        // Or a proxy may buffer the stream until its end.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(reply.content_type));
    headers.insert(
        CONTENT_LANGUAGE,
        HeaderValue::from_static(reply.language.unwrap_or(language).tag()),
    );
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
