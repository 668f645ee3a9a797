//! A model's answer, judged line by line as it comes.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    BULLETS, MESSAGE_CHARS, Violation,
    cut::{Cutter, Piece, unmark},
    facts::{Facts, Subject},
    judge,
    line::clean,
};
use crate::{catalogue::BookResult, language::Language};

/// What became of a model's lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Lines that may be said.
    pub passed: usize,
    /// Those of them that came in another form than they are said in.
    pub repaired: usize,
    /// Lines that may not, by the code of what is first wrong with them.
    pub rejected: BTreeMap<&'static str, usize>,
}

/// A line that may be said.
struct Passing {
    line: String,
    /// What is spoken of after it.
    subject: Subject,
    names_title: bool,
    /// Whether it came in another form.
    is_repaired: bool,
}

impl Passing {
    /// "Encontré 5 libros:"
    fn announces(&self) -> bool {
        !self.names_title && self.line.ends_with(':')
    }

    /// "¿Prefieres novela o poesía?", and not "¿Te gusta «Rayuela», a 21,90 €?"
    fn only_asks(&self) -> bool {
        self.line.ends_with('?') && !self.line.contains(char::is_numeric)
    }
}

/// Judges a model's answer line by line, as it comes.
///
/// How the answer is cut into deltas changes nothing, and a line that is rejected is gone: what follows is judged without it. A line is
/// judged by the books known when it ends. One that announces others is said once a title follows, and where there are books, one
/// that only asks is said once something is told. Nothing is said twice.
pub struct LineGuard {
    language: Language,
    facts: Facts,
    cutter: Cutter,
    passed: Vec<String>,
    passed_chars: usize,
    /// Lines that wait for what is said next: some that ask, or one that announces.
    held: Vec<Passing>,
    /// What the lines that passed speak of.
    subject: Subject,
    verdict: Verdict,
}

impl LineGuard {
    /// A guard for an answer in `language`, which knows no book yet.
    #[must_use]
    pub fn new(language: Language) -> Self {
        Self {
            language,
            facts: Facts::default(),
            cutter: Cutter::default(),
            passed: Vec::new(),
            passed_chars: 0,
            held: Vec::new(),
            subject: Subject::default(),
            verdict: Verdict::default(),
        }
    }

    /// Books the answer may speak of; more may come while tools are used.
    pub fn know(&mut self, books: &[BookResult]) {
        self.facts.know(books);
    }

    /// Documents whose names the answer may say, unless one says what only the catalogue may.
    pub fn know_documents<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        let claims = |name: &str| {
            let (violations, _) = judge(name, &self.facts, None, &mut Subject::default());
            let mut violations = violations.into_iter();
            violations.any(|violation| {
                use Violation::{Action, Date, Number, Price};
                matches!(violation, Price | Number | Date | Action)
            })
        };
        let harmless: Vec<&str> = names.filter(|name| !claims(name)).collect();
        self.facts.know_documents(harmless.into_iter());
    }

    /// Takes more of what the model says; gives the lines that may be said now, each whole, in form (`- …`), without newline.
    pub fn push(&mut self, delta: &str) -> Vec<String> {
        let mut pieces = Vec::new();
        self.cutter.push(delta, &mut pieces);
        self.take(pieces)
    }

    /// What is left once the model has ended.
    pub fn finish(&mut self) -> Vec<String> {
        let mut pieces = Vec::new();
        self.cutter.finish(&mut pieces);
        self.take(pieces)
    }

    /// What is not ended, and what waits, is not part of the answer.
    pub fn forget_unended(&mut self) {
        self.cutter = Cutter::default();
        self.held.clear();
    }

    /// Nothing follows: what was announced has not come, and nothing was told.
    pub fn close(&mut self) {
        for _ in 0..self.held.len() {
            self.reject(Violation::Hollow);
        }
        self.held.clear();
    }

    /// Whether a line more would be in form.
    #[must_use]
    pub fn has_room_for(&self, line: &str) -> bool {
        let chars = self.passed_chars + line.chars().count();
        self.passed.len() < *BULLETS.end() && chars <= MESSAGE_CHARS
    }

    /// The lines that may be said so far.
    #[must_use]
    pub fn passed(&self) -> &[String] {
        &self.passed
    }

    /// Whether a line was not said for more than being said before.
    #[must_use]
    pub fn is_doubted(&self) -> bool {
        let mut codes = self.verdict.rejected.keys();
        codes.any(|code| *code != Violation::Repeated.code())
    }

    /// What became of the lines so far.
    #[must_use]
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    fn take(&mut self, pieces: Vec<Piece>) -> Vec<String> {
        let before = self.passed.len();
        for piece in pieces {
            match self.judge(&piece) {
                Ok(Some(passing)) => self.hear(passing),
                Ok(None) => {}
                Err(violation) => self.reject(violation),
            }
        }
        self.passed[before..].to_vec()
    }

    fn hear(&mut self, passing: Passing) {
        let is_announced = self.held.last().is_some_and(Passing::announces);
        if is_announced && !passing.names_title {
            self.held.pop();
            self.reject(Violation::Hollow);
        }
        let tells_nothing = passing.only_asks() && self.passed.is_empty() && self.facts.len() > 0;
        if passing.announces() || tells_nothing {
            self.held.push(passing);
            return;
        }
        for waiting in std::mem::take(&mut self.held) {
            self.say(waiting);
        }
        self.say(passing);
    }

    fn say(&mut self, passing: Passing) {
        self.subject = passing.subject;
        self.verdict.passed += 1;
        self.verdict.repaired += usize::from(passing.is_repaired);
        self.passed_chars += passing.line.chars().count() + 1;
        self.passed.push(passing.line);
    }

    fn reject(&mut self, violation: Violation) {
        let rejected = &mut self.verdict.rejected;
        *rejected.entry(violation.code()).or_default() += 1;
    }

    /// The line as it may be said, or nothing where it holds nothing.
    fn judge(&self, piece: &Piece) -> Result<Option<Passing>, Violation> {
        let (Piece::Line(text) | Piece::Sentence(text)) = piece else {
            return Err(Violation::TooLong);
        };
        let cleaned = clean(text);
        let bare = unmark(&cleaned);
        if bare.is_empty() {
            return Ok(None);
        }
        let line = format!("- {bare}");
        let waiting = self.held.iter();
        let mut said = waiting.clone().map(|other| &other.line).chain(&self.passed);
        if said.any(|other| *other == line) {
            return Err(Violation::Repeated);
        }
        if self.passed.len() + self.held.len() == *BULLETS.end() {
            return Err(Violation::Bullets);
        }
        let before = self
            .held
            .last()
            .map_or(&self.subject, |other| &other.subject);
        let mut subject = before.clone();
        let language = Some(self.language);
        let (violations, names_title) = judge(bare, &self.facts, language, &mut subject);
        if let Some(violation) = violations.into_iter().next() {
            return Err(violation);
        }
        let waiting: usize = waiting.map(|other| other.line.chars().count() + 1).sum();
        if self.passed_chars + waiting + line.chars().count() > MESSAGE_CHARS {
            return Err(Violation::TooLong);
        }
        let is_repaired = !matches!(piece, Piece::Line(text) if *text == line);
        Ok(Some(Passing {
            line,
            subject,
            names_title,
            is_repaired,
        }))
    }
}
