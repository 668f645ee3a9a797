//! A turn that is overtaken.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures_util::stream::{self, StreamExt};
use mostrador_core::{
    files::NoFiles,
    index::{Index, IndexSource},
    language::Language,
    model::{
        CostMode, Model, ModelError, ModelEvent, ModelPolicy, ModelRequest, Speech, StopReason,
    },
    retrieval::Retrieval,
    turn::{Caller, ChatRequest, KeptAs, TurnEngine, TurnSettings},
};
use serde_json::json;
use uuid::Uuid;

use crate::{
    erasure::{Noon, erasure, talked},
    setup::{Stores, owner},
};

/// Says little, and remembers what it was shown.
#[derive(Default)]
struct Listening(Mutex<String>);

#[async_trait]
impl Model for Listening {
    async fn ask(&self, request: ModelRequest) -> Result<Speech, ModelError> {
        *self.0.lock().unwrap() = format!("{:?}", request.messages);
        let stop_reason = StopReason::EndTurn;
        let events = [
            ModelEvent::ContentDelta("- No lo tengo.\n- ¿Buscas otra cosa?".into()),
            ModelEvent::End { stop_reason },
        ];
        Ok(Speech {
            model: None,
            events: stream::iter(events.map(Ok)).boxed(),
        })
    }
}

struct NoIndex;

#[async_trait]
impl IndexSource for NoIndex {
    async fn current(&self) -> Option<Arc<dyn Index>> {
        None
    }
}

#[tokio::test]
async fn what_is_erased_under_a_turn_is_not_shown_in_it() {
    for stores in Stores::all().await {
        for is_erased in [false, true] {
            let ana = owner(&format!("ana-{is_erased}"));
            talked(&stores, &ana).await;
            let model = Arc::new(Listening::default());
            let engine = TurnEngine {
                log: Arc::new(stores.log()),
                view: Arc::new(stores.view()),
                retrieval: Retrieval {
                    index: Arc::new(NoIndex),
                    catalogue: Arc::new(stores.catalogue()),
                },
                files: Arc::new(NoFiles),
                model: model.clone(),
                clock: Arc::new(Noon),
                settings: TurnSettings {
                    // What was said before has been left unanswered.
                    deadline_seconds: 0,
                    policy: ModelPolicy {
                        provider: "openai_compatible",
                        cost_mode: CostMode::Paid,
                        timeout_seconds: 20,
                        ..ModelPolicy::none()
                    },
                    ..TurnSettings::default()
                },
            };
            let caller = Caller {
                owner: Some(ana.clone()),
                language: Language::default(),
                request_id: Uuid::now_v7(),
                byo_key: None,
                keyed: None,
                begun: None,
                kept_as: KeptAs::Answer,
            };
            let body = json!({"message": "¿Y algo del mar?"});
            let body = body.as_object().unwrap();
            let request = ChatRequest::read(body).unwrap();
            let prepared = engine.prepare(&caller, request).await.unwrap();
            if is_erased {
                erasure(&stores).erase(&ana).await.unwrap();
            }
            let begun = engine.begin(&caller, prepared).await.unwrap();
            engine.finish(&caller, begun, &|_| {}).await;
            let shown = model.0.lock().unwrap().clone();
            assert!(shown.contains("algo del mar"), "{shown}");
            assert_eq!(shown.contains("secreto"), !is_erased, "{shown}");
        }
    }
}
