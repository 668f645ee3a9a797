//! The `page` function.

use mostrador_page::{Deps, handle};
use mostrador_web::{Environment, lambda, logging};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda::Error> {
    logging::start();
    let deps = Deps::wire(&Environment::of_process())?;
    lambda::run(deps, handle).await
}
