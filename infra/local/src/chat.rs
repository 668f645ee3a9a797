//! `mostrador chat`: a conversation in the terminal, with a Mostrador that runs somewhere.

mod client;
mod files;
mod turn;

use std::io::Write;

use anyhow::Context;
use mostrador_core::language::Language;
use rustyline::{DefaultEditor, error::ReadlineError};
use serde_json::{Value, json};

use crate::cli::ChatOptions;
use client::Client;
use turn::Turn;

pub(crate) async fn chat(options: ChatOptions) -> anyhow::Result<()> {
    let mut client = Client::new(&options.url, options.language);
    client.check().await.with_context(|| {
        format!(
            "no Mostrador answers at {}: start one with `cargo run`, or name another with --url",
            options.url
        )
    })?;
    if let Some(name) = &options.login {
        sign_in(&mut client, name).await;
    }
    let language = options.language;
    print_text(&language.terminal("welcome", &[("url", (&options.url).into())]));
    let guest = language.terminal("guest", &[]);
    let mut editor = DefaultEditor::new()?;
    let mut approval = None;
    let mut is_noticed = false;
    loop {
        let prompt = format!("{} › ", client.user.as_deref().unwrap_or(&guest));
        let line = match tokio::task::block_in_place(|| editor.readline(&prompt)) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let _ = editor.add_history_entry(line);
        // Each of these begins another conversation.
        is_noticed &= !line.starts_with("/login") && !line.starts_with("/clear");
        let mut turn = Turn::new(language, is_noticed);
        tokio::select! {
            goes_on = obey((&mut client, approval.take()), &mut turn, line) => if !goes_on { return Ok(()) },
            _ = tokio::signal::ctrl_c() => turn.stop(&client).await,
        }
        // What was brought is sent once; who is signed in has the rest in the log.
        if turn.is_answered() {
            client.context = turn.context.take();
        }
        approval = turn.approval;
        is_noticed = turn.is_noticed;
    }
}

/// Runs a line's command, and returns whether the conversation goes on.
async fn obey(
    (client, approval): (&mut Client, Option<Value>),
    turn: &mut Turn,
    line: &str,
) -> bool {
    let (command, argument) = line.split_once(' ').unwrap_or((line, ""));
    let language = client.language;
    match command {
        "/quit" | "/exit" => return false,
        "/help" => print_text(&language.terminal("help", &[])),
        "/login" => match argument.trim() {
            "" => client.sign_out(),
            name => sign_in(client, name).await,
        },
        "/clear" => print_answer(client.delete("/api/agent/history/").await, |_| {
            language.terminal("new-conversation", &[])
        }),
        "/attach" => files::attach(client, argument.trim()).await,
        "/forget" => files::forget(client, argument.trim()).await,
        "/detach" => client.attached.clear(),
        "/files" => print_answer(files::list(client).await, |body| {
            files::listed(body, client)
        }),
        "/db" => belongings(client).await,
        "/yes" => decide(client, "approve", approval).await,
        "/no" => decide(client, "reject", approval).await,
        "/state" => state(client).await,
        command if command.starts_with('/') => {
            print_text(&language.terminal("no-such-command", &[]))
        }
        _ => turn.ask(client, line).await,
    }
    true
}

async fn sign_in(client: &mut Client, name: &str) {
    let language = client.language;
    match client.sign_in(name).await {
        Ok(()) => print_text(&language.terminal("signed-in", &[("name", name.into())])),
        Err(error) => print_failure(language, "not-signed-in", &error),
    }
}

async fn decide(client: &Client, decision: &str, approval: Option<Value>) {
    let Some(approval) = approval else {
        print_text(&client.language.terminal("nothing-to-decide", &[]));
        return;
    };
    let body = json!({"action": decision, "payload": {"approval": approval}});
    let decided = client.post("/api/agent/actions/", &body).await;
    print_answer(decided, |body| text(&body["message"]));
}

async fn belongings(client: &Client) {
    for action in ["view_cart", "list_reservations", "list_orders"] {
        print_answer(
            client
                .post("/api/agent/actions/", &json!({"action": action}))
                .await,
            |body| {
                let mut lines = vec![text(&body["message"])];
                lines.extend(
                    body["results"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .map(|entry| format!("    {entry}")),
                );
                lines.join("\n")
            },
        );
    }
}

async fn state(client: &Client) {
    if client.user.is_none() {
        print_text(&client.language.terminal("state-of-guests", &[]));
        return;
    }
    print_answer(client.get("/api/agent/status/").await, |status| {
        let (model, index) = (status["llm"].to_string(), status["retrieval"].to_string());
        let arguments = [("model", (&model).into()), ("index", (&index).into())];
        client.language.terminal("state", &arguments)
    });
    print_answer(client.get("/api/agent/history/?limit=1").await, |page| {
        let number = page["conversation"].to_string();
        let arguments = [("number", (&number).into())];
        client.language.terminal("state-conversation", &arguments)
    });
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn print_answer(answer: anyhow::Result<Value>, render: impl FnOnce(&Value) -> String) {
    match answer {
        Ok(body) => print_text(&render(&body)),
        Err(error) => print_text(&format!("{error:#}")),
    }
}

/// Prints the message `key` with what went wrong.
fn print_failure(language: Language, key: &str, error: &anyhow::Error) {
    let error = format!("{error:#}");
    print_text(&language.terminal(key, &[("error", (&error).into())]));
}

fn print_text(text: &str) {
    // A terminal that is gone is noticed at the next prompt.
    let _ = writeln!(std::io::stdout(), "{text}");
}
