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
    query_vector: Option<(&EmbedderIdentity, &[f32])>,
    attached: bool,
    most: usize,
) -> Vec<(&'a File, &'a Passage)> {
    // The question's words as they are stemmed in each language that a document is in.
    let mut by_language: HashMap<Language, Vec<(Stem, f32)>> = HashMap::new();
    for (_, passages) in texts {
        let language = passages.language();
        by_language.entry(language).or_insert_with(|| {
            let mut wanted = content(question, &mut Stems::of(language));
            wanted.truncate(QUESTION_WORDS);
            let alike = texts.iter().map(|(_, passages)| passages);
            let alike = alike.filter(|passages| passages.language() == language);
            weights(&wanted, alike.flat_map(|passages| passages.content()))
        });
    }
    let mut scored = Vec::new();
    for (file, passages) in texts {
        let weights = &by_language[&passages.language()];
        let read = passages.passages.iter().zip(passages.content());
        for (at, (passage, words)) in read.enumerate() {
            let vector = query_vector.and_then(|(embedder, query_vector)| {
                passages
                    .vector(at, embedder)
                    .map(|vector| cosine(query_vector, vector))
            });
            let covered: f32 = weights
                .iter()
                .filter(|(word, _)| words.binary_search(word).is_ok())
                .map(|(_, weight)| weight)
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
fn weights<'a>(wanted: &[Stem], passages: impl Iterator<Item = &'a Vec<Stem>>) -> Vec<(Stem, f32)> {
    let mut counts: Vec<(Stem, f32)> = wanted.iter().map(|word| (*word, 0.0)).collect();
    let mut total = 0.0_f32;
    for words in passages {
        total += 1.0;
        for (word, count) in &mut counts {
            if words.binary_search(word).is_ok() {
                *count += 1.0;
            }
        }
    }
    for (_, count) in &mut counts {
        *count = (1.0 + (total - *count + 0.5) / (*count + 0.5)).ln();
    }
    let sum: f32 = counts.iter().map(|(_, weight)| weight).sum();
    if sum > 0.0 {
        counts.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
    counts
}

fn cosine(query_vector: &[f32], vector: &[u8]) -> f32 {
    let products = query_vector
        .iter()
        .zip(vector)
        .map(|(query_vector, byte)| query_vector * f32::from(byte.cast_signed()));
    products.sum::<f32>() / 127.0
}

#[cfg(test)]
mod tests {
    use mostrador_core::files::{FileStatus, MediaType};
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::*;

    fn file() -> File {
        File {
            file_id: Uuid::nil(),
            name: "notes.txt".to_owned(),
            media_type: MediaType::Text,
            size_bytes: 1,
            status: FileStatus::Ready,
            passages: 2,
            created_at: OffsetDateTime::UNIX_EPOCH,
        }
    }

    async fn of(texts: &[&str]) -> Arc<Passages> {
        let passages = texts.iter().map(|text| Passage {
            page: None,
            text: (*text).to_owned(),
        });
        Arc::new(Passages::new(passages.collect(), None).await)
    }

    #[tokio::test]
    async fn words_are_stemmed_as_the_document_is_written() {
        let file = file();
        let english = of(&[
            "This is what the cook bought for them.",
            "He has been painting the lighthouse with them.",
        ]);
        let spanish = of(&[
            "Esto es lo que compró el cocinero para ellas.",
            "Los faroleros pintaban cuando no había niebla.",
        ]);
        let texts = [(&file, english.await), (&file, spanish.await)];
        for (question, expected) in [
            ("who painted it?", "He has been painting"),
            ("¿qué farolero?", "Los faroleros"),
        ] {
            let found = nearest(&texts, question, None, true, 1);
            let text = &found[0].1.text;
            assert!(text.starts_with(expected), "{question}: {text}");
        }
    }
}
