//! The `actions` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use mostrador_actions::{Deps, handle};
use mostrador_core::actions::{Counter, approvals::Approvals};
use mostrador_dynamodb::{
    DynamoCatalogue, DynamoIdempotency, DynamoLimits, DynamoLog, DynamoPurchases, Tables, connect,
};
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
    let gate = Gate::from_environment(&environment, limits, Some(idempotency.clone()))?;
    let catalogue = Arc::new(DynamoCatalogue::new(client.clone(), &tables.catalogue));
    let purchases = Arc::new(DynamoPurchases::new(client.clone(), &tables));
    let counter = Counter {
        catalogue,
        purchases,
        clock: Arc::new(SystemClock),
        order_total_max: environment.amount("ORDER_TOTAL_MAX")?,
        shop: Arc::default(),
    };
    let approvals = Approvals {
        log: Arc::new(DynamoLog::new(client, &tables)),
        idempotency,
        counter,
    };
    lambda::run(Deps { gate, approvals }, handle).await
}
