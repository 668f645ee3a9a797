//! The `staff` function.

use mostrador_staff::{Deps, handle};
use mostrador_web::lambda;
use mostrador_wiring::Wiring;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda::Error> {
    let wiring = Wiring::of_function().await?;
    lambda::run(Deps::wire(&wiring, wiring.shop().await?)?, handle).await
}
