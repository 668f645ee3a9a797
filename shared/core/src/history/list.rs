//! A customer's conversations, newest first.

use futures_util::future::join3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Conversation, History, HistoryError, conversation_of};
use crate::{
    ids::{ConversationNumber, Owner},
    view::Projected,
};

/// Some of a customer's conversations, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConversationsPage {
    pub conversations: Vec<Conversation>,
    /// For `before`, to read on towards older ones; null at the end.
    pub next: Option<ConversationNumber>,
}

impl History {
    /// The newest conversations below `before`, at most `limit`.
    ///
    /// # Errors
    /// [`HistoryError::Unavailable`].
    pub async fn conversations(
        &self,
        owner: &Owner,
        before: Option<ConversationNumber>,
        limit: usize,
    ) -> Result<ConversationsPage, HistoryError> {
        // Turns change only the newest conversation, and the view may not know of the last ones yet.
        let (viewed, summaries, newest) = join3(
            self.view.conversations(owner, before, limit + 1),
            self.view.summaries(owner, before, limit),
            self.log.newest(owner, None, 1),
        )
        .await;
        let (mut found, summaries) = (viewed?, summaries?);
        let newest = newest?.pop().map(|commit| Projected::from(&commit));
        let newest = newest.filter(|newest| !newest.state.erased);
        let newest = newest.filter(|newest| before.is_none_or(|end| newest.conversation < end));
        if let Some(newest) = newest {
            found.retain(|known| known.conversation != newest.conversation);
            let place = found.partition_point(|known| known.conversation > newest.conversation);
            found.insert(place, newest);
        }
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(|last| last.conversation);
        let conversations = found.iter().map(|projected| {
            let summary = summaries.get(&projected.conversation);
            Conversation {
                summary: summary.map(|summary| summary.text.clone()),
                ..conversation_of(owner, projected, self.clock.now())
            }
        });
        Ok(ConversationsPage {
            conversations: conversations.collect(),
            next,
        })
    }
}
