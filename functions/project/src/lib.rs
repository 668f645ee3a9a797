//! Brings the view of conversations on to what is in the log.
//!
//! A record of the log's stream is a hint that a conversation has changed. What it has come to is read from the log, and the view
//! only ever goes forward: so what comes twice, late or out of order changes nothing.

use std::sync::Arc;

use futures_util::{StreamExt, stream};
use mostrador_core::{
    chain::Chain,
    clock::Clock,
    log::Log,
    projection::{SUMMARY_AFTER_MESSAGES, catch_up},
    view::{AllWaiting, View, ViewError},
};
use mostrador_dynamodb::stream::{StreamAnswer, StreamEvent};
use mostrador_web::SystemClock;
use mostrador_wiring::{Wiring, WiringError};

/// Conversations brought on at once.
const AT_ONCE: usize = 8;

/// What the function works with.
pub struct Deps {
    pub log: Arc<dyn Log>,
    pub view: Arc<dyn View>,
    /// A conversation with so many more messages than its summary covers is marked for another.
    pub summary_after_messages: u64,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub fn wire(wiring: &Wiring) -> Result<Self, WiringError> {
        Ok(Self {
            log: wiring.log(),
            view: wiring.view(),
            summary_after_messages: wiring.environment().parsed(
                "SUMMARY_AFTER_MESSAGES",
                SUMMARY_AFTER_MESSAGES,
                "a number of messages",
            )?,
        })
    }
}

/// Answers a batch: everything in it is tried, and what failed has to come again. Called without one, by the clock, it tells how many
/// conversations wait for a person, which the template makes metrics of.
///
/// # Errors
/// Where what waits cannot be read; never of a batch.
pub async fn handle(
    deps: Arc<Deps>,
    event: StreamEvent,
) -> Result<StreamAnswer, Box<dyn std::error::Error + Send + Sync>> {
    if event.records.is_empty() {
        tell_what_waits(&*deps.view).await?;
        return Ok(event.failed(Vec::new()));
    }
    let (touched, mut failed) = event.once_each(|change| change.conversation());
    let catching_up = stream::iter(touched).map(|(owner, conversation, place)| {
        let Deps {
            log,
            view,
            summary_after_messages,
        } = &*deps;
        async move {
            let done = catch_up(
                &**log,
                &**view,
                &owner,
                conversation,
                *summary_after_messages,
            )
            .await;
            done.err().map(|error| (place, error))
        }
    });
    let mut catching_up = catching_up.buffer_unordered(AT_ONCE);
    while let Some(done) = catching_up.next().await {
        if let Some((place, error)) = done {
            tracing::error!(error = %Chain(&error), "a conversation was not projected");
            failed.push(place);
        }
    }
    Ok(event.failed(failed))
}

async fn tell_what_waits(view: &dyn View) -> Result<(), ViewError> {
    let AllWaiting {
        conversations,
        since,
    } = view.all_waiting().await?;
    let now = SystemClock.now();
    let longest = since.map_or(0, |since| (now - since).whole_seconds().max(0));
    tracing::info!(
        waiting = conversations,
        longest_wait_seconds = longest,
        "conversations that wait for a person"
    );
    Ok(())
}
