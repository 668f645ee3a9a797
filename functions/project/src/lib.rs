//! Brings the view of conversations on to what is in the log.
//!
//! A record of the log's stream tells of a commit, and each commit carries the fold of everything up to it: so the newest of a
//! batch is all that has to be kept, and what comes twice, late or out of order changes nothing.

use std::{collections::BTreeMap, sync::Arc};

use futures_util::{StreamExt, stream};
use mostrador_core::{
    chain::Chain,
    ids::Owner,
    projection::project,
    view::{Projected, View},
};
use mostrador_dynamodb::stream::{StreamAnswer, StreamEvent};

/// Conversations brought on at once.
const AT_ONCE: usize = 8;

/// What the function works with.
pub struct Deps {
    pub view: Arc<dyn View>,
    /// A conversation with so many more messages than its summary covers is marked for another.
    pub summary_after_messages: u64,
}

/// A conversation as the newest of a batch's records has it, and the first record that told of it.
struct Conversation {
    owner: Owner,
    newest: Projected,
    first_record: usize,
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
    let mut conversations: BTreeMap<_, Conversation> = BTreeMap::new();
    for (place, record) in event.records.iter().enumerate() {
        let (owner, projected) = match record.dynamodb.projected() {
            Ok(Some(read)) => read,
            Ok(None) => continue,
            Err(unreadable) => {
                let sequence_number = &record.dynamodb.sequence_number;
                tracing::error!(error = %unreadable, sequence_number, "a record of the log was not projected");
                failed.push(place);
                continue;
            }
        };
        let key = (owner.to_string(), projected.conversation);
        let conversation = conversations.entry(key).or_insert_with(|| Conversation {
            owner,
            newest: projected.clone(),
            first_record: place,
        });
        if conversation.newest.through < projected.through {
            conversation.newest = projected;
        }
    }
    let brought_on = stream::iter(conversations.into_values()).map(|conversation| {
        let deps = &deps;
        async move {
            let Conversation {
                owner,
                newest,
                first_record,
            } = conversation;
            let projected =
                project(&*deps.view, &owner, &newest, deps.summary_after_messages).await;
            projected.err().map(|error| (first_record, error))
        }
    });
    let mut brought_on = brought_on.buffer_unordered(AT_ONCE);
    while let Some(outcome) = brought_on.next().await {
        if let Some((place, error)) = outcome {
            tracing::error!(error = %Chain(&error), "a conversation was not projected");
            failed.push(place);
        }
    }
    failed.sort_unstable();
    let sequence_number = |place: usize| event.records[place].dynamodb.sequence_number.clone();
    Ok(StreamAnswer::failed(
        failed.into_iter().map(sequence_number),
    ))
}
