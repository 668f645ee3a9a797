//! Which books share words with a question, and how much of the question that is.

use tantivy::postings::TermInfo;

use super::words::Question;
use crate::{
    artifact::keywords::{Field, Keywords},
    stem::Stems,
};

/// Words of fewer letters are taken as they are written.
pub(super) const TYPO_LETTERS: usize = 4;
/// From this many letters on, a word that is nowhere may be two edits away.
const TWO_TYPO_LETTERS: usize = 8;
/// A word that more books than this have as it stands is no typo.
const TYPO_BOOKS: usize = 3;
/// What a word counts at one edit, and at two (with these, titles with typos reach MRR@10 .93 instead of .68).
const ONE_EDIT: f32 = 0.85;
const TWO_EDITS: f32 = 0.65;
/// What a word with a slip counts towards naming a book.
const NAMED_TYPO: f32 = 0.95;
/// What a word counts that only shares a stem.
const STEM: f32 = 0.8;
/// What the words of grammar and of asking count in titles, beside those that say what is sought.
const LIGHT: f32 = 0.1;

/// What a word counts by the field it is found in.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldWeights {
    title: f32,
    author: f32,
    category: f32,
    publisher: f32,
    synopsis: f32,
    stem: f32,
}

impl FieldWeights {
    /// Beside a cosine, which already knows what the book is about, a word found is a word found.
    pub(super) const FUSED: Self = Self {
        title: 1.0,
        author: 1.0,
        category: 1.0,
        publisher: 1.0,
        synopsis: 1.0,
        stem: STEM,
    };

    /// Keywords alone: who asks for a title or an author gets it before books that mention it.
    pub(super) const KEYWORDS_ALONE: Self = Self {
        title: 1.0,
        author: 1.0,
        category: 0.8,
        publisher: 0.7,
        synopsis: 0.6,
        stem: 0.6 * STEM,
    };

    fn literal(&self) -> [(Field, f32); 5] {
        [
            (Field::Title, self.title),
            (Field::Author, self.author),
            (Field::Category, self.category),
            (Field::Publisher, self.publisher),
            (Field::Synopsis, self.synopsis),
        ]
    }
}

/// How much of a question the books have.
#[derive(Debug)]
pub(super) struct Evidence {
    /// By row, from 0 to 1: the share of the question's mass found, a word's mass being its inverse document frequency.
    pub(super) coverage: Vec<f32>,
    /// The same of what is found in the title or as the author: at 1 the question names the book. Words that no book has
    /// are left out, since a name is often misspelt beyond recognition in one of its parts.
    pub(super) named: Vec<f32>,
}

impl Evidence {
    pub(super) fn gather(keywords: &Keywords, question: &Question, weights: &FieldWeights) -> Self {
        let mut coverage = vec![0.0; keywords.len()];
        let mut named = vec![0.0; keywords.len()];
        let mut found = Matches::new(keywords);
        let mut stems = (Stems::spanish(), Stems::english());
        let (mut total, mut total_known) = (0.0, 0.0);
        for word in &question.content {
            found.clear();
            for (field, weight) in weights.literal() {
                found.word(field, word, weight);
            }
            let literal = found.rows.len();
            for (field, stem) in [
                (Field::SpanishStems, stems.0.stem(word)),
                (Field::EnglishStems, stems.1.stem(word)),
            ] {
                found.word(field, &stem, weights.stem);
            }
            let mass = inverse_frequency(found.rows.len(), keywords.len());
            if literal <= TYPO_BOOKS {
                found.typos(word, weights);
            }
            total += mass;
            if !found.rows.is_empty() {
                total_known += mass;
            }
            found.add_to(&mut coverage, mass);
            for &row in &found.rows {
                named[row] += found.named[row] * mass;
            }
        }
        if total_known > 0.0 {
            named.iter_mut().for_each(|share| *share /= total_known);
        }
        for word in &question.light {
            found.clear();
            found.word(Field::Title, word, LIGHT);
            let mass = inverse_frequency(found.rows.len(), keywords.len());
            // A small word nowhere in a title says nothing against one.
            if found.rows.is_empty() {
                continue;
            }
            total += LIGHT * mass;
            found.rows.retain(|&row| coverage[row] > 0.0);
            found.add_to(&mut coverage, mass);
        }
        if total > 0.0 {
            coverage.iter_mut().for_each(|share| *share /= total);
        }
        Self { coverage, named }
    }
}

/// By row: 1 for books with all `words` in their title, 0 for the rest.
pub(super) fn titles_with_all(keywords: &Keywords, words: &[String]) -> Vec<f32> {
    let mut counts = vec![0usize; keywords.len()];
    for word in words {
        if let Some(list) = keywords.list(Field::Title, word) {
            keywords.visit(Field::Title, &list, |row| counts[row] += 1);
        }
    }
    let score = |count: usize| if count == words.len() { 1.0 } else { 0.0 };
    counts.into_iter().map(score).collect()
}

/// ln(1 + (N - n + ½) / (n + ½)), as in BM25: never below zero, and largest for a word no book has.
pub(super) fn inverse_frequency(books_with: usize, books: usize) -> f32 {
    let with = to_f32(books_with.min(books));
    (1.0 + (to_f32(books) - with + 0.5) / (with + 0.5)).ln()
}

/// The rows in which one word is found, each with the best weight it is found at.
struct Matches<'a> {
    keywords: &'a Keywords,
    best: Vec<f32>,
    /// What of it is in the title or the author.
    named: Vec<f32>,
    rows: Vec<usize>,
}

impl<'a> Matches<'a> {
    fn new(keywords: &'a Keywords) -> Self {
        Self {
            keywords,
            best: vec![0.0; keywords.len()],
            named: vec![0.0; keywords.len()],
            rows: Vec::new(),
        }
    }

    fn clear(&mut self) {
        for row in self.rows.drain(..) {
            self.best[row] = 0.0;
            self.named[row] = 0.0;
        }
    }

    fn word(&mut self, field: Field, word: &str, weight: f32) {
        if let Some(list) = self.keywords.list(field, word) {
            self.list(field, &list, weight, 1.0);
        }
    }

    fn typos(&mut self, word: &str, weights: &FieldWeights) {
        let letters = word.chars().count();
        if letters < TYPO_LETTERS {
            return;
        }
        self.similar(word, 1, ONE_EDIT, weights);
        if self.rows.is_empty() && letters >= TWO_TYPO_LETTERS {
            self.similar(word, 2, TWO_EDITS, weights);
        }
    }

    fn similar(&mut self, word: &str, edits: u8, share: f32, weights: &FieldWeights) {
        let keywords = self.keywords;
        let fields = [Field::Title, Field::Author];
        keywords.similar(&fields, word, edits, |field, list| {
            let weight = if field == Field::Title {
                weights.title
            } else {
                weights.author
            };
            self.list(field, list, weight * share, NAMED_TYPO);
        });
    }

    fn list(&mut self, field: Field, list: &TermInfo, weight: f32, name: f32) {
        let names = matches!(field, Field::Title | Field::Author);
        self.keywords.visit(field, list, |row| {
            if names {
                self.named[row] = self.named[row].max(name);
            }
            let best = &mut self.best[row];
            if *best == 0.0 {
                self.rows.push(row);
            }
            *best = best.max(weight);
        });
    }

    fn add_to(&self, coverage: &mut [f32], mass: f32) {
        for &row in &self.rows {
            coverage[row] += self.best[row] * mass;
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a count of books needs no more than 24 bits to weigh a word"
)]
pub(super) fn to_f32(count: usize) -> f32 {
    count as f32
}
