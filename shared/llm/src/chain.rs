//! Models one after another: each in its time, again where that may help, left alone where it keeps failing.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use futures_util::stream::{self, StreamExt};
use mostrador_core::model::{Model, ModelError, ModelEvent, ModelEvents, ModelRequest, Speech};
use tokio::time::{Instant, sleep, timeout_at};

/// How long models may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadlines {
    /// From the question to the first word of one model; then the next one is asked.
    pub(crate) first: Duration,
    /// From one word to the next.
    pub(crate) idle: Duration,
    /// From the question to the last word, whoever says it.
    pub(crate) total: Duration,
}

/// Calls to one model before the next is asked.
const TRIES: usize = 2;
/// Longest pause between them.
const PAUSE: Duration = Duration::from_millis(250);
/// Failures one after another that have a model left alone.
const FAILURES_MAX: u32 = 3;
/// For how long; then one call tells whether it is back.
const REST: Duration = Duration::from_secs(30);

/// One provider's models, in the order in which they are asked.
pub(crate) struct Chain {
    provider: Arc<dyn Model>,
    /// Without a name the provider has one of its own.
    names: Vec<Option<String>>,
    deadlines: Deadlines,
    health: Mutex<HashMap<Option<String>, Health>>,
}

/// How a model has been lately.
#[derive(Debug, Default)]
struct Health {
    failures: u32,
    rests_until: Option<Instant>,
}

