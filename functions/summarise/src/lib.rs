//! Keeps a summary of every long conversation.
//!
//! A record of the view's stream marks a conversation as due. What is summarised is read from the log, so a record that comes
//! twice or late finds the work done.

use std::{collections::BTreeMap, sync::Arc};

use futures_util::{StreamExt, stream};
use mostrador_core::{chain::Chain, projection::Summariser};
use mostrador_dynamodb::stream::{StreamAnswer, StreamEvent};

/// Conversations summarised at once.
const AT_ONCE: usize = 4;

/// What the function works with.
pub struct Deps {
    pub summariser: Summariser,
}

/// Answers a batch: everything in it is tried, and what failed has to come again.
///
/// # Errors
/// Never; the runtime asks for one.
pub async fn handle(
    deps: Arc<Deps>,
    event: StreamEvent,
) -> Result<StreamAnswer, Box<dyn std::error::Error + Send + Sync>> {
    let mut failed = Vec::new();
    let mut due = BTreeMap::new();
    for (place, record) in event.records.iter().enumerate() {
        match record.dynamodb.due() {
            Ok(Some((owner, conversation))) => {
                due.entry((owner.to_string(), conversation)).or_insert((
                    owner,
                    conversation,
                    place,
                ));
            }
            Ok(None) => {}
            Err(unreadable) => {
                let sequence_number = &record.dynamodb.sequence_number;
                tracing::error!(error = %unreadable, sequence_number, "a conversation was not summarised");
                failed.push(place);
            }
        }
    }
    let summarised = stream::iter(due.into_values()).map(|(owner, conversation, place)| {
        let summariser = &deps.summariser;
        async move {
            let summarised = summariser.summarise(&owner, conversation).await;
            summarised.err().map(|error| (place, error))
        }
    });
    let mut summarised = summarised.buffer_unordered(AT_ONCE);
    while let Some(outcome) = summarised.next().await {
        if let Some((place, error)) = outcome {
            tracing::error!(error = %Chain(&error), "a conversation was not summarised");
            failed.push(place);
        }
    }
    failed.sort_unstable();
    let sequence_number = |place: usize| event.records[place].dynamodb.sequence_number.clone();
    Ok(StreamAnswer::failed(
        failed.into_iter().map(sequence_number),
    ))
}
