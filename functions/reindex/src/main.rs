//! The `reindex` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use mostrador_dynamodb::{DynamoCatalogue, TableNames, connect};
use mostrador_reindex::{Deps, changes::Event, reindex};
use mostrador_search::{embedder, store::S3Store};
use mostrador_web::{Environment, logging};
use time::OffsetDateTime;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    logging::start();
    let environment = Environment::of_process();
    let tables = TableNames::from_variables(|name| environment.text(name));
    let bucket = environment.required("INDEX_BUCKET", "the search index is published to it")?;
    let aws = aws_config::load_defaults(BehaviorVersion::latest()).await;
    let deps = &Deps {
        catalogue: DynamoCatalogue::new(connect(&aws), &tables.catalogue),
        store: Arc::new(S3Store::connect(&aws, &bucket)),
        embedder: embedder::configured(&|name| std::env::var(name).ok())?,
    };
    run(service_fn(move |event: LambdaEvent<Event>| async move {
        let published = reindex(deps, &event.payload, OffsetDateTime::now_utc()).await?;
        tracing::info!(build_id = published, "the index is up to date");
        Ok::<_, Error>(serde_json::json!({"published": published}))
    }))
    .await
}
