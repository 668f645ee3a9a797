//! The `chat` function.

use mostrador_chat::{Deps, handle};
use mostrador_web::{lambda, logging};
use mostrador_wiring::Wiring;

/// A turn allocates some thousands of small pieces.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda::Error> {
    logging::start();
    let wiring = Wiring::of_function().await?;
    // Before anything else: the index is the longest part of a cold start.
    let (index, shop) = tokio::try_join!(wiring.index(), wiring.shop())?;
    let files = wiring.files(index.clone())?;
    let engine = wiring.turn_engine(index, files, shop).await?;
    lambda::run(Deps::wire(&wiring, engine)?, handle).await
}
