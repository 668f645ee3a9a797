//! A question and its answer, printed as it comes.

use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use mostrador_core::{
    language::Language,
    shop::{Locale, Profile},
};
use reqwest::{Response, header::CONTENT_LANGUAGE};
use serde_json::Value;
use sse_stream::SseByteStream;
use uuid::Uuid;

use super::{
    client::Client,
    failure::Failure,
    files::cited,
    list::{Row, lines, rows},
    screen::Screen,
    text,
};

/// Before each try to resume an answer that was cut off.
const PAUSES: [Duration; 3] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
];

/// How much of a turn has been received. The opening is printed as soon as it is there; the lines of a list, when the whole of it is, since
/// only then it is known which item has which number.
pub(super) struct Turn<'a> {
    shop: &'a Profile,
    screen: &'a Screen,
    /// The answer's, once it is known.
    language: Language,
    id: Option<String>,
    after: u64,
    /// As much of the message as is received.
    received: String,
    /// As much of it as is printed.
    opening: Option<String>,
    rows: Vec<Row>,
    is_proposed: bool,
    is_over: bool,
    /// Whether it was printed that a machine answers.
    pub(super) is_noticed: bool,
    /// What the next message may go back to, where the answer has it.
    pub(super) context: Option<String>,
    pub(super) conversation: Option<u64>,
    pub(super) message_id: Option<u64>,
    /// The message that brings the assistant back, where a person of the shop has the word.
    pub(super) person: Option<String>,
}

impl<'a> Turn<'a> {
    pub(super) fn new(
        language: Language,
        shop: &'a Profile,
        screen: &'a Screen,
        is_noticed: bool,
    ) -> Self {
        Self {
            shop,
            screen,
            language,
            id: None,
            after: 0,
            received: String::new(),
            opening: None,
            rows: Vec::new(),
            is_proposed: false,
            is_over: false,
            is_noticed,
            context: None,
            conversation: None,
            message_id: None,
            person: None,
        }
    }

    fn words(&self, key: &str) -> String {
        self.language.terminal(key, &[])
    }

    fn locale(&self) -> Locale<'a> {
        Locale {
            language: self.language,
            shop: self.shop,
        }
    }

    /// Asks, and prints what comes.
    pub(super) async fn ask(&mut self, client: &Client, message: &str) {
        self.screen.show_status(&self.words("working"));
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
                Err(failure) if self.id.is_none() || pause.is_none() => {
                    self.print_received();
                    let failed = failure.message(self.language, &client.url);
                    return self.screen.print(&failed);
                }
                Err(_) => {}
            }
            if let Some(pause) = pause {
                tokio::time::sleep(*pause).await;
            }
        }
        if !self.is_proposed {
            self.print_received();
            self.screen.print(&self.words("cut-off"));
        }
    }

    /// Whether it asked, and has its answer.
    pub(super) fn is_answered(&self) -> bool {
        self.is_over
    }

    /// Ends the turn at the server too, where it is known there.
    pub(super) async fn stop(&self, client: &Client) {
        self.print_received();
        let cancelled = match &self.id {
            Some(id) if client.user.is_some() => client.cancel(id).await,
            _ => Ok(true),
        };
        let words = match cancelled {
            Ok(true) => self.words("stopped"),
            Ok(false) => self.words("stopped-too-late"),
            Err(failure) => {
                let failed = failure.message(self.language, &client.url);
                let arguments = [("error", (&failed).into())];
                self.language.terminal("not-stopped", &arguments)
            }
        };
        self.screen.print(&words);
    }

    /// Follows what comes on one connection. Comes back with the turn not over where it was cut off.
    async fn follow(&mut self, client: &Client, message: &str, key: &str) -> Result<(), Failure> {
        let answer = match &self.id {
            Some(id) => client.rest(id, self.after).await?,
            None => match client.ask(message, key).await? {
                Some(answer) => answer,
                None => return self.fetch_whole(client, message).await,
            },
        };
        self.take_language(&answer);
        let mut events = SseByteStream::new(bytes(answer));
        while let Ok(Some(event)) = events.try_next().await {
            let data = event.data.unwrap_or_default();
            let event = serde_json::from_str(&data).map_err(|_| Failure::Foreign)?;
            self.take(&event);
            if self.is_over {
                break;
            }
        }
        Ok(())
    }

    async fn fetch_whole(&mut self, client: &Client, message: &str) -> Result<(), Failure> {
        let answer = client
            .post("/api/agent/", &client.question(message))
            .await?;
        self.print_notice(&answer);
        self.conversation = answer["conversation"].as_u64();
        self.take_answer(&answer);
        let mut actions = answer["actions"].as_array().into_iter().flatten();
        if actions.any(|action| action["type"] == "approval") {
            self.screen.print_dim(&self.words("yes-or-no"));
        }
        self.is_over = true;
        Ok(())
    }

    /// The language that the shop has understood the message in.
    fn take_language(&mut self, answer: &Response) {
        let tag = answer.headers().get(CONTENT_LANGUAGE);
        let language = tag.and_then(|tag| Language::from_tag(tag.to_str().ok()?));
        self.language = language.unwrap_or(self.language);
    }

    /// Prints what an event gives to print.
    fn take(&mut self, event: &Value) {
        if let Some(index) = event["event_index"].as_u64() {
            self.after = index;
        }
        match event["type"].as_str().unwrap_or_default() {
            "session_start" => {
                self.id = Some(text(&event["turn_id"]));
                self.conversation = event["conversation"].as_u64();
                self.print_notice(event);
                self.screen.show_status(&self.words("working"));
            }
            "tool_result" => self.rows.extend(rows(event, self.locale())),
            "message_chunk" => {
                self.received.push_str(&text(&event["content"]));
                if self.opening.is_none() && !self.received.is_empty() {
                    self.screen.print(&self.received);
                    self.opening = Some(self.received.clone());
                    self.screen.show_status(&self.words("working"));
                }
            }
            "message" => {
                self.take_answer(event);
                // Only the goodbye is missing.
                self.is_over = true;
            }
            "approval_requested" => {
                self.take_answer(event);
                self.is_proposed = true;
            }
            "turn_paused" => {
                self.is_over = true;
                if self.is_proposed {
                    self.screen.print_dim(&self.words("yes-or-no"));
                }
            }
            // Decided by words: this turn's message has said it, unless it was this turn that proposed.
            "approval_resolved" if std::mem::take(&mut self.is_proposed) => {
                self.screen.print(&text(&event["content"]));
            }
            "error" => {
                self.print_received();
                self.screen.print(&text(&event["message"]));
            }
            "complete" => self.is_over = true,
            _ => {}
        }
    }

    /// Prints what of an answer is not printed yet.
    fn take_answer(&mut self, answer: &Value) {
        self.context = answer["context"].as_str().map(str::to_owned);
        self.message_id = answer["message_id"].as_u64();
        let mut actions = answer["actions"].as_array().into_iter().flatten();
        let person = actions.find(|action| action["type"] == "person");
        self.person = person.map(|person| text(&person["back"]));
        let mut lines = lines(answer, &self.rows, self.locale());
        // What was printed and is not part of it was cut off or is not meant any more.
        let opening = self.opening.take();
        if opening.is_some() && lines.first() == opening.as_ref() {
            lines.remove(0);
        }
        self.received.clear();
        lines.extend(cited(&answer["citations"], self.language));
        self.screen.clear_status();
        lines.retain(|line| !line.is_empty());
        if !lines.is_empty() {
            self.screen.print(&lines.join("\n"));
        }
    }

    /// Prints what was received of a message that does not come to its end.
    fn print_received(&self) {
        self.screen.clear_status();
        let printed = self.opening.as_deref().unwrap_or_default();
        let rest = self.received.strip_prefix(printed).unwrap_or_default();
        let rest = rest.trim_start_matches('\n');
        if !rest.is_empty() {
            self.screen.print(rest);
        }
    }

    /// Prints that a machine answers, the first time.
    fn print_notice(&mut self, answer: &Value) {
        let notice = answer["notice"].as_str().filter(|_| !self.is_noticed);
        if let Some(notice) = notice {
            self.is_noticed = true;
            self.screen.print_dim(notice);
        }
    }
}

