//! `mostrador chat`: a conversation in the terminal, with a Mostrador that runs somewhere.

mod client;
mod conversation;
mod failure;
mod files;
mod kept;
mod keyboard;
mod list;
mod person;
mod screen;
mod shop;
#[cfg(test)]
mod tests;
mod turn;

use serde_json::Value;

use crate::cli::ChatOptions;

pub(crate) async fn chat(options: ChatOptions) -> anyhow::Result<()> {
    let (keyboard, screen) = keyboard::open()?;
    conversation::converse(&options, keyboard, screen).await
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
