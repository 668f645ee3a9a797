//! The whole product on this machine, and the command line around it.
//!
//! `mostrador` is [`command_line`] and nothing else. What tries and measures the product is a program of its own beside it
//! (`infra/prove`), which opens the same [`stores`] and the same [`shop`].

#![expect(
    clippy::missing_errors_doc,
    reason = "an error ends the command, whatever it is"
)]

mod business;
mod chat;
mod cli;
mod describe;
pub mod embedder;
pub mod import;
pub mod index;
mod owner;
pub mod profile;
mod program;
pub mod secret;
mod seed;
pub mod serve;
pub mod shop;
mod sockets;
pub mod stores;
pub mod streams;

use std::process::ExitCode;

use clap::Parser;

use cli::{BusinessCommand, Cli, Command, IndexCommand, ShopCommand};

pub use cli::{ServeOptions, StoreOptions};
pub use program::run;

/// Runs the program's arguments.
#[must_use]
pub fn command_line() -> ExitCode {
    // As the function does that reads documents.
    if mostrador_files::reads_pdf() {
        return ExitCode::SUCCESS;
    }
    let command = Cli::parse().command;
    let command = command.unwrap_or(Command::Serve(ServeOptions::default()));
    let minds_ctrl_c = matches!(command, Command::Serve(_) | Command::Chat(_));
    run(perform(command), minds_ctrl_c)
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
        },
        Command::Shop { command } => match command {
            ShopCommand::Check(options) => profile::check(&options),
            ShopCommand::Publish(options) => profile::publish(options).await,
        },
        Command::Business { command } => match command {
            BusinessCommand::Check(options) => business::check(&options),
            BusinessCommand::Import(options) => business::import(options).await,
        },
        Command::Token(options) => secret::print_token(&options),
        Command::Openapi => describe::print(),
        Command::RebuildView(options) => owner::rebuild_view(options).await,
        Command::Replay(options) => owner::print_replay(options).await,
        Command::Export(options) => owner::export(options).await,
        Command::Erase(options) => owner::erase(options).await,
    }
}
