//! A call, counted: what came of it, with what was counted.

use mostrador_core::{
    chain::Chain,
    limits::{RateDecision, Scope},
};

use crate::{Call, Gate, Problem, guests};

/// What came of a call, or of a part of it; and where its caller's window stands since, which every answer has in its headers.
#[derive(Debug)]
pub struct Rated<T> {
    pub rate: Option<RateDecision>,
    pub outcome: Result<T, Problem>,
}

impl<T> Rated<T> {
    /// Goes on, unless there is a problem already.
    pub async fn and_then<U, F, Fut>(self, next: F) -> Rated<U>
    where
        F: FnOnce(T) -> Fut,
        Fut: Future<Output = Result<U, Problem>>,
    {
        let outcome = match self.outcome {
            Ok(value) => next(value).await,
            Err(problem) => Err(problem),
        };
        Rated {
            rate: self.rate,
            outcome,
        }
    }
}

/// Uncounted.
impl<T> From<Result<T, Problem>> for Rated<T> {
    fn from(outcome: Result<T, Problem>) -> Self {
        Self {
            rate: None,
            outcome,
        }
    }
}

impl Gate {
    /// Counts the call against its caller's window: 429 over the limit. Where the table cannot be reached, 503 for a signed-in
    /// caller; a guest, who only reads the catalogue, is let through.
    pub async fn rate(&self, call: &Call, scope: Scope) -> Rated<()> {
        let Some(throttle) = &self.throttle else {
            return Ok(()).into();
        };
        let subject = match &call.owner {
            Some(owner) => owner.to_string(),
            None => guests::subject(&call.source),
        };
        let decision = match throttle.take(scope, subject, call.now).await {
            Ok(decision) => decision,
            Err(error) if call.owner.is_none() => {
                tracing::warn!(
                    error = %Chain(&error),
                    "a guest was let through uncounted"
                );
                return Ok(()).into();
            }
            Err(error) => return Err(Problem::unavailable(error)).into(),
        };
        let outcome = if decision.admitted {
            Ok(())
        } else {
            Err(Problem::RateLimited {
                retry_after_seconds: decision.reset_seconds.max(1),
            })
        };
        Rated {
            rate: Some(decision),
            outcome,
        }
    }

    /// Counts a turn as [`Gate::rate`] does, and where a model would be asked for a guest, against what all guests together may
    /// have of it. Tells whether the model may be asked.
    pub async fn rate_turn(&self, call: &Call, needs_model: bool) -> Rated<bool> {
        let counted = self.rate(call, Scope::Chat).await;
        let is_guests = needs_model && call.owner.is_none();
        counted
            .and_then(async |()| Ok(!is_guests || self.may_ask_for_guests(call).await))
            .await
    }

    async fn may_ask_for_guests(&self, call: &Call) -> bool {
        let Some(throttle) = &self.throttle else {
            return true;
        };
        let guests = guests::ALL.to_owned();
        match throttle.take(Scope::GuestModel, guests, call.now).await {
            Ok(decision) => decision.admitted,
            Err(error) => {
                tracing::warn!(error = %Chain(&error), "a guest gets no model, since it cannot be counted");
                false
            }
        }
    }
}
