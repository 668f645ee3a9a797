//! Models one after another: each in its time, again where that may help, left alone where it keeps failing.

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use futures_util::stream::{self, StreamExt};
use mostrador_core::{
    chain::Chain,
    model::{Completion, Model, ModelError, ModelEvent, ModelRequest, Refusal},
};
use tokio::time::{Instant, sleep, timeout_at};

/// How long models may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadlines {
    /// From the question to the first word of one model; then the next one is asked.
    pub(crate) first: Duration,
    /// From one word to the next.
    pub(crate) idle: Duration,
    /// From the question to the last word, whichever model writes it.
    pub(crate) total: Duration,
}

/// Calls to one model before the next is asked.
const TRIES: usize = 2;
/// Longest pause between them.
const PAUSE: Duration = Duration::from_millis(250);
/// Failures one after another that have a model left alone.
const FAILURES_MAX: u32 = 3;
/// For how long; then one call tries whether it is back.
const OPEN_FOR: Duration = Duration::from_secs(30);

/// One provider's models, in the order in which they are asked.
pub(crate) struct Fallback {
    provider: Arc<dyn Model>,
    /// `None` alone where the provider has a model of its own.
    names: Vec<Option<String>>,
    deadlines: Deadlines,
    breakers: Arc<Breakers>,
}

/// A circuit breaker for each configured model. Other names have none: anybody can make one up.
struct Breakers(HashMap<Option<String>, Mutex<Breaker>>);

#[derive(Debug, Default)]
struct Breaker {
    failures: u32,
    open_until: Option<Instant>,
}

impl Breakers {
    fn of(&self, name: &Option<String>) -> Option<MutexGuard<'_, Breaker>> {
        let breaker = self.0.get(name)?;
        Some(breaker.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The call, if the model may be asked now. Where its rest is over, one call is let through, and the others once that is back.
    fn admit(self: &Arc<Self>, name: &Option<String>, counts: bool) -> Option<Call> {
        let mut call = Call {
            breakers: self.clone(),
            name: name.clone(),
            is_probe: false,
        };
        let Some(mut breaker) = self.of(name).filter(|_| counts) else {
            return Some(call);
        };
        let now = Instant::now();
        if breaker.open_until.is_some_and(|until| now < until) {
            return None;
        }
        if breaker.open_until.is_some() {
            breaker.open_until = Some(now + OPEN_FOR);
            call.is_probe = true;
        }
        Some(call)
    }

    /// The model answers, so that all may call it. Its failures are forgotten once an answer has ended without another one.
    fn close(&self, name: &Option<String>) {
        if let Some(mut breaker) = self.of(name) {
            breaker.open_until = None;
        }
    }

    /// How an answer ended.
    fn note(&self, name: &Option<String>, failed: Option<&ModelError>) {
        let Some(mut breaker) = self.of(name) else {
            return;
        };
        if failed.is_some_and(is_of_provider) {
            breaker.failures += 1;
            if breaker.failures >= FAILURES_MAX {
                breaker.open_until = Some(Instant::now() + OPEN_FOR);
            }
        } else {
            *breaker = Breaker::default();
        }
    }
}

/// A call that was let through. One that should have tried whether the model is back, and is dropped before it could, leaves that
/// to the next.
struct Call {
    breakers: Arc<Breakers>,
    name: Option<String>,
    is_probe: bool,
}

impl Drop for Call {
    fn drop(&mut self) {
        if !self.is_probe {
            return;
        }
        if let Some(mut breaker) = self.breakers.of(&self.name) {
            breaker.open_until = Some(Instant::now());
        }
    }
}

/// An answer that has begun, so that its model is open to all. Where nobody reads it to its end, because they hung up or had no
/// more time, it counts neither as a success nor as a failure.
struct Hearing {
    breakers: Arc<Breakers>,
    name: Option<String>,
    /// Whether it is noted how it ends.
    counts: bool,
}

impl Hearing {
    fn begin(breakers: Arc<Breakers>, name: Option<String>, counts: bool) -> Self {
        if counts {
            breakers.close(&name);
        }
        Self {
            breakers,
            name,
            counts,
        }
    }

    fn end(&self, failed: Option<&ModelError>) {
        if self.counts {
            self.breakers.note(&self.name, failed);
        }
    }
}

impl Fallback {
    pub(crate) fn new(provider: Arc<dyn Model>, names: Vec<String>, deadlines: Deadlines) -> Self {
        let mut names: Vec<_> = names.into_iter().map(Some).collect();
        if names.is_empty() {
            names.push(None);
        }
        let breakers = names.iter().map(|name| (name.clone(), Mutex::default()));
        let deadlines = Deadlines {
            first: deadlines.first.min(deadlines.total),
            ..deadlines
        };
        Self {
            provider,
            breakers: Arc::new(Breakers(breakers.collect())),
            names,
            deadlines,
        }
    }

