//! The items that a question names, whatever else it says: by a title, or by who made them.

use std::collections::BTreeSet;

use mostrador_core::{
    language::List,
    text::{is_slip, words},
};

use super::words::Question;
use crate::{
    artifact::{
        items::Items,
        keywords::{Field, Keywords},
    },
    layout::index,
    tuning::{NAMED_WEIGHT, NAMES, RARE_FEWEST, RARE_SHARE, TYPO_ITEMS, TYPO_LETTERS, WHOLE_TITLE},
};

/// A question, and what in it may be a name.
pub(super) struct Naming<'a> {
    items: &'a Items,
    keywords: &'a Keywords,
    question: &'a Question,
    said: Vec<String>,
    /// Of the words said, those that no item has as they are: each may be a slip of another.
    unknown: Vec<&'a str>,
}

impl<'a> Naming<'a> {
    pub(super) fn of(
        items: &'a Items,
        keywords: &'a Keywords,
        question: &'a Question,
        text: &str,
    ) -> Self {
        let is_unknown = |word: &&str| {
            let is_in = |field| keywords.list(field, word).is_some();
            word.chars().count() >= TYPO_LETTERS && !Field::LITERAL.into_iter().any(is_in)
        };
        let content = question.content.iter().map(String::as_str);
        Self {
            items,
            keywords,
            question,
            said: words(text),
            unknown: content.filter(is_unknown).collect(),
        }
    }

    /// The rows that have a word of the question in a title, or as who made them, where few have that.
    pub(super) fn rows(&self) -> BTreeSet<usize> {
        let mut rows = BTreeSet::new();
        let fields = [Field::Title, Field::Author];
        for word in &self.question.content {
            let mut add = |field, list: &_| {
                self.keywords.visit(field, list, |row| {
                    rows.insert(row);
                });
            };
            for field in fields {
                if let Some(list) = self.keywords.list(field, word)
                    && index(list.doc_freq) <= NAMES
                {
                    add(field, &list);
                }
            }
            if self.unknown.contains(&word.as_str()) {
                self.keywords.similar(&fields, word, 1, |field, list| {
                    if index(list.doc_freq) <= TYPO_ITEMS {
                        add(field, list);
                    }
                });
            }
        }
        rows
    }

    /// What a row gains where its title or its maker stands in the question; `may_be_all` where it has all of the question's words.
    pub(super) fn weight(&self, row: usize, may_be_all: bool) -> f32 {
        let titles = std::iter::once(self.items.title(row)).chain(self.items.other_titles(row));
        let weights = titles.map(|title| self.weight_of(&title, may_be_all));
        let titled = weights.fold(0.0, f32::max);
        if titled == 0.0 && self.says_maker(&self.items.author(row)) {
            return NAMED_WEIGHT;
        }
        titled
    }

    fn weight_of(&self, title: &str, may_be_all: bool) -> f32 {
        let content = &self.question.content;
        let own = words(title);
        let may_be_all = may_be_all && content.iter().all(|word| own.contains(word));
        // What of a title tells is dear to know.
        let may_be_said = own.iter().any(|word| self.has(word));
        let telling = match may_be_all || may_be_said {
            true => Question::new(title).content,
            false => return 0.0,
        };
        // "The Hobbit" is *El hobbit*.
        let is_said = self.place(&telling, content).is_some();
        let tells = match &telling[..] {
            [] => false,
            [word] => self.is_rare(word, &Field::LITERAL),
            _ => true,
        };
        if may_be_all && telling == *content {
            WHOLE_TITLE
        } else if is_said && tells {
            NAMED_WEIGHT
        } else {
            0.0
        }
    }

    /// Whether a maker is named: by the whole name, or behind "by" by the last one, where hardly any text has that as a word.
    fn says_maker(&self, maker: &str) -> bool {
        let own = words(maker);
        let Some(last) = own.last() else {
            return false;
        };
        let is_behind_by = || {
            let at = self.place(std::slice::from_ref(last), &self.said);
            let before = at.and_then(|at| self.said.get(at.checked_sub(1)?));
            let is_by = |word: &String| List::Markers.in_all().stands(word, "by");
            before.is_some_and(is_by) && self.is_rare(last, &[Field::Title, Field::Synopsis])
        };
        (own.len() > 1 && self.place(&own, &self.said).is_some()) || is_behind_by()
    }

    /// Whether the question has a word, or what may be a slip of it.
    fn has(&self, own: &str) -> bool {
        self.question.content.iter().any(|said| self.is(said, own))
    }

    /// Where some words stand in others, where what nothing has may be a slip.
    fn place(&self, own: &[String], said: &[String]) -> Option<usize> {
        let mut runs = said.windows(own.len().max(1));
        let is_run = |run: &[String]| run.iter().zip(own).all(|(said, own)| self.is(said, own));
        runs.position(|run| run.len() == own.len() && is_run(run))
    }

    fn is(&self, said: &str, own: &str) -> bool {
        said == own || (self.unknown.contains(&said) && is_slip(said, own))
    }

    /// Whether few items have a word in some fields.
    fn is_rare(&self, word: &str, fields: &[Field]) -> bool {
        let lists = fields
            .iter()
            .filter_map(|&field| self.keywords.list(field, word));
        let items: usize = lists.map(|list| index(list.doc_freq)).sum();
        items <= RARE_FEWEST.max(self.keywords.len() / RARE_SHARE)
    }
}
