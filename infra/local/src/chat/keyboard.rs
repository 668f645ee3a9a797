//! What the customer types, and where the answers are printed: the terminal itself.

use std::{
    io::{IsTerminal, Write},
    sync::{Arc, atomic::Ordering, mpsc},
    thread,
};

use anyhow::Context;
use async_trait::async_trait;
use rustyline::{DefaultEditor, ExternalPrinter, error::ReadlineError};

use super::screen::{Columns, Screen, Style};

/// Where a conversation's lines come from.
#[async_trait]
pub(super) trait Keyboard: Send {
    /// The next line that is typed; `None` where the customer leaves.
    async fn line(&mut self, prompt: &str) -> anyhow::Result<Option<String>>;

    /// Comes back when the customer wants the answer to stop that is coming.
    async fn interrupted(&mut self);
}

/// Lines that are edited at a terminal, or come from a file.
pub(super) struct Terminal {
    prompts: mpsc::Sender<String>,
    lines: tokio::sync::mpsc::Receiver<Result<String, ReadlineError>>,
    is_terminal: bool,
}

/// The program's own terminal.
pub(super) fn open() -> anyhow::Result<(Terminal, Screen)> {
    let mut editor = DefaultEditor::new()?;
    let columns = Columns::default();
    let screen = match editor.create_external_printer() {
        Ok(printer) => Screen::new(
            Box::new(AbovePrompt(printer)),
            Style::of_terminal(Arc::clone(&columns)),
        ),
        Err(_) => Screen::new(Box::new(std::io::stdout()), Style::default()),
    };
    measure(&mut editor, &columns);
    let (prompts, asked) = mpsc::channel::<String>();
    let (typed, lines) = tokio::sync::mpsc::channel(1);
    // A read of the terminal cannot be cancelled: it has a thread of its own, which ends with the program.
    thread::spawn(move || {
        for prompt in asked {
            measure(&mut editor, &columns);
            let line = editor.readline(&prompt);
            if let Ok(line) = &line {
                let _ = editor.add_history_entry(line.trim());
            }
            if typed.blocking_send(line).is_err() {
                return;
            }
        }
    });
    let terminal = Terminal {
        prompts,
        lines,
        is_terminal: std::io::stdin().is_terminal(),
    };
    Ok((terminal, screen))
}

fn measure(editor: &mut DefaultEditor, columns: &Columns) {
    let (width, _) = editor.dimensions().unwrap_or_default();
    columns.store(usize::from(width), Ordering::Relaxed);
}

#[async_trait]
impl Keyboard for Terminal {
    async fn line(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        self.prompts.send(prompt.to_owned())?;
        // At its own prompt, a terminal gives Ctrl-C as a key.
        let is_terminal = self.is_terminal;
        let line = tokio::select! {
            line = self.lines.recv() => line.context("the terminal is not read any more")?,
            _ = tokio::signal::ctrl_c(), if !is_terminal => return Ok(None),
        };
        match line {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn interrupted(&mut self) {
        // Where no signal can be heard, none stops an answer.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}

/// Prints above the line that is being typed.
struct AbovePrompt<P>(P);

impl<P: ExternalPrinter> Write for AbovePrompt<P> {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        let printed = self.0.print(String::from_utf8_lossy(text).into_owned());
        printed.map_err(std::io::Error::other)?;
        Ok(text.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
