//! A summary without a model: the most informative lines of a conversation.

use std::collections::{HashMap, HashSet};

use super::{Role, Summarised};
use crate::{
    language::List,
    log::Summary,
    shop::currency,
    text::{fold, words},
};

/// Longest line, in characters without its label: an item with author, price and stock takes about 100.
const LINE_CHARS: usize = 160;
/// In fewer characters than this nothing fits: the longest label takes 13.
const SUMMARY_CHARS_MIN: usize = 20;

/// What makes a line worth keeping, in points. A rare word and being the newest weigh about the same; what a customer says of
/// themselves outweighs both, for it stays true and is said once.
mod points {
    /// For words that are found in no other line.
    pub(super) const RARE: usize = 8;
    /// For the newest line, and in proportion for those before it.
    pub(super) const NEW: usize = 10;
    pub(super) const TITLE: usize = 6;
    pub(super) const PRICE: usize = 4;
    pub(super) const NUMBER: usize = 2;
    pub(super) const CUSTOMER: usize = 3;
    pub(super) const PREFERENCE: usize = 18;
    pub(super) const CHOICE: usize = 12;
    /// For the items that a choice was made from.
    pub(super) const CHOSEN_FROM: usize = 6;
}

/// The most informative lines of the conversation, as `- Cliente: …` and `- Asistente: …` in their order, in at most
/// `max_chars` characters; empty below 20.
///
/// `messages` are those after what `previous` covers, oldest first; the lines of `previous` stand before them and give way
/// first, except the first request of the conversation, which stays. A repetition is kept once, in its last wording. Every
/// line is a sentence of the input without line breaks, with `…` where it was cut.
#[must_use]
pub fn extract(
    previous: Option<&Summary>,
    messages: &[Summarised<'_>],
    max_chars: usize,
) -> String {
    if max_chars < SUMMARY_CHARS_MIN {
        return String::new();
    }
    let mut lines: Vec<Line> = previous
        .into_iter()
        .flat_map(|summary| summary.text.lines())
        .filter_map(Line::read)
        .collect();
    for (index, message) in messages.iter().enumerate() {
        lines.extend(
            sentences(message.content)
                .filter_map(|text| Line::of_message(message.role, &text, index)),
        );
    }
    let first = lines
        .iter()
        .position(|line| line.role == Some(Role::Customer))
        .unwrap_or(0);
    let lines = deduplicated(lines, first);
    let chosen = chosen(&lines, max_chars);
    let kept = lines.iter().zip(&chosen).filter(|(_, chosen)| **chosen);
    let written: Vec<String> = kept.map(|(line, _)| line.written(max_chars)).collect();
    written.join("\n")
}

/// A sentence that may become a line.
struct Line {
    /// `None` for a line of a summary that does not say.
    role: Option<Role>,
    text: String,
    /// The informative words, folded, without repetition.
    keywords: Vec<String>,
    /// The message it is from; `None` for a line of the previous summary.
    message: Option<usize>,
    /// The conversation's first request.
    is_first: bool,
}

impl Line {
    /// A line of a summary.
    fn read(line: &str) -> Option<Self> {
        // A label is one whatever blank follows it.
        let text = spaced(unbulleted(line));
        let text = text.as_str();
        let by = |role: Role| {
            let of_message = text.strip_prefix(role.label())?.strip_prefix(": ")?;
            Some((Some(role), of_message))
        };
        let (role, text) = by(Role::Customer)
            .or_else(|| by(Role::Assistant))
            .unwrap_or((None, text));
        Self::new(role, text, None)
    }

    /// A sentence of a message; `None` for filler.
    fn of_message(role: Role, text: &str, message: usize) -> Option<Self> {
        let line = Self::new(Some(role), text, Some(message))?;
        let is_informative = match role {
            Role::Customer => !words(&line.text).iter().all(|word| is(word, "courtesy")),
            Role::Assistant => {
                has_title(&line.text) || (line.has_number() && !line.text.ends_with(['?', ':']))
            }
        };
        is_informative.then_some(line)
    }

    fn new(role: Option<Role>, text: &str, message: Option<usize>) -> Option<Self> {
        let text = shortened(unbulleted(&spaced(text)), LINE_CHARS);
        let mut seen = HashSet::new();
        let keywords = words(&text)
            .into_iter()
            .filter(|word| is_keyword(word) && seen.insert(word.clone()))
            .collect();
        (!text.is_empty()).then_some(Self {
            role,
            text,
            keywords,
            message,
            is_first: false,
        })
    }

    fn label(&self) -> String {
        self.role
            .map_or("- ".to_owned(), |role| format!("- {}: ", role.label()))
    }

    fn written(&self, max_chars: usize) -> String {
        let label = self.label();
        let left = max_chars.saturating_sub(label.chars().count());
        format!("{label}{}", shortened(&self.text, left))
    }

    fn chars(&self, max_chars: usize) -> usize {
        let whole = self.label().chars().count() + self.text.chars().count();
        if whole <= max_chars {
            whole
        } else {
            self.written(max_chars).chars().count()
        }
    }

    fn has_number(&self) -> bool {
        self.text.contains(|c: char| c.is_ascii_digit())
    }

    fn has_price(&self) -> bool {
        let names_currency = |word: &String| {
            let unit = List::Units.in_all().at(&[word]);
            unit.is_some_and(|unit| currency::is_unit(unit.key))
        };
        let has_unit =
            || self.text.contains(currency::is_symbol) || self.keywords.iter().any(names_currency);
        self.has_number() && has_unit()
    }

    fn has_word(&self, key: &str) -> bool {
        self.keywords.iter().any(|word| is(word, key))
    }

    fn is_choice(&self) -> bool {
        self.role != Some(Role::Assistant) && self.has_word("choice")
    }

    /// Two lines with the same key repeat each other; of listed items, the titles are compared and not the prices.
    fn key(&self) -> (Option<Role>, String) {
        let titles = match self.role {
            Some(Role::Assistant) => titles(&self.text),
            _ => Vec::new(),
        };
        let key_words = if titles.is_empty() {
            words(&self.text)
        } else {
            titles.iter().flat_map(|title| words(title)).collect()
        };
        (self.role, key_words.join(" "))
    }

    /// Whether `other` covers nearly all of this already. Lines of one summary were compared when it was made.
    fn is_covered_by(&self, other: &Self) -> bool {
        let is_compared = self.message.is_some() || other.message.is_some();
        let shared = self
            .keywords
            .iter()
            .filter(|word| other.keywords.contains(word))
            .count();
        is_compared
            && self.role == other.role
            && !self.keywords.is_empty()
            && shared * 5 >= self.keywords.len() * 4
    }
}

/// The lines, each key once: in its last wording, but the first request where it stands.
fn deduplicated(lines: Vec<Line>, first: usize) -> Vec<Line> {
    let keys: Vec<_> = lines.iter().map(Line::key).collect();
    let last: HashMap<_, usize> = keys.iter().zip(0..).collect();
    let of_first = keys.get(first);
    let stays = |index: usize, key| {
        index == first || (last.get(key) == Some(&index) && Some(key) != of_first)
    };
    let numbered = lines.into_iter().zip(&keys).enumerate();
    numbered
        .filter(|(index, (_, key))| stays(*index, key))
        .map(|(index, (line, _))| Line {
            is_first: index == first,
            ..line
        })
        .collect()
}

/// Which lines are kept: the first request, then those with the most points, the assistant's at first in half of the characters
/// only, so that items do not crowd out what was asked.
fn chosen(lines: &[Line], max_chars: usize) -> Vec<bool> {
    let points = points_of(lines);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&index| {
        let line = &lines[index];
        std::cmp::Reverse((line.is_first, points[index], index))
    });
    let mut chosen = vec![false; lines.len()];
    let mut picked: Vec<&Line> = Vec::new();
    // Each line but the first has a line break before it.
    let mut left = max_chars + 1;
    let mut left_to_assistant = max_chars / 2;
    for in_halves in [true, false] {
        for &index in &order {
            let line = &lines[index];
            let needed = line.chars(if line.is_first { max_chars } else { usize::MAX }) + 1;
            let is_assistants = line.role == Some(Role::Assistant);
            if chosen[index]
                || needed > left
                || (in_halves && is_assistants && needed > left_to_assistant)
                || picked.iter().any(|other| line.is_covered_by(other))
            {
                continue;
            }
            chosen[index] = true;
            picked.push(line);
            left -= needed;
            if is_assistants {
                left_to_assistant = left_to_assistant.saturating_sub(needed);
            }
        }
    }
    chosen
}

