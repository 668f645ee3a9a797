//! "Parecidos a Rayuela": what asks for others like one.

use std::ops::Range;

use super::{Route, is_id, words::words};
use crate::language::List;

pub(super) fn similar(folded: &str) -> Option<Route> {
    let similar = List::Similar.in_all();
    let found: Vec<(Range<usize>, &str)> = words(folded).collect();
    let only_words: Vec<&str> = found.iter().map(|(_, word)| *word).collect();
    let after = similar
        .all(&only_words)
        .filter(|(_, phrase)| phrase.key == "like")
        .filter_map(|(at, phrase)| {
            let (start, end) = (found[at].0.start, found[at + phrase.words - 1].0.end);
            let is_unbroken = folded[start..end]
                .chars()
                .all(|c| c.is_alphanumeric() || c == ' ');
            is_unbroken.then(|| &folded[end..])
        })
        .find(|rest| rest.starts_with([' ', ':', '\n', '"', '«']))?;
    let mut rest = after.trim_matches(|c: char| c.is_whitespace() || "\"'«»“”¿?¡!.,:;".contains(c));
    let mut is_number = false;
    while let Some(named) = behind_item(rest).or_else(|| rest.strip_prefix('#')) {
        is_number = true;
        rest = named.trim_start_matches(['#', '"', '«', '“']);
    }
    // "Something like that" names nothing.
    let first: Vec<&str> = words(rest).map(|(_, word)| word).collect();
    let of_shown = List::References.in_all().at(&first);
    let is_of_shown = of_shown.is_some_and(|found| found.key == "that");
    match rest.parse() {
        _ if rest.is_empty() || is_of_shown => None,
        // A number alone may be a title.
        Ok(id) if is_id(id) && is_number => Some(Route::SimilarToId(id)),
        _ => Some(Route::SimilarToTitle(rest.to_owned())),
    }
}

/// What stands behind the word for an item that `text` begins with.
fn behind_item(text: &str) -> Option<&str> {
    let similar = List::Similar.in_all();
    let first: Vec<(Range<usize>, &str)> = words(text).take(similar.longest()).collect();
    let only_words: Vec<&str> = first.iter().map(|(_, word)| *word).collect();
    let phrase = similar
        .at(&only_words)
        .filter(|phrase| phrase.key == "item")?;
    let is_first = first[0].0.start == 0;
    let behind = text[first[phrase.words - 1].0.end..].strip_prefix(' ')?;
    is_first.then_some(behind)
}
