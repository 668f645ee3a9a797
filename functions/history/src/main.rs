//! The `history` function.

use std::sync::Arc;

use mostrador_core::history::History;
use mostrador_dynamodb::{
    Connection, DynamoIdempotency, DynamoLimits, DynamoLog, TableNames, connect,
};
use mostrador_history::{Deps, handle};
use mostrador_web::{Environment, Gate, SystemClock, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    logging::start();
    let environment = Environment::of_process();
    let tables = TableNames::from_variables(|name| environment.text(name));
    let client = connect(&Connection::Environment).await;
    let limits = Arc::new(DynamoLimits::new(client.clone(), &tables.limits));
    let idempotency = Arc::new(DynamoIdempotency::new(client.clone(), &tables.limits));
    let gate = Gate::from_environment(&environment, limits, Some(idempotency))?;
    let history = History {
        log: Arc::new(DynamoLog::new(client, &tables.events)),
        clock: Arc::new(SystemClock),
    };
    lambda::run(Deps { gate, history }, handle).await
}
