//! The `chat` function.

use mostrador_chat::{Deps, handle};
use mostrador_web::lambda;
use mostrador_wiring::Wiring;

/// A turn allocates some thousands of small pieces.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda::Error> {
    let wiring = Wiring::of_function().await?;
    let engine = wiring.turn_engine_of_function().await?;
    lambda::run(Deps::wire(&wiring, engine)?, handle).await
}
