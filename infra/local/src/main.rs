//! The whole product on this machine, and the command line around it.

mod bench;
mod chaos;
mod chat;
mod cli;
mod describe;
mod embedder;
mod import;
mod index;
mod owner;
mod quality;
mod secret;
mod seed;
mod serve;
mod shop;
mod sockets;
mod stores;
mod streams;

use clap::Parser;

use cli::{Cli, Command, IndexCommand, ServeOptions};

#[expect(clippy::print_stderr, reason = "the end of a command line")]
fn main() -> std::process::ExitCode {
    // As the function does that reads documents.
    if mostrador_files::reads_pdf() {
        return std::process::ExitCode::SUCCESS;
    }
    match run(Cli::parse()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        // Who reads what is printed has seen enough.
        Err(error) if is_broken_pipe(&error) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}

fn run(Cli { command }: Cli) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let command = command.unwrap_or(Command::Serve(ServeOptions::default()));
    // These two mind Ctrl-C themselves.
    let minds_ctrl_c = matches!(command, Command::Serve(_) | Command::Chat(_));
    let outcome = runtime.block_on(async {
        tokio::select! {
            outcome = perform(command) => outcome,
            // Dropped, not killed, so that what was set up for a while is cleared away.
            Ok(()) = tokio::signal::ctrl_c(), if !minds_ctrl_c => Err(anyhow::anyhow!("stopped before it was done")),
        }
    });
    // A read of the terminal cannot be cancelled; it must not hold up the end.
    runtime.shutdown_background();
    outcome
}

async fn perform(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Serve(options) => serve::serve(options).await,
        Command::Chat(options) => chat::chat(options).await,
        Command::Import(options) => import::import(options).await,
        Command::Index { command } => match command {
            IndexCommand::Build(options) => index::build(options).await,
            IndexCommand::Publish(options) => index::publish(options).await,
            IndexCommand::Inspect(options) => index::inspect(options).await,
            IndexCommand::Verify(options) => index::verify(options).await,
            IndexCommand::Rollback(options) => index::rollback(options).await,
            IndexCommand::Bench(options) => bench::index::bench(options).await,
        },
        Command::Token(options) => secret::print_token(&options),
        Command::Openapi => describe::print(),
        Command::Quality(options) => quality::quality(options.misses).await,
        Command::Bench(options) => bench::bench(options).await,
        Command::RebuildView(options) => owner::rebuild_view(options).await,
        Command::Replay(options) => owner::print_replay(options).await,
        Command::Export(options) => owner::export(options).await,
        Command::Erase(options) => owner::erase(options).await,
        Command::Chaos(options) => {
            tokio::task::spawn_blocking(move || chaos::chaos(&options)).await?
        }
    }
}
