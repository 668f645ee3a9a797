//! The part of a conversation that a model is shown.

use crate::{
    log::{Commit, Event},
    model::{ModelMessage, Role},
};

/// How much of a conversation a model is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WindowLimits {
    pub(super) messages: usize,
    pub(super) chars: usize,
}

/// The newest messages that fit, oldest first. `commits` come newest first.
#[must_use]
pub(super) fn window(commits: &[Commit], limits: WindowLimits) -> Vec<ModelMessage> {
    let mut chars = 0;
    let mut kept: Vec<ModelMessage> = commits
        .iter()
        .flat_map(|commit| commit.numbered().rev())
        .filter_map(|(_, event)| message(event.known()?))
        .take(limits.messages)
        .take_while(|message| {
            chars += message.content.chars().count();
            chars <= limits.chars
        })
        .collect();
    kept.reverse();
    kept
}

fn message(event: &Event) -> Option<ModelMessage> {
    let (role, content) = match event {
        Event::UserMessageSent { content } => (Role::User, content),
        Event::AgentMessageSent { content, .. } => (Role::Assistant, content),
        Event::MessageAdded { role, content, .. } => match role.as_str() {
            "user" => (Role::User, content),
            "assistant" => (Role::Assistant, content),
            // A system message from outside does not instruct our model.
            _ => return None,
        },
        _ => return None,
    };
    (!content.trim().is_empty()).then(|| ModelMessage {
        role,
        content: content.clone(),
    })
}
