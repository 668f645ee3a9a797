//! A DynamoDB engine inside the process: the SDK's client talks to it as to the service, without a socket in between.

mod dispatch;
mod faults;
mod meter;
mod streams;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_credential_types::Credentials;
use aws_smithy_runtime_api::{
    client::{
        http::{
            HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings,
            SharedHttpClient, SharedHttpConnector,
        },
        orchestrator::{HttpRequest, HttpResponse},
        result::ConnectorError,
        runtime_components::RuntimeComponents,
    },
    http::StatusCode,
};
use aws_smithy_types::body::SdkBody;
use dynoxide::Database;
use rusqlite::Connection;

use faults::{Fate, NEVER, broken, refusal};
pub use faults::{Fault, Faults, Tamper};
pub use meter::{Cost, Meter};

/// An engine and its data. Clones share them.
#[derive(Clone)]
pub struct Engine {
    database: Database,
    file: Option<PathBuf>,
    meter: Option<Arc<Meter>>,
    delay: Duration,
    faults: Option<Arc<Faults>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

/// The engine could not be opened or served.
#[derive(Debug, thiserror::Error)]
#[error("the embedded DynamoDB engine failed: {0}")]
pub struct EngineError(String);

/// What an SDK client needs for an endpoint that asks for no real credentials.
pub async fn local(endpoint: &str) -> SdkConfig {
    aws_config::defaults(BehaviorVersion::latest())
        .region(Region::from_static("us-east-1"))
        .credentials_provider(Credentials::new("local", "local", None, None, "local"))
        .endpoint_url(endpoint)
        .load()
        .await
}

impl Engine {
    /// An engine whose data goes with the process.
    ///
    /// # Errors
    /// [`EngineError`] where `SQLite` refuses.
    pub fn in_memory() -> Result<Self, EngineError> {
        // A name, so that a second connection can be made to it while the engine has it open.
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        Self::open(&format!("file:mostrador-{number}?mode=memory&cache=shared"))
    }

    /// An engine whose data lies in a file, made if there is none.
    ///
    /// # Errors
    /// [`EngineError`] where the file cannot be opened.
    pub fn in_file(path: &Path) -> Result<Self, EngineError> {
        let name = path
            .to_str()
            .ok_or_else(|| EngineError("the path is not UTF-8".into()))?;
        Ok(Self {
            file: Some(path.to_owned()),
            ..Self::open(name)?
        })
    }

    /// Removes items whose time to live has ended, as the service does by itself; returns how many.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn sweep(&self) -> Result<usize, EngineError> {
        let swept = self.database.sweep_ttl();
        swept.map_err(|error| EngineError(error.to_string()))
    }

    /// Writes the file anew, so that nothing of what was deleted or overwritten is left in it or in its journal.
    ///
    /// # Errors
    /// [`EngineError`]; the data are as they were.
    pub fn scrub(&self) -> Result<(), EngineError> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let failed = |error: &dyn std::fmt::Display| EngineError(error.to_string());
        self.database.vacuum().map_err(|error| failed(&error))?;
        // The journal keeps old pages until it is cut.
        let journal = Connection::open(file).map_err(|error| failed(&error))?;
        let cut = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        let busy = journal
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], cut)
            .map_err(|error| failed(&error))?;
        if busy == 0 {
            Ok(())
        } else {
            Err(EngineError("the engine's journal is in use".into()))
        }
    }

    fn open(name: &str) -> Result<Self, EngineError> {
        let database = Database::new(name).map_err(|error| EngineError(error.to_string()))?;
        streams::tend(name).map_err(|error| EngineError(error.to_string()))?;
        Ok(Self {
            database,
            file: None,
            meter: None,
            delay: Duration::ZERO,
            faults: None,
        })
    }

    /// Puts an item from its JSON, past every client.
    ///
    /// # Errors
    /// [`EngineError`] with the engine's answer.
    pub fn put(&self, table: &str, item: &serde_json::Value) -> Result<(), EngineError> {
        let request = serde_json::json!({"TableName": table, "Item": item});
        match dispatch::dispatch(&self.database, "PutItem", request.to_string().as_bytes()) {
            (200, _) => Ok(()),
            (_, refusal) => Err(EngineError(refusal)),
        }
    }

    /// The same engine with a meter on its in-process calls: what they would cost.
    #[must_use]
    pub fn metered(self, meter: Arc<Meter>) -> Self {
        Self {
            meter: Some(meter),
            ..self
        }
    }

    /// The same engine, answering in-process calls only after `delay`, as one across a network does.
    #[must_use]
    pub fn delayed(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// The same engine, whose in-process calls go wrong as `faults` will have it.
    #[must_use]
    pub fn faulty(self, faults: Arc<Faults>) -> Self {
        Self {
            faults: Some(faults),
            ..self
        }
    }

    /// What an SDK client needs for calls that reach this engine without leaving the process.
    pub async fn configuration(&self) -> SdkConfig {
        local("http://in-process.invalid")
            .await
            .into_builder()
            .http_client(SharedHttpClient::new(InProcess(self.clone())))
            .build()
    }

    /// Status and JSON that answer an HTTP call with this `X-Amz-Target` and body, for whoever serves the engine on a socket.
    #[must_use]
    pub fn answer_http(&self, target: &str, body: &[u8]) -> (u16, String) {
        self.answer(&Call {
            operation: operation(target).to_owned(),
            body: body.to_vec(),
        })
    }
}

