//! `POST /api/agent/`: a message in, an answer with items out.

mod describe;

use std::sync::Arc;

use http::Method;
use mostrador_core::limits::Scope;
use mostrador_core::turn::{ChatRequest, GUESTS_HAD_THEIRS, KeptAs, TurnEngine};
use mostrador_dynamodb::metered;
use mostrador_web::{Call, Gate, Rated, Reply, Request, Response, Route};
use mostrador_wiring::{Wiring, WiringError};

pub use describe::describe;

const PATH: &str = "/api/agent/";

/// What can be asked of this endpoint.
#[derive(Debug, Clone, Copy)]
pub enum Operation {
    Chat,
}

/// What this endpoint answers.
pub static ROUTES: [Route<Operation>; 1] = [Route::anyone(Method::POST, PATH, Operation::Chat)];

/// What this endpoint needs.
pub struct Deps {
    pub gate: Gate,
    pub engine: TurnEngine,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub fn wire(wiring: &Wiring, engine: TurnEngine) -> Result<Self, WiringError> {
        Ok(Self {
            gate: wiring.turn_gate()?.of_shop(Arc::clone(&engine.shop)),
            engine,
        })
    }
}

/// Answers one request.
pub async fn handle(deps: Arc<Deps>, request: Request) -> Response {
    deps.gate
        .serve(request, &ROUTES, |call, matched| {
            let Operation::Chat = matched.operation;
            metered_chat(Arc::clone(&deps), call)
        })
        .await
}

/// A turn, and what it cost in the log: a shop's bill is made of these.
async fn metered_chat(deps: Arc<Deps>, call: Arc<Call>) -> Rated<Reply> {
    let request_id = call.request_id;
    let (reply, cost) = metered(chat(deps, call)).await;
    tracing::info!(
        request_id = %request_id,
        calls = cost.calls,
        read_units = cost.read_units,
        write_units = cost.write_units,
        "turn"
    );
    reply
}

async fn chat(deps: Arc<Deps>, call: Arc<Call>) -> Rated<Reply> {
    let request = match call.json().and_then(|body| Ok(ChatRequest::read(&body)?)) {
        Ok(request) => request.traced(call.may_trace).unstreamed(),
        Err(problem) => {
            // Nonsense counts too.
            let counted = deps.gate.rate(&call, Scope::Chat).await;
            return counted.and_then(async |()| Err(problem)).await;
        }
    };
    let shop = deps.engine.shop.current().await;
    let mut caller = call.caller(KeptAs::Answer).writing(&request.message, &shop);
    // Counting and reading take one round trip together; what was read for a caller over the limit is thrown away. The stages of a
    // turn are large, and would be moved about by value.
    let needs_model = deps.engine.needs_model(&caller, &request);
    let (counted, prepared) = tokio::join!(
        deps.gate.rate_turn(&call, needs_model),
        Box::pin(deps.engine.prepare(&mut caller, request))
    );
    let finish = async |may_use_model| {
        let prepared = match may_use_model {
            true => prepared?,
            false => prepared?.without_model(GUESTS_HAD_THEIRS),
        };
        let begun = Box::pin(deps.engine.begin(&caller, prepared)).await?;
        // Who asks here gets it with the whole answer.
        let (answer, _) = Box::pin(deps.engine.finish(&caller, begun, &|_| {})).await;
        Ok(Reply {
            settled: answer.persist_history_confirmation == Some(true),
            language: Some(caller.language),
            ..Reply::ok(&answer)
        })
    };
    counted.and_then(finish).await
}
