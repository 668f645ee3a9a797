//! The `erase` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use mostrador_core::{actions::Counter, erasure::Erasure};
use mostrador_dynamodb::{
    DynamoCatalogue, DynamoEraser, DynamoLimits, DynamoLog, DynamoPurchases, Tables, connect,
};
use mostrador_erase::{Deps, handle};
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
    let gate = Gate::from_environment(&environment, limits, None)?;
    let catalogue = Arc::new(DynamoCatalogue::new(client.clone(), &tables.catalogue));
    let purchases = Arc::new(DynamoPurchases::new(client.clone(), &tables));
    let files = environment.required("FILES_BUCKET", "documents are erased from it")?;
    let shelves = S3Shelves::new(S3Store::connect(&aws, &files), Arc::new(SystemClock));
    let erasure = Erasure {
        log: Arc::new(DynamoLog::new(client.clone(), &tables)),
        counter: Counter {
            catalogue,
            purchases,
            clock: Arc::new(SystemClock),
            order_total_max: None,
            shop: Arc::default(),
        },
        shelves: Arc::new(shelves),
        eraser: Arc::new(DynamoEraser::new(client, &tables)),
    };
    lambda::run(Deps { gate, erasure }, handle).await
}
