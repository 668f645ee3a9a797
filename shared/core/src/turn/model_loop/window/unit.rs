//! The units of a conversation's part in a prompt: messages, and tool calls with their results.

use std::collections::HashMap;

use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    cut::{MARK, NO_ITEM_LEFT, cut_arguments, cut_result, cut_text},
    size::Size,
};
use crate::{
    ids::Seq,
    log::{Commit, Event, ListedItem},
    model::{ModelMessage, ToolCall},
    summary::{Role, Summarised, summarised},
};

/// Longest name of a tool that providers take.
const TOOL_NAME_CHARS: usize = 64;

/// What is included together or not at all. Its texts are measured once, when it is found.
pub(super) struct Unit<'a> {
    /// Of the message, or of the call.
    pub(super) seq: Seq,
    pub(super) size: Size,
    /// The least it can be cut to.
    pub(super) smallest: Size,
    content: Content<'a>,
}

enum Content<'a> {
    Message(Summarised<'a>),
    ToolUse(Box<ToolUse<'a>>),
}

struct ToolUse<'a> {
    id: Uuid,
    name: &'a str,
    name_size: Size,
    arguments: &'a Value,
    arguments_size: Size,
    result: String,
    result_size: Size,
}

/// A unit as it is included.
pub(super) struct Part {
    pub(super) messages: Vec<ModelMessage>,
    pub(super) chars: usize,
    pub(super) is_cut: bool,
}

/// The units of `commits`, newest first as these are.
///
/// A tool's result is its call's first one after it. Where calls share an id only the newest counts, for a model must not see
/// an id twice.
pub(super) fn units<'a>(commits: &'a [Commit]) -> Vec<Unit<'a>> {
    // The result seen for an id, until its call takes it; then `None` stays.
    let mut results: HashMap<Uuid, Option<String>> = HashMap::new();
    let mut units = Vec::new();
    let events = commits.iter().flat_map(|commit| commit.numbered().rev());
    for (seq, event) in events {
        let Some(event) = event.known() else { continue };
        match event {
            Event::ToolUseCompleted {
                tool_use_id,
                success,
                error,
                results: items,
                lines,
                ..
            } => {
                let written = match &lines[..] {
                    [] => written(*success, error.as_deref(), items),
                    lines => json!(lines).to_string(),
                };
                results
                    .entry(*tool_use_id)
                    .and_modify(|result| {
                        if let Some(later) = result {
                            later.clone_from(&written);
                        }
                    })
                    .or_insert(Some(written));
            }
            Event::ToolUseRequested {
                tool_use_id,
                tool_name,
                args,
                ..
            } if is_tool_name(tool_name) => {
                if let Some(result) = results.get_mut(tool_use_id).and_then(Option::take) {
                    let call = (*tool_use_id, tool_name.as_str(), args);
                    units.push(Unit::tool_use(seq, call, result));
                }
            }
            _ => units.extend(
                summarised(event)
                    .filter(|message| !message.content.trim().is_empty())
                    .map(|message| Unit::message(seq, message)),
            ),
        }
    }
    units
}

/// A provider refuses the whole request over any other name.
fn is_tool_name(name: &str) -> bool {
    let of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    (1..=TOOL_NAME_CHARS).contains(&name.len()) && name.bytes().all(of_name)
}

/// What a tool gave, as a model reads it: the listed items, or why there are none.
fn written(success: bool, error: Option<&str>, items: &[ListedItem]) -> String {
    match (success, error) {
        (true, None) => json!(items),
        _ if items.is_empty() => json!({"error": error}),
        _ => json!({"error": error, "results": items}),
    }
    .to_string()
}

impl<'a> Unit<'a> {
    fn message(seq: Seq, message: Summarised<'a>) -> Self {
        Self {
            seq,
            size: Size::of(message.content),
            smallest: Size::of(MARK),
            content: Content::Message(message),
        }
    }

    fn tool_use(
        seq: Seq,
        (id, name, arguments): (Uuid, &'a str, &'a Value),
        result: String,
    ) -> Self {
        let name_size = Size::of(name);
        let arguments_size = Size::of(&arguments.to_string());
        let result_size = Size::of(&result);
        Self {
            seq,
            size: name_size.plus(arguments_size).plus(result_size),
            smallest: name_size
                .plus(Size::of(&cut_arguments().to_string()))
                .plus(smallest_result()),
            content: Content::ToolUse(Box::new(ToolUse {
                id,
                name,
                name_size,
                arguments,
                arguments_size,
                result,
                result_size,
            })),
        }
    }

    /// How many messages it is.
    pub(super) fn messages(&self) -> usize {
        if self.is_message() { 1 } else { 2 }
    }

    pub(super) fn is_message(&self) -> bool {
        matches!(self.content, Content::Message(_))
    }

    /// The most it can take: a short text may be smaller than what one is cut to.
    pub(super) fn largest(&self) -> Size {
        self.size.or_larger(self.smallest)
    }

    /// The unit cut to `room`, which holds its size or at least the smallest it can be cut to.
    pub(super) fn within(&self, room: Size) -> Part {
        match &self.content {
            Content::Message(message) => self.message_within(*message, room),
            Content::ToolUse(tool_use) => tool_use.within(room),
        }
    }

    fn message_within(&self, message: Summarised<'_>, room: Size) -> Part {
        let cut = cut_text(message.content, self.size, room);
        let (content, is_cut) =
            cut.map_or((MARK.to_owned(), true), |cut| (cut.content, cut.is_cut));
        Part {
            chars: content.chars().count(),
            is_cut,
            messages: vec![match message.role {
                Role::Customer => ModelMessage::User { content },
                Role::Assistant => ModelMessage::Assistant {
                    content,
                    tool_calls: Vec::new(),
                },
            }],
        }
    }
}

fn smallest_result() -> Size {
    Size::of(NO_ITEM_LEFT).or_larger(Size::of(MARK))
}

impl ToolUse<'_> {
    /// Arguments are included whole or not at all, so that they stay arguments: whole where the result keeps as much room.
    fn within(&self, room: Size) -> Part {
        let left = room.minus(self.name_size);
        let whole = self.arguments_size.plus(self.result_size).fits(left)
            || (self.arguments_size.fits(left.part(2))
                && smallest_result().fits(left.minus(self.arguments_size)));
        let (arguments, arguments_size) = if whole {
            (self.arguments.clone(), self.arguments_size)
        } else {
            let cut = cut_arguments();
            let size = Size::of(&cut.to_string());
            (cut, size)
        };
        let left = left.minus(arguments_size);
        let cut = cut_result(&self.result, self.result_size, left);
        let (content, is_cut) =
            cut.map_or((MARK.to_owned(), true), |cut| (cut.content, cut.is_cut));
        Part {
            chars: self.name_size.chars + arguments_size.chars + content.chars().count(),
            is_cut: is_cut || !whole,
            messages: vec![
                ModelMessage::Assistant {
                    content: String::new(),
                    tool_calls: vec![ToolCall {
                        id: self.id.to_string(),
                        name: self.name.to_owned(),
                        arguments,
                        provider_data: None,
                    }],
                },
                ModelMessage::Tool {
                    tool_use_id: self.id.to_string(),
                    content,
                },
            ],
        }
    }
}
