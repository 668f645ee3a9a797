//! What the tables' streams set off: the view follows the log, and summaries follow the view.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use mostrador_dynamodb::stream::{StreamAnswer, StreamEvent};
use mostrador_pump::{BoxError, Client, Consumer, FailureFile, Mapping, Running};
use mostrador_wiring::Wiring;
use serde_json::Value;

use crate::stores::Stores;

/// The functions behind the streams, at work.
pub struct Streams {
    projecting: Running,
    summarising: Running,
}

impl Streams {
    /// Starts them; they go on where they were when the data lay here before.
    pub async fn start(stores: &Stores, client: &Client, wiring: &Wiring) -> anyhow::Result<Self> {
        let failures = Arc::new(FailureFile::in_folder(&stores.folder));
        let mapping = |name| Mapping {
            folder: stores.data_dir.clone(),
            // Not a day: this machine may have been off.
            max_age: Duration::MAX,
            ..Mapping::of(name)
        };
        let project = Function {
            deps: Arc::new(mostrador_project::Deps::wire(wiring)?),
            handle: mostrador_project::handle,
        };
        let summarise = Function {
            deps: Arc::new(mostrador_summarise::Deps::wire(wiring).await?),
            handle: mostrador_summarise::handle,
        };
        let due = Mapping {
            filter: Some(Arc::new(is_due)),
            ..mapping("summarise")
        };
        let tables = &stores.tables;
        Ok(Self {
            projecting: mapping("project").start(
                client.clone(),
                &tables.events,
                Arc::new(project),
                failures.clone(),
            ),
            summarising: due.start(
                client.clone(),
                &tables.conversations,
                Arc::new(summarise),
                failures,
            ),
        })
    }

    /// Lets what is in hand be finished.
    pub async fn stop(self) {
        self.projecting.stop().await;
        self.summarising.stop().await;
    }
}

/// The filter that `template.yaml` gives the mapping.
pub fn is_due(record: &Value) -> bool {
    let item = record["dynamodb"]["Keys"]["item"]["S"].as_str();
    item.is_some_and(|item| item.starts_with("due#"))
}

/// A function as Lambda calls it: JSON in, JSON out.
pub struct Function<D, F> {
    pub deps: Arc<D>,
    pub handle: F,
}

#[async_trait]
impl<D, F, Fut> Consumer for Function<D, F>
where
    D: Send + Sync,
    F: Fn(Arc<D>, StreamEvent) -> Fut + Send + Sync,
    Fut: Future<Output = Result<StreamAnswer, BoxError>> + Send,
{
    async fn consume(&self, event: Value) -> Result<Value, BoxError> {
        let answer = (self.handle)(Arc::clone(&self.deps), serde_json::from_value(event)?).await?;
        Ok(serde_json::to_value(answer)?)
    }
}
