//! The `stream` function.

use mostrador_stream::{Deps, handle};
use mostrador_web::{lambda, logging};
use mostrador_wiring::Wiring;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda::Error> {
    logging::start();
    let wiring = Wiring::of_function().await?;
    lambda::run_streaming(Deps::wire(&wiring).await?, handle).await
}
