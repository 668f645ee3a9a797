//! The loop: a line is read, and is a command or a message.

use std::sync::Arc;

use mostrador_core::{
    language::{Arguments, Language},
    shop::Profile,
};
use reqwest::StatusCode;
use serde_json::Value;

use super::{
    client::Client, failure::Failure, files, kept, keyboard::Keyboard, person::Person,
    screen::Screen, shop, text, turn::Turn,
};
use crate::cli::ChatOptions;

/// What ends it, as Ctrl-D does.
const LEAVING: [&str; 3] = ["/q", "/quit", "/exit"];

/// Talks until the customer leaves. Where nobody answers at the start, the error is for the customer.
pub(super) async fn converse(
    options: &ChatOptions,
    mut keyboard: impl Keyboard,
    screen: Screen,
) -> anyhow::Result<()> {
    let mut conversation = Conversation::begin(options, Arc::new(screen)).await?;
    while let Some(line) = keyboard.line(&conversation.prompt()).await? {
        let line = line.trim();
        if LEAVING.contains(&line) {
            break;
        }
        if !line.is_empty() {
            conversation.take(line, &mut keyboard).await;
        }
    }
    Ok(())
}

struct Conversation {
    client: Client,
    shop: Profile,
    screen: Arc<Screen>,
    /// Whether it was printed that a machine answers.
    is_noticed: bool,
    /// Its number, where it is kept.
    number: Option<u64>,
    /// The last message of it that is printed.
    seen: Option<u64>,
    person: Option<Person>,
}

impl Conversation {
    async fn begin(options: &ChatOptions, screen: Arc<Screen>) -> anyhow::Result<Self> {
        let client = Client::new(&options.url, options.language());
        let shop = match shop::fetch(&client).await {
            Ok(shop) => shop,
            Err(Failure::Unreachable(_)) => {
                let at = [("url", (&client.url).into())];
                anyhow::bail!(client.language.terminal("nobody-there", &at));
            }
            Err(failure) => anyhow::bail!(failure.message(client.language, &client.url)),
        };
        let mut conversation = Self {
            client,
            shop,
            screen,
            is_noticed: false,
            number: None,
            seen: None,
            person: None,
        };
        let (name, url) = (&conversation.shop.name, &conversation.client.url);
        let arguments = [("shop", name.into()), ("url", url.into())];
        conversation.say("welcome", &arguments);
        if let Some(name) = &options.login {
            conversation.sign_in(name).await;
        }
        conversation.screen.set_apart();
        Ok(conversation)
    }

    fn language(&self) -> Language {
        self.client.language
    }

    fn prompt(&self) -> String {
        let guest = || self.language().terminal("guest", &[]);
        format!("{} › ", self.client.user.clone().unwrap_or_else(guest))
    }

    fn say(&self, key: &str, arguments: &Arguments<'_>) {
        self.screen.print(&self.language().terminal(key, arguments));
    }

    fn say_failure(&self, failure: &Failure) {
        self.screen.print(&self.words_of(failure));
    }

    fn words_of(&self, failure: &Failure) -> String {
        failure.message(self.language(), &self.client.url)
    }

    /// Does what a line wants, unless the customer stops it.
    async fn take(&mut self, line: &str, keyboard: &mut impl Keyboard) {
        if line.starts_with('/') {
            tokio::select! {
                () = self.obey(line) => {}
                () = keyboard.interrupted() => {}
            }
        } else {
            self.ask(line, keyboard).await;
        }
        self.screen.set_apart();
    }

    async fn ask(&mut self, message: &str, keyboard: &mut impl Keyboard) {
        let client = &self.client;
        let mut turn = Turn::new(client.language, &self.shop, &self.screen, self.is_noticed);
        tokio::select! {
            () = turn.ask(client, message) => {}
            () = keyboard.interrupted() => turn.stop(client).await,
        }
        self.is_noticed = turn.is_noticed;
        let person = turn.person.take();
        self.number = turn.conversation.or(self.number);
        self.seen = turn.message_id.or(self.seen);
        if !turn.is_answered() {
            return;
        }
        // What was brought is sent once; who is signed in has the rest in the log.
        self.client.context = turn.context.take();
        match person {
            Some(back) => self.follow_person(&back),
            None => self.person = None,
        }
    }