impl Chain {
    pub(crate) fn new(provider: Arc<dyn Model>, names: Vec<String>, deadlines: Deadlines) -> Self {
        let mut names: Vec<_> = names.into_iter().map(Some).collect();
        if names.is_empty() {
            names.push(None);
        }
        Self {
            provider,
            names,
            deadlines,
            health: Mutex::default(),
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
    async fn begin(&self, request: &ModelRequest, end: Instant) -> Result<Speech, ModelError> {
        let mut attempt = 1;
        loop {
            let first = end.min(Instant::now() + self.deadlines.first);
            let begun = timeout_at(first, begin(&*self.provider, request)).await;
            let failed = match begun.unwrap_or(Err(ModelError::Timeout)) {
                Ok(speech) => return Ok(speech),
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

    fn health(&self) -> MutexGuard<'_, HashMap<Option<String>, Health>> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the model is not to be asked now. Where its rest is over, the next call alone tries it.
    fn rests(&self, name: &Option<String>) -> bool {
        let mut health = self.health();
        let Some(until) = health
            .get_mut(name)
            .and_then(|health| health.rests_until.as_mut())
        else {
            return false;
        };
        let now = Instant::now();
        let rests = now < *until;
        if !rests {
            *until = now + REST;
        }
        rests
    }

    /// Remembers how a call ended. Only names of the configuration are remembered: anybody can make one up.
    fn note(&self, name: &Option<String>, ended: Result<(), &ModelError>) {
        if !self.names.contains(name) {
            return;
        }
        let mut health = self.health();
        let health = health.entry(name.clone()).or_default();
        match ended {
            Ok(()) => *health = Health::default(),
            Err(error) if tells_of_provider(error) => {
                health.failures += 1;
                if health.failures >= FAILURES_MAX {
                    health.rests_until = Some(Instant::now() + REST);
                }
            }
            Err(_) => {}
        }
    }
}

/// A model's answer once its first word is there, which is not lost.
async fn begin(provider: &dyn Model, request: &ModelRequest) -> Result<Speech, ModelError> {
    let Speech { model, mut events } = provider.ask(request.clone()).await?;
    let first = match events.next().await {
        Some(Ok(first)) => first,
        Some(Err(error)) => return Err(error),
        None => return Err(ModelError::Garbage("no event in the answer".into())),
    };
    let events = stream::iter([Ok(first)]).chain(events).boxed();
    Ok(Speech { model, events })
}

/// Whether the same call may do better at once.
fn may_pass(error: &ModelError) -> bool {
    match error {
        ModelError::Unreachable(_) => true,
        ModelError::Rejected { status } => {
            matches!(status, 408 | 429 | 500 | 502 | 503 | 504 | 529)
        }
        _ => false,
    }
}

/// Whether the key is refused, which all models of a provider share.
fn is_of_key(error: &ModelError) -> bool {
    matches!(error, ModelError::Rejected { status: 401 | 403 })
}

/// Whether it is the provider's fault rather than the request's or the key's.
fn tells_of_provider(error: &ModelError) -> bool {
    may_pass(error) || matches!(error, ModelError::Timeout | ModelError::Garbage(_))
}

/// `events`, each within its time; what comes too late ends them.
fn timed(events: ModelEvents, idle: Duration, end: Instant) -> ModelEvents {
    stream::unfold(Some(events), move |events| async move {
        let mut events = events?;
        let by = end.min(Instant::now() + idle);
        match timeout_at(by, events.next()).await {
            Ok(Some(event)) => {
                let goes_on = event
                    .as_ref()
                    .is_ok_and(|event| !matches!(event, ModelEvent::End { .. }));
                Some((event, goes_on.then_some(events)))
            }
            Ok(None) => None,
            Err(_) => Some((Err(ModelError::Timeout), None)),
        }
    })
    .boxed()
}

#[async_trait]
impl Model for Chain {
    async fn ask(&self, request: ModelRequest) -> Result<Speech, ModelError> {
        let end = Instant::now() + self.deadlines.total;
        let mut last_error = ModelError::Resting;
        for name in self.order(&request) {
            if self.rests(&name) {
                continue;
            }
            let request = ModelRequest {
                model: name.clone(),
                ..request.clone()
            };
            let begun = self.begin(&request, end).await;
            self.note(&name, begun.as_ref().map(|_| ()));
            match begun {
                Ok(speech) => {
                    return Ok(Speech {
                        model: speech.model.or(name),
                        events: timed(speech.events, self.deadlines.idle, end),
                    });
                }
                Err(error) => {
                    tracing::warn!(
                        model = name.as_deref(),
                        code = error.code(),
                        "the model does not answer"
                    );
                    let goes_on = !is_of_key(&error) && Instant::now() < end;
                    last_error = error;
                    if !goes_on {
                        break;
                    }
                }
            }
        }
        Err(last_error)
    }
}

#[cfg(test)]
mod tests {
    use mostrador_core::model::{StopReason, WholeAnswer, whole_answer};
    use secrecy::SecretString;

    use super::*;

    /// Models that behave as their names say, and what they were asked.
    #[derive(Default)]
    struct Scripted {
        asked: Mutex<Vec<String>>,
    }

    const SECOND: Duration = Duration::from_secs(1);

    fn words(pause: Duration, count: usize) -> ModelEvents {
        let word = ModelEvent::ContentDelta("bla ".into());
        let end = ModelEvent::End {
            stop_reason: StopReason::EndTurn,
        };
        let events = std::iter::repeat_n(word, count).chain([end]);
        stream::iter(events)
            .then(move |event| async move {
                sleep(pause).await;
                Ok(event)
            })
            .boxed()
    }

    #[async_trait]
    impl Model for Scripted {
        async fn ask(&self, request: ModelRequest) -> Result<Speech, ModelError> {
            let name = request.model.clone().unwrap_or_default();
            let before = {
                let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
                asked.push(name.clone());
                asked.iter().filter(|asked| **asked == name).count()
            };
            let events = match name.as_str() {
                "good" | "" => words(Duration::ZERO, 2),
                "silent" => words(SECOND * 100, 2),
                "halting" => words(SECOND * 4, 9),
                "endless" => words(SECOND, 100),
                "flaky" if before > 1 => words(Duration::ZERO, 2),
                "flaky" | "down" => return Err(ModelError::Rejected { status: 503 }),
                "unknown" => return Err(ModelError::Rejected { status: 404 }),
                "stranger" => return Err(ModelError::Rejected { status: 401 }),
                "mute" => stream::empty().boxed(),
                other => panic!("{other}"),
            };
            Ok(Speech {
                model: request.model,
                events,
            })
        }
    }

    fn chain(names: &[&str]) -> (Arc<Scripted>, Chain) {
        let scripted = Arc::new(Scripted::default());
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let deadlines = Deadlines {
            first: SECOND * 5,
            idle: SECOND * 3,
            total: SECOND * 12,
        };
        (scripted.clone(), Chain::new(scripted, names, deadlines))
    }

    async fn ask(
        chain: &Chain,
        model: Option<&str>,
        key: Option<&str>,
    ) -> Result<WholeAnswer, ModelError> {
        let request = ModelRequest {
            model: model.map(str::to_owned),
            key: key.map(SecretString::from),
            ..ModelRequest::default()
        };
        whole_answer(chain, request).await
    }

    /// Who was asked for an answer, and who gave it or why nobody did.
    async fn check(names: &[&str], model: Option<&str>, asked: &[&str], answered: &str) {
        let (scripted, chain) = chain(names);
        let answer = ask(&chain, model, None).await;
        let by = match &answer {
            Ok(answer) => answer.model.as_deref().unwrap_or("its own"),
            Err(error) => error.code(),
        };
        assert_eq!(by, answered, "{names:?} {model:?}");
        let calls = scripted.asked.lock().expect("the record");
        assert_eq!(*calls, asked, "{names:?} {model:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn the_next_is_asked_where_one_does_not_begin() {
        check(&["good", "down"], None, &["good"], "good").await;
        check(&[], None, &[""], "its own").await;
        check(&["flaky"], None, &["flaky", "flaky"], "flaky").await;
        check(&["down", "good"], None, &["down", "down", "good"], "good").await;
        check(
            &["unknown", "mute", "good"],
            None,
            &["unknown", "mute", "good"],
            "good",
        )
        .await;
        check(&["silent", "good"], None, &["silent", "good"], "good").await;
        check(&["down"], None, &["down", "down"], "rejected").await;
        check(
            &["down", "silent"],
            None,
            &["down", "down", "silent"],
            "timeout",
        )
        .await;
        // The key is the same for all.
        check(&["stranger", "good"], None, &["stranger"], "key_rejected").await;
        // One that is asked for comes first.
        check(
            &["good", "down"],
            Some("down"),
            &["down", "down", "good"],
            "good",
        )
        .await;
        // Once it speaks it is not replaced.
        check(&["halting", "good"], None, &["halting"], "timeout").await;
        check(&["endless", "good"], None, &["endless"], "timeout").await;
    }

    #[tokio::test(start_paused = true)]
    async fn all_of_it_ends_in_time() {
        for names in [
            vec!["silent"; 1],
            vec!["silent", "down", "halting"],
            vec!["endless"],
        ] {
            let started = Instant::now();
            let (_, chain) = chain(&names);
            ask(&chain, None, None).await.expect_err("too late");
            let took = started.elapsed();
            assert!(took <= SECOND * 12, "{names:?}: {took:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn on_their_own_account_callers_get_what_they_ask_for() {
        let (scripted, chain) = chain(&["good"]);
        ask(&chain, Some("unknown"), Some("k"))
            .await
            .expect_err("nobody else's");
        ask(&chain, None, Some("k"))
            .await
            .expect("the configured one");
        assert_eq!(
            *scripted.asked.lock().expect("the record"),
            ["unknown", "good"]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn what_keeps_failing_is_left_alone_and_tried_again() {
        let (scripted, chain) = chain(&["down"]);
        let asked = || scripted.asked.lock().expect("the record").len();
        for _ in 0..FAILURES_MAX {
            ask(&chain, None, None).await.expect_err("it is down");
        }
        let before = asked();
        let error = ask(&chain, None, None).await.expect_err("it rests");
        assert_eq!((error.code(), asked()), ("resting", before));
        sleep(REST).await;
        // One call tries it, the others do not wait for that.
        let (tried, other) = tokio::join!(ask(&chain, None, None), ask(&chain, None, None));
        let mut codes = [tried, other].map(|tried| tried.expect_err("it is down").code());
        codes.sort_unstable();
        assert_eq!((codes, asked()), (["rejected", "resting"], before + TRIES));
        // Names that callers make up are not remembered.
        for name in 0..100 {
            let name = format!("down{name}");
            chain.note(&Some(name), Err(&ModelError::Timeout));
        }
        assert_eq!(chain.health().len(), 1);
    }
}
