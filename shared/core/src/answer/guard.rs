//! What may be said: the form of a message, and that every fact in it is in this turn's results.
//!
//! A price, a count of copies, a year or an ISBN belongs to the title named before it, in its line or in the lines that are said before;
//! what cannot be read for sure is not said. [`LineGuard`] judges an answer while it comes, [`check`] a whole one, by the same rules.

mod amounts;
mod claims;
mod code;
mod cut;
mod facts;
mod figures;
mod line;
mod names;
mod others;
mod stream;
mod tongue;
mod words;

#[cfg(test)]
mod tests;

pub use stream::{LineGuard, Verdict};

use cut::{Cutter, Piece, unmark};
use facts::{Facts, Mention, Subject};
use line::{Line, clean};

use crate::{catalogue::BookResult, language::Language};

/// Longest message, in characters.
pub const MESSAGE_CHARS: usize = 800;
/// Fewest and most bullets.
pub const BULLETS: std::ops::RangeInclusive<usize> = 2..=5;

/// What the shop itself says between quotation marks that is no title: how to ask.
const HINTS: [&str; 2] = ["categoria: novela, precio_max: 20", "categoria: novela"];

/// What is wrong with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Violation {
    Empty,
    TooLong,
    Bullets,
    Code,
    /// Clearly in another language than the caller's, or in letters that neither has.
    Language,
    /// A price that no result has, or another book's; a discount.
    Price,
    /// A number (copies, year, id, ISBN, count) that no result has, or another book's.
    Number,
    /// A day, a term or a delivery: the results state the year of publication alone.
    Date,
    /// Something said to be done that only the customer may do.
    Action,
    /// A title or name that no result has.
    Title,
    /// It announces what does not follow, or asks where something is to be told.
    Hollow,
    /// It has been said.
    Repeated,
}

impl Violation {
    /// A stable word for the trace.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong => "too_long",
            Self::Bullets => "bullets",
            Self::Code => "code",
            Self::Language => "language",
            Self::Price => "ungrounded_price",
            Self::Number => "ungrounded_number",
            Self::Date => "ungrounded_date",
            Self::Action => "ungrounded_action",
            Self::Title => "ungrounded_title",
            Self::Hollow => "hollow",
            Self::Repeated => "repeated",
        }
    }

    /// Whether putting the form right can help.
    #[must_use]
    pub fn is_form(self) -> bool {
        matches!(self, Self::TooLong | Self::Bullets)
    }
}

/// Everything wrong with `message` as an answer that shows `results`. The language is judged by [`LineGuard`] alone.
#[must_use]
pub fn check(message: &str, results: &[BookResult]) -> Vec<Violation> {
    let lines: Vec<&str> = message
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    if lines.is_empty() {
        return vec![Violation::Empty];
    }
    let mut violations = Vec::new();
    if message.chars().count() > MESSAGE_CHARS {
        violations.push(Violation::TooLong);
    }
    if !BULLETS.contains(&lines.len()) || lines.iter().any(|line| !line.starts_with("- ")) {
        violations.push(Violation::Bullets);
    }
    let facts = Facts::new(results);
    let mut subject = Subject::default();
    for line in lines {
        let (wrong, _) = judge(unmark(&clean(line)), &facts, None, &mut subject);
        for violation in wrong {
            if !violations.contains(&violation) {
                violations.push(violation);
            }
        }
    }
    violations
}

/// Whether a text says a price, a day, or that something is done: whatever is found, nobody says it in passing.
pub(crate) fn promises(text: &str) -> bool {
    let (violations, _) = judge(text, &Facts::default(), None, &mut Subject::default());
    let mut violations = violations.iter();
    violations.any(|violation| {
        matches!(
            violation,
            Violation::Price | Violation::Date | Violation::Action
        )
    })
}

/// Whether a folded word claims much: a number, a discount, or something done at the counter.
pub(crate) fn weighs(word: &str) -> bool {
    words::numeral(word).is_some()
        || words::DONE_TO.contains(word)
        || words::DISCOUNTS.stand_in(&format!(" {word} "))
}

/// Everything wrong with a line without its mark, after lines that spoke of `subject`, which becomes what this one speaks of; and
/// whether it names a title.
fn judge(
    text: &str,
    facts: &Facts,
    language: Option<Language>,
    subject: &mut Subject,
) -> (Vec<Violation>, bool) {
    let mut unhinted = text.to_owned();
    for hint in HINTS {
        unhinted = unhinted.replace(hint, "");
    }
    let mut line = Line::new(&unhinted);
    let quoted = names::find_quoted(&mut line, facts);
    let unknown = quoted.is_none();
    let mut named = quoted.unwrap_or_default();
    facts.find_names(&mut line, &mut named);
    let mut violations = Vec::new();
    if code::is_code(&line) {
        violations.push(Violation::Code);
    }
    if tongue::has_strange_letters(&line, facts)
        || language.is_some_and(|language| tongue::is_foreign(&line, language))
    {
        violations.push(Violation::Language);
    }
    let own = facts.last_subject(&named);
    let before = facts.places_of(subject);
    let is_known = !unknown && names::are_known(&line, facts, &named);
    if !is_known {
        violations.push(Violation::Title);
    }
    let of_others = others::are_told_of(&line, facts, &named, !before.is_empty());
    if own.is_none() && !before.is_empty() {
        named.insert(0, Mention::before_line(&before));
    }
    violations.extend(figures::violations(&line, facts, &named));
    violations.extend(claims::violations(&line, facts, &named, language));
    violations.extend(of_others.then_some(Violation::Title));
    let names_title = own.is_some();
    if let Some(own) = own {
        *subject = own;
    }
    let mut found = Vec::new();
    violations.retain(|violation| {
        let new = !found.contains(violation);
        found.push(*violation);
        new
    });
    (violations, names_title)
}

/// Puts the form right: every line or sentence a bullet, at most five of them, within the length.
#[must_use]
pub fn repair(message: &str) -> String {
    let (mut cutter, mut pieces) = (Cutter::default(), Vec::new());
    cutter.push(message, &mut pieces);
    cutter.finish(&mut pieces);
    let mut bullets: Vec<String> = Vec::new();
    let mut used = 0;
    for piece in pieces.iter().take(*BULLETS.end()) {
        let (Piece::Line(text) | Piece::Sentence(text)) = piece else {
            break;
        };
        let bullet = format!("- {}", unmark(text));
        used += bullet.chars().count() + 1;
        if used > MESSAGE_CHARS {
            break;
        }
        bullets.push(bullet);
    }
    bullets.join("\n")
}
