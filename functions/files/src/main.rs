//! The `files` function.

use mostrador_files::{Deps, handle, reads_pdf};
use mostrador_web::lambda;
use mostrador_wiring::Wiring;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda::Error> {
    if reads_pdf() {
        return Ok(());
    }
    let wiring = Wiring::of_function().await?;
    let files = wiring.files(wiring.index().await?)?;
    lambda::run(Deps::wire(&wiring, files)?, handle).await
}
