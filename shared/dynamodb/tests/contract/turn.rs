//! A turn that is overtaken, given up, or comes to its end while others write.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures_util::stream::{self, StreamExt};
use mostrador_core::{
    actions::approvals::Approvals,
    files::NoFiles,
    ids::Owner,
    index::{Index, IndexSource},
    language::Language,
    log::{Commit, Event, Log, Position, Stored},
    model::{
        Completion, CostMode, Model, ModelError, ModelEvent, ModelPolicy, ModelRequest, StopReason,
    },
    purchases::{Account, Note, Purchases},
    retrieval::Retrieval,
    turn::{Begun, Caller, ChatRequest, Ending, KeptAs, TurnEngine, TurnFailure, TurnSettings},
};
use serde_json::json;
use time::Duration;
use uuid::Uuid;

use crate::{
    clock::StoppedClock,
    erasure::{erasure, talked},
    purchases::mutation,
    setup::{Stores, noon, owner},
};

/// Replies briefly, and records each prompt.
#[derive(Default)]
struct Listening(Mutex<Vec<String>>);

impl Listening {
    fn prompts(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

#[async_trait]
impl Model for Listening {
    async fn ask(&self, request: ModelRequest) -> Result<Completion, ModelError> {
        let prompts = format!("{:?}", request.messages);
        self.0.lock().unwrap().push(prompts);
        let stop_reason = StopReason::EndTurn;
        let events = [
            ModelEvent::ContentDelta("- No lo tengo.\n- ¿Buscas otra cosa?".into()),
            ModelEvent::End { stop_reason },
        ];
        Ok(Completion {
            model: None,
            events: stream::iter(events.map(Ok)).boxed(),
        })
    }
}

/// A model that is never asked.
pub(crate) struct Silent;

#[async_trait]
impl Model for Silent {
    async fn ask(&self, _: ModelRequest) -> Result<Completion, ModelError> {
        panic!("a model was asked")
    }
}

struct NoIndex;

#[async_trait]
impl IndexSource for NoIndex {
    async fn current(&self) -> Option<Arc<dyn Index>> {
        None
    }
}

/// An engine whose time stands still, so long after noon.
fn engine(stores: &Stores, model: &Arc<Listening>, after: Duration) -> TurnEngine {
    let policy = ModelPolicy {
        provider: "openai_compatible",
        cost_mode: CostMode::Paid,
        timeout_seconds: 20,
        ..ModelPolicy::none()
    };
    engine_of(stores, model.clone(), policy, StoppedClock::after(after))
}

/// The same by any clock, and with any model.
pub(crate) fn engine_of(
    stores: &Stores,
    model: Arc<dyn Model>,
    policy: ModelPolicy,
    clock: Arc<StoppedClock>,
) -> TurnEngine {
    let counter = stores.counter(clock.clone());
    let shop = counter.shop.clone();
    TurnEngine {
        log: Arc::new(stores.log()),
        view: Arc::new(stores.view()),
        retrieval: Retrieval {
            index: Arc::new(NoIndex),
            catalogue: Arc::new(stores.catalogue()),
            shop: shop.clone(),
        },
        approvals: Approvals {
            log: Arc::new(stores.log()),
            idempotency: Arc::new(stores.idempotency()),
            counter,
        },
        files: Arc::new(NoFiles),
        model,
        clock,
        shop,
        settings: TurnSettings {
            policy,
            ..TurnSettings::default()
        },
    }
}

pub(crate) fn caller(owner: &Owner) -> Caller {
    Caller {
        owner: Some(owner.clone()),
        language: Language::default(),
        request_id: Uuid::now_v7(),
        byo_key: None,
        keyed: None,
        begun: None,
        kept_as: KeptAs::Answer,
    }
}

fn question() -> ChatRequest {
    let body = json!({"message": "¿Y algo del mar?"});
    ChatRequest::read(body.as_object().unwrap()).unwrap()
}

async fn begin(engine: &TurnEngine, owner: &Owner) -> Result<Begun, TurnFailure> {
    let mut caller = caller(owner);
    let prepared = engine.prepare(&mut caller, question()).await?;
    engine.begin(&caller, prepared).await
}

async fn finish(engine: &TurnEngine, owner: &Owner, begun: Begun) -> Ending {
    let (_, ending) = engine.finish(&caller(owner), begun, &|_| {}).await;
    ending
}

#[tokio::test]
async fn what_is_erased_under_a_turn_is_not_in_its_prompt() {
    for stores in Stores::all().await {
        for is_erased in [false, true] {
            let ana = owner(&format!("ana-{is_erased}"));
            talked(&stores, &ana).await;
            let note = Note {
                note_id: 1,
                text: "leo a escondidas".to_owned(),
                created_at: noon(),
            };
            let account = Account {
                notes: vec![note],
                notes_made: 1,
                ..Account::default()
            };
            let purchases = stores.purchases();
            purchases.commit(&ana, &mutation(account)).await.unwrap();
            let model = Arc::new(Listening::default());
            // The question before has been left unanswered.
            let engine = engine(&stores, &model, Duration::minutes(1));
            let mut caller = caller(&ana);
            let prepared = engine.prepare(&mut caller, question()).await.unwrap();
            if is_erased {
                erasure(&stores).erase(&ana).await.unwrap();
            }
            let begun = engine.begin(&caller, prepared).await.unwrap();
            engine.finish(&caller, begun, &|_| {}).await;
            let prompts = model.prompts();
            let prompt = prompts.last().unwrap();
            assert!(prompt.contains("algo del mar"), "{prompt}");
            for kept in ["secreto", "leo a escondidas"] {
                assert_eq!(prompt.contains(kept), !is_erased, "{kept} {prompt}");
            }
            // The request sent before the erasure was known is dropped.
            assert_eq!(prompts.len(), if is_erased { 2 } else { 1 }, "{prompts:?}");
        }
    }
}

#[tokio::test]
async fn a_model_is_called_once_while_its_question_goes_into_the_log() {
    for stores in Stores::all().await {
        let (log, ana) = (stores.log(), owner("ana"));
        talked(&stores, &ana).await;
        let model = Arc::new(Listening::default());
        let engine = engine(&stores, &model, Duration::minutes(1));
        let begun = begin(&engine, &ana).await.unwrap();
        assert_eq!(model.prompts().len(), 1);
        // While the turn is open, no other is asked about.
        let busy = begin(&engine, &ana).await;
        assert!(matches!(busy, Err(TurnFailure::Busy { .. })));
        let ending = finish(&engine, &ana, begun).await;
        assert!(matches!(ending, Ending::Kept(_)), "{ending:?}");
        assert_eq!(model.prompts().len(), 1);
        // The next conversation begins with nothing of what is archived.
        let newest = log.newest(&ana, None, 1).await.unwrap();
        let archived = vec![Stored::Known(Event::ConversationArchived {})];
        let position = Position::after(&newest[0]);
        let archive = Commit::at(position, archived, Uuid::now_v7(), Uuid::now_v7(), noon());
        log.put(&ana, &archive, None).await.unwrap();
        let begun = begin(&engine, &ana).await.unwrap();
        finish(&engine, &ana, begun).await;
        let prompts = model.prompts();
        let has_secret: Vec<bool> = prompts
            .iter()
            .map(|text| text.contains("secreto"))
            .collect();
        assert_eq!(has_secret, [true, false], "{prompts:?}");
    }
}

#[tokio::test]
async fn a_turn_is_open_while_its_models_have_time() {
    let model = Arc::default();
    for stores in Stores::all().await {
        for (timeout_seconds, deadline) in [(20, 30), (120, 130)] {
            let ana = owner(&format!("ana-{timeout_seconds}"));
            let at = |seconds| {
                let mut engine = engine(&stores, &model, Duration::seconds(seconds));
                engine.settings.policy.timeout_seconds = timeout_seconds;
                engine
            };
            let begun = begin(&at(0), &ana).await.unwrap();
            for (seconds, is_open) in [(deadline - 1, true), (deadline, false)] {
                let engine = at(seconds);
                let kept = engine.kept_turn(&ana, begun.turn_id).await.unwrap();
                assert_eq!(engine.is_open(&kept), is_open, "{seconds}");
                let next = begin(&engine, &ana).await;
                let is_busy = matches!(next, Err(TurnFailure::Busy { .. }));
                assert_eq!(is_busy, is_open, "{seconds}");
            }
        }
    }
}

#[tokio::test]
async fn what_was_cancelled_is_not_answered_and_what_is_late_is() {
    let model = Arc::default();
    for stores in Stores::all().await {
        let (ana, luis) = (owner("ana"), owner("luis"));
        let on_time = engine(&stores, &model, Duration::ZERO);
        let mut cancelled = Vec::new();
        for _ in 0..3 {
            let begun = begin(&on_time, &ana).await.unwrap();
            assert!(on_time.cancel(&ana, begun.turn_id).await.unwrap());
            cancelled.push(begun);
        }
        for begun in cancelled {
            assert_eq!(finish(&on_time, &ana, begun).await, Ending::GivenUp);
        }
        // Another turn has begun since its deadline.
        let late = engine(&stores, &model, Duration::minutes(1));
        let first = begin(&on_time, &luis).await.unwrap();
        let second = begin(&late, &luis).await.unwrap();
        for begun in [first, second] {
            let ending = finish(&late, &luis, begun).await;
            assert!(matches!(ending, Ending::Kept(_)), "{ending:?}");
        }
    }
}

#[tokio::test]
async fn the_end_of_a_turn_is_found_behind_whatever_came_meanwhile() {
    let model = Arc::default();
    for stores in Stores::all().await {
        let (log, ana) = (stores.log(), owner("ana"));
        let engine = engine(&stores, &model, Duration::ZERO);
        let begun = begin(&engine, &ana).await.unwrap();
        let before = engine.kept_turn(&ana, begun.turn_id).await.unwrap();
        let newest = log.newest(&ana, None, 1).await.unwrap();
        let mut position = Position::after(&newest[0]);
        // More than are read at once.
        for _ in 0..120 {
            let rated = vec![Stored::Known(Event::RatingGiven { rating: 5 })];
            let next = Commit::at(position, rated, Uuid::now_v7(), Uuid::now_v7(), noon());
            log.put(&ana, &next, None).await.unwrap();
            position = Position::after(&next);
        }
        let waiting = engine.later(&ana, before.clone()).await.unwrap();
        assert!(engine.is_open(&waiting));
        finish(&engine, &ana, begun).await;
        let waited = engine.later(&ana, waiting).await.unwrap();
        assert!(waited.is_over());
        assert_eq!(engine.later(&ana, before).await.unwrap(), waited);
    }
}
