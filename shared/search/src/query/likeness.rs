//! Words that are not the same and mean the same: what of a question an item has in other words.

use std::collections::HashMap;

use mostrador_core::text;

use super::words::light_in;
use crate::{
    artifact::{
        items::Items,
        vectors::{FixedPoint, quantise},
    },
    embedder::{Purpose, StaticEmbedder},
    tuning::ALIKE,
};

/// Words of so many items are kept: a kilobyte or two each.
const ITEMS_KEPT: usize = 4_096;

/// The words of a question as vectors.
pub(super) struct Likeness<'a> {
    words: &'a StaticEmbedder,
    /// With whether the word is one of the vocabulary's whole; none for a word that points nowhere.
    sought: Vec<Option<(FixedPoint, bool)>>,
}

impl<'a> Likeness<'a> {
    pub(super) fn of(content: &[String], words: &'a StaticEmbedder) -> Self {
        let sought = content.iter().map(|word| {
            let vector = FixedPoint::new(&words.vector(word))?;
            Some((vector, words.whole(word).is_some()))
        });
        Self {
            words,
            sought: sought.collect(),
        }
    }

    /// How near the nearest of an item's words comes to each word of the question.
    pub(super) fn to_words(&self, item: &Words) -> Vec<f32> {
        let mut nearest = vec![0.0; self.sought.len()];
        let whole = item.whole.iter().filter_map(|word| self.words.row(*word));
        let in_pieces = item
            .in_pieces
            .iter()
            .map(|(row, length)| (&row[..], *length));
        for (row, length) in whole.chain(in_pieces) {
            for (nearest, sought) in nearest.iter_mut().zip(&self.sought) {
                if let Some((vector, _)) = sought {
                    *nearest = f32::max(*nearest, vector.product(row) / length);
                }
            }
        }
        for nearest in &mut nearest {
            if *nearest < ALIKE {
                *nearest = 0.0;
            }
        }
        nearest
    }

    /// Whether a word that no item has as it is written may be taken by its meaning: not if it is a slip whose pieces mean
    /// whatever they mean.
    pub(super) fn counts(&self, place: usize, slip: bool) -> bool {
        let whole = |sought: &Option<(FixedPoint, bool)>| matches!(sought, Some((_, true)));
        !slip || self.sought.get(place).is_some_and(whole)
    }
}

/// The words of an item's title, category and synopsis.
#[derive(Debug)]
pub(super) struct Words {
    /// The vocabulary's, by their numbers there.
    whole: Box<[u32]>,
    /// Rows of those that are not, with their lengths.
    in_pieces: Box<[(Box<[u8]>, f32)]>,
}

impl Words {
    fn of(row: usize, items: &Items, vocabulary: &StaticEmbedder) -> Self {
        let (mut whole, mut in_pieces) = (Vec::new(), Vec::new());
        let synopsis = items.synopsis(row);
        let light = light_in(&synopsis);
        for text in [&items.title(row), items.category(row), &synopsis] {
            for word in text::words(text) {
                if light.has(&word) {
                    continue;
                }
                match vocabulary.whole(&word) {
                    Some(number) => whole.push(number),
                    None => in_pieces.extend(unit_row(&vocabulary.vector(&word))),
                }
            }
        }
        whole.sort_unstable();
        whole.dedup();
        Self {
            whole: whole.into(),
            in_pieces: in_pieces.into(),
        }
    }
}

/// A vector of length one as a row with its length; none of zeros.
fn unit_row(vector: &[f32]) -> Option<(Box<[u8]>, f32)> {
    let (row, scale) = quantise(vector);
    (scale > 0.0).then(|| (row.into(), 1.0 / scale))
}

/// The words of items that have been looked at.
#[derive(Debug, Default)]
pub(super) struct ItemWords(HashMap<usize, Words>);

impl ItemWords {
    pub(super) fn of(&mut self, row: usize, items: &Items, vocabulary: &StaticEmbedder) -> &Words {
        if self.0.len() >= ITEMS_KEPT && !self.0.contains_key(&row) {
            self.0.clear();
        }
        self.0
            .entry(row)
            .or_insert_with(|| Words::of(row, items, vocabulary))
    }
}

impl super::Generation {
    /// How near a question is in meaning to each of some texts, where the model has words of its own.
    pub(super) async fn likeness_of(&self, question: &str, texts: &[&str]) -> Vec<f32> {
        if self.embedder.words().is_none() {
            return Vec::new();
        }
        let asked = self.embedder.embed(&[question], Purpose::Query).await;
        let told = self.embedder.embed(texts, Purpose::Document).await;
        let Some((asked, told)) = asked.ok().zip(told.ok()) else {
            return Vec::new();
        };
        let asked = asked.first().map_or(&[][..], Vec::as_slice);
        let cosine = |text: &Vec<f32>| text.iter().zip(asked).map(|(one, other)| one * other).sum();
        told.iter().map(cosine).collect()
    }
}
