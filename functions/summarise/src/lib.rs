//! Keeps a summary of every long conversation.
//!
//! A record of the view's stream marks one as due. What is summarised is read from the log, so a record that comes twice or
//! late finds the work done.

use std::sync::Arc;

use futures_util::{StreamExt, stream};
use mostrador_core::{chain::Chain, projection::Summariser};
use mostrador_dynamodb::stream::{StreamAnswer, StreamEvent};
use mostrador_wiring::{Wiring, WiringError};

/// Conversations summarised at once.
const AT_ONCE: usize = 4;

/// What the function works with.
pub struct Deps {
    pub summariser: Summariser,
}

impl Deps {
    /// By the function's settings and stores.
    ///
    /// # Errors
    /// [`WiringError`], naming the variable.
    pub async fn wire(wiring: &Wiring) -> Result<Self, WiringError> {
        Ok(Self {
            summariser: wiring.summariser().await?,
        })
    }
}

/// Answers a batch: everything in it is tried, and what failed has to come again.
///
/// # Errors
/// Never; the runtime asks for one.
pub async fn handle(
    deps: Arc<Deps>,
    event: StreamEvent,
) -> Result<StreamAnswer, Box<dyn std::error::Error + Send + Sync>> {
    let (due, mut failed) = event.once_each(|change| change.due());
    let summarising = stream::iter(due).map(|(owner, conversation, place)| {
        let summariser = &deps.summariser;
        async move {
            let done = summariser.summarise(&owner, conversation).await;
            done.err().map(|error| (place, error))
        }
    });
    let mut summarising = summarising.buffer_unordered(AT_ONCE);
    while let Some(done) = summarising.next().await {
        if let Some((place, error)) = done {
            tracing::error!(error = %Chain(&error), "a conversation was not summarised");
            failed.push(place);
        }
    }
    Ok(event.failed(failed))
}
