//! The `project` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use mostrador_core::projection::SUMMARY_AFTER_MESSAGES;
use mostrador_dynamodb::{DynamoLog, DynamoView, Tables, connect};
use mostrador_project::{Deps, handle};
use mostrador_web::{Environment, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    logging::start();
    let environment = Environment::of_process();
    let tables = Tables::from_variables(|name| environment.text(name))?;
    let aws = aws_config::load_defaults(BehaviorVersion::latest()).await;
    let client = connect(&aws);
    let deps = Deps {
        log: Arc::new(DynamoLog::new(client.clone(), &tables)),
        view: Arc::new(DynamoView::new(client, &tables)),
        summary_after_messages: environment.parsed(
            "SUMMARY_AFTER_MESSAGES",
            SUMMARY_AFTER_MESSAGES,
            "a number of messages",
        )?,
    };
    lambda::run_events(deps, handle).await
}
