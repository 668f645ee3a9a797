//! The functions behind the streams, called as badly as Lambda may call them, cut off and on a bad network, while customers write:
//! in the end the view is what the log makes, and each summary covers what it claims to.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use futures_util::future::join_all;
use mostrador_core::{
    clock::Clock,
    history::{History, NewMessage},
    ids::{ConversationNumber, Owner},
    log::Commit,
    model::ModelPolicy,
    projection::{SUMMARY_AFTER_MESSAGES, Summariser},
    view::{Projected, View},
};
use mostrador_dynamodb::{DynamoLog, DynamoView, connect};
use mostrador_llm::NoModel;
use mostrador_local::streams::{Function, is_due};
use mostrador_pump::{BoxError, Consumer, Delivery, FailedRecord, FailureQueue, Mapping};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::{LATE_IS_DONE, World, clock::SeededClock, log};

/// Short, so that some conversations get several.
const SUMMARY_CHARS: usize = 300;
/// A commit's key that no commit has.
const POISON: &str = "not-a-commit";

/// A function that may be ended in the middle of its work.
struct CutOff<C> {
    function: C,
    rng: Mutex<StdRng>,
}

#[async_trait]
impl<C: Consumer> Consumer for CutOff<C> {
    async fn consume(&self, event: Value) -> Result<Value, BoxError> {
        let life = {
            let mut rng = self.rng.lock().unwrap_or_else(PoisonError::into_inner);
            let is_cut = rng.random_bool(0.2);
            is_cut.then(|| Duration::from_millis(rng.random_range(0..40)))
        };
        match life {
            Some(life) => timeout(life, self.function.consume(event)).await?,
            None => self.function.consume(event).await,
        }
    }
}

/// What was given up.
#[derive(Default)]
struct GivenUp(Mutex<Vec<FailedRecord>>);

#[async_trait]
impl FailureQueue for GivenUp {
    async fn keep(&self, failed: FailedRecord) -> Result<(), BoxError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(failed);
        Ok(())
    }
}

/// Customers write, on a network of their own.
async fn write(history: &History, owners: &[Owner], writer: u64, mut rng: StdRng) {
    for turn in 0..rng.random_range(3..10u32) {
        let owner = &owners[rng.random_range(0..owners.len())];
        match rng.random_range(0..12u32) {
            0 => {
                let _ = history.archive(owner).await;
            }
            1 => {
                let conversation = ConversationNumber(rng.random_range(1..3));
                let _ = history
                    .rate(owner, conversation, rng.random_range(1..6))
                    .await;
            }
            _ => {
                let message = |role: &str| NewMessage {
                    role: role.to_owned(),
                    content: format!("mensaje {writer}.{turn}"),
                    meta: Map::new(),
                };
                let messages = vec![message("user"), message("assistant")];
                let _ = history.add(owner, messages, |_| None).await;
            }
        }
        tokio::time::sleep(Duration::from_millis(rng.random_range(0..200))).await;
    }
}

