//! Which passages are near a question: by meaning and by the words they share, as items are found.

use std::{collections::HashMap, sync::Arc};

use mostrador_core::{files::File, language::Language};

use super::passages::{Passage, Passages, Stem, content};
use crate::{
    embedder::EmbedderIdentity,
    stem::Stems,
    tuning::{COVERAGE_WEIGHT, NEAR_PASSAGE, QUESTION_WORDS},
};

/// The nearest passages, with their documents; of what is `attached`, near or not.
pub(super) fn nearest<'a>(
    texts: &'a [(&'a File, Arc<Passages>)],
    question: &str,
    asked: Option<(&EmbedderIdentity, &[f32])>,
    attached: bool,
    most: usize,
) -> Vec<(&'a File, &'a Passage)> {
    let mut wanted = content(question, &mut Stems::of(Language::default()));
    wanted.truncate(QUESTION_WORDS);
    let contents = texts.iter().flat_map(|(_, passages)| passages.content());
    let weights = weights(&wanted, contents);
    let mut scored = Vec::new();
    for (file, passages) in texts {
        let read = passages.passages.iter().zip(passages.content());
        for (at, (passage, words)) in read.enumerate() {
            let vector = asked.and_then(|(embedder, asked)| {
                passages
                    .vector(at, embedder)
                    .map(|vector| cosine(asked, vector))
            });
            let covered: f32 = wanted
                .iter()
                .filter(|word| words.binary_search(word).is_ok())
                .filter_map(|word| weights.get(word))
                .sum();
            scored.push((
                vector.unwrap_or_default() + COVERAGE_WEIGHT * covered * covered,
                *file,
                passage,
            ));
        }
    }
    // Equals stay as they stand in their documents.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near = scored
        .into_iter()
        .filter(|(score, ..)| attached || *score >= NEAR_PASSAGE);
    near.take(most)
        .map(|(_, file, passage)| (file, passage))
        .collect()
}

/// What each word counts, by how few passages have it; all of them count 1.
fn weights<'a>(
    wanted: &[Stem],
    passages: impl Iterator<Item = &'a Vec<Stem>>,
) -> HashMap<Stem, f32> {
    let mut counts: HashMap<Stem, f32> = wanted.iter().map(|word| (*word, 0.0)).collect();
    let mut total = 0.0_f32;
    for words in passages {
        total += 1.0;
        for (word, count) in &mut counts {
            if words.binary_search(word).is_ok() {
                *count += 1.0;
            }
        }
    }
    for count in counts.values_mut() {
        *count = (1.0 + (total - *count + 0.5) / (*count + 0.5)).ln();
    }
    let sum: f32 = counts.values().sum();
    if sum > 0.0 {
        counts.values_mut().for_each(|weight| *weight /= sum);
    }
    counts
}

fn cosine(asked: &[f32], vector: &[u8]) -> f32 {
    let products = asked
        .iter()
        .zip(vector)
        .map(|(asked, byte)| asked * f32::from(byte.cast_signed()));
    products.sum::<f32>() / 127.0
}
