//! The `page` function.

use std::sync::Arc;

use mostrador_page::{Deps, handle};
use mostrador_web::{Gate, lambda, logging};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    logging::start();
    lambda::run(Deps { gate: Gate::open() }, |deps: Arc<Deps>, request| {
        handle(deps, request)
    })
    .await
}