fn points_of(lines: &[Line]) -> Vec<usize> {
    let mut found: HashMap<&str, usize> = HashMap::new();
    for word in lines.iter().flat_map(|line| &line.keywords) {
        *found.entry(word).or_default() += 1;
    }
    let mut points: Vec<usize> = lines
        .iter()
        .enumerate()
        .map(|(index, line)| {
            let given = [
                (has_title(&line.text), points::TITLE),
                (line.has_price(), points::PRICE),
                (line.has_number(), points::NUMBER),
                (line.role != Some(Role::Assistant), points::CUSTOMER),
                (
                    line.role != Some(Role::Assistant) && line.has_word("preference"),
                    points::PREFERENCE,
                ),
                (line.is_choice(), points::CHOICE),
            ];
            let given = given
                .iter()
                .filter(|(has, _)| *has)
                .map(|(_, points)| points);
            given.sum::<usize>()
                + rarity(line, &found, lines.len())
                + points::NEW * (index + 1) / lines.len()
        })
        .collect();
    for choice in lines.iter().filter(|line| line.is_choice()) {
        let Some(before) = choice.message.and_then(|message| message.checked_sub(1)) else {
            continue;
        };
        for (line, points) in lines.iter().zip(&mut points) {
            if line.message == Some(before) && line.role == Some(Role::Assistant) {
                *points += points::CHOSEN_FROM;
            }
        }
    }
    points
}

