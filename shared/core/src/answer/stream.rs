//! A model's answer, judged and rendered line by line as it comes.

use std::collections::BTreeMap;

use super::{
    cut::{Cutter, Piece, unmark},
    part::Part,
    prose::{Item, Judged, Prose},
    render::{Line, Renderer},
};
use crate::{
    catalogue::ItemResult,
    shop::{Locale, Prompt},
};

/// What became of a model's lines and clauses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Lines that are emitted.
    pub(crate) passed: usize,
    /// Those of them of which something was left out.
    pub(crate) repaired: usize,
    /// Clauses and lines that are not emitted, by the code of what is wrong with them.
    pub(crate) rejected: BTreeMap<&'static str, usize>,
}

/// Longest and most lines that an answer has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Form {
    pub(crate) lines: usize,
    pub(crate) chars: usize,
}

impl Form {
    /// An answer's, as the shop wants it.
    pub(crate) fn of(prompt: &Prompt) -> Self {
        Self {
            // The opening, and those of the list.
            lines: usize::from(prompt.bullets_max) + 1,
            chars: usize::from(prompt.max_chars),
        }
    }

    /// Of what a model thinks.
    pub(crate) const THOUGHT: Self = Self {
        lines: 200,
        chars: 20_000,
    };
}

/// A line that is in order, and not rendered yet.
#[derive(Debug)]
struct Draft {
    judged: Judged,
    is_marked: bool,
}

