//! One action, or one decision on what a model has proposed.

use http::StatusCode;
use mostrador_core::{
    actions::{
        self, ActionFailure, Outcome, Payload,
        approvals::{ApprovalFailure, Approvals, Decision},
    },
    answer::{Action, ActionResult},
};
use mostrador_web::{Call, Problem, Reply};
use serde_json::{Value, json};

use crate::{Deps, describe};

pub(crate) async fn act(deps: &Deps, call: &Call) -> Result<Reply, Problem> {
    let owner = call.signed_in()?;
    let body = call.json()?;
    let action = match body.get("action") {
        Some(Value::String(action)) => action,
        Some(_) => return Err(Problem::invalid("`action` is not a string")),
        None => return Err(Problem::invalid("`action` is missing")),
    };
    let payload = match body.get("payload") {
        None | Some(Value::Null) => Payload::default(),
        Some(Value::Object(members)) => Payload(members.clone()),
        Some(_) => return Err(Problem::invalid("`payload` is not an object")),
    };
    let traced = body
        .get("trace")
        .and_then(mostrador_core::turn::flag)
        .unwrap_or(false);
    let trace = (traced && call.may_trace)
        .then(|| json!({"request_id": call.request_id, "action": action}));
    let reply_of = |outcome: &Outcome| reply(action, outcome, trace.as_ref());
    let settle = |outcome: &Outcome| call.settlement(&reply_of(outcome));
    let decision = match action.as_str() {
        "approve" => Some(Decision::Approve),
        "reject" => Some(Decision::Reject),
        _ => None,
    };
    let Approvals { counter, .. } = &deps.approvals;
    let outcome = match decision {
        Some(decision) => deps
            .approvals
            .decide(owner, call.language, decision, &payload)
            .await
            .map_err(undecided)?,
        None => actions::perform(counter, owner, call.language, action, &payload, &settle)
            .await
            .map_err(undone)?,
    };
    Ok(Reply {
        settled: outcome.effective,
        ..reply_of(&outcome)
    })
}

pub(crate) fn undone(failure: ActionFailure) -> Problem {
    match failure {
        ActionFailure::Unknown => Problem::InvalidAction,
        ActionFailure::Conflict => Problem::Conflict,
        ActionFailure::InProgress => Problem::InProgress,
        ActionFailure::Purchases(error) => Problem::unavailable(error),
        ActionFailure::Catalogue(error) => Problem::unavailable(error),
        ActionFailure::Bookings(error) => Problem::unavailable(error),
    }
}

fn undecided(failure: ApprovalFailure) -> Problem {
    match failure {
        ApprovalFailure::Action(failure) => undone(failure),
        ApprovalFailure::Limits(error) => Problem::unavailable(error),
        ApprovalFailure::Log(error) => Problem::unavailable(error),
    }
}

fn reply(action: &str, outcome: &Outcome, trace: Option<&Value>) -> Reply {
    let result = ActionResult {
        action: action.to_owned(),
        ok: outcome.error.is_none(),
        error: outcome.error.map(str::to_owned),
        warnings: outcome.warnings.clone(),
        data: outcome.data.clone(),
    };
    let status = if outcome.error.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    let body = describe::ActionAnswer {
        message: outcome.message.clone(),
        results: outcome.results.clone(),
        actions: vec![Action::ActionResult(result)],
        error: outcome.error.map(str::to_owned),
        trace: trace.cloned(),
    };
    Reply::json(status, &body)
}
