//! A model heard out: each of its lines judged, and said as soon as it may be.

use futures_util::StreamExt;

use crate::{
    answer::guard::LineGuard,
    catalogue::BookResult,
    files::Citation,
    language::Language,
    model::{Aloud, ModelError, ModelEvent, Part, Speech, StopReason, ToolCall, Usage},
    turn::emit::{Teller, tell_lines, tell_thought, tell_thoughts_end},
};

/// After one of these a line or a sentence may be whole.
const ENDS: [char; 5] = ['\n', '.', '!', '?', '…'];

/// Whoever hears of a model's thoughts hears of them as of its words: what may be said, and not before.
pub(super) struct Guards {
    pub(super) message: LineGuard,
    thoughts: Option<LineGuard>,
}

impl Guards {
    pub(super) fn new(language: Language, hears_thoughts: bool) -> Self {
        Self {
            message: LineGuard::new(language),
            thoughts: hears_thoughts.then(|| LineGuard::new(language)),
        }
    }

    /// More books may be spoken of.
    pub(super) fn know(&mut self, books: &[BookResult]) {
        self.message.know(books);
        if let Some(thoughts) = &mut self.thoughts {
            thoughts.know(books);
        }
    }

    /// The names of documents may be said, and nothing that they say.
    pub(super) fn know_documents(&mut self, cited: &[Citation]) {
        let names = || cited.iter().map(Citation::title);
        self.message.know_documents(names());
        if let Some(thoughts) = &mut self.thoughts {
            thoughts.know_documents(names());
        }
    }

    fn message(&mut self, delta: &str, teller: &mut Teller<'_>) -> Result<(), Disbelieved> {
        // Piece by piece, however much comes at once: what follows a lie is not even looked at.
        for piece in delta.split_inclusive(ENDS) {
            self.judge(|guard| guard.push(piece), teller)?;
        }
        Ok(())
    }

    fn part(&mut self, part: Part, teller: &mut Teller<'_>) -> Result<(), Disbelieved> {
        match part {
            Part::Thought(thought) => self.thought(&thought, teller),
            Part::Said(said) => {
                self.end_of_thoughts(teller);
                self.message(&said, teller)?;
            }
        }
        Ok(())
    }

    fn end_of_message(&mut self, teller: &mut Teller<'_>) -> Result<(), Disbelieved> {
        self.judge(LineGuard::finish, teller)
    }

    fn judge(
        &mut self,
        hear: impl FnOnce(&mut LineGuard) -> Vec<String>,
        teller: &mut Teller<'_>,
    ) -> Result<(), Disbelieved> {
        let guard = &mut self.message;
        let before = guard.passed().len();
        let lines = hear(guard);
        if before == 0 && guard.is_doubted() {
            return Err(Disbelieved);
        }
        tell_lines(&lines, before, teller);
        Ok(())
    }

    fn thought(&mut self, delta: &str, teller: &mut Teller<'_>) {
        if let Some(guard) = &mut self.thoughts {
            let before = guard.passed().len();
            tell_thought(&guard.push(delta), before, teller);
        }
    }

    fn end_of_thoughts(&mut self, teller: &mut Teller<'_>) {
        if let Some(mut guard) = self.thoughts.take() {
            let before = guard.passed().len();
            tell_thought(&guard.finish(), before, teller);
            if !guard.passed().is_empty() {
                tell_thoughts_end(guard.passed(), teller);
            }
        }
    }
}

/// The model began with what may not be said, so nothing of it is.
struct Disbelieved;

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
    pub(super) is_believed: bool,
}

/// Hears a model out, as long as it is believed; what may be said is said as it comes. `heard` holds what was heard, however it
/// ends.
pub(super) async fn hear(
    Speech { model, mut events }: Speech,
    guards: &mut Guards,
    heard: &mut Heard,
    teller: &mut Teller<'_>,
) -> Result<(), ModelError> {
    heard.model = model;
    heard.is_believed = true;
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
                    if guards.part(part, teller).is_err() {
                        heard.is_believed = false;
                        return Ok(());
                    }
                }
            }
            ModelEvent::ReasoningDelta(delta) => guards.thought(&delta, teller),
            ModelEvent::ToolCall(call) => heard.calls.push(call),
            ModelEvent::Usage(usage) => heard.usage = Some(usage),
            ModelEvent::End { stop_reason } => heard.stop_reason = Some(stop_reason),
        }
    }
    if let Some(part) = aloud.finish()
        && guards.part(part, teller).is_err()
    {
        heard.is_believed = false;
        return Ok(());
    }
    guards.end_of_thoughts(teller);
    if heard.calls.is_empty() && heard.stop_reason != Some(StopReason::MaxTokens) {
        heard.is_believed = guards.end_of_message(teller).is_ok();
    } else {
        // "Voy a buscarlo", said to itself; or a line that is cut off.
        guards.message.forget_unended();
    }
    Ok(())
}
