//! The `project` function.

use mostrador_project::{Deps, handle};
use mostrador_web::lambda;
use mostrador_wiring::Wiring;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda::Error> {
    let wiring = Wiring::of_function().await?;
    lambda::run_events(Deps::wire(&wiring)?, handle).await
}
