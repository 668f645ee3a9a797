//! `GET /api/agent/stream/{turn_id}/`: what a client has missed of a turn, from the log.

use std::{str::FromStr, sync::Arc, time::Duration};

use http::HeaderName;
use mostrador_core::{
    ids::Owner,
    language::Language,
    turn::{KeptTurn, TurnFailure},
};
use mostrador_web::{Call, Problem, Reply};
use uuid::Uuid;

use crate::{
    Deps,
    dialect::Dialect,
    events::{self, Sender},
};

/// How often the log is looked at for an answer that is still to come.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The number of the last event that the client has: `?after=`, or `Last-Event-ID` as browsers send it.
pub(crate) fn after<N: FromStr>(call: &Call) -> Result<Option<N>, Problem> {
    const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
    event_index(call.query.given("after").or(call.header(&LAST_EVENT_ID)))
}

fn event_index<N: FromStr>(given: Option<&str>) -> Result<Option<N>, Problem> {
    let given = given.map(str::trim).filter(|given| !given.is_empty());
    given
        .map(|given| {
            let number = given.parse().ok();
            number.ok_or_else(|| Problem::invalid("`after` is not an event's number"))
        })
        .transpose()
}

/// A turn's name, which is nobody's where it cannot be one.
pub(crate) fn turn_id(named: &str) -> Result<Uuid, Problem> {
    Uuid::parse_str(named).map_err(|_| Problem::NotFound)
}

/// What a client has missed, as it asks for it.
pub(crate) async fn missed(deps: Arc<Deps>, call: &Call, named: &str) -> Result<Reply, Problem> {
    let turn_id = turn_id(named)?;
    let dialect = Dialect::requested(&call.query)?;
    let after = match dialect {
        Dialect::Own => after(call)?,
        // A chat that comes back assembles the message anew.
        Dialect::AiSdk => None,
    };
    resume(deps, call, turn_id, (after, dialect)).await
}

/// Tells what comes after event number `after`, and waits for the rest of a turn that is still open.
pub(crate) async fn resume(
    deps: Arc<Deps>,
    call: &Call,
    turn_id: Uuid,
    (after, dialect): (Option<u32>, Dialect),
) -> Result<Reply, Problem> {
    let owner = call.signed_in()?.clone();
    let turn = deps.engine.kept_turn(&owner, turn_id).await?;
    let shop = deps.engine.shop.current().await;
    let language = turn.language(call.language, &shop);
    let events = deps.engine.events_after(&turn, after, language).await?;
    let is_open = deps.engine.is_open(&turn);
    if events.is_empty() && !is_open {
        return Ok(Reply::no_content());
    }
    let (sender, reply) = events::reply(deps.heartbeat, language, dialect);
    let after = events.last().map(|event| event.event_index).or(after);
    for event in events {
        let _ = sender.send(event);
    }
    if is_open {
        tokio::spawn(async move {
            if let Err(failure) = wait(&deps, (&owner, turn), after, (&sender, language)).await {
                tracing::warn!(
                    error = &failure as &dyn std::error::Error,
                    "a turn could not be told to its end"
                );
            }
        });
    }
    Ok(reply)
}

async fn wait(
    deps: &Deps,
    (owner, mut turn): (&Owner, KeptTurn),
    after: Option<u32>,
    (sender, language): (&Sender, Language),
) -> Result<(), TurnFailure> {
    while deps.engine.is_open(&turn) && !sender.is_closed() {
        deps.engine.clock.pause(LOOK_EVERY).await;
        turn = deps.engine.later(owner, turn).await?;
    }
    let rest = deps.engine.events_after(&turn, after, language).await?;
    for event in rest {
        let _ = sender.send(event);
    }
    Ok(())
}

#[cfg(test)]
mod fuzz;
