//! What was proposed to the customer, done or left by them: once, within its time, and exactly what was asked.
//!
//! An approval is an identifier that only its owner was given, of an event in the owner's own log: which tool, with which
//! arguments, until when is read there and nowhere else. Whoever decides first takes the approval's key, and the effect is
//! settled with that key; so it happens once, whatever is lost in between. The same decision once more is refused, with what came
//! of it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{ActionFailure, Counter, Outcome, Payload, perform};
use crate::{
    chain::Chain,
    ids::{ConversationNumber, Owner},
    language::Language,
    limits::{
        Idempotency, IdempotentRequest, Kept, KeyState, LimitsError, Settlement, StoredAnswer,
    },
    log::{
        AppendFailure, Commit, Draft, Event, Log, Position, ReadError, Stored, append, look_back,
        made_at,
    },
};

/// How long a customer has to decide.
pub const VALID_FOR: Duration = Duration::minutes(15);
/// For how long after it was proposed its outcome is looked up; nobody waits longer for an answer that was lost.
const LOOKED_UP_FOR: Duration = Duration::minutes(30);

/// What deciding works with.
#[derive(Clone)]
pub struct Approvals {
    pub log: Arc<dyn Log>,
    pub idempotency: Arc<dyn Idempotency>,
    pub counter: Counter,
}

/// What the customer decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Approve,
    Reject,
}