/// One world: what is written, what the streams make of it, and the check.
pub(super) async fn world(world: &mut World) -> Result<(), String> {
    let mut rng = StdRng::seed_from_u64(world.seed);
    let owners: Vec<Owner> = (0..rng.random_range(1..4u32))
        .filter_map(|number| Owner::new("shop", &format!("customer-{number}")).ok())
        .collect();
    let clock: Arc<dyn Clock> = Arc::new(SeededClock::new(world.seed));
    let faulty = world.faulty.configuration().await;
    let client = connect(&faulty);
    let log = Arc::new(DynamoLog::new(client.clone(), &world.tables));
    let view = Arc::new(DynamoView::new(client.clone(), &world.tables));
    let project = Function {
        deps: Arc::new(mostrador_project::Deps {
            log: log.clone(),
            view: view.clone(),
            summary_after_messages: SUMMARY_AFTER_MESSAGES,
        }),
        handle: mostrador_project::handle,
    };
    let summarise = Function {
        deps: Arc::new(mostrador_summarise::Deps {
            summariser: Summariser {
                log: log.clone(),
                view: view.clone(),
                model: Arc::new(NoModel),
                policy: ModelPolicy::none(),
                max_chars: SUMMARY_CHARS,
            },
        }),
        handle: mostrador_summarise::handle,
    };
    let given_up = Arc::new(GivenUp::default());
    let mut mapping = |name: &str| Mapping {
        retries: 30,
        poll: Duration::from_secs(1),
        timeout: Duration::from_secs(30),
        max_age: Duration::MAX,
        delivery: Delivery::Faulty {
            seed: rng.random(),
            share: 0.4,
        },
        ..Mapping::of(name)
    };
    let (projecting, summarising) = (mapping("project"), mapping("summarise"));
    let summarising = Mapping {
        filter: Some(Arc::new(is_due)),
        ..summarising
    };
    let streams = mostrador_pump::connect(&faulty);
    let mut cut_off = || Mutex::new(StdRng::seed_from_u64(rng.random()));
    let (one, two) = (cut_off(), cut_off());
    let projecting = projecting.start(
        streams.clone(),
        &world.tables.events,
        Arc::new(CutOff {
            function: project,
            rng: one,
        }),
        given_up.clone(),
    );
    let summarising = summarising.start(
        streams,
        &world.tables.conversations,
        Arc::new(CutOff {
            function: summarise,
            rng: two,
        }),
        given_up.clone(),
    );
    let poisoned = rng.random_bool(0.3);
    let clean = connect(&world.engine.configuration().await);
    if poisoned {
        world.poison(&json!({"owner": {"S": "shop#customer-0"}, "commit": {"S": POISON}}))?;
    }
    let history = History { log, view, clock };
    let crowd: Vec<_> = (0..rng.random_range(1..4u64))
        .map(|writer| {
            write(
                &history,
                &owners,
                writer,
                StdRng::seed_from_u64(rng.random()),
            )
        })
        .collect();
    join_all(crowd).await;
    tokio::time::sleep(LATE_IS_DONE).await;
    projecting.drained().await;
    tokio::time::sleep(LATE_IS_DONE).await;
    summarising.drained().await;
    tokio::time::sleep(LATE_IS_DONE).await;
    projecting.stop().await;
    summarising.stop().await;

    let (log, view) = (
        DynamoLog::new(clean.clone(), &world.tables),
        DynamoView::new(clean, &world.tables),
    );
    let given_up = std::mem::take(&mut *given_up.0.lock().unwrap_or_else(PoisonError::into_inner));
    check_given_up(&given_up, poisoned)?;
    world.tried.count("poisoned", usize::from(poisoned));
    for owner in &owners {
        for commits in log::conversations(&log, owner).await? {
            world.tried.count("conversations", 1);
            world.tried.count("commits", commits.len());
            let summarised = check(&view, owner, &commits).await?;
            world.tried.count("summaries", usize::from(summarised));
        }
    }
    Ok(())
}

/// What cannot be read is kept, and nothing else is.
fn check_given_up(given_up: &[FailedRecord], poisoned: bool) -> Result<(), String> {
    let of_poison =
        |failed: &&FailedRecord| failed.record["dynamodb"]["Keys"]["commit"]["S"] == POISON;
    let (all, poison) = (given_up.len(), given_up.iter().filter(of_poison).count());
    // At least once, like every record of a stream.
    if all == poison && (poison > 0) == poisoned {
        return Ok(());
    }
    Err(format!(
        "{all} records were given up, {poison} of them poison"
    ))
}

/// The view of a conversation against its log; whether it has a summary.
async fn check(view: &DynamoView, owner: &Owner, commits: &[Commit]) -> Result<bool, String> {
    let failed = |error: mostrador_core::view::ViewError| error.to_string();
    let newest = commits.last().ok_or("a conversation without commits")?;
    let number = newest.conversation;
    let viewed = view.conversation(owner, number).await.map_err(failed)?;
    if viewed != Some(Projected::from(newest)) {
        let through = viewed.map(|viewed| viewed.through);
        return Err(format!(
            "{number}: the view is at {through:?}, the log at {}",
            newest.last_seq()
        ));
    }
    let summary = view.summary(owner, number).await.map_err(failed)?;
    let covered = summary.as_ref().map_or(0, |summary| summary.messages);
    if newest.state.message_count - covered > SUMMARY_AFTER_MESSAGES {
        return Err(format!(
            "{number}: of {} messages {covered} are summarised",
            newest.state.message_count
        ));
    }
    if let Some(summary) = &summary {
        let end = commits
            .iter()
            .find(|commit| commit.last_seq() == summary.through);
        let messages = end.map(|commit| commit.state.message_count);
        if messages != Some(summary.messages) || summary.text.chars().count() > SUMMARY_CHARS {
            return Err(format!(
                "{number}: a summary of {} messages ends at {} of {messages:?}",
                summary.messages, summary.through
            ));
        }
    }
    Ok(summary.is_some())
}

/// What the view rests on, and what becomes of it without.
pub(super) const GUARDS: &[(&str, mostrador_engine::Tamper)] = &[
    ("the view only goes forward", |_, request, answer| {
        if answer.is_none() {
            super::without_condition(request, "conversations");
        }
    }),
    (
        "what is projected is read consistently",
        |operation, request, answer| {
            if answer.is_none() && operation == "Query" {
                super::remove(request, &["ConsistentRead"]);
            }
        },
    ),
];