    /// A person of the shop has the word, until the customer says `back`.
    fn follow_person(&mut self, back: &str) {
        if self.person.as_ref().is_some_and(Person::is_there) {
            let reads = self.language().terminal("person-reads", &[]);
            return self.screen.print_dim(&reads);
        }
        let arguments = [("back", back.into())];
        let with_person = self.language().terminal("with-person", &arguments);
        self.screen.print_dim(&with_person);
        self.person = self.number.map(|number| {
            let screen = Arc::clone(&self.screen);
            Person::follow(self.client.clone(), screen, number, self.seen)
        });
    }

    /// Runs a line's command.
    async fn obey(&mut self, line: &str) {
        let (command, argument) = line.split_once(' ').unwrap_or((line, ""));
        let argument = argument.trim();
        match command {
            "/help" => self.say("help", &[]),
            "/login" if argument.is_empty() => self.sign_out(),
            "/login" => self.sign_in(argument).await,
            "/clear" => self.clear().await,
            "/attach" => match files::attach(&mut self.client, argument).await {
                Ok(message) => self.screen.print(&message),
                Err(failure) => self.say_why("not-attached", &failure),
            },
            "/forget" => match files::forget(&mut self.client, argument).await {
                Ok(0) => self.say("no-such-document", &[]),
                Ok(_) => self.say("document-gone", &[("name", argument.into())]),
                Err(failure) => self.say_why("document-not-gone", &failure),
            },
            "/detach" => {
                self.client.attached.clear();
                self.say("detached", &[]);
            }
            "/files" => self.print(files::list(&self.client).await),
            "/db" if self.client.user.is_some() => {
                self.print(kept::all(&self.client, &self.shop).await);
            }
            "/state" if self.client.user.is_some() => {
                self.print(kept::state(&self.client).await);
            }
            "/db" | "/state" => self.say("nothing-of-guests", &[]),
            _ => self.say("no-such-command", &[]),
        }
    }

    fn print(&self, lines: Result<Vec<String>, Failure>) {
        match lines {
            Ok(lines) => self.screen.print(&lines.join("\n")),
            Err(failure) => self.say_failure(&failure),
        }
    }

    /// Prints the message `key` with what went wrong.
    fn say_why(&self, key: &str, failure: &Failure) {
        let error = self.words_of(failure);
        self.say(key, &[("error", (&error).into())]);
    }

    async fn sign_in(&mut self, name: &str) {
        match self.client.sign_in(name).await {
            Ok(()) => self.say("signed-in", &[("name", name.into())]),
            // Only the local product takes a name for a sign-in.
            Err(failure) if is_unknown(&failure) => return self.say("no-sign-in", &[]),
            Err(failure) => return self.say_why("not-signed-in", &failure),
        }
        self.forget_place();
        if let Ok(page) = self.client.get("/api/agent/history/?limit=1").await {
            self.resume(&page);
        }
    }

    /// Goes on with the conversation whose last message is given.
    fn resume(&mut self, page: &Value) {
        let conversation = &page["conversation"];
        let last = page["messages"].as_array().and_then(|all| all.last());
        let Some(last) = last else {
            return;
        };
        self.number = conversation["id"].as_u64();
        self.seen = last["id"].as_u64();
        let title = text(&conversation["title"]);
        self.say("resumed", &[("title", (&title).into())]);
        if conversation["with_person"] == true {
            let back = self.language().message("person-back", &[]);
            self.follow_person(&back);
        }
    }

    fn sign_out(&mut self) {
        self.client.sign_out();
        self.client.context = None;
        self.forget_place();
        self.say("signed-out", &[]);
    }

    async fn clear(&mut self) {
        if self.client.user.is_some()
            && let Err(failure) = self.client.delete("/api/agent/history/").await
        {
            return self.say_failure(&failure);
        }
        self.client.context = None;
        self.forget_place();
        self.say("new-conversation", &[]);
    }

    /// What comes is another conversation.
    fn forget_place(&mut self) {
        self.is_noticed = false;
        self.number = None;
        self.seen = None;
        self.person = None;
    }
}

fn is_unknown(failure: &Failure) -> bool {
    let is_missing = failure.status() == Some(StatusCode::NOT_FOUND);
    is_missing || matches!(failure, Failure::Foreign)
}
