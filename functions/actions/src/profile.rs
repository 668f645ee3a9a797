//! What is remembered of the customer: read, changed, forgotten.

use mostrador_core::actions::{self, Payload};
use mostrador_web::{Call, Problem, Reply};
use serde_json::Value;

use crate::{Deps, act::undone, describe::ProfileAnswer};

pub(crate) async fn read(deps: &Deps, call: &Call) -> Result<Reply, Problem> {
    done(deps, call, "view_profile", Payload::default()).await
}

/// Has exactly these sentences remembered.
pub(crate) async fn change(deps: &Deps, call: &Call) -> Result<Reply, Problem> {
    let mut body = call.json()?;
    let notes = match body.remove("notes") {
        Some(Value::Array(notes)) => notes,
        Some(_) => return Err(Problem::invalid("`notes` is not a list")),
        None => return Err(Problem::invalid("`notes` is missing")),
    };
    if !notes.iter().all(Value::is_string) {
        return Err(Problem::invalid("`notes` has what is not a string"));
    }
    let notes = ("notes".to_owned(), notes.into());
    let payload = Payload([notes].into_iter().collect());
    done(deps, call, "set_profile", payload).await
}

pub(crate) async fn forget(deps: &Deps, call: &Call) -> Result<Reply, Problem> {
    done(deps, call, "forget", Payload::default()).await
}

/// What is remembered once this is done.
async fn done(deps: &Deps, call: &Call, action: &str, payload: Payload) -> Result<Reply, Problem> {
    let owner = call.signed_in()?;
    let counter = &deps.approvals.counter;
    // Only a POST has a key to be settled.
    let outcome = actions::perform(counter, owner, call.language, action, &payload, &|_| None);
    let outcome = outcome.await.map_err(undone)?;
    match outcome.error {
        Some(code) => Err(Problem::Refused {
            code,
            message: outcome.message,
        }),
        None => Ok(Reply::ok(&ProfileAnswer {
            notes: outcome.results,
        })),
    }
}
