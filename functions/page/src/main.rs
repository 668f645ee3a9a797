//! The `page` function.

use std::sync::Arc;

use mostrador_page::{Deps, Elsewhere, handle};
use mostrador_web::{Environment, Gate, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    logging::start();
    let environment = Environment::of_process();
    let deps = Deps {
        gate: Gate::open(),
        stream_url: Elsewhere::from_environment(&environment, "STREAM_URL")?,
        upload_url: Elsewhere::from_environment(&environment, "UPLOAD_URL")?,
    };
    lambda::run(deps, |deps: Arc<Deps>, request| handle(deps, request)).await
}
