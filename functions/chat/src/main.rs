//! The `chat` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use mostrador_chat::{Deps, handle};
use mostrador_core::{retrieval::Retrieval, turn::TurnEngine};
use mostrador_dynamodb::{
    DynamoCatalogue, DynamoIdempotency, DynamoLimits, DynamoLog, DynamoView, Tables, connect,
};
use mostrador_llm::turn_settings;
use mostrador_search::{
    embedder,
    files::{FileStore, S3Shelves},
    load::Loader,
    store::S3Store,
};
use mostrador_web::{Environment, Gate, SystemClock, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    logging::start();
    let environment = Environment::of_process();
    let tables = Tables::from_variables(|name| environment.text(name))?;
    let bucket = environment.required("INDEX_BUCKET", "the search index is loaded from it")?;
    let aws = aws_config::load_defaults(BehaviorVersion::latest()).await;
    // Before anything else: the index is the longest part of a cold start.
    let refresh = environment.seconds("INDEX_REFRESH_SECONDS")?;
    let embedder = embedder::configured(&|name| std::env::var(name).ok()).await?;
    let index = Loader::from_bucket(&aws, &bucket, refresh, embedder).await;
    let client = connect(&aws);
    let setting = |name: &str| environment.text(name);
    let policy = mostrador_llm::policy(&setting)?;
    let model = mostrador_llm::model(&policy, &setting).await?;
    let settings = turn_settings(policy, &setting)?;
    let limits = Arc::new(DynamoLimits::new(client.clone(), &tables.limits));
    let idempotency = DynamoIdempotency::new(client.clone(), &tables.limits);
    let idempotency = Arc::new(idempotency.with_lease(settings.lease()));
    let gate = Gate::from_environment(&environment, limits, Some(idempotency))?;
    let catalogue = Arc::new(DynamoCatalogue::new(client.clone(), &tables.catalogue));
    let files = environment.required("FILES_BUCKET", "documents are looked for in it")?;
    let shelves = S3Shelves::new(S3Store::connect(&aws, &files), Arc::new(SystemClock));
    let engine = TurnEngine {
        log: Arc::new(DynamoLog::new(client.clone(), &tables)),
        view: Arc::new(DynamoView::new(client, &tables)),
        files: Arc::new(FileStore::new(shelves, index.clone())),
        retrieval: Retrieval { index, catalogue },
        model,
        clock: Arc::new(SystemClock),
        settings,
    };
    lambda::run(Deps { gate, engine }, handle).await
}
