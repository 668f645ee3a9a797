//! A folded message word by word, with the places of its words.

use std::ops::Range;

use crate::language::{Found, Phrases};

/// The words of `text`: runs of letters and digits.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(char::is_alphanumeric)?;
        let length = text[start..].find(|c: char| !c.is_alphanumeric());
        from = length.map_or(text.len(), |length| start + length);
        Some((start..from, &text[start..from]))
    })
}

/// Adds a clause to others, set off as it was: no text is longer than what it is of.
pub(super) fn add_clause(text: &mut String, clause: &str, is_spaced: bool) {
    if !text.is_empty() && !clause.is_empty() {
        // "3,5" is a number.
        text.push_str(if is_spaced { ", " } else { ";" });
    }
    text.push_str(clause);
}

/// Whether `text` is one of the phrases and nothing else.
pub(super) fn whole(text: &str, phrases: &Phrases) -> Option<&'static str> {
    // One more word shows that it is longer than any.
    let words: Vec<&str> = text
        .split_whitespace()
        .take(phrases.longest() + 1)
        .collect();
    let found = phrases.at(&words)?;
    (found.words == words.len()).then_some(found.key)
}

/// The longest phrase that `text` ends with, and what stands before it. Filters' names may hold `_`.
pub(super) fn ending<'t>(text: &'t str, phrases: &Phrases) -> Option<(&'t str, &'static str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (mut rest, mut words, mut longest) = (text, Vec::new(), None);
    while words.len() < phrases.longest() {
        let head = rest.trim_end_matches(is_part);
        words.insert(0, &rest[head.len()..]);
        if let Some(Found { key, words: count }) = phrases.at(&words)
            && count == words.len()
        {
            longest = Some((head, key));
        }
        let Some(before) = head.strip_suffix(' ').filter(|_| head.len() < rest.len()) else {
            break;
        };
        rest = before;
    }
    longest
}