/// Why nothing was decided.
#[derive(Debug, thiserror::Error)]
pub enum ApprovalFailure {
    #[error(transparent)]
    Action(#[from] ActionFailure),
    #[error(transparent)]
    Limits(#[from] LimitsError),
    #[error(transparent)]
    Log(#[from] ReadError),
}

/// What was proposed.
struct Requested {
    conversation: ConversationNumber,
    tool: String,
    args: Value,
    expires_at: OffsetDateTime,
    /// What came of it, where that is in the log.
    resolution: Option<Resolution>,
}

/// A decision's outcome as the conversation has it; kept with the key until it is in the log.
#[derive(Serialize, Deserialize)]
struct Resolution {
    approved: bool,
    error: Option<String>,
    message: String,
}

const NOT_FOUND: &str = "approval_not_found";
const MISMATCH: &str = "approval_mismatch";
const CLOSED: &str = "approval_closed";

/// What an action that may be proposed is refused with.
const REFUSED_WITH: [&str; 30] = [
    "appointment_closed",
    "appointment_not_found",
    "book_not_found",
    "branch_not_found",
    "business_not_found",
    "calendar_not_found",
    "cart_full",
    "empty_cart",
    "insufficient_stock",
    "invalid_contact",
    "invalid_date",
    "invalid_time",
    "note_missing",
    "note_not_found",
    "note_private",
    "note_too_long",
    "notes_full",
    "order_closed",
    "order_not_found",
    "order_too_large",
    "outside_window",
    "price_changed",
    "reservation_closed",
    "reservation_limit",
    "reservation_not_found",
    "service_not_found",
    "slot_taken",
    "slot_unavailable",
    "total_changed",
    "user_not_found",
];

impl Approvals {
    /// Does what was proposed, or leaves it, and puts the outcome into the conversation. Once that is in the log, the same decision is
    /// refused with the same message, and nothing is done again.
    ///
    /// # Errors
    /// [`ApprovalFailure`]; then the customer may decide again. [`ActionFailure::InProgress`] while the same decision is under way.
    pub async fn decide(
        &self,
        owner: &Owner,
        language: Language,
        decision: Decision,
        payload: &Payload,
    ) -> Result<Outcome, ApprovalFailure> {
        let approval = payload.0.get("approval").and_then(Value::as_str);
        let Some(approval) = approval.and_then(|text| Uuid::try_parse(text).ok()) else {
            return Ok(Outcome::refused(NOT_FOUND, language.text(NOT_FOUND)));
        };
        let meant = payload.0.get("payload").filter(|meant| !meant.is_null());
        let (outcome, settled) = self
            .settled(owner, language, decision, (approval, meant))
            .await?;
        if let Some((conversation, resolution)) = settled {
            self.append_resolution(owner, approval, conversation, resolution)
                .await;
        }
        Ok(outcome)
    }

    /// Does what was proposed, or leaves it. Its outcome is for the caller to put into the conversation; until it is there, the same
    /// decision has the same outcome, and nothing is done again.
    ///
    /// # Errors
    /// As of [`Self::decide`].
    pub(crate) async fn settle(
        &self,
        owner: &Owner,
        language: Language,
        decision: Decision,
        approval: Uuid,
    ) -> Result<Outcome, ApprovalFailure> {
        let settled = self.settled(owner, language, decision, (approval, None));
        Ok(settled.await?.0)
    }

    /// What came of a yes that the log knows nothing of, if there was one: its turn broke off between its effect and its answer.
    ///
    /// # Errors
    /// As of [`Self::decide`].
    pub(crate) async fn approved_unseen(
        &self,
        owner: &Owner,
        approval: Uuid,
    ) -> Result<Option<Outcome>, ApprovalFailure> {
        let request = self.request(owner, approval, Decision::Approve);
        let acquired = self.idempotency.acquire(&request, self.counter.clock.now());
        match acquired.await? {
            KeyState::InProgress => Err(ActionFailure::InProgress.into()),
            KeyState::Mismatch => Ok(None),
            KeyState::Answered(stored) => {
                let resolution = serde_json::from_str::<Resolution>(&stored.body).ok();
                Ok(resolution.map(|resolution| resolution.outcome()))
            }
            KeyState::Acquired(_) => {
                self.idempotency.release(&request).await?;
                Ok(None)
            }
        }
    }

    /// The outcome; and what is to be put into which conversation of it, where it is not a refusal to decide.
    async fn settled(
        &self,
        owner: &Owner,
        language: Language,
        decision: Decision,
        (approval, meant): (Uuid, Option<&Value>),
    ) -> Result<(Outcome, Option<(ConversationNumber, Resolution)>), ApprovalFailure> {
        let refused = |code| Ok((Outcome::refused(code, language.text(code)), None));
        let now = self.counter.clock.now();
        // Its own time is enough: nothing is read for it.
        if made_at(approval).is_some_and(|proposed_at| now - proposed_at > LOOKED_UP_FOR) {
            return refused(CLOSED);
        }
        let Some(requested) = self.requested(owner, approval).await? else {
            return refused(NOT_FOUND);
        };
        if meant.is_some_and(|meant| *meant != requested.args) {
            return refused(MISMATCH);
        }
        match &requested.resolution {
            Some(resolution) if resolution.approved == (decision == Decision::Approve) => {
                return Ok((Outcome::refused(CLOSED, resolution.message.clone()), None));
            }
            Some(_) => return refused(CLOSED),
            None if now >= requested.expires_at => return refused(CLOSED),
            None => {}
        }
        let request = self.request(owner, approval, decision);
        let acquired = self.idempotency.acquire(&request, now).await;
        let (outcome, resolution) = match acquired? {
            KeyState::InProgress => return Err(ActionFailure::InProgress.into()),
            // The other decision was made.
            KeyState::Mismatch => return refused(CLOSED),
            // Made before, and not yet in the log.
            KeyState::Answered(stored) => match serde_json::from_str::<Resolution>(&stored.body) {
                Ok(resolution) => (resolution.outcome(), resolution),
                Err(_) => return refused(CLOSED),
            },
            KeyState::Acquired(_) => {
                let outcome = match decision {
                    Decision::Approve => {
                        self.carry_out(owner, language, &request, &requested)
                            .await?
                    }
                    Decision::Reject => {
                        let message = language.text("approval-rejected");
                        let outcome = Outcome::done(message, Vec::new(), Value::Null);
                        self.keep(&request, decision, &outcome).await?;
                        outcome
                    }
                };
                let resolution = resolution(decision, &outcome);
                (outcome, resolution)
            }
        };
        let outcome = Outcome {
            effective: false,
            ..outcome
        };
        Ok((outcome, Some((requested.conversation, resolution))))
    }

    /// The decision as a request that has its effect once.
    fn request(&self, owner: &Owner, approval: Uuid, decision: Decision) -> IdempotentRequest {
        let decision = match decision {
            Decision::Approve => "approve",
            Decision::Reject => "reject",
        };
        IdempotentRequest {
            owner: owner.to_string(),
            operation: "approval".to_owned(),
            key: approval.to_string(),
            body_hash: decision.to_owned(),
            lease: self.counter.clock.new_id(),
        }
    }

    /// What is in the owner's log by that identifier.
    async fn requested(
        &self,
        owner: &Owner,
        approval: Uuid,
    ) -> Result<Option<Requested>, ApprovalFailure> {
        let mut resolution = None;
        let of_approval = |commit: Commit| {
            let conversation = commit.conversation;
            let answer = commit.answer().map(str::to_owned);
            let mut events = commit.events.into_iter().rev();
            events.find_map(|event| match event {
                Stored::Known(Event::ApprovalResolved {
                    approval_id,
                    approved,
                    content,
                    error,
                }) if approval_id == approval => {
                    resolution = Some(Resolution {
                        approved,
                        error,
                        // The turn that decided has told it.
                        message: answer
                            .clone()
                            .filter(|_| content.is_empty())
                            .unwrap_or(content),
                    });
                    None
                }
                Stored::Known(Event::ApprovalRequested {
                    approval_id,
                    tool_name,
                    args,
                    expires_at,
                }) if approval_id == approval => Some(Requested {
                    conversation,
                    tool: tool_name,
                    args,
                    expires_at,
                    resolution: resolution.take(),
                }),
                _ => None,
            })
        };
        Ok(look_back(&*self.log, owner, approval, of_approval).await?)
    }

    async fn carry_out(
        &self,
        owner: &Owner,
        language: Language,
        request: &IdempotentRequest,
        requested: &Requested,
    ) -> Result<Outcome, ApprovalFailure> {
        let args = requested.args.as_object().cloned();
        let payload = Payload(args.unwrap_or_else(Map::new));
        let settle = |outcome: &Outcome| {
            Some(Settlement {
                request: request.clone(),
                kept: Kept::Answered(StoredAnswer::json(
                    200,
                    &resolution(Decision::Approve, outcome),
                )),
            })
        };
        let tool = &requested.tool;
        match perform(&self.counter, owner, language, tool, &payload, &settle).await {
            Ok(outcome) => {
                if !outcome.effective {
                    self.keep(request, Decision::Approve, &outcome).await?;
                }
                Ok(outcome)
            }
            Err(failure) => {
                // An effect whose outcome is not known cannot happen any more, or keeps the key.
                let freed = self.idempotency.release(request).await;
                if let Err(error) = freed {
                    tracing::error!(error = %Chain(&error), "an approval could not be freed");
                }
                Err(failure.into())
            }
        }
    }

    async fn keep(
        &self,
        request: &IdempotentRequest,
        decision: Decision,
        outcome: &Outcome,
    ) -> Result<(), ApprovalFailure> {
        let stored = StoredAnswer::json(200, &resolution(decision, outcome));
        let kept = self.idempotency.complete(request, &stored).await;
        Ok(kept?)
    }

    /// Puts the outcome into the conversation, where it is not yet. Where that fails, the same decision made again does it.
    async fn append_resolution(
        &self,
        owner: &Owner,
        approval_id: Uuid,
        conversation: ConversationNumber,
        resolution: Resolution,
    ) {
        let decide = |newest: Option<&Commit>, _| {
            let newest = newest.ok_or(NothingToAppend)?;
            if newest.state.erased || newest.state.resolved_approval == Some(approval_id) {
                return Err(NothingToAppend);
            }
            Ok(Draft {
                position: Position::after(newest),
                events: vec![Event::ApprovalResolved {
                    approval_id,
                    approved: resolution.approved,
                    content: resolution.message.clone(),
                    error: resolution.error.clone(),
                }],
                settlement: None,
            })
        };
        let clock = &*self.counter.clock;
        let target = (Some(conversation), clock.new_id());
        match append(&*self.log, clock, owner, target, None, decide).await {
            Ok(_) | Err(AppendFailure::Refused(NothingToAppend)) => {}
            Err(failure) => {
                tracing::error!(error = %Chain(&failure), "an approval's outcome is not in the log");
            }
        }
    }
}

impl Resolution {
    /// The outcome that the customer should have got; the lists and numbers beside it are not kept.
    fn outcome(&self) -> Outcome {
        let Some(code) = &self.error else {
            return Outcome::done(self.message.clone(), Vec::new(), Value::Null);
        };
        let known = REFUSED_WITH.into_iter().find(|known| known == code);
        Outcome::refused(known.unwrap_or(CLOSED), self.message.clone())
    }
}

/// The conversation was erased, or knows it already.
#[derive(Debug, thiserror::Error)]
#[error("there is nothing to tell")]
struct NothingToAppend;

fn resolution(decision: Decision, outcome: &Outcome) -> Resolution {
    Resolution {
        approved: decision == Decision::Approve,
        error: outcome.error.map(str::to_owned),
        message: outcome.message.clone(),
    }
}
