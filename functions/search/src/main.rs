//! The `search` function.

use mostrador_search_function::{Deps, handle};
use mostrador_web::lambda;
use mostrador_wiring::Wiring;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda::Error> {
    let wiring = Wiring::of_function().await?;
    // Before anything else: the index is the longest part of a cold start.
    let (index, shop) = tokio::try_join!(wiring.index(), wiring.shop())?;
    let retrieval = wiring.retrieval(index, shop.clone());
    lambda::run(Deps::wire(&wiring, retrieval, shop)?, handle).await
}
