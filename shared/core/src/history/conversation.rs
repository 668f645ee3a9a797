//! A conversation as it is shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::{HistoryError, rfc3339};
use crate::{
    ids::{ConversationNumber, Owner},
    log::EscalationReason,
    view::{Projected, View},
};

/// A conversation as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conversation {
    pub id: ConversationNumber,
    pub user: String,
    /// `active` or `archived`.
    pub status: String,
    pub title: Option<String>,
    pub created_at: String,
    pub updated_at: String,
    pub last_message_at: Option<String>,
    pub message_count: u64,
    /// What was said, once it is long enough to need one.
    pub summary: Option<String>,
    /// How good the customer found it, 1 to 5.
    pub rating: Option<u8>,
    /// Why a person of the shop is to see to it, where one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<EscalationReason>,
    /// Whether such a person has the word, and the assistant says nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_person: bool,
}

/// A conversation for people, without its summary.
pub(crate) fn conversation_of(
    owner: &Owner,
    projected: &Projected,
    now: OffsetDateTime,
) -> Conversation {
    let state = &projected.state;
    Conversation {
        id: projected.conversation,
        user: owner.user().to_owned(),
        status: if state.archived { "archived" } else { "active" }.to_owned(),
        title: state.title.clone(),
        created_at: rfc3339(state.started_at),
        updated_at: rfc3339(projected.updated_at),
        last_message_at: (state.message_count > 0).then(|| rfc3339(state.last_message_at)),
        message_count: state.message_count,
        summary: None,
        rating: state.rating,
        waits_for: state.escalation.as_ref().map(|found| found.reason),
        with_person: state
            .escalation
            .as_ref()
            .is_some_and(|found| found.is_with_person(now)),
    }
}

/// The conversation with its summary.
pub(super) async fn with_summary(
    view: &dyn View,
    owner: &Owner,
    conversation: Conversation,
) -> Result<Conversation, HistoryError> {
    let summary = view.summary(owner, conversation.id).await?;
    Ok(Conversation {
        summary: summary.map(|summary| summary.text),
        ..conversation
    })
}