    /// The names to ask, one that the request asks for first; on a caller's own account nothing else than what they ask for.
    fn order(&self, request: &ModelRequest) -> Vec<Option<String>> {
        let wanted = request.model.clone().map(Some);
        let others = self.names.iter().filter(|name| {
            Some(*name) != wanted.as_ref() && (request.key.is_none() || wanted.is_none())
        });
        wanted.iter().chain(others).cloned().collect()
    }

    /// Asks one model until it begins to answer.
    async fn call_one(
        &self,
        request: &ModelRequest,
        end: Instant,
    ) -> Result<Completion, ModelError> {
        let mut attempt = 1;
        loop {
            let first = end.min(Instant::now() + self.deadlines.first);
            let begun = timeout_at(first, first_word(&*self.provider, request)).await;
            let failed = match begun.unwrap_or(Err(ModelError::Timeout)) {
                Ok(completion) => return Ok(completion),
                Err(error) => error,
            };
            let pause = PAUSE.mul_f32(fastrand::f32());
            if attempt == TRIES || !may_pass(&failed) || Instant::now() + pause >= end {
                return Err(failed);
            }
            sleep(pause).await;
            attempt += 1;
        }
    }

    /// `completion`, each word within its time; what comes too late ends it, and how it ends is recorded for the model.
    fn timed(
        &self,
        completion: Completion,
        name: Option<String>,
        counts: bool,
        end: Instant,
    ) -> Completion {
        let idle = self.deadlines.idle;
        let model = completion.model.or_else(|| name.clone());
        let hearing = Hearing::begin(self.breakers.clone(), name, counts);
        let start = Some((completion.events, hearing));
        let events = stream::unfold(start, move |events| async move {
            let (mut events, hearing) = events?;
            let by = end.min(Instant::now() + idle);
            let event = match timeout_at(by, events.next()).await {
                Ok(event) => event?,
                Err(_) => Err(ModelError::Timeout),
            };
            let is_last = !matches!(&event, Ok(event) if !matches!(event, ModelEvent::End { .. }));
            if is_last {
                hearing.end(event.as_ref().err());
            }
            Some((event, (!is_last).then_some((events, hearing))))
        });
        Completion {
            model,
            events: events.boxed(),
        }
    }
}

/// A completion from its first content on, of which nothing is lost.
async fn first_word(
    provider: &dyn Model,
    request: &ModelRequest,
) -> Result<Completion, ModelError> {
    let Completion { model, mut events } = provider.ask(request.clone()).await?;
    let mut buffered = Vec::new();
    loop {
        let event = match events.next().await {
            Some(event) => event?,
            None => return Err(ModelError::Garbage("no end of the answer".into())),
        };
        let is_silent = matches!(event, ModelEvent::Usage(_));
        buffered.push(Ok(event));
        if !is_silent {
            let events = stream::iter(buffered).chain(events).boxed();
            return Ok(Completion { model, events });
        }
    }
}

/// Whether the same call may do better at once.
fn may_pass(error: &ModelError) -> bool {
    match error {
        ModelError::Unreachable(_) => true,
        ModelError::Rejected(refusal) => {
            matches!(refusal.status, 408 | 429 | 500 | 502 | 503 | 504 | 529)
        }
        _ => false,
    }
}

/// Whether it is the provider's fault rather than the request's or the key's.
fn is_of_provider(error: &ModelError) -> bool {
    may_pass(error) || matches!(error, ModelError::Timeout | ModelError::Garbage(_))
}

#[async_trait]
impl Model for Fallback {
    async fn ask(&self, request: ModelRequest) -> Result<Completion, ModelError> {
        let mut began = Instant::now();
        let end = began + self.deadlines.total;
        // The state of a caller's own account is no evidence about the shop's.
        let counts = request.key.is_none();
        let mut last_error = ModelError::CircuitOpen;
        for name in self.order(&request) {
            let Some(mut call) = self.breakers.admit(&name, counts) else {
                continue;
            };
            let one_request = ModelRequest {
                model: name.clone(),
                ..request.clone()
            };
            let error = match self.call_one(&one_request, end).await {
                Ok(completion) => {
                    call.is_probe = false;
                    return Ok(self.timed(completion, name, counts, end));
                }
                Err(error) => error,
            };
            // One that had less time than it may take has not failed.
            let had_its_time = began + self.deadlines.first <= end;
            if counts && (had_its_time || !matches!(error, ModelError::Timeout)) {
                self.breakers.note(&name, Some(&error));
                call.is_probe = false;
            }
            // A name that is not configured is a caller's own words.
            let model = name.filter(|_| self.names.contains(&one_request.model));
            tracing::warn!(
                model = model.as_deref().unwrap_or("a caller's own"),
                error = %Chain(&error),
                code = error.code(),
                "the model does not answer"
            );
            // The key is the same for all of a provider's models.
            let is_for_key = matches!(error, ModelError::Rejected(Refusal { status: 401, .. }));
            let is_over = is_for_key || Instant::now() >= end;
            last_error = error;
            if is_over {
                break;
            }
            began = Instant::now();
        }
        Err(last_error)
    }
}
