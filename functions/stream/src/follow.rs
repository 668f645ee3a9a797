//! `GET /api/agent/stream/`: what the shop's staff say in a conversation that is with a person, as they say it.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::{StreamExt, stream::unfold};
use http::StatusCode;
use mostrador_core::{
    desk::{self, Followed},
    history::Message,
    ids::{ConversationNumber, Owner, Seq},
};
use mostrador_web::{Body, Call, Problem, Reply};
use serde::Serialize;
use tokio::time::Instant;

use crate::{Deps, events::HEARTBEAT, resume};

/// How often the log is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How long an answer goes on; then the client asks again. The function's time is a little longer.
const FOLLOWED_FOR: Duration = Duration::from_secs(25);

/// What is told.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Told {
    /// A person of the shop says something.
    StaffMessage(Message),
    /// The assistant has the word again.
    HandedBack { conversation: ConversationNumber },
}

impl Told {
    fn written(&self, id: Seq) -> String {
        let name = match self {
            Self::StaffMessage(_) => "staff_message",
            Self::HandedBack { .. } => "handed_back",
        };
        let data = serde_json::to_string(self).unwrap_or_default();
        format!("id: {}\nevent: {name}\ndata: {data}\n\n", id.0)
    }
}

/// A conversation that is followed.
struct Following {
    deps: Arc<Deps>,
    owner: Owner,
    conversation: ConversationNumber,
    /// What was found last, and is not told so far.
    found: Option<Followed>,
    through: Seq,
    until: Instant,
    is_over: bool,
}

impl Following {
    async fn next(mut self) -> Option<(Bytes, Self)> {
        if self.is_over {
            return None;
        }
        let found = match self.found.take() {
            Some(found) => found,
            None => {
                self.deps.engine.clock.pause(LOOK_EVERY).await;
                let log = &*self.deps.engine.log;
                let found = desk::follow(log, &self.owner, self.conversation, Some(self.through));
                match found.await {
                    Ok(found) => found,
                    Err(error) => {
                        tracing::warn!(
                            error = &error as &dyn std::error::Error,
                            "what staff say could not be told to its end"
                        );
                        return None;
                    }
                }
            }
        };
        self.through = found.through;
        let mut told = String::from(HEARTBEAT);
        for message in found.messages {
            let id = message.id;
            told.push_str(&Told::StaffMessage(message).written(id));
        }
        if !found.is_waiting {
            let conversation = self.conversation;
            told.push_str(&Told::HandedBack { conversation }.written(found.through));
        }
        self.is_over = !found.is_waiting || Instant::now() >= self.until;
        Some((Bytes::from(told), self))
    }
}

pub(crate) async fn follow(deps: Arc<Deps>, call: &Call) -> Result<Reply, Problem> {
    let owner = call.signed_in()?.clone();
    let number = call.query.number("conversation")?;
    let number = number.ok_or_else(|| Problem::invalid("`conversation` is missing"))?;
    let conversation = ConversationNumber::of(number).ok_or(Problem::NotFound)?;
    let after = resume::after(call)?.map(Seq);
    let found = desk::follow(&*deps.engine.log, &owner, conversation, after).await?;
    if found.messages.is_empty() && !found.is_waiting {
        return Ok(Reply::no_content());
    }
    let following = Following {
        deps,
        owner,
        conversation,
        through: found.through,
        found: Some(found),
        until: Instant::now() + FOLLOWED_FOR,
        is_over: false,
    };
    Ok(Reply {
        status: StatusCode::OK,
        content_type: "text/event-stream",
        body: Body::Stream(unfold(following, Following::next).boxed()),
        settled: true,
        language: Some(call.language),
    })
}