#[derive(Debug)]
struct InProcess(Engine);

impl HttpClient for InProcess {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Connector(Arc::new(self.0.clone())))
    }
}

#[derive(Debug)]
struct Connector(Arc<Engine>);

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let engine = Arc::clone(&self.0);
        let call = Call::of(&request);
        if let Some(faults) = engine.faults.clone() {
            return HttpConnectorFuture::new(go_wrong(engine, faults, call));
        }
        if engine.delay.is_zero() {
            return HttpConnectorFuture::ready(response(engine.answer(&call)));
        }
        HttpConnectorFuture::new(async move {
            tokio::time::sleep(engine.delay).await;
            response(engine.answer(&call))
        })
    }
}

/// An operation and its JSON.
#[derive(Clone)]
struct Call {
    operation: String,
    body: Vec<u8>,
}

impl Call {
    fn of(request: &HttpRequest) -> Self {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        Self {
            operation: operation(target).to_owned(),
            body: request.body().bytes().unwrap_or_default().to_vec(),
        }
    }
}

/// `PutItem` of `DynamoDB_20120810.PutItem`.
fn operation(target: &str) -> &str {
    target.rsplit_once('.').unwrap_or_default().1
}

impl Engine {
    fn answer(&self, Call { operation, body }: &Call) -> (u16, String) {
        match &self.meter {
            None => dispatch::dispatch(&self.database, operation, body),
            Some(meter) => {
                let asking = meter::asking_for_cost(body);
                let answer = dispatch::dispatch(&self.database, operation, &asking);
                meter.count(operation, &answer.1);
                answer
            }
        }
    }
}

async fn go_wrong(
    engine: Arc<Engine>,
    faults: Arc<Faults>,
    mut call: Call,
) -> Result<HttpResponse, ConnectorError> {
    faults.tamper_with_request(&call.operation, &mut call.body);
    let Fate {
        fault,
        latency,
        late,
    } = faults.fate(&call.operation, &call.body);
    tokio::time::sleep(latency).await;
    let later = |engine: Arc<Engine>, call: Call| {
        tokio::spawn(async move {
            tokio::time::sleep(late).await;
            engine.answer(&call);
        });
    };
    let mut answer = match fault {
        Some(Fault::LostCall) => return Err(broken()),
        Some(Fault::LostAnswer) => {
            engine.answer(&call);
            return Err(broken());
        }
        Some(Fault::Late) => {
            later(engine, call);
            tokio::time::sleep(NEVER).await;
            return Err(broken());
        }
        Some(fault @ Fault::FailedAfter) => {
            engine.answer(&call);
            refusal(fault, &call.operation, &call.body)
        }
        Some(fault @ (Fault::Throttled | Fault::TransactionConflict)) => {
            refusal(fault, &call.operation, &call.body)
        }
        Some(Fault::Twice) => {
            let answer = engine.answer(&call);
            later(engine, call.clone());
            answer
        }
        Some(Fault::Stale) | None => {
            let now = engine.answer(&call);
            faults.or_past(&call.operation, &call.body, fault.is_some(), now)
        }
    };
    faults.tamper_with_answer(&call.operation, &call.body, &mut answer.1);
    response(answer)
}

fn response((status, json): (u16, String)) -> Result<HttpResponse, ConnectorError> {
    let status = StatusCode::try_from(status)
        .map_err(|error| ConnectorError::other(Box::new(error), None))?;
    let mut response = HttpResponse::new(status, SdkBody::from(json));
    response
        .headers_mut()
        .insert("content-type", "application/x-amz-json-1.0");
    Ok(response)
}
