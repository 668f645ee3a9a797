//! A question and its answer, printed as it comes.

use std::{io::IsTerminal, time::Duration};

use futures_util::{StreamExt, TryStreamExt, stream};
use mostrador_core::{language::Language, price::Price, shop::currency::Notation};
use reqwest::Response;
use serde_json::Value;
use sse_stream::SseByteStream;
use uuid::Uuid;

use super::{client::Client, files::cited, print_failure, print_text, text};

/// Before each try to resume an answer that was cut off.
const PAUSES: [Duration; 3] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
];

/// How much of a turn has been received.
#[derive(Default)]
pub(super) struct Turn {
    language: Language,
    id: Option<String>,
    after: u64,
    /// As much of the message as is printed.
    emitted: String,
    is_over: bool,
    /// Whether it was printed that a machine answers.
    pub(super) is_noticed: bool,
    /// Whether less important lines can be printed so.
    dims: bool,
    /// What the next message may go back to, where the answer has it.
    pub(super) context: Option<String>,
    /// What the customer is asked to approve.
    pub(super) approval: Option<Value>,
}

impl Turn {
    pub(super) fn new(language: Language, is_noticed: bool) -> Self {
        Self {
            language,
            is_noticed,
            ..Self::default()
        }
    }

    fn words(&self, key: &str) -> String {
        self.language.terminal(key, &[])
    }

    /// Asks, and prints what comes.
    pub(super) async fn ask(&mut self, client: &Client, message: &str) {
        self.dims = std::io::stdout().is_terminal();
        // A guest's turn is not kept, so there is no rest of it.
        let tries = if client.user.is_some() {
            &PAUSES[..]
        } else {
            &[]
        };
        let key = Uuid::now_v7().to_string();
        for pause in tries.iter().map(Some).chain([None]) {
            match self.follow(client, message, &key).await {
                Ok(()) if self.is_over => return,
                Ok(()) => {}
                // Refused, unless the turn was under way already.
                Err(error) if self.id.is_none() || pause.is_none() => {
                    return print_text(&format!("{error:#}"));
                }
                Err(_) => {}
            }
            if let Some(pause) = pause {
                tokio::time::sleep(*pause).await;
            }
        }
        if self.approval.is_none() {
            print_text(&self.words("cut-off"));
        }
    }

    /// Whether it asked, and has its answer.
    pub(super) fn is_answered(&self) -> bool {
        self.is_over
    }

    /// Ends the turn at the server too, where it is known there.
    pub(super) async fn stop(&self, client: &Client) {
        let cancelled = match &self.id {
            Some(id) if client.user.is_some() => client.cancel(id).await,
            _ => Ok(true),
        };
        match cancelled {
            Ok(true) => print_text(&self.words("stopped")),
            Ok(false) => print_text(&self.words("stopped-too-late")),
            Err(error) => print_failure(self.language, "not-stopped", &error),
        }
    }

    /// Hears what comes on one connection. Comes back with the turn not over where it was cut off.
    async fn follow(&mut self, client: &Client, message: &str, key: &str) -> anyhow::Result<()> {
        let answer = match &self.id {
            Some(id) => client.rest(id, self.after).await?,
            None => match client.ask(message, key).await? {
                Some(answer) => answer,
                None => return self.fetch_whole(client, message).await,
            },
        };
        let mut events = SseByteStream::new(bytes(answer));
        while let Ok(Some(event)) = events.try_next().await {
            let data = event.data.unwrap_or_default();
            if let Some(lines) = self.take(&serde_json::from_str(&data)?) {
                print_text(&lines);
            }
            if self.is_over {
                break;
            }
        }
        Ok(())
    }

    async fn fetch_whole(&mut self, client: &Client, message: &str) -> anyhow::Result<()> {
        let answer = client
            .post("/api/agent/", &client.question(message))
            .await?;
        if let Some(notice) = self.notice(&answer) {
            print_text(&notice);
        }
        print_text(&self.rest_of(&text(&answer["message"]), &answer));
        self.context = answer["context"].as_str().map(str::to_owned);
        let mut actions = answer["actions"].as_array().into_iter().flatten();
        let proposal = actions.find(|action| action["type"] == "approval");
        self.approval = proposal.map(|proposal| proposal["approval"].clone());
        if self.approval.is_some() {
            print_text(&self.words("yes-or-no"));
        }
        self.is_over = true;
        Ok(())
    }

