//! The `reindex` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use mostrador_dynamodb::{DynamoCatalogue, Tables, connect};
use mostrador_reindex::{Deps, handle};
use mostrador_search::{embedder, store::S3Store};
use mostrador_web::{Environment, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    logging::start();
    let environment = Environment::of_process();
    let tables = Tables::from_variables(|name| environment.text(name))?;
    let bucket = environment.required("INDEX_BUCKET", "the search index is published to it")?;
    let aws = aws_config::load_defaults(BehaviorVersion::latest()).await;
    let deps = Deps {
        catalogue: DynamoCatalogue::new(connect(&aws), &tables.catalogue),
        store: Arc::new(S3Store::connect(&aws, &bucket)),
        embedder: embedder::configured(&|name| std::env::var(name).ok()).await?,
    };
    lambda::run_events(deps, handle).await
}
