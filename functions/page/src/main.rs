//! The `page` function.

use std::sync::Arc;

use mostrador_page::{Deps, StreamUrl, handle};
use mostrador_web::{Environment, Gate, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    logging::start();
    let deps = Deps {
        gate: Gate::open(),
        stream_url: StreamUrl::from_environment(&Environment::of_process())?,
    };
    lambda::run(deps, |deps: Arc<Deps>, request| handle(deps, request)).await
}
