//! The `history` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use mostrador_core::history::{Exporter, History};
use mostrador_dynamodb::{
    DynamoIdempotency, DynamoLimits, DynamoLog, DynamoPurchases, DynamoView, Tables, connect,
};
use mostrador_history::{Deps, handle};
use mostrador_search::{files::S3Shelves, store::S3Store};
use mostrador_web::{Environment, Gate, SystemClock, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    logging::start();
    let environment = Environment::of_process();
    let tables = Tables::from_variables(|name| environment.text(name))?;
    let aws = aws_config::load_defaults(BehaviorVersion::latest()).await;
    let client = connect(&aws);
    let limits = Arc::new(DynamoLimits::new(client.clone(), &tables.limits));
    let idempotency = Arc::new(DynamoIdempotency::new(client.clone(), &tables.limits));
    let gate = Gate::from_environment(&environment, limits, Some(idempotency))?;
    let log = Arc::new(DynamoLog::new(client.clone(), &tables));
    let view = Arc::new(DynamoView::new(client.clone(), &tables));
    let purchases = Arc::new(DynamoPurchases::new(client, &tables));
    let files = environment.required("FILES_BUCKET", "documents are listed in an export")?;
    let shelves = S3Shelves::new(S3Store::connect(&aws, &files), Arc::new(SystemClock));
    let deps = Deps {
        gate,
        history: History {
            log: log.clone(),
            view: view.clone(),
            clock: Arc::new(SystemClock),
        },
        exporter: Exporter {
            log,
            view,
            purchases,
            shelves: Arc::new(shelves),
        },
    };
    lambda::run(deps, handle).await
}
