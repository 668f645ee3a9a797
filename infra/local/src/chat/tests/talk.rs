//! A customer who types, and reads what is printed.

use std::{
    io::Write,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use clap::Parser;
use tokio::{
    sync::{Notify, mpsc},
    task::JoinHandle,
    time::timeout,
};

use super::super::{
    conversation::converse,
    keyboard::Keyboard,
    screen::{Screen, Style},
};
use crate::cli::{ChatOptions, Cli, Command};

const WITHIN: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What was printed.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Printed(Arc<Mutex<Vec<u8>>>);

impl Printed {
    /// Since it was read last.
    pub(in super::super) fn text(&self) -> String {
        let mut printed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8(std::mem::take(&mut printed)).expect("text")
    }
}

impl Write for Printed {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        let mut printed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        printed.extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Something to print on, and what is printed there.
pub(in super::super) fn paper() -> (Box<dyn Write + Send>, Printed) {
    let printed = Printed::default();
    (Box::new(printed.clone()), printed)
}

/// The options of a command line.
pub(super) fn options(url: &str, language: &str, login: Option<&str>) -> ChatOptions {
    let mut line = vec!["mostrador", "chat", "--url", url, "--language", language];
    line.extend(login.into_iter().flat_map(|name| ["--login", name]));
    match Cli::parse_from(line).command {
        Some(Command::Chat(options)) => options,
        other => panic!("{other:?}"),
    }
}

struct Typist {
    lines: mpsc::Receiver<String>,
    prompts: mpsc::Sender<String>,
    interrupt: Arc<Notify>,
}

#[async_trait]
impl Keyboard for Typist {
    async fn line(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        self.prompts.send(prompt.to_owned()).await?;
        Ok(self.lines.recv().await)
    }

    async fn interrupted(&mut self) {
        self.interrupt.notified().await;
    }
}

#[derive(Debug)]
pub(super) struct Talk {
    lines: mpsc::Sender<String>,
    prompts: mpsc::Receiver<String>,
    interrupt: Arc<Notify>,
    printed: Printed,
    looping: JoinHandle<anyhow::Result<()>>,
}

/// The loop up to its first prompt; its error where it does not come to one.
pub(super) async fn begin(options: ChatOptions) -> anyhow::Result<Talk> {
    let (lines, typed) = mpsc::channel(1);
    let (asked, mut prompts) = mpsc::channel(1);
    let interrupt = Arc::new(Notify::new());
    let typist = Typist {
        lines: typed,
        prompts: asked,
        interrupt: Arc::clone(&interrupt),
    };
    let (out, printed) = paper();
    let screen = Screen::new(out, Style::default());
    let looping = tokio::spawn(async move { converse(&options, typist, screen).await });
    if timeout(WITHIN, prompts.recv()).await?.is_none() {
        looping.await??;
        anyhow::bail!("it ended by itself");
    }
    Ok(Talk {
        lines,
        prompts,
        interrupt,
        printed,
        looping,
    })
}

impl Talk {
    pub(super) async fn begin(options: ChatOptions) -> Self {
        begin(options).await.expect("a prompt")
    }

    /// What was printed since it was read last, without empty lines at its ends.
    pub(super) fn printed(&self) -> String {
        self.printed.text().trim_matches('\n').to_owned()
    }

    /// Types a line, and reads what is printed up to the next prompt.
    pub(super) async fn say(&mut self, line: &str) -> String {
        self.type_in(line).await;
        self.next_prompt().await;
        self.printed()
    }

    /// The same, but has what goes on stop.
    pub(super) async fn stop(&mut self, line: &str) -> String {
        self.type_in(line).await;
        self.interrupt.notify_one();
        self.next_prompt().await;
        self.printed()
    }

    /// Waits for what is printed by itself.
    pub(super) async fn hears(&self, expected: &str) {
        let mut printed = String::new();
        let heard = async {
            while printed.trim_matches('\n') != expected {
                tokio::time::sleep(LOOK_EVERY).await;
                printed.push_str(&self.printed.text());
            }
        };
        let in_time = timeout(WITHIN, heard).await;
        assert!(in_time.is_ok(), "{printed:?} in the place of {expected:?}");
    }

    /// Types the last line; nothing is printed any more.
    pub(super) async fn leave(self, line: &str) {
        self.type_in(line).await;
        let ended = timeout(WITHIN, self.looping).await.expect("it ends");
        ended.expect("no panic").expect("no error");
        assert_eq!(self.printed.text(), "");
    }

    async fn type_in(&self, line: &str) {
        self.lines.send(line.to_owned()).await.expect("it reads");
    }

    async fn next_prompt(&mut self) {
        let prompt = timeout(WITHIN, self.prompts.recv()).await;
        prompt.expect("a prompt in time").expect("a prompt");
    }
}
