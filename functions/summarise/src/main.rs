//! The `summarise` function.

use std::sync::Arc;

use aws_config::BehaviorVersion;
use mostrador_core::projection::{SUMMARY_CHARS, Summariser};
use mostrador_dynamodb::{DynamoLog, DynamoView, Tables, connect};
use mostrador_summarise::{Deps, handle};
use mostrador_web::{Environment, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    logging::start();
    let environment = Environment::of_process();
    let tables = Tables::from_variables(|name| environment.text(name))?;
    let aws = aws_config::load_defaults(BehaviorVersion::latest()).await;
    let client = connect(&aws);
    let setting = |name: &str| environment.text(name);
    let policy = mostrador_llm::policy(&setting)?;
    let model = mostrador_llm::model(&policy, &setting).await?;
    let summariser = Summariser {
        log: Arc::new(DynamoLog::new(client.clone(), &tables)),
        view: Arc::new(DynamoView::new(client, &tables)),
        model,
        policy,
        max_chars: SUMMARY_CHARS,
    };
    lambda::run_events(Deps { summariser }, handle).await
}
