//! Earlier messages, found by their words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use unicode_normalization::char::is_combining_mark;

use super::{History, HistoryError, Message, messages_of};
use crate::{
    ids::{ConversationNumber, Owner},
    log::{Order, Place, Stretch},
    text::{fold, truncate, words},
};

/// Commits that one request looks through; with two messages each, some 2 MB.
const COMMITS_PER_SEARCH: usize = 1_000;
/// Commits read at once.
const COMMITS_PER_READ: usize = 250;
/// Longest excerpt, in characters, and how much of it stands before what was found.
const EXCERPT_CHARS: usize = 240;
const BEFORE_CHARS: usize = 80;

/// A message that has every word asked for, or one that begins with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Match {
    pub conversation: ConversationNumber,
    #[serde(flatten)]
    pub message: Message,
    /// What stands around the first of the words.
    pub excerpt: String,
}

/// Some of the messages found, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Matches {
    pub query: String,
    pub matches: Vec<Match>,
    /// For `after`, to look on among older messages; null where all were looked through.
    pub next: Option<String>,
}

impl History {
    /// The newest messages before `before` that have all words of `query`, case and accents ignored, at most `limit`.
    ///
    /// # Errors
    /// [`HistoryError::Unavailable`].
    pub async fn search(
        &self,
        owner: &Owner,
        query: &str,
        before: Option<Place>,
        limit: usize,
    ) -> Result<Matches, HistoryError> {
        let wanted = words(query);
        let mut matches = Vec::new();
        let mut left = before_place(before).filter(|_| !wanted.is_empty());
        let mut looked_through = 0;
        while let Some(stretch) = left {
            let commits = self
                .log
                .read(owner, stretch, Order::NewestFirst, COMMITS_PER_READ)
                .await?;
            left = match commits.last() {
                Some(oldest) if commits.len() == COMMITS_PER_READ => {
                    before_place(Some((oldest.conversation, oldest.first_seq)))
                }
                _ => None,
            };
            looked_through += commits.len();
            for commit in &commits {
                for message in messages_of(commit).into_iter().rev() {
                    let place = (commit.conversation, message.id);
                    // A cursor may point into a commit.
                    if before.is_some_and(|before| place >= before) {
                        continue;
                    }
                    let Some(excerpt) = excerpt(&message.content, &wanted) else {
                        continue;
                    };
                    if matches.len() == limit {
                        let last: Option<&Match> = matches.last();
                        let next = last.map(|last| cursor((last.conversation, last.message.id)));
                        return Ok(found(query, matches, next));
                    }
                    matches.push(Match {
                        conversation: commit.conversation,
                        message,
                        excerpt,
                    });
                }
            }
            if looked_through >= COMMITS_PER_SEARCH
                && let (Some(_), Some(oldest)) = (left, commits.last())
            {
                let next = cursor((oldest.conversation, oldest.first_seq));
                return Ok(found(query, matches, Some(next)));
            }
        }
        Ok(found(query, matches, None))
    }
}

fn found(query: &str, matches: Vec<Match>, next: Option<String>) -> Matches {
    Matches {
        query: query.to_owned(),
        matches,
        next,
    }
}

/// What may hold messages before a place: commits that begin before it.
fn before_place(before: Option<Place>) -> Option<Stretch> {
    before.map_or(Some(Stretch::ALL), |before| Stretch::ALL.before(before))
}

/// A place as callers hand it back.
fn cursor((conversation, seq): Place) -> String {
    format!("{}.{}", conversation.0, seq.0)
}

/// What stands around the first of the words, if the text has them all.
fn excerpt(text: &str, wanted: &[String]) -> Option<String> {
    let there = words_at(text);
    let begins = |word: &String| there.iter().position(|(_, there)| there.starts_with(word));
    let places: Vec<usize> = wanted.iter().map(begins).collect::<Option<_>>()?;
    let (first, _) = there[places.into_iter().min()?];
    let near = |start: &usize| text[*start..first].chars().count() <= BEFORE_CHARS;
    let from = there.iter().map(|(start, _)| *start).find(near)?;
    // What stands before a text's first word is part of it: «, ¿, -.
    let from = if from == there[0].0 { 0 } else { from };
    let cut = truncate(text[from..].trim(), EXCERPT_CHARS);
    Some(if from > 0 { format!("…{cut}") } else { cut })
}

/// The words of a text, folded, and where they begin.
fn words_at(text: &str) -> Vec<(usize, String)> {
    let mut words: Vec<(usize, String)> = Vec::new();
    let mut within = false;
    for (at, letter) in text.char_indices() {
        let is_part = letter.is_alphanumeric() || is_combining_mark(letter);
        match (is_part, within) {
            (true, false) => words.push((at, letter.to_string())),
            (true, true) => {
                if let Some((_, word)) = words.last_mut() {
                    word.push(letter);
                }
            }
            (false, _) => {}
        }
        within = is_part;
    }
    for (_, word) in &mut words {
        *word = fold(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, query: &str, expected: Option<&str>) {
        assert_eq!(excerpt(text, &words(query)).as_deref(), expected, "{query}");
    }

    #[test]
    fn all_words_are_found_wherever_they_stand() {
        let text = "- «Cien años de soledad», de Gabriel García Márquez: 25,99 €.";
        check(text, "garcia", Some(text));
        check(text, "MÁRQUEZ anos", Some(text));
        check(text, "marq", Some(text));
        check(text, "arquez", None);
        check(text, "garcia lorca", None);
        check("Ma\u{301}rquez", "márquez", Some("Ma\u{301}rquez"));
    }

    #[test]
    fn long_texts_are_cut_around_what_was_found() {
        let text = format!(
            "{}aquí está Rayuela {}",
            "palabra ".repeat(50),
            "más ".repeat(100)
        );
        let cut = excerpt(&text, &words("rayuela")).unwrap();
        assert!(cut.starts_with("…palabra") && cut.ends_with('…'), "{cut}");
        assert!(cut.contains("está Rayuela más") && cut.chars().count() <= 242);
    }
}
