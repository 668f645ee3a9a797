//! Models one after another: each in its time, again where that may help, left alone where it keeps failing.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use futures_util::stream::{self, StreamExt};
use mostrador_core::model::{Model, ModelError, ModelEvent, ModelRequest, Speech};
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

    /// Whether the model may be asked now. Where its rest is over, one call is let through, and the others once that is back.
    fn admit(&self, name: &Option<String>) -> bool {
        let Some(mut breaker) = self.of(name) else {
            return true;
        };
        let now = Instant::now();
        if breaker.open_until.is_some_and(|until| now < until) {
            return false;
        }
        if breaker.open_until.is_some() {
            breaker.open_until = Some(now + OPEN_FOR);
        }
        true
    }

    fn note(&self, name: &Option<String>, failed: Option<&ModelError>) {
        let Some(mut breaker) = self.of(name) else {
            return;
        };
        if failed.is_some_and(tells_of_provider) {
            breaker.failures += 1;
            if breaker.failures >= FAILURES_MAX {
                breaker.open_until = Some(Instant::now() + OPEN_FOR);
            }
        } else {
            *breaker = Breaker::default();
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
    async fn ask_one(&self, request: &ModelRequest, end: Instant) -> Result<Speech, ModelError> {
        let mut attempt = 1;
        loop {
            let first = end.min(Instant::now() + self.deadlines.first);
            let begun = timeout_at(first, first_word(&*self.provider, request)).await;
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

    /// `speech`, each word within its time; what comes too late ends it, and how it ends tells of the model.
    fn timed(&self, speech: Speech, name: Option<String>, counts: bool, end: Instant) -> Speech {
        let (idle, breakers) = (self.deadlines.idle, self.breakers.clone());
        let model = speech.model.or_else(|| name.clone());
        let start = Some((speech.events, breakers, name));
        let events = stream::unfold(start, move |events| async move {
            let (mut events, breakers, name) = events?;
            let by = end.min(Instant::now() + idle);
            let event = match timeout_at(by, events.next()).await {
                Ok(event) => event?,
                Err(_) => Err(ModelError::Timeout),
            };
            let is_last = !matches!(&event, Ok(event) if !matches!(event, ModelEvent::End { .. }));
            if is_last && counts {
                breakers.note(&name, event.as_ref().err());
            }
            Some((event, (!is_last).then_some((events, breakers, name))))
        });
        Speech {
            model,
            events: events.boxed(),
        }
    }
}

/// A model's answer once it says something, of which nothing is lost.
async fn first_word(provider: &dyn Model, request: &ModelRequest) -> Result<Speech, ModelError> {
    let Speech { model, mut events } = provider.ask(request.clone()).await?;
    let mut heard = Vec::new();
    loop {
        let event = match events.next().await {
            Some(event) => event?,
            None => return Err(ModelError::Garbage("no end of the answer".into())),
        };
        let says_nothing = matches!(event, ModelEvent::Usage(_));
        heard.push(Ok(event));
        if !says_nothing {
            let events = stream::iter(heard).chain(events).boxed();
            return Ok(Speech { model, events });
        }
    }
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

/// Whether it is the provider's fault rather than the request's or the key's.
fn tells_of_provider(error: &ModelError) -> bool {
    may_pass(error) || matches!(error, ModelError::Timeout | ModelError::Garbage(_))
}

#[async_trait]
impl Model for Fallback {
    async fn ask(&self, request: ModelRequest) -> Result<Speech, ModelError> {
        let mut began = Instant::now();
        let end = began + self.deadlines.total;
        // How a caller's own account stands tells nothing of the shop's.
        let counts = request.key.is_none();
        let mut last_error = ModelError::CircuitOpen;
        for name in self.order(&request) {
            if counts && !self.breakers.admit(&name) {
                continue;
            }
            let asked = ModelRequest {
                model: name.clone(),
                ..request.clone()
            };
            let error = match self.ask_one(&asked, end).await {
                Ok(speech) => return Ok(self.timed(speech, name, counts, end)),
                Err(error) => error,
            };
            // One that had less time than it may take has not failed.
            let had_its_time = began + self.deadlines.first <= end;
            if counts && (had_its_time || !matches!(error, ModelError::Timeout)) {
                self.breakers.note(&name, Some(&error));
            }
            // A name that is not configured is a caller's own words.
            let model = name.filter(|_| self.names.contains(&asked.model));
            tracing::warn!(
                model = model.as_deref().unwrap_or("a caller's own"),
                code = error.code(),
                "the model does not answer"
            );
            // The key is the same for all of a provider's models.
            let is_over =
                matches!(error, ModelError::Rejected { status: 401 }) || Instant::now() >= end;
            last_error = error;
            if is_over {
                break;
            }
            began = Instant::now();
        }
        Err(last_error)
    }
}

#[cfg(test)]
mod tests {
    use mostrador_core::model::{ModelEvents, StopReason, WholeAnswer, whole_answer};
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
                "silent" | "silent too" => words(SECOND * 100, 2),
                "slow" => words(SECOND * 2 + SECOND / 2, 2),
                "halting" => words(SECOND * 4, 9),
                "endless" => words(SECOND, 100),
                "flaky" if before > 1 => words(Duration::ZERO, 2),
                "flaky" | "down" => return Err(ModelError::Rejected { status: 503 }),
                "unknown" => return Err(ModelError::Rejected { status: 404 }),
                "stranger" => return Err(ModelError::Rejected { status: 401 }),
                "forbidden" => return Err(ModelError::Rejected { status: 403 }),
                "mute" => stream::empty().boxed(),
                other => panic!("{other}"),
            };
            Ok(Speech {
                model: request.model,
                events,
            })
        }
    }

    const DEADLINES: Deadlines = Deadlines {
        first: SECOND.saturating_mul(5),
        idle: SECOND.saturating_mul(3),
        total: SECOND.saturating_mul(12),
    };

    fn fallback(names: &[&str]) -> (Arc<Scripted>, Fallback) {
        fallback_within(DEADLINES, names)
    }

    fn fallback_within(deadlines: Deadlines, names: &[&str]) -> (Arc<Scripted>, Fallback) {
        let scripted = Arc::new(Scripted::default());
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        (scripted.clone(), Fallback::new(scripted, names, deadlines))
    }

    async fn ask(
        models: &Fallback,
        model: Option<&str>,
        key: Option<&str>,
    ) -> Result<WholeAnswer, ModelError> {
        let request = ModelRequest {
            model: model.map(str::to_owned),
            key: key.map(SecretString::from),
            ..ModelRequest::default()
        };
        whole_answer(models, request).await
    }

    /// Who was asked for an answer, and who gave it or why nobody did.
    async fn check(names: &[&str], model: Option<&str>, asked: &[&str], answered: &str) {
        let (scripted, models) = fallback(names);
        let answer = ask(&models, model, None).await;
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
        check(&["forbidden", "good"], None, &["forbidden", "good"], "good").await;
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
            let (_, models) = fallback(&names);
            ask(&models, None, None).await.expect_err("too late");
            let took = started.elapsed();
            assert!(took <= SECOND * 12, "{names:?}: {took:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn on_their_own_account_callers_get_what_they_ask_for() {
        let (scripted, models) = fallback(&["good"]);
        ask(&models, Some("unknown"), Some("k"))
            .await
            .expect_err("nobody else's");
        ask(&models, None, Some("k"))
            .await
            .expect("the configured one");
        assert_eq!(
            *scripted.asked.lock().expect("the record"),
            ["unknown", "good"]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn what_keeps_failing_is_left_alone_and_tried_again() {
        let (scripted, models) = fallback(&["down"]);
        let asked = || scripted.asked.lock().expect("the record").len();
        for _ in 0..FAILURES_MAX {
            ask(&models, None, None).await.expect_err("it is down");
        }
        let before = asked();
        let error = ask(&models, None, None).await.expect_err("it rests");
        assert_eq!((error.code(), asked()), ("circuit_open", before));
        sleep(OPEN_FOR).await;
        // One call tries it, the others do not wait for that.
        let (tried, other) = tokio::join!(ask(&models, None, None), ask(&models, None, None));
        let mut codes = [tried, other].map(|tried| tried.expect_err("it is down").code());
        codes.sort_unstable();
        assert_eq!(
            (codes, asked()),
            (["circuit_open", "rejected"], before + TRIES)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_begins_and_fails_rests_too() {
        let (scripted, models) = fallback(&["halting"]);
        for _ in 0..FAILURES_MAX {
            ask(&models, None, None).await.expect_err("it halts");
        }
        let error = ask(&models, None, None).await.expect_err("it rests");
        assert_eq!(error.code(), "circuit_open");
        assert_eq!(scripted.asked.lock().expect("the record").len(), 3);
    }

    #[tokio::test]
    async fn one_that_is_silent_rests_however_little_time_there_is() {
        // By the clock, which moves on between one line and the next.
        let short = Deadlines {
            total: Duration::from_millis(20),
            ..DEADLINES
        };
        let (_, models) = fallback_within(short, &["silent"]);
        for _ in 0..FAILURES_MAX {
            let error = ask(&models, None, None).await.expect_err("it is silent");
            assert_eq!(error.code(), "timeout");
        }
        let error = ask(&models, None, None).await.expect_err("it rests");
        assert_eq!(error.code(), "circuit_open");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_not_the_models_fault_is_not_held_against_it() {
        // A caller's own account.
        let (_, models) = fallback(&["down"]);
        for _ in 0..2 * FAILURES_MAX {
            let error = ask(&models, Some("down"), Some("k"))
                .await
                .expect_err("it is down");
            assert_eq!(error.code(), "rejected");
        }
        // What was left of the time.
        let (scripted, models) = fallback(&["silent", "silent too", "slow"]);
        for _ in 0..FAILURES_MAX {
            ask(&models, None, None).await.expect_err("too late");
        }
        ask(&models, None, None)
            .await
            .expect("in time, as the others rest");
        assert_eq!(
            scripted
                .asked
                .lock()
                .expect("the record")
                .last()
                .map(String::as_str),
            Some("slow")
        );
    }
}
