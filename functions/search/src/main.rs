//! The `search` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use mostrador_core::retrieval::Retrieval;
use mostrador_dynamodb::{DynamoCatalogue, DynamoLimits, Tables, connect};
use mostrador_search::{embedder, load::Loader};
use mostrador_search_function::{Deps, handle};
use mostrador_web::{Environment, Gate, lambda, logging};

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
    let limits = Arc::new(DynamoLimits::new(client.clone(), &tables.limits));
    let gate = Gate::from_environment(&environment, limits, None)?;
    let catalogue = Arc::new(DynamoCatalogue::new(client, &tables.catalogue));
    let policy = mostrador_llm::policy(&|name| environment.text(name))?;
    lambda::run(
        Deps {
            gate,
            retrieval: Retrieval { index, catalogue },
            policy,
        },
        handle,
    )
    .await
}
