//! `mostrador`: the whole product on this machine.

/// A turn allocates some thousands of small pieces.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    mostrador_local::command_line()
}