pub(super) fn bytes(
    answer: Response,
) -> stream::BoxStream<'static, Result<bytes::Bytes, reqwest::Error>> {
    stream::try_unfold(answer, |mut answer| async move {
        let chunk = answer.chunk().await?;
        Ok(chunk.map(|chunk| (chunk, answer)))
    })
    .boxed()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::tests::paper, *};
    use crate::chat::screen::Style;

    /// What is printed of these events, and whether the turn is over then.
    fn check(events: &[Value], expected: &str, is_over: bool) {
        let (out, printed) = paper();
        let (screen, shop) = (Screen::new(out, Style::default()), Profile::default());
        let mut turn = Turn::new(Language::default(), &shop, &screen, false);
        for event in events {
            turn.take(event);
        }
        assert_eq!(turn.is_answered(), is_over);
        if !is_over {
            turn.print_received();
        }
        assert_eq!(printed.text(), format!("{expected}\n"));
    }

    fn chunk(content: &str) -> Value {
        json!({"type": "message_chunk", "event_index": 4, "content": content})
    }

    fn message() -> Value {
        json!({"type": "message", "event_index": 6, "segments": [[{"text": "Uno."}], [{"text": "- Dos."}]], "results": []})
    }

    #[test]
    fn nothing_is_printed_twice() {
        let whole = "Uno.\n- Dos.";
        check(&[chunk("Uno."), chunk("\n- Dos."), message()], whole, true);
        check(&[chunk("Uno."), message()], whole, true);
        check(&[message()], whole, true);
        // What was printed is not the final message.
        check(
            &[chunk("Otro."), message()],
            &format!("Otro.\n{whole}"),
            true,
        );
        // The rest has not come.
        check(&[chunk("Uno."), chunk("\n- Dos.")], whole, false);
    }

    #[test]
    fn what_is_proposed_waits_until_it_is_decided() {
        let segments = json!([[{"text": "¿Te lo reservo?"}]]);
        let proposal =
            json!({"type": "approval_requested", "approval": "a-1", "segments": segments});
        let paused = json!({"type": "turn_paused", "why": "approval"});
        check(
            &[proposal.clone(), paused],
            "¿Te lo reservo?\nResponde «sí» o «no».",
            true,
        );
        let resolved =
            json!({"type": "approval_resolved", "approval": "a-1", "content": "Reservado."});
        let over = json!({"type": "complete", "event_index": 7});
        check(
            &[proposal, resolved, over],
            "¿Te lo reservo?\nReservado.",
            true,
        );
    }

    #[test]
    fn the_notice_comes_once_and_an_error_is_printed() {
        let start = json!({"type": "session_start", "turn_id": "t-1", "notice": "Una máquina."});
        let events = [
            start.clone(),
            start,
            json!({"type": "tool_use", "tool_name": "search_catalog"}),
            json!({"type": "something_new"}),
            json!({"type": "error", "message": "Has parado la respuesta."}),
        ];
        check(&events, "Una máquina.\nHas parado la respuesta.", false);
    }
}
