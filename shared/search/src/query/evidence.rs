//! Which items share words with a question, and how much of the question that is.

use tantivy::postings::TermInfo;

use mostrador_core::language::Language;

use super::words::{Question, sound_alikes};
use crate::{
    artifact::keywords::{Field, Keywords},
    stem::Stems,
    tuning::{
        BEGUN, COVERAGE_WEIGHT, FieldWeights, LIGHT, NAMED_TYPO, NAMED_WEIGHT, ONE_EDIT, TWO_EDITS,
        TWO_TYPO_LETTERS, TYPO_ITEMS, TYPO_LETTERS,
    },
};

impl FieldWeights {
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

/// How much of a question the items have, row by row. Large, so it is kept for the next question.
#[derive(Debug)]
pub(super) struct Evidence {
    rows: Vec<RowEvidence>,
    /// Rows that have any of the question's words, in no order.
    touched: Vec<usize>,
    /// By row, what its words add to its score.
    scores: Vec<f32>,
    /// The rows of the word at hand.
    word_rows: Vec<usize>,
    /// What the question's content words weigh, in their order.
    masses: Vec<WordMass>,
    /// What all words of the question weigh together, and what those do that name items.
    total: f32,
    total_known: f32,
}

#[derive(Debug, Clone, Copy)]
struct WordMass {
    mass: f32,
    /// Whether no item has the word as it is written, but some have one like it.
    slip: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct RowEvidence {
    /// The mass found so far, a word's mass being its inverse document frequency.
    covered: f32,
    /// The same of what is found in the title or as the author.
    named: f32,
    /// Which of the content words were found, the first by the lowest bit.
    found: u32,
    /// What the word at hand counts at its best place, and what of it is in the title or the author.
    word: f32,
    word_named: f32,
}

impl Evidence {
    pub(super) fn of_rows(rows: usize) -> Self {
        Self {
            rows: vec![RowEvidence::default(); rows],
            touched: Vec::new(),
            scores: vec![0.0; rows],
            word_rows: Vec::new(),
            masses: Vec::new(),
            total: 0.0,
            total_known: 0.0,
        }
    }

    /// What words add to each row's score.
    pub(super) fn scores(&self) -> &[f32] {
        &self.scores
    }

    /// The rows that have any word, in no order.
    pub(super) fn touched(&self) -> &[usize] {
        &self.touched
    }

    /// The share of the question's mass that an item has, where a word that it lacks counts what `likeness` says by the word's
    /// place, and whether it is a slip of another; with what the item gains where the question names it.
    pub(super) fn with_likeness(
        &self,
        row: usize,
        likeness: impl Fn(usize, bool) -> f32,
    ) -> (f32, f32) {
        let RowEvidence { covered, found, .. } = self.rows[row];
        let like: f32 = (0..)
            .zip(&self.masses)
            .filter(|(place, _)| found >> place & 1 == 0)
            .map(|(place, word)| word.mass * likeness(place, word.slip))
            .sum();
        ((covered + like) / self.total, self.naming(row))
    }

    /// What a row gains where the question names its item.
    fn naming(&self, row: usize) -> f32 {
        NAMED_WEIGHT * (self.rows[row].named / self.total_known).powi(4)
    }

    /// Weighs every item's words. Half the square of its coverage, the share found of the question's mass; and the fourth power
    /// of the share found in its title and author: at 1 the question names the item. For that, words that no item has are left
    /// out, since a name is often misspelt beyond recognition in one of its parts, unless `knows` has them as words.
    pub(super) fn gather(
        &mut self,
        keywords: &Keywords,
        question: &Question,
        weights: &FieldWeights,
        knows: impl Fn(&str) -> bool,
    ) {
        self.clear();
        let languages = Language::all();
        let mut stemmers: Vec<_> = languages
            .map(|language| (Field::Stems(language), Stems::of(language)))
            .collect();
        let guess = !self.names_an_item(keywords, question);
        let (mut total, mut total_known) = (0.0, 0.0);
        for (place, word) in (0..).zip(&question.content) {
            for (field, weight) in weights.literal() {
                self.word(keywords, field, word, weight);
            }
            let literal = self.word_rows.len();
            for (field, stems) in &mut stemmers {
                let stem = stems.stem(word);
                self.word(keywords, *field, &stem, weights.stem);
                // Items that have the stem itself as a word are listed under that alone.
                if stem != *word {
                    for (field, _) in weights.literal() {
                        if let Some(list) = keywords.list(field, &stem) {
                            self.list(keywords, field, &list, weights.stem, 0.0);
                        }
                    }
                }
            }
            let with_word = self.word_rows.len();
            let mass = inverse_frequency(with_word, keywords.len());
            if question.begun.as_ref() == Some(word) {
                self.begun(keywords, word, weights);
            }
            if guess && literal <= TYPO_ITEMS {
                self.typos(keywords, word, weights);
            }
            total += mass;
            let slip = with_word == 0 && !self.word_rows.is_empty();
            if !self.word_rows.is_empty() || knows(word) {
                total_known += mass;
            }
            self.masses.push(WordMass { mass, slip });
            self.add_word(mass, Some(place));
        }
        for word in &question.light {
            self.word(keywords, Field::Title, word, LIGHT);
            // A small word nowhere in a title says nothing against one.
            if !self.word_rows.is_empty() {
                let mass = inverse_frequency(self.word_rows.len(), keywords.len());
                total += LIGHT * mass;
                self.add_word(mass, None);
            }
        }
        self.total = f32::max(total, f32::MIN_POSITIVE);
        self.total_known = f32::max(total_known, f32::MIN_POSITIVE);
        for &row in &self.touched {
            let coverage = self.rows[row].covered / self.total;
            self.scores[row] = COVERAGE_WEIGHT * coverage * coverage + self.naming(row);
        }
    }

