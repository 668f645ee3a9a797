//! The `files` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use mostrador_dynamodb::{DynamoIdempotency, DynamoLimits, Tables, connect};
use mostrador_files::{Deps, handle, reads_pdf};
use mostrador_search::{
    embedder,
    files::{FileStore, S3Shelves},
    load::Loader,
    store::S3Store,
};
use mostrador_web::{Environment, Gate, SystemClock, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    if reads_pdf() {
        return Ok(());
    }
    logging::start();
    let environment = Environment::of_process();
    let tables = Tables::from_variables(|name| environment.text(name))?;
    let bucket = environment.required("INDEX_BUCKET", "the search index is loaded from it")?;
    let files = environment.required("FILES_BUCKET", "documents are kept in it")?;
    let aws = aws_config::load_defaults(BehaviorVersion::latest()).await;
    let refresh = environment.seconds("INDEX_REFRESH_SECONDS")?;
    let embedder = embedder::configured(&|name| std::env::var(name).ok()).await?;
    let index = Loader::from_bucket(&aws, &bucket, refresh, embedder).await;
    let client = connect(&aws);
    let limits = Arc::new(DynamoLimits::new(client.clone(), &tables.limits));
    let idempotency = Arc::new(DynamoIdempotency::new(client, &tables.limits));
    let gate = Gate::from_environment(&environment, limits, Some(idempotency))?;
    let shelves = S3Shelves::new(S3Store::connect(&aws, &files), Arc::new(SystemClock));
    let files = Arc::new(FileStore::new(shelves, index));
    lambda::run(Deps { gate, files }, handle).await
}
