//! A service across a network on its worst days: by a seeded generator, calls get lost before they are done, or their answers after
//! it; they are done long after the caller gave up, or twice; they are refused for a while; and reads that may be old are.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aws_smithy_runtime_api::client::result::ConnectorError;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

/// What can go wrong with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The connection breaks, and nothing was done.
    LostCall,
    /// It is done, and the connection breaks before the answer.
    LostAnswer,
    /// It is done, and the answer says that it failed.
    FailedAfter,
    /// It is done when the caller has given up.
    Late,
    /// It is done once more, later.
    Twice,
    /// It is refused for want of capacity.
    Throttled,
    /// It is refused since a transaction was at work on its items.
    TransactionConflict,
    /// It is answered as it would have been some time ago.
    Stale,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LostCall => "lost",
            Self::LostAnswer => "whose answer was lost",
            Self::FailedAfter => "done and said to have failed",
            Self::Late => "late",
            Self::Twice => "done twice",
            Self::Throttled => "throttled",
            Self::TransactionConflict => "in conflict",
            Self::Stale => "answered from the past",
        })
    }
}

const FAULTS: [Fault; 8] = [
    Fault::LostCall,
    Fault::LostAnswer,
    Fault::FailedAfter,
    Fault::Late,
    Fault::Twice,
    Fault::Throttled,
    Fault::TransactionConflict,
    Fault::Stale,
];

/// The longest that a call is under way when nothing is wrong.
const LATENCY_MAX: Duration = Duration::from_millis(8);
/// How late what comes late is done: after the first try was given up, and perhaps after all of them.
const LATE: std::ops::Range<Duration> = Duration::from_millis(1_600)..Duration::from_secs(9);
/// Longer than any caller waits.
pub(crate) const NEVER: Duration = Duration::from_secs(3_600);

/// Changes calls and answers on their way, to see what happens without what they ask for: an operation's name, its request, and its
/// answer where it is on the way back.
pub type Tamper = fn(&str, &mut Value, Option<&mut Value>);

/// Which calls go wrong, and how.
pub struct Faults {
    state: Mutex<State>,
    tamper: Option<Tamper>,
}

struct State {
    rng: StdRng,
    share: f64,
    met: BTreeMap<Fault, u64>,
    calls: u64,
    /// The last answers to reads that may be old.
    past: HashMap<(String, String), (u16, String)>,
}

/// What becomes of one call.
pub(crate) struct Fate {
    pub(crate) fault: Option<Fault>,
    pub(crate) latency: Duration,
    pub(crate) late: Duration,
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faults").finish_non_exhaustive()
    }
}

impl Faults {
    /// The same faults for the same calls in the same order; a `share` of all calls goes wrong.
    #[must_use]
    pub fn seeded(seed: u64, share: f64) -> Self {
        Self {
            state: Mutex::new(State {
                rng: StdRng::seed_from_u64(seed),
                share,
                met: BTreeMap::new(),
                calls: 0,
                past: HashMap::new(),
            }),
            tamper: None,
        }
    }

    /// With something that meddles with every call.
    #[must_use]
    pub fn with_tamper(mut self, tamper: Option<Tamper>) -> Self {
        self.tamper = tamper;
        self
    }

    /// How many calls there were, and how many of them went wrong in which way.
    #[must_use]
    pub fn met(&self) -> (u64, BTreeMap<Fault, u64>) {
        let state = self.lock();
        (state.calls, state.met.clone())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn fate(&self, operation: &str, body: &[u8]) -> Fate {
        let reads = matches!(
            operation,
            "Query"
                | "GetItem"
                | "BatchGetItem"
                | "Scan"
                | "ListStreams"
                | "DescribeStream"
                | "GetShardIterator"
                | "GetRecords"
        );
        let mut guard = self.lock();
        let state = &mut *guard;
        state.calls += 1;
        let latency = state.rng.random_range(Duration::ZERO..LATENCY_MAX);
        let late = state.rng.random_range(LATE);
        let drawn = FAULTS[state.rng.random_range(0..FAULTS.len())];
        let goes_wrong = state.rng.random_bool(state.share);
        let fits = match drawn {
            Fault::Stale => reads && may_be_old(body),
            Fault::Twice | Fault::TransactionConflict => !reads,
            _ => true,
        };
        let fault = (goes_wrong && fits).then_some(drawn);
        if let Some(fault) = fault {
            *state.met.entry(fault).or_default() += 1;
        }
        Fate {
            fault,
            latency,
            late,
        }
    }

    /// What was answered to the same read before, if `stale`; remembers the answer of now.
    pub(crate) fn or_past(
        &self,
        operation: &str,
        body: &[u8],
        stale: bool,
        now: (u16, String),
    ) -> (u16, String) {
        if !may_be_old(body) {
            return now;
        }
        let call = (
            operation.to_owned(),
            String::from_utf8_lossy(body).into_owned(),
        );
        let past = &mut self.lock().past;
        match past.get(&call) {
            Some(before) if stale => before.clone(),
            _ => {
                past.insert(call, now.clone());
                now
            }
        }
    }

    pub(crate) fn tamper_with_request(&self, operation: &str, body: &mut Vec<u8>) {
        if let Some(tamper) = self.tamper {
            let mut request = serde_json::from_slice(body).unwrap_or_default();
            tamper(operation, &mut request, None);
            *body = request.to_string().into_bytes();
        }
    }

    pub(crate) fn tamper_with_answer(&self, operation: &str, body: &[u8], answer: &mut String) {
        if let Some(tamper) = self.tamper {
            let mut request = serde_json::from_slice(body).unwrap_or_default();
            let mut document = serde_json::from_str(answer).unwrap_or_default();
            tamper(operation, &mut request, Some(&mut document));
            *answer = document.to_string();
        }
    }
}

/// Whether a read does not ask for the newest there is.
fn may_be_old(body: &[u8]) -> bool {
    let request: Value = serde_json::from_slice(body).unwrap_or_default();
    let tables = request["RequestItems"].as_object();
    let of_tables = tables
        .into_iter()
        .flat_map(|tables| tables.values())
        .any(|table| table["ConsistentRead"] == true);
    request["ConsistentRead"] != true && !of_tables
}

pub(crate) fn broken() -> ConnectorError {
    ConnectorError::io("the connection was reset".into())
}

/// A refusal as the service words it.
pub(crate) fn refusal(fault: Fault, operation: &str, body: &[u8]) -> (u16, String) {
    let named = |name: &str| {
        let kind = format!("com.amazonaws.dynamodb.v20120810#{name}");
        json!({"__type": kind, "message": "by the harness"})
    };
    match fault {
        Fault::FailedAfter => (500, named("InternalServerError").to_string()),
        Fault::TransactionConflict if operation == "TransactWriteItems" => {
            let request: Value = serde_json::from_slice(body).unwrap_or_default();
            let items = request["TransactItems"].as_array().map_or(1, Vec::len);
            let reasons: Vec<Value> = (0..items)
                .map(|place| json!({"Code": if place + 1 == items { "TransactionConflict" } else { "None" }}))
                .collect();
            let mut refusal = named("TransactionCanceledException");
            refusal["CancellationReasons"] = reasons.into();
            (400, refusal.to_string())
        }
        Fault::TransactionConflict => (400, named("TransactionConflictException").to_string()),
        _ => (
            400,
            named("ProvisionedThroughputExceededException").to_string(),
        ),
    }
}
