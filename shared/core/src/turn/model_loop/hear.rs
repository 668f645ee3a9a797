//! A model heard out: each of its lines judged, and said as soon as it may be.

use futures_util::StreamExt;

use super::prompt::instructions;
use crate::{
    answer::{
        render::{self, Line},
        stream::{Form, Lines},
    },
    catalogue::ItemResult,
    files::Citation,
    log::Thought,
    model::{Aloud, ModelError, ModelEvent, Part, Speech, StopReason, ToolCall, Usage},
    shop::Locale,
    turn::{
        emit::{Teller, tell_lines, tell_thought, tell_thoughts_end},
        types::Record,
    },
};

/// A model's answer and its thoughts, each judged as it comes: of neither is more told than may be.
pub(super) struct Drafts<'a> {
    pub(super) message: Lines<'a>,
    thoughts: Option<Lines<'a>>,
    /// As much of the thoughts as was emitted.
    thought: Option<Thought>,
}

impl<'a> Drafts<'a> {
    pub(super) fn new(locale: Locale<'a>, has_thoughts: bool) -> Self {
        let mut drafts = Self {
            message: Lines::new(locale, Form::ANSWER),
            thoughts: has_thoughts.then(|| Lines::new(locale, Form::THOUGHT)),
            thought: None,
        };
        let instructions = instructions(locale);
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

    /// More items may be spoken of.
    pub(super) fn show(&mut self, items: &[ItemResult]) {
        self.each().for_each(|lines| lines.show(items));
    }

    /// What the shopper writes, and wrote before, may be said back.
    pub(super) fn take_messages<'m>(&mut self, messages: impl Iterator<Item = &'m str> + Clone) {
        for lines in self.each() {
            messages
                .clone()
                .for_each(|message| lines.take_message(message));
        }
    }

    /// The names of documents may be said, and nothing that they say.
    pub(super) fn take_documents(&mut self, cited: &[Citation]) {
        let names = cited.iter().map(Citation::title);
        self.each()
            .for_each(|lines| lines.take_names(names.clone()));
    }

    /// What was looked up is told by the shop; whether there was room for it.
    pub(super) fn tell_record(&mut self, record: &Record, teller: &mut Teller<'_>) -> bool {
        let before = self.message.passed().len();
        let lines = self.message.take_record(&record.lines);
        self.tell(&lines, before, teller);
        !lines.is_empty()
    }

    fn message(&mut self, delta: &str, teller: &mut Teller<'_>) {
        self.judge(|lines| lines.push(delta), teller);
    }

    fn part(&mut self, part: Part, teller: &mut Teller<'_>) {
        match part {
            Part::Thought(thought) => self.think(&thought, teller),
            Part::Said(said) => {
                self.pause_thoughts(teller);
                self.message(&said, teller);
            }
        }
    }

    fn end_of_message(&mut self, teller: &mut Teller<'_>) {
        self.judge(Lines::finish, teller);
    }

    fn judge(&mut self, take: impl FnOnce(&mut Lines<'a>) -> Vec<Line>, teller: &mut Teller<'_>) {
        let before = self.message.passed().len();
        let lines = take(&mut self.message);
        self.tell(&lines, before, teller);
    }

    /// Emits lines of the message, of which `before` have been emitted. What is thought comes before them, so that it ends here.
    fn tell(&mut self, lines: &[Line], before: usize, teller: &mut Teller<'_>) {
        if !lines.is_empty() {
            self.end_of_thoughts(teller);
        }
        tell_lines(lines, before, teller);
    }

    fn think(&mut self, delta: &str, teller: &mut Teller<'_>) {
        self.judge_thought(|lines| lines.push(delta), teller);
    }

    /// The model has thought for now; it may go on after the tools that it calls.
    fn pause_thoughts(&mut self, teller: &mut Teller<'_>) {
        self.judge_thought(Lines::finish, teller);
    }

    fn judge_thought(
        &mut self,
        take: impl FnOnce(&mut Lines<'a>) -> Vec<Line>,
        teller: &mut Teller<'_>,
    ) {
        if let Some(lines) = &mut self.thoughts {
            let before = lines.passed().len();
            tell_thought(&take(lines), before, teller);
        }
    }

    /// No more of what the model thinks is emitted.
    pub(super) fn end_of_thoughts(&mut self, teller: &mut Teller<'_>) {
        self.pause_thoughts(teller);
        if let Some(lines) = self.thoughts.take() {
            if !lines.passed().is_empty() {
                self.thought = Some(Thought {
                    content: render::text(lines.passed()),
                    event_index: teller.next(),
                });
                tell_thoughts_end(lines.passed(), teller);
            }
        }
    }
}

/// More of what a model says than this is not looked at.
const WORDS_BYTES: usize = 32 * 1024;

/// What was heard of a model.
#[derive(Default)]
pub(super) struct Heard {
    /// Who spoke, where that is known.
    pub(super) model: Option<String>,
    /// All of its words, said or not.
    pub(super) words: String,
    /// The tools that it calls.
    pub(super) calls: Vec<ToolCall>,
    pub(super) usage: Option<Usage>,
    pub(super) stop_reason: Option<StopReason>,
}

/// Hears a model out; what may be said is said as it comes. `heard` holds what was heard, however it ends.
pub(super) async fn hear(
    Speech { model, mut events }: Speech,
    drafts: &mut Drafts<'_>,
    heard: &mut Heard,
    teller: &mut Teller<'_>,
) -> Result<(), ModelError> {
    heard.model = model;
    let mut aloud = Aloud::default();
    while let Some(event) = events.next().await {
        match event? {
            ModelEvent::ContentDelta(delta) => {
                // No line so far behind can be among the first five.
                if heard.words.len() > WORDS_BYTES {
                    continue;
                }
                for part in aloud.push(&delta) {
                    if let Part::Said(said) = &part {
                        heard.words.push_str(said);
                    }
                    drafts.part(part, teller);
                }
            }
            ModelEvent::ReasoningDelta(delta) => drafts.think(&delta, teller),
            ModelEvent::ToolCall(call) => heard.calls.push(call),
            ModelEvent::Usage(usage) => heard.usage = Some(usage),
            ModelEvent::End { stop_reason } => heard.stop_reason = Some(stop_reason),
        }
    }
    if let Some(part) = aloud.finish() {
        drafts.part(part, teller);
    }
    drafts.pause_thoughts(teller);
    if heard.calls.is_empty() && heard.stop_reason != Some(StopReason::MaxTokens) {
        drafts.end_of_message(teller);
    } else {
        // "Voy a buscarlo", said to itself; or a line that is cut off.
        drafts.message.forget_unended();
    }
    Ok(())
}
