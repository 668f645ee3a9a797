//! The `stream` function.

use mostrador_stream::{Deps, handle};
use mostrador_web::{lambda, logging};
use mostrador_wiring::Wiring;

/// A turn allocates some thousands of small pieces.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda::Error> {
    logging::start();
    let wiring = Wiring::of_function().await?;
    lambda::run_streaming(Deps::wire(&wiring).await?, handle).await
}
