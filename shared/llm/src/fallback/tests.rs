use mostrador_core::model::{ModelEvents, StopReason, WholeAnswer, whole_answer};
use secrecy::SecretString;
use tokio::time::timeout;

use super::*;

/// Models that behave as their names say, and their calls.
#[derive(Default)]
struct Scripted {
    called: Mutex<Vec<String>>,
}

const SECOND: Duration = Duration::from_secs(1);

/// How often a model is asked until it is left alone.
const DOWN: usize = 3 * TRIES;

fn refused(status: u16) -> Result<Completion, ModelError> {
    Err(ModelError::Rejected(Refusal::of(status)))
}

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
    async fn ask(&self, request: ModelRequest) -> Result<Completion, ModelError> {
        let name = request.model.clone().unwrap_or_default();
        let before = {
            let mut called = self.called.lock().unwrap_or_else(PoisonError::into_inner);
            called.push(name.clone());
            called.iter().filter(|called| **called == name).count()
        };
        let events = match name.as_str() {
            "good" | "" => words(Duration::ZERO, 2),
            "silent" | "silent too" => words(SECOND * 100, 2),
            "slow" => words(SECOND * 2 + SECOND / 2, 2),
            "halting" => words(SECOND * 4, 9),
            "endless" => words(SECOND, 100),
            "flaky" if before > 1 => words(Duration::ZERO, 2),
            "back" | "back and silent" if before <= DOWN => return refused(503),
            "back and silent" if before == DOWN + 1 => words(SECOND * 100, 2),
            "back" | "back and silent" => words(SECOND, 2),
            // Two calls of five that come to nothing, an answer, and so on.
            "moody" if before.is_multiple_of(2 * TRIES + 1) => words(Duration::ZERO, 2),
            "flaky" | "down" | "moody" => return refused(503),
            "unknown" => return refused(404),
            "stranger" => return refused(401),
            "forbidden" => return refused(403),
            "mute" => stream::empty().boxed(),
            other => panic!("{other}"),
        };
        Ok(Completion {
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
async fn check(names: &[&str], model: Option<&str>, called: &[&str], answered: &str) {
    let (scripted, models) = fallback(names);
    let answer = ask(&models, model, None).await;
    let by = match &answer {
        Ok(answer) => answer.model.as_deref().unwrap_or("its own"),
        Err(error) => error.code(),
    };
    assert_eq!(by, answered, "{names:?} {model:?}");
    let calls = scripted.called.lock().expect("the record");
    assert_eq!(*calls, called, "{names:?} {model:?}");
}

#[tokio::test(start_paused = true)]
async fn the_next_is_called_where_one_does_not_begin() {
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
    // Once it answers it is not replaced.
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
async fn callers_with_a_key_get_the_model_they_name() {
    let (scripted, models) = fallback(&["good"]);
    ask(&models, Some("unknown"), Some("k"))
        .await
        .expect_err("nobody else's");
    ask(&models, None, Some("k"))
        .await
        .expect("the configured one");
    assert_eq!(
        *scripted.called.lock().expect("the record"),
        ["unknown", "good"]
    );
}

#[tokio::test(start_paused = true)]
async fn what_keeps_failing_is_left_alone_and_retried_later() {
    let (scripted, models) = fallback(&["down"]);
    let called = || scripted.called.lock().expect("the record").len();
    for _ in 0..FAILURES_MAX {
        ask(&models, None, None).await.expect_err("it is down");
    }
    let before = called();
    let error = ask(&models, None, None).await.expect_err("it rests");
    assert_eq!((error.code(), called()), ("circuit_open", before));
    sleep(OPEN_FOR).await;
    // One call tries it, the others do not wait for that.
    let (tried, other) = tokio::join!(ask(&models, None, None), ask(&models, None, None));
    let mut codes = [tried, other].map(|tried| tried.expect_err("it is down").code());
    codes.sort_unstable();
    assert_eq!(
        (codes, called()),
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
    assert_eq!(scripted.called.lock().expect("the record").len(), 3);
}

/// What is asked on the shop's account of the first model there is.
fn question() -> ModelRequest {
    ModelRequest::default()
}

#[tokio::test(start_paused = true)]
async fn one_that_answers_later_is_restored_whether_or_not_it_is_read_to_its_end() {
    let (_, models) = fallback(&["back"]);
    for _ in 0..FAILURES_MAX {
        ask(&models, None, None).await.expect_err("it is down");
    }
    sleep(OPEN_FOR).await;
    let begun = models.ask(question()).await.expect("it is back");
    ask(&models, None, None).await.expect("it speaks to all");
    drop(begun);
    ask(&models, None, None).await.expect("it still does");

    let (_, models) = fallback(&["back"]);
    for _ in 0..FAILURES_MAX {
        ask(&models, None, None).await.expect_err("it is down");
    }
    sleep(OPEN_FOR).await;
    drop(models.ask(question()).await.expect("it is back"));
    ask(&models, None, None).await.expect("it is back for all");
}

#[tokio::test(start_paused = true)]
async fn an_answer_separates_failures_only_if_it_is_read_to_its_end() {
    for (is_read_to_its_end, then) in [(true, "rejected"), (false, "circuit_open")] {
        let (_, models) = fallback(&["moody"]);
        for _ in 0..FAILURES_MAX - 1 {
            let error = ask(&models, None, None).await.expect_err("it fails");
            assert_eq!(error.code(), "rejected");
        }
        let completion = models.ask(question()).await.expect("it speaks");
        if is_read_to_its_end {
            assert_eq!(completion.events.count().await, 3);
        } else {
            drop(completion);
        }
        for code in ["rejected", then] {
            let error = ask(&models, None, None).await.expect_err("it fails");
            assert_eq!(error.code(), code, "{is_read_to_its_end}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn answers_that_nobody_reads_to_their_end_are_no_failures() {
    let (scripted, models) = fallback(&["endless"]);
    for _ in 0..6 {
        let completion = models.ask(question()).await.expect("it speaks");
        let counted = timeout(SECOND * 4, completion.events.count()).await;
        assert!(counted.is_err(), "it goes on and on");
    }
    models.ask(question()).await.expect("it does not rest");
    let called = scripted.called.lock().expect("the record").len();
    assert_eq!(called, 7);
}

#[tokio::test(start_paused = true)]
async fn an_abandoned_trial_is_repeated() {
    let (_, models) = fallback(&["back and silent"]);
    for _ in 0..FAILURES_MAX {
        ask(&models, None, None).await.expect_err("it is down");
    }
    sleep(OPEN_FOR).await;
    let given_up = timeout(SECOND, models.ask(question())).await;
    assert!(given_up.is_err(), "it says nothing");
    ask(&models, None, None).await.expect("it is back");
    ask(&models, None, None).await.expect("for all");
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
            .called
            .lock()
            .expect("the record")
            .last()
            .map(String::as_str),
        Some("slow")
    );
}
