//! `POST /api/agent/stream/`: a turn, streamed as it runs.

use std::sync::Arc;

use mostrador_core::{
    limits::{Scope, StoredAnswer},
    turn::{ChatRequest, Ending, GUESTS_HAD_THEIRS, KeptAs},
};
use mostrador_dynamodb::metered;
use mostrador_web::{Call, Rated, Reply};

use crate::{Deps, dialect::Dialect, events, resume};

pub(crate) async fn start(deps: Arc<Deps>, call: Arc<Call>) -> Rated<Reply> {
    let dialect = Dialect::requested(&call.query);
    // By its key: the turn is resumed, and no model is called.
    if let Some(turn_id) = call.answered_by() {
        return match dialect {
            Ok(dialect) => resume::resume(deps, &call, turn_id, (None, dialect)).await,
            Err(problem) => Err(problem),
        }
        .into();
    }
    let requested = dialect.and_then(|dialect| {
        let body = dialect.chat_request(call.json()?)?;
        let request = ChatRequest::read(&body)?;
        Ok((request.traced(call.may_trace), dialect))
    });
    let (request, dialect) = match requested {
        Ok(requested) => requested,
        Err(problem) => {
            // Nonsense counts too.
            let counted = deps.gate.rate(&call, Scope::Chat).await;
            return counted.and_then(async |()| Err(problem)).await;
        }
    };
    let shop = deps.engine.shop.current().await;
    let mut caller = call.caller(KeptAs::Turn).writing(&request.message, &shop);
    let begin = async {
        // Counting and reading take one round trip together; what was read for a caller over the limit is thrown away.
        let needs_model = deps.engine.needs_model(&caller, &request);
        let (counted, prepared) = tokio::join!(
            deps.gate.rate_turn(&call, needs_model),
            Box::pin(deps.engine.prepare(&mut caller, request))
        );
        let begin = async |may_use_model| {
            let prepared = match may_use_model {
                true => prepared?,
                false => prepared?.without_model(GUESTS_HAD_THEIRS),
            };
            Ok(Box::pin(deps.engine.begin(&caller, prepared)).await?)
        };
        counted.and_then(begin).await
    };
    let (Rated { rate, outcome }, cost_before) = metered(begin).await;
    let begun = match outcome {
        Ok(begun) => begun,
        Err(problem) => {
            return Rated {
                rate,
                outcome: Err(problem),
            };
        }
    };
    let (sender, reply) = events::reply(deps.heartbeat, caller.language, dialect);
    let deps = Arc::clone(&deps);
    // In a task of its own: a client that hangs up does not cut a turn in half.
    tokio::spawn(async move {
        let is_kept = begun.is_kept();
        let finish = async {
            let listener = |event| {
                // A client that has hung up gets it when it comes back.
                let _ = sender.send(event);
            };
            let turn = StoredAnswer::turn(begun.turn_id);
            let (_, ending) = Box::pin(deps.engine.finish(&caller, begun, &listener)).await;
            match (&caller.keyed, ending) {
                // Settled with the answer.
                (None, _) | (_, Ending::Kept(_)) => {}
                (Some(keyed), Ending::GivenUp) => deps.gate.settle(keyed, Some(&turn)).await,
                // Nothing is kept that could be resumed.
                (Some(keyed), Ending::Unkept) => deps.gate.settle(keyed, None).await,
            }
        };
        let finish = async {
            tokio::select! {
                () = finish => {}
                // Nobody can come back for what is not kept, so the model is stopped, where a hang-up is noticed: not on Lambda.
                () = sender.closed(), if !is_kept => {
                    if let Some(keyed) = &caller.keyed {
                        deps.gate.settle(keyed, None).await;
                    }
                }
            }
        };
        let ((), cost) = metered(finish).await;
        // A shop's bill is made of these.
        tracing::info!(
            request_id = %caller.request_id,
            calls = cost_before.calls + cost.calls,
            read_units = cost_before.read_units + cost.read_units,
            write_units = cost_before.write_units + cost.write_units,
            "turn"
        );
        // Only now may the answer end: nothing runs after it.
        drop(sender);
    });
    Rated {
        rate,
        outcome: Ok(reply),
    }
}
