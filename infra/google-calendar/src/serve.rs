//! The server.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Map, Value};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::{
    authority::Authority,
    calendar::{Calendar, Write},
    error::{ApiError, Fault},
    fields::partial,
    list::Query,
};

/// Google's calendars on this machine, until it is dropped.
pub struct GoogleCalendar {
    address: String,
    all: Arc<Mutex<All>>,
    task: JoinHandle<()>,
}

struct All {
    authority: Authority,
    calendars: BTreeMap<String, Calendar>,
    faults: VecDeque<Fault>,
    calls: usize,
    page_events_max: Option<usize>,
}

impl Drop for GoogleCalendar {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl GoogleCalendar {
    /// Serves calendars with these ids, on a port of its own.
    ///
    /// # Errors
    /// Where there is no port, or no key can be made.
    pub async fn start(calendar_ids: &[&str]) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let authority = Authority::new(format!("{address}/token"));
        let authority = authority.map_err(|_| io::Error::other("no key can be made"))?;
        let calendars = calendar_ids.iter().copied();
        let all = Arc::new(Mutex::new(All {
            authority,
            calendars: calendars
                .map(|id| (id.to_owned(), Calendar::new(id)))
                .collect(),
            faults: VecDeque::new(),
            calls: 0,
            page_events_max: None,
        }));
        let event = get(answer).put(answer).patch(answer).delete(answer);
        let routes = Router::new()
            .route("/token", post(token))
            .route(
                "/calendar/v3/calendars/{calendar}/events",
                get(answer).post(answer),
            )
            .route("/calendar/v3/calendars/{calendar}/events/{event}", event)
            .with_state(all.clone());
        let task = tokio::spawn(async move {
            // It ends with its runtime, and has nobody to tell of an error.
            let _ = axum::serve(listener, routes).await;
        });
        Ok(Self { address, all, task })
    }

    /// Where the API is.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("{}/calendar/v3", self.address)
    }

    /// Where tokens are given.
    #[must_use]
    pub fn token_url(&self) -> String {
        format!("{}/token", self.address)
    }

    /// The file of an account that may use all calendars.
    #[must_use]
    pub fn key_file(&self) -> String {
        self.all().authority.key_file().to_string()
    }

    /// A token for somebody beside the account.
    #[must_use]
    pub fn token(&self) -> String {
        self.all().authority.token()
    }

    /// How many tokens the account was given.
    #[must_use]
    pub fn granted(&self) -> usize {
        self.all().authority.granted()
    }

    /// How many calls the API has had, those for tokens left out.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.all().calls
    }

    /// No token that was given is taken any more.
    pub fn revoke_tokens(&self) {
        self.all().authority.revoke();
    }

    /// No sync token that was given is taken any more.
    pub fn expire_sync_tokens(&self) {
        for calendar in self.all().calendars.values_mut() {
            calendar.generation += 1;
        }
    }

    /// No page of a list has more events than that, however many are asked for.
    pub fn limit_pages(&self, events: usize) {
        self.all().page_events_max = Some(events);
    }

    /// The next calls of the API have these errors, one each.
    pub fn fail_next(&self, faults: &[Fault]) {
        self.all().faults.extend(faults);
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Shared = Arc<Mutex<All>>;

async fn token(State(all): State<Shared>, form: Bytes) -> Response {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    match all.authority.grant(&form) {
        Ok(granted) => Json(granted).into_response(),
        Err(refused) => (StatusCode::BAD_REQUEST, Json(refused)).into_response(),
    }
}

async fn answer(
    State(all): State<Shared>,
    Path(path): Path<Vec<String>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let token = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let call = Call {
        method,
        query: uri.query().unwrap_or_default(),
        if_match: text(header::IF_MATCH),
        body: &body,
    };
    match all.answer(token.unwrap_or_default(), &path, &call) {
        Ok(Value::Null) => StatusCode::NO_CONTENT.into_response(),
        Ok(answer) => Json(answer).into_response(),
        Err(error) => error.into_response(),
    }
}

/// What is asked of a calendar.
struct Call<'a> {
    method: Method,
    query: &'a str,
    if_match: Option<&'a str>,
    body: &'a [u8],
}

impl All {
    fn answer(&mut self, token: &str, path: &[String], call: &Call<'_>) -> Result<Value, ApiError> {
        self.calls += 1;
        if !self.authority.knows(token) {
            return Err(ApiError::UNAUTHORIZED);
        }
        if let Some(fault) = self.faults.pop_front() {
            return Err(fault.error());
        }
        let (id, event) = (path.first(), path.get(1));
        let calendar = id.and_then(|id| self.calendars.get_mut(id));
        let calendar = calendar.ok_or(ApiError::NOT_FOUND)?;
        match event {
            None if call.method == Method::POST => calendar.insert(call.event()?),
            None => {
                let query = url::form_urlencoded::parse(call.query.as_bytes());
                let mut query = Query::read(query)?;
                query.limit_results(self.page_events_max);
                let list = calendar.list(&query)?;
                match &query.fields {
                    Some(fields) => partial(&list, fields),
                    None => Ok(list),
                }
            }
            Some(event) => call.of_event(calendar, event),
        }
    }
}

impl Call<'_> {
    fn of_event(&self, calendar: &mut Calendar, id: &str) -> Result<Value, ApiError> {
        match self.method {
            Method::PUT => calendar.write(id, self.event()?, Write::Update, self.if_match),
            Method::PATCH => calendar.write(id, self.event()?, Write::Patch, self.if_match),
            Method::DELETE => calendar.delete(id, self.if_match).map(|()| Value::Null),
            _ => calendar.get(id),
        }
    }

    fn event(&self) -> Result<Map<String, Value>, ApiError> {
        let event = serde_json::from_slice(self.body);
        event.map_err(|_| ApiError::invalid("Parse Error"))
    }
}
