//! A completion received: each of its lines judged, and emitted as soon as it passes.

use futures_util::StreamExt;

use super::prompt::{OF_CUSTOMER, instructions};
use crate::{
    answer::{
        render::{self, Line},
        stream::{Form, Lines},
    },
    catalogue::ItemResult,
    files::Citation,
    log::Thought,
    model::{
        Completion, ModelError, ModelEvent, Part, StopReason, ThinkingSplitter, ToolCall, Usage,
    },
    shop::Locale,
    turn::{
        emit::{Emitter, emit_lines, emit_thinking, emit_thinking_end},
        types::Record,
    },
};

/// A model's answer and its thoughts, each judged as it comes: only what passes is emitted.
pub(super) struct Drafts<'a> {
    pub(super) message: Lines<'a>,
    thoughts: Option<Lines<'a>>,
    /// As much of the thoughts as was emitted.
    thought: Option<Thought>,
}

impl<'a> Drafts<'a> {
    pub(super) fn new(locale: Locale<'a>, has_thoughts: bool) -> Self {
        let mut drafts = Self {
            message: Lines::new(locale, Form::of(&locale.shop.prompt)),
            thoughts: has_thoughts.then(|| Lines::new(locale, Form::THOUGHT)),
            thought: None,
        };
        let instructions = [&instructions(locale), OF_CUSTOMER].concat();
        drafts
            .each()
            .for_each(|lines| lines.take_instructions(&instructions));
        drafts
    }

    /// As much of what the model thought as was emitted.
    pub(super) fn thought(&mut self) -> Option<Thought> {
        self.thought.take()
    }

    fn each(&mut self) -> impl Iterator<Item = &mut Lines<'a>> {
        std::iter::once(&mut self.message).chain(self.thoughts.as_mut())
    }

    /// More items may be named.
    pub(super) fn show(&mut self, items: &[ItemResult]) {
        self.each().for_each(|lines| lines.show(items));
    }

    /// What the shopper writes, and wrote before, may be repeated.
    pub(super) fn take_messages<'m>(&mut self, messages: impl Iterator<Item = &'m str> + Clone) {
        for lines in self.each() {
            messages
                .clone()
                .for_each(|message| lines.take_message(message));
        }
    }

    /// The names of documents may be written, and nothing of their text.
    pub(super) fn take_documents(&mut self, cited: &[Citation]) {
        let names = cited.iter().map(Citation::title);
        self.each()
            .for_each(|lines| lines.take_names(names.clone()));
    }

    /// Emits a record in the shop's words, and leaves in it what there was room for: the model and the log have what the shopper has.
    pub(super) fn emit_record(&mut self, record: &mut Record, emitter: &mut Emitter<'_>) {
        let before = self.message.passed().len();
        let lines = self.message.take_record(&record.lines);
        self.emit(&lines, before, emitter);
        if lines.is_empty() && !record.lines.is_empty() {
            record.error = Some("no_room");
        }
        record.lines.truncate(lines.len());
    }

    /// Whether the answer ends in a question so far; one that says nothing is made without the model.
    pub(super) fn has_asked(&self) -> bool {
        let last = self.message.passed().last();
        last.is_none_or(|line| line.text().trim_end().ends_with('?'))
    }

    fn message(&mut self, delta: &str, emitter: &mut Emitter<'_>) {
        self.judge(|lines| lines.push(delta), emitter);
    }

    fn part(&mut self, part: Part, emitter: &mut Emitter<'_>) {
        match part {
            Part::Thought(thought) => self.think(&thought, emitter),
            Part::Text(text) => {
                self.pause_thoughts(emitter);
                self.message(&text, emitter);
            }
        }
    }

    fn end_of_message(&mut self, emitter: &mut Emitter<'_>) {
        self.judge(Lines::finish, emitter);
    }

    fn judge(&mut self, take: impl FnOnce(&mut Lines<'a>) -> Vec<Line>, emitter: &mut Emitter<'_>) {
        let before = self.message.passed().len();
        let lines = take(&mut self.message);
        self.emit(&lines, before, emitter);
    }

    /// Emits lines of the message, of which `before` were emitted already. What is thought comes before them, so that it ends here.
    fn emit(&mut self, lines: &[Line], before: usize, emitter: &mut Emitter<'_>) {
        if !lines.is_empty() {
            self.end_of_thoughts(emitter);
        }
        emit_lines(lines, before, emitter);
    }

    fn think(&mut self, delta: &str, emitter: &mut Emitter<'_>) {
        self.judge_thought(|lines| lines.push(delta), emitter);
    }

    /// The model has thought for now; it may go on after the tools that it calls.
    fn pause_thoughts(&mut self, emitter: &mut Emitter<'_>) {
        self.judge_thought(Lines::finish, emitter);
    }

    fn judge_thought(
        &mut self,
        take: impl FnOnce(&mut Lines<'a>) -> Vec<Line>,
        emitter: &mut Emitter<'_>,
    ) {
        if let Some(lines) = &mut self.thoughts {
            let before = lines.passed().len();
            emit_thinking(&take(lines), before, emitter);
        }
    }

    /// No more of what the model thinks is emitted.
    pub(super) fn end_of_thoughts(&mut self, emitter: &mut Emitter<'_>) {
        self.pause_thoughts(emitter);
        if let Some(lines) = self.thoughts.take()
            && !lines.passed().is_empty()
        {
            self.thought = Some(Thought {
                content: render::text(lines.passed()),
                event_index: emitter.next(),
            });
            emit_thinking_end(lines.passed(), emitter);
        }
    }
}

/// More text of a completion than this is not looked at.
const WORDS_BYTES: usize = 32 * 1024;

/// What was received of a completion.
#[derive(Default)]
pub(super) struct Received {
    /// Which model answered, where that is known.
    pub(super) model: Option<String>,
    /// All of its text, emitted or not.
    pub(super) words: String,
    /// The tools that it calls.
    pub(super) calls: Vec<ToolCall>,
    pub(super) usage: Option<Usage>,
    pub(super) stop_reason: Option<StopReason>,
}

/// Receives a completion; the lines that pass are emitted as they come. `received` holds what came, however it ends.
pub(super) async fn receive(
    Completion { model, mut events }: Completion,
    drafts: &mut Drafts<'_>,
    received: &mut Received,
    emitter: &mut Emitter<'_>,
) -> Result<(), ModelError> {
    received.model = model;
    let mut splitter = ThinkingSplitter::default();
    while let Some(event) = events.next().await {
        match event? {
            ModelEvent::ContentDelta(delta) => {
                // No line so far behind can be among the first five.
                if received.words.len() > WORDS_BYTES {
                    continue;
                }
                for part in splitter.push(&delta) {
                    if let Part::Text(text) = &part {
                        received.words.push_str(text);
                    }
                    drafts.part(part, emitter);
                }
            }
            ModelEvent::ReasoningDelta(delta) => drafts.think(&delta, emitter),
            ModelEvent::ToolCall(call) => received.calls.push(call),
            ModelEvent::Usage(usage) => received.usage = Some(usage),
            ModelEvent::End { stop_reason } => received.stop_reason = Some(stop_reason),
        }
    }
    if let Some(part) = splitter.finish() {
        drafts.part(part, emitter);
    }
    drafts.pause_thoughts(emitter);
    if received.calls.is_empty() && received.stop_reason != Some(StopReason::MaxTokens) {
        drafts.end_of_message(emitter);
    } else {
        // "Voy a buscarlo", said to itself; or a line that is cut off.
        drafts.message.forget_unended();
    }
    Ok(())
}
