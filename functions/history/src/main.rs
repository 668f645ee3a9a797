//! The `history` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use mostrador_core::history::History;
use mostrador_dynamodb::{DynamoIdempotency, DynamoLimits, DynamoLog, TableNames, connect};
use mostrador_history::{Deps, handle};
use mostrador_web::{Environment, Gate, SystemClock, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    logging::start();
    let environment = Environment::of_process();
    let tables = TableNames::from_variables(|name| environment.text(name));
    let aws = aws_config::load_defaults(BehaviorVersion::latest()).await;
    let client = connect(&aws);
    let limits = Arc::new(DynamoLimits::new(client.clone(), &tables.limits));
    let idempotency = Arc::new(DynamoIdempotency::new(client.clone(), &tables.limits));
    let gate = Gate::from_environment(&environment, limits, Some(idempotency))?;
    let history = History {
        log: Arc::new(DynamoLog::new(client, &tables)),
        clock: Arc::new(SystemClock),
    };
    lambda::run(Deps { gate, history }, handle).await
}