/// How rare the four rarest words of a line are among `lines` lines, from 0 to [`points::RARE`].
fn rarity(line: &Line, found: &HashMap<&str, usize>, lines: usize) -> usize {
    const WORDS: usize = 4;
    let most = lines.max(2).ilog2() as usize;
    let mut rare: Vec<usize> = line
        .keywords
        .iter()
        .filter_map(|word| found.get(word.as_str()))
        .map(|found| (lines / found).max(1).ilog2() as usize)
        .collect();
    rare.sort_unstable_by(|a, b| b.cmp(a));
    points::RARE * rare.iter().take(WORDS).sum::<usize>() / (WORDS * most)
}

fn is_keyword(word: &str) -> bool {
    let is_number = word.contains(|c: char| c.is_ascii_digit());
    is_number || (word.chars().count() > 3 && !is(word, "common"))
}

/// Whether a folded word is listed under `key`, in any language: a conversation may be in several.
fn is(word: &str, key: &str) -> bool {
    List::Telling.in_all().stands(word, key)
}

/// What stands between « and », or “ and ”.
fn titles(text: &str) -> Vec<String> {
    let mut titles = Vec::new();
    for (open, close) in [('«', '»'), ('“', '”')] {
        let parts = text.split(open).skip(1);
        titles.extend(
            parts
                .filter_map(|part| part.split_once(close))
                .map(|(title, _)| fold(title)),
        );
    }
    titles
}

fn has_title(text: &str) -> bool {
    !titles(text).is_empty()
}

/// The sentences of a message, which end at a line's end or at a full stop, but not inside a title or after an abbreviation.
fn sentences(content: &str) -> impl Iterator<Item = String> {
    content.lines().flat_map(|line| {
        let mut sentences = Vec::new();
        let (mut start, mut is_title, mut word) = (0, false, 0);
        let mut ends = false;
        for (at, c) in line.char_indices() {
            if ends && c.is_whitespace() {
                sentences.push(line[start..at].to_owned());
                start = at;
            }
            ends =
                !is_title && (matches!(c, '!' | '?' | '…') || (c == '.' && word != 1 && word != 2));
            match c {
                '«' | '“' => is_title = true,
                '»' | '”' => is_title = false,
                _ => {}
            }
            word = if c.is_alphabetic() { word + 1 } else { 0 };
        }
        sentences.push(line[start..].to_owned());
        sentences
    })
}

pub(super) fn unbulleted(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_whitespace() || "-*•".contains(c))
}

/// The text on one line.
fn spaced(text: &str) -> String {
    let blank = |c: char| c.is_whitespace() || c.is_control();
    let words: Vec<&str> = text.split(blank).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// `text` in at most `max_chars` characters, cut between words where it has any, and then with an ellipsis.
fn shortened(text: &str, max_chars: usize) -> String {
    if text.chars().nth(max_chars).is_none() {
        return text.to_owned();
    }
    let kept = text.char_indices().nth(max_chars.saturating_sub(1));
    let kept = &text[..kept.map_or(0, |at| at.0)];
    let kept = kept.rsplit_once(' ').map_or(kept, |(head, _)| head);
    format!("{}…", kept.trim_end())
}
