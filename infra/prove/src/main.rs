//! `prove`: what is promised of the product, tried and measured. What a shop runs has none of it.

mod bench;
mod chaos;
mod cli;
mod dialogues;
mod quality;

use std::process::ExitCode;

use clap::Parser;

use cli::{BenchCommand, Cli, Command};

/// A turn allocates some thousands of small pieces.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let Cli { command } = Cli::parse();
    let minds_ctrl_c = matches!(command, Command::Serve(_));
    mostrador_local::run(perform(command), minds_ctrl_c)
}

async fn perform(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Chaos(options) => {
            tokio::task::spawn_blocking(move || chaos::chaos(&options)).await?
        }
        Command::Quality(options) => quality::quality(options).await,
        Command::Dialogues(options) => dialogues::dialogues(&options).await,
        Command::Bench(options) => match options.command {
            None => bench::bench(&options.product).await,
            Some(BenchCommand::Stream(options)) => bench::stream::bench(&options).await,
            Some(BenchCommand::Index(options)) => bench::index::bench(options).await,
            Some(BenchCommand::Slots) => bench::slots::bench(),
        },
        Command::Serve(options) => mostrador_local::serve::serve(options).await,
    }
}