/// An answer as it comes. How it is cut into deltas changes nothing; a clause that falls takes no other one with it.
pub(crate) struct Lines<'a> {
    form: Form,
    cutter: Cutter,
    prose: Prose,
    renderer: Renderer<'a>,
    passed: Vec<Line>,
    chars: usize,
    /// What was judged to be in order, so that nothing comes twice.
    accepted: Vec<Vec<Part>>,
    /// A line that announces what has not come yet.
    held: Option<Draft>,
    /// Whether the shop has rendered a record of the customer's own, about which the model writes nothing.
    is_beside_record: bool,
    verdict: Verdict,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(locale: Locale<'a>, form: Form) -> Self {
        Self {
            form,
            cutter: Cutter::default(),
            prose: Prose::new(locale.language, &locale.shop.currency),
            renderer: Renderer::new(locale),
            passed: Vec::new(),
            chars: 0,
            accepted: Vec::new(),
            held: None,
            is_beside_record: false,
            verdict: Verdict::default(),
        }
    }

    /// Adds items that it may name from now on.
    pub(crate) fn show(&mut self, items: &[ItemResult]) {
        self.prose.show(items.iter().map(Item::from));
    }

    /// The model's instructions are not to be repeated.
    pub(crate) fn take_instructions(&mut self, instructions: &str) {
        self.prose.take_instructions(instructions);
    }

    /// What the shopper wrote may be repeated.
    pub(crate) fn take_message(&mut self, message: &str) {
        self.prose.take_message(message);
    }

    /// Names that may be written, where they claim nothing.
    pub(crate) fn take_names<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        names.for_each(|name| self.prose.take_name(name));
    }

    /// Takes a record of the customer's own, in the shop's words; returns the lines to emit now. There may be no room for it, or
    /// for all of it.
    pub(crate) fn take_record(&mut self, texts: &[String]) -> Vec<Line> {
        let before = self.passed.len();
        for text in texts {
            let line = Line::of_text(text);
            let line = if self.passed.is_empty() {
                line
            } else {
                line.listed()
            };
            if !self.has_room_for(&line.text()) {
                break;
            }
            self.chars += line.text().chars().count() + 1;
            self.passed.push(line);
            self.is_beside_record = true;
        }
        self.passed[before..].to_vec()
    }

    /// Takes more of what the model writes; returns the lines to emit now.
    pub(crate) fn push(&mut self, delta: &str) -> Vec<Line> {
        let mut pieces = Vec::new();
        self.cutter.push(delta, &mut pieces);
        self.take(pieces)
    }

    /// What is left once the model has ended.
    pub(crate) fn finish(&mut self) -> Vec<Line> {
        let mut pieces = Vec::new();
        self.cutter.finish(&mut pieces);
        self.take(pieces)
    }

    /// What is not ended is not part of the answer.
    pub(crate) fn forget_unended(&mut self) {
        self.cutter = Cutter::default();
        self.held = None;
    }

    /// Nothing follows: what was announced has not come.
    pub(crate) fn close(&mut self) {
        if self.held.take().is_some() {
            self.reject("hollow");
        }
    }

    /// Whether a line more would be in form.
    pub(crate) fn has_room_for(&self, line: &str) -> bool {
        let chars = self.chars + line.chars().count();
        self.passed.len() < self.form.lines && chars <= self.form.chars
    }

    /// The number by which a model refers to an item; 0 where it is not among the results.
    pub(crate) fn number(&self, id: u64) -> usize {
        self.prose.place(id).map_or(0, |place| place + 1)
    }

    /// The lines emitted so far.
    pub(crate) fn passed(&self) -> &[Line] {
        &self.passed
    }

    pub(crate) fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    fn take(&mut self, pieces: Vec<Piece>) -> Vec<Line> {
        let before = self.passed.len();
        for piece in pieces {
            match piece {
                Piece::Line(text) => self.judge(&text, unmark(&text) != text.trim()),
                Piece::Sentence(text) => self.judge(&text, false),
                Piece::Overlong => self.reject("too_long"),
            }
        }
        self.passed[before..].to_vec()
    }

    fn reject(&mut self, code: &'static str) {
        *self.verdict.rejected.entry(code).or_default() += 1;
    }

    fn judge(&mut self, text: &str, is_marked: bool) {
        let bare = unmark(text);
        if bare.is_empty() {
            return;
        }
        if self.passed.len() + usize::from(self.held.is_some()) >= self.form.lines {
            self.reject("bullets");
            return;
        }
        let judged = self.prose.judge(bare);
        for fault in &judged.faults {
            self.reject(fault.code());
        }
        if judged.parts.is_empty() {
            return;
        }
        let names_item = judged
            .parts
            .iter()
            .any(|part| matches!(part, Part::Item(_)));
        let names_item = names_item || bare.ends_with('?');
        if self.is_beside_record && (!names_item || self.prose.promises(bare)) {
            self.reject("record");
            return;
        }
        // What is left of a line may be a name that was said before.
        let says = |part: &Part| match part {
            Part::Text(text) => text.contains(char::is_alphanumeric),
            Part::Item(_) => !self.accepted.iter().flatten().any(|said| said == part),
            Part::Fact(..) => true,
        };
        let says_more = judged.parts.iter().any(says);
        if !says_more || self.accepted.contains(&judged.parts) {
            self.reject("repeated");
            return;
        }
        self.accepted.push(judged.parts.clone());
        self.verdict.repaired += usize::from(!judged.faults.is_empty());
        let announces =
            matches!(judged.parts.last(), Some(Part::Text(text)) if text.ends_with(':'));
        if let Some(waiting) = self.held.take() {
            self.pass(waiting);
        }
        let draft = Draft { judged, is_marked };
        if announces {
            self.held = Some(draft);
        } else {
            self.pass(draft);
        }
    }

    fn pass(&mut self, Draft { judged, is_marked }: Draft) {
        let item = |at| self.prose.item(at);
        let mut renderer = self.renderer.clone();
        let line = renderer.line(&judged.parts, item, &judged.states);
        let line = if is_marked || !self.passed.is_empty() {
            line.listed()
        } else {
            line
        };
        let chars = line.text().chars().count() + 1;
        if self.chars + chars > self.form.chars {
            self.reject("too_long");
            return;
        }
        self.chars += chars;
        self.renderer = renderer;
        self.verdict.passed += 1;
        self.passed.push(line);
    }
}

#[cfg(test)]
mod tests;