    /// What an event gives to print.
    fn take(&mut self, event: &Value) -> Option<String> {
        if let Some(index) = event["event_index"].as_u64() {
            self.after = index;
        }
        match event["type"].as_str()? {
            "session_start" => {
                self.id = Some(text(&event["turn_id"]));
                return self.notice(event);
            }
            "tool_use" => {
                let (dim, plain) = if self.dims {
                    ("\u{1b}[2m", "\u{1b}[0m")
                } else {
                    ("", "")
                };
                return Some(format!("{dim}· {}{plain}", text(&event["tool_name"])));
            }
            "message_chunk" => {
                let lines = text(&event["content"]);
                self.emitted.push_str(&lines);
                return Some(lines.trim_start_matches('\n').to_owned());
            }
            name @ ("message" | "approval_requested") => {
                self.context = event["context"].as_str().map(str::to_owned);
                if name == "approval_requested" {
                    self.approval = Some(event["approval"].clone());
                } else {
                    // Only the goodbye is missing.
                    self.is_over = true;
                }
                let rest = self.rest_of(&text(&event["content"]), event);
                return Some(rest)
                    .filter(|rest| !rest.is_empty())
                    .or_else(|| self.with_person(event));
            }
            "turn_paused" => {
                self.is_over = true;
                let is_waiting = self.approval.is_some();
                return is_waiting.then(|| self.words("yes-or-no"));
            }
            "approval_resolved" => {
                // Decided by words: this turn's message has said it.
                let was_waiting = self.approval.take().is_some();
                return was_waiting.then(|| text(&event["content"]));
            }
            "error" => return Some(text(&event["message"])),
            "complete" => self.is_over = true,
            _ => {}
        }
        None
    }

    /// That a person of the shop has the word, and what brings the assistant back.
    fn with_person(&self, answer: &Value) -> Option<String> {
        let mut actions = answer["actions"].as_array()?.iter();
        let person = actions.find(|action| action["type"] == "person")?;
        let back = text(&person["back"]);
        let arguments = [("back", (&back).into())];
        Some(self.language.terminal("with-person", &arguments))
    }

    /// The notice that a machine answers, the first time.
    fn notice(&mut self, of: &Value) -> Option<String> {
        let notice = of["notice"].as_str().filter(|_| !self.is_noticed)?;
        self.is_noticed = true;
        Some(notice.to_owned())
    }

