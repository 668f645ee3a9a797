//! What a person of the shop says, as it comes.

use std::{sync::Arc, time::Duration};

use futures_util::TryStreamExt;
use reqwest::StatusCode;
use serde_json::Value;
use sse_stream::SseByteStream;
use tokio::task::JoinHandle;

use super::{client::Client, screen::Screen, text, turn::bytes};

/// Before what a person says is asked for once more, whatever ended it.
const PAUSE: Duration = Duration::from_secs(1);
/// The same where nobody answers.
const LONG_PAUSE: Duration = Duration::from_secs(5);

/// A person who has the word; dropped, what they say is not followed any more.
pub(super) struct Person {
    following: JoinHandle<()>,
}

impl Person {
    /// Follows a conversation from behind a message of it.
    pub(super) fn follow(
        client: Client,
        screen: Arc<Screen>,
        conversation: u64,
        after: Option<u64>,
    ) -> Self {
        let following = tokio::spawn(follow(client, screen, conversation, after));
        Self { following }
    }

    /// Whether they still have the word.
    pub(super) fn is_there(&self) -> bool {
        !self.following.is_finished()
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.following.abort();
    }
}

async fn follow(client: Client, screen: Arc<Screen>, conversation: u64, mut after: Option<u64>) {
    loop {
        let pause = match client.person(conversation, after).await {
            // Nobody sees to it any more.
            Ok(answer) if answer.status().as_u16() == 204 => return,
            Ok(answer) => {
                let mut events = SseByteStream::new(bytes(answer));
                while let Ok(Some(event)) = events.try_next().await {
                    let data = event.data.unwrap_or_default();
                    let event: Value = serde_json::from_str(&data).unwrap_or_default();
                    match event["type"].as_str() {
                        Some("staff_message") => {
                            after = event["id"].as_u64().or(after);
                            screen.print(&words(&client, &event));
                        }
                        Some("handed_back") => {
                            screen.print_dim(&client.language.terminal("handed-back", &[]));
                            return;
                        }
                        _ => {}
                    }
                }
                PAUSE
            }
            Err(failure) => {
                let refused = failure.status().filter(StatusCode::is_client_error);
                if refused.is_some_and(|status| status != StatusCode::TOO_MANY_REQUESTS) {
                    screen.print_dim(&client.language.terminal("person-lost", &[]));
                    return;
                }
                LONG_PAUSE
            }
        };
        tokio::time::sleep(pause).await;
    }
}

fn words(client: &Client, message: &Value) -> String {
    let content = text(&message["content"]);
    let arguments = [("message", (&content).into())];
    client.language.terminal("person-says", &arguments)
}
