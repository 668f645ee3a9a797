//! Words that are not the same and mean the same: what of a question a book has in other words.

use mostrador_core::text;

use super::words::is_light;
use crate::{
    artifact::{items::Items, vectors::FixedPoint},
    embedder::StaticEmbedder,
};

/// Below this cosine two words have nothing to do with each other.
const ALIKE: f32 = 0.2;

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
            Some((vector, words.has_whole(word)))
        });
        Self {
            words,
            sought: sought.collect(),
        }
    }

    /// How near the words of a book's title, category and synopsis come to each word of the question.
    pub(super) fn to_book(&self, items: &Items, row: usize) -> Vec<f32> {
        let mut nearest = vec![0.0; self.sought.len()];
        let mut compare = |row: &[u8], length: f32| {
            for (nearest, sought) in nearest.iter_mut().zip(&self.sought) {
                if let Some((vector, _)) = sought {
                    *nearest = f32::max(*nearest, vector.product(row) / length);
                }
            }
        };
        for text in [&items.title(row), items.category(row), &items.synopsis(row)] {
            for word in text::words(text) {
                if is_light(&word) {
                    continue;
                }
                if let Some(row) = self.words.whole_row(&word) {
                    compare(row, length(row));
                } else if let Some((row, length)) = in_pieces(&self.words.vector(&word)) {
                    compare(&row, length);
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

    /// Whether a word that no book has as it is written may be taken by its meaning: not if it is a slip whose pieces mean
    /// whatever they mean.
    pub(super) fn counts(&self, place: usize, slip: bool) -> bool {
        let whole = |sought: &Option<(FixedPoint, bool)>| matches!(sought, Some((_, true)));
        !slip || self.sought.get(place).is_some_and(whole)
    }
}

/// The vector of a word of several pieces, as a row with its length.
fn in_pieces(vector: &[f32]) -> Option<(Vec<u8>, f32)> {
    let (row, _) = crate::artifact::vectors::quantise(vector);
    let length = length(&row);
    (length > 0.0).then_some((row, length))
}

fn length(row: &[u8]) -> f32 {
    let squares: i32 = row
        .iter()
        .map(|value| i32::from(value.cast_signed()).pow(2))
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "at most 24 bits")]
    let squares = squares as f32;
    squares.sqrt()
}