    /// What is not yet printed of the message, the items that it did not name, and what documents are cited.
    fn rest_of(&self, message: &str, answer: &Value) -> String {
        // What was printed and is not part of it was cut off or is not meant any more.
        let rest = message.strip_prefix(&*self.emitted).unwrap_or(message);
        let rest = rest.trim_start_matches('\n');
        let results = answer["results"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let items = results.iter().filter(|_| results.len() > 1);
        let items = items.map(|item| item_line(item, self.language));
        let lines = Some(rest.to_owned()).filter(|rest| !rest.is_empty());
        lines
            .into_iter()
            .chain(items)
            .chain(cited(&answer["citations"], self.language))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

fn item_line(item: &Value, language: Language) -> String {
    let id = format!("{:>5}", text(&item["id"]));
    let (title, maker, price) = (
        text(&item["titulo"]),
        text(&item["autor"]),
        text(&item["precio"]),
    );
    let currency = text(&item["moneda"]);
    let price = Price::parse(&price).map_or(price, |price| {
        Notation::of(language, &currency).write(price.minor())
    });
    let arguments = [
        ("id", (&id).into()),
        ("title", (&title).into()),
        ("maker", (&maker).into()),
        ("price", (&price).into()),
        ("count", item["stock"].as_u64().unwrap_or_default().into()),
    ];
    format!("    {}", language.terminal("item", &arguments))
}

fn bytes(answer: Response) -> stream::BoxStream<'static, Result<bytes::Bytes, reqwest::Error>> {
    stream::try_unfold(answer, |mut answer| async move {
        let chunk = answer.chunk().await?;
        Ok(chunk.map(|chunk| (chunk, answer)))
    })
    .boxed()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is printed of these events.
    fn check(events: &[Value], expected: &str) -> Turn {
        let mut turn = Turn::default();
        let printed: Vec<String> = events.iter().filter_map(|event| turn.take(event)).collect();
        assert_eq!(printed.join("\n"), expected);
        turn
    }

    fn chunk(content: &str) -> Value {
        json!({"type": "message_chunk", "event_index": 4, "content": content})
    }

    fn message(results: &Value) -> Value {
        json!({"type": "message", "event_index": 6, "content": "- Uno.\n- Dos.", "results": results})
    }

    #[test]
    fn nothing_is_printed_twice() {
        let items = json!([
            {"id": "12", "libro_id": 12, "titulo": "Rayuela", "autor": "Julio Cortázar", "precio": "18.95", "moneda": "EUR", "stock": 3},
            {"id": "7", "libro_id": 7, "titulo": "Ficciones", "autor": "Jorge Luis Borges", "precio": "12.50", "moneda": "MXN", "stock": 0},
        ]);
        let lines = "- Uno.\n- Dos.";
        let listed = "       12  Rayuela · Julio Cortázar · 18,95 € · 3 ej.\n        7  Ficciones · Jorge Luis Borges · $12.50 · agotado";
        let whole = format!("{lines}\n{listed}");
        // As it comes; after a cut; and where what was printed is not the final message.
        check(
            &[chunk("- Uno."), chunk("\n- Dos."), message(&items)],
            &whole,
        );
        check(&[chunk("- Uno."), message(&items)], &whole);
        check(&[message(&items)], &whole);
        check(
            &[chunk("- Otro."), message(&json!([]))],
            &format!("- Otro.\n{lines}"),
        );
        check(
            &[
                chunk("- Uno."),
                chunk("\n- Dos."),
                message(&json!([items[0]])),
            ],
            lines,
        );
    }

    #[test]
    fn what_is_proposed_waits_until_it_is_decided() {
        let proposal = json!({"type": "approval_requested", "event_index": 5, "approval": "a-1", "content": "- ¿Te lo reservo?"});
        let paused = json!({"type": "turn_paused", "event_index": 6, "why": "approval"});
        let waiting = check(
            &[proposal.clone(), paused],
            "- ¿Te lo reservo?\nResponde «sí» o «no».",
        );
        assert_eq!(
            (waiting.approval, waiting.is_over),
            (Some(json!("a-1")), true)
        );
        let resolved = json!({"type": "approval_resolved", "event_index": 6, "approval": "a-1", "content": "- Reservado."});
        let over = json!({"type": "complete", "event_index": 7});
        let decided = check(
            &[proposal, resolved, over],
            "- ¿Te lo reservo?\n- Reservado.",
        );
        assert_eq!((decided.approval, decided.is_over), (None, true));
    }

    #[test]
    fn a_turn_is_known_until_it_is_over() {
        let events = [
            json!({"type": "session_start", "event_index": 0, "turn_id": "t-1", "notice": "Una máquina."}),
            json!({"type": "session_start", "event_index": 0, "turn_id": "t-1", "notice": "Una máquina."}),
            json!({"type": "tool_use", "event_index": 2, "tool_name": "search_catalog"}),
            json!({"type": "something_new", "event_index": 3}),
            json!({"type": "error", "event_index": 4, "message": "Has parado la respuesta."}),
        ];
        let mut turn = check(
            &events,
            "Una máquina.\n· search_catalog\nHas parado la respuesta.",
        );
        assert_eq!(
            (turn.id.as_deref(), turn.after, turn.is_over),
            (Some("t-1"), 4, false)
        );
        turn.take(&json!({"type": "complete", "event_index": 5}));
        assert!(turn.is_over);
    }
}