    /// Whether any item has all words in its title or author as they are: then none of them is a slip.
    fn names_an_item(&mut self, keywords: &Keywords, question: &Question) -> bool {
        for (place, word) in question.content.iter().enumerate() {
            let before = to_f32(place);
            for field in [Field::Title, Field::Author] {
                let Some(list) = keywords.list(field, word) else {
                    continue;
                };
                keywords.visit(field, &list, |row| {
                    let named = &mut self.rows[row].named;
                    if *named == before {
                        *named += 1.0;
                        if place == 0 {
                            self.word_rows.push(row);
                        }
                    }
                });
            }
        }
        let all = to_f32(question.content.len());
        let mut found = false;
        for row in self.word_rows.drain(..) {
            found |= self.rows[row].named == all;
            self.rows[row].named = 0.0;
        }
        found
    }

    fn clear(&mut self) {
        for row in self.touched.drain(..) {
            self.rows[row] = RowEvidence::default();
            self.scores[row] = 0.0;
        }
        self.masses.clear();
    }

    fn word(&mut self, keywords: &Keywords, field: Field, word: &str, weight: f32) {
        if let Some(list) = keywords.list(field, word) {
            self.list(keywords, field, &list, weight, 1.0);
        }
    }

    /// Words of titles and authors that begin with `word`.
    fn begun(&mut self, keywords: &Keywords, word: &str, weights: &FieldWeights) {
        for (field, weight) in [
            (Field::Title, weights.title),
            (Field::Author, weights.author),
        ] {
            keywords.beginning_with(field, word, |list| {
                self.list(keywords, field, list, weight * BEGUN, BEGUN);
            });
        }
    }

    fn typos(&mut self, keywords: &Keywords, word: &str, weights: &FieldWeights) {
        let letters = word.chars().count();
        if letters < TYPO_LETTERS {
            return;
        }
        self.similar(keywords, word, (1, ONE_EDIT), weights);
        for alike in sound_alikes(word) {
            for (field, weight) in [
                (Field::Title, weights.title),
                (Field::Author, weights.author),
            ] {
                if let Some(list) = keywords.list(field, &alike) {
                    self.list(keywords, field, &list, weight * ONE_EDIT, NAMED_TYPO);
                }
            }
        }
        if self.word_rows.is_empty() && letters >= TWO_TYPO_LETTERS {
            self.similar(keywords, word, (2, TWO_EDITS), weights);
        }
    }

    fn similar(
        &mut self,
        keywords: &Keywords,
        word: &str,
        (edits, share): (u8, f32),
        weights: &FieldWeights,
    ) {
        let fields = [Field::Title, Field::Author];
        keywords.similar(&fields, word, edits, |field, list| {
            let weight = if field == Field::Title {
                weights.title
            } else {
                weights.author
            };
            self.list(keywords, field, list, weight * share, NAMED_TYPO);
        });
    }

    fn list(&mut self, keywords: &Keywords, field: Field, list: &TermInfo, weight: f32, name: f32) {
        let name = if matches!(field, Field::Title | Field::Author) {
            name
        } else {
            0.0
        };
        keywords.visit(field, list, |row| {
            let evidence = &mut self.rows[row];
            if evidence.word == 0.0 {
                self.word_rows.push(row);
            }
            evidence.word = evidence.word.max(weight);
            evidence.word_named = evidence.word_named.max(name);
        });
    }

    /// Ends with the word at hand: a content word, by its place among them, or a light one, which takes no rows in
    /// that have had nothing yet.
    fn add_word(&mut self, mass: f32, place: Option<u32>) {
        for row in self.word_rows.drain(..) {
            let evidence = &mut self.rows[row];
            let (word, named) = (evidence.word, evidence.word_named);
            (evidence.word, evidence.word_named) = (0.0, 0.0);
            if evidence.covered == 0.0 {
                if place.is_none() {
                    continue;
                }
                self.touched.push(row);
            }
            evidence.covered += word * mass;
            if let Some(place) = place {
                evidence.named += named * mass;
                evidence.found |= 1 << place;
            }
        }
    }
}

/// Items with all `words` in their title.
pub(super) fn titles_with_all(keywords: &Keywords, words: &[String]) -> Vec<usize> {
    let mut counts = vec![0usize; keywords.len()];
    for word in words {
        if let Some(list) = keywords.list(Field::Title, word) {
            keywords.visit(Field::Title, &list, |row| counts[row] += 1);
        }
    }
    (0..counts.len())
        .filter(|&row| counts[row] == words.len())
        .collect()
}

/// ln(1 + (N - n + ½) / (n + ½)), as in BM25: never below zero, and largest for a word no item has.
pub(super) fn inverse_frequency(items_with: usize, items: usize) -> f32 {
    let with = to_f32(items_with.min(items));
    (1.0 + (to_f32(items) - with + 0.5) / (with + 0.5)).ln()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a count of books needs no more than 24 bits to weigh a word"
)]
pub(super) fn to_f32(count: usize) -> f32 {
    count as f32
}
