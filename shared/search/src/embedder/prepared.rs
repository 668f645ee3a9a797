//! The static model read in place from its prepared file.
//!
//! Little-endian: magic (8 bytes), ten `u32` (version, dimensions, pieces, slots, heap length, number of the unknown
//! piece, most characters of a word, longest piece, median piece length, zero), SHA-256 of the source files, then
//! `pieces` f32 weights, `slots` table slots of 12 bytes, `pieces` int8 rows, and the pieces' bytes.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, Ordering},
};

use async_trait::async_trait;
use bytes::Bytes;

use super::{
    EmbedError, Embedder, EmbedderIdentity, Purpose,
    bert_words::for_each_word,
    hex,
    wordpiece::{SLOT_BYTES, Vocabulary},
};
use crate::layout::{f32_at, index, section, slice, u32_at};

pub(super) const MAGIC: &[u8; 8] = b"MOSTEMBD";
pub(super) const VERSION: u32 = 1;
pub(super) const HEADER_BYTES: usize = 8 + 10 * 4 + 32;

/// As many pieces of a text count as in model2vec's own readers.
const MAX_PIECES: usize = 512;

/// A piece this long is distinctive of a word's meaning.
const DISTINCTIVE_BYTES: usize = 4;

/// The bytes are not a prepared embedder this version reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a prepared embedder of format version {VERSION}")]
pub struct InvalidEmbedder;

/// A static model: a text's vector is the weighted mean of its word pieces' vectors, normalised.
#[derive(Debug)]
pub struct StaticEmbedder {
    identity: EmbedderIdentity,
    file: Bytes,
    unknown: u32,
    max_word_chars: usize,
    longest: usize,
    max_chars: usize,
    weights: Range<usize>,
    slots: Range<usize>,
    rows: Range<usize>,
    heap: Range<usize>,
    /// Of the pieces' rows, as the bits of an f32; zero where it was not wanted yet.
    lengths: Vec<AtomicU32>,
}

impl StaticEmbedder {
    /// Takes over a prepared file; nothing is parsed per piece.
    ///
    /// # Errors
    /// [`InvalidEmbedder`] where the header or the lengths do not fit. Damage inside is for the caller's checksum.
    pub fn from_prepared(file: Bytes) -> Result<Self, InvalidEmbedder> {
        Self::read(file).ok_or(InvalidEmbedder)
    }

    fn read(file: Bytes) -> Option<Self> {
        if slice(&file, 0, MAGIC.len())? != MAGIC {
            return None;
        }
        let field = |n: usize| u32_at(&file, MAGIC.len() + 4 * n).map(index);
        let (dimensions, pieces, slots, heap) = (field(1)?, field(2)?, field(3)?, field(4)?);
        if u32_at(&file, MAGIC.len())? != VERSION || dimensions == 0 || !slots.is_power_of_two() {
            return None;
        }
        // Without one row nothing in the file bounds how long a vector is.
        if pieces == 0 {
            return None;
        }
        let total = file.len();
        let weights = section(HEADER_BYTES, pieces, 4, total)?;
        let slots = section(weights.end, slots, SLOT_BYTES, total)?;
        let rows = section(slots.end, pieces, dimensions, total)?;
        let heap = section(rows.end, heap, 1, total)?;
        if heap.end != total {
            return None;
        }
        let sha256 = hex(slice(&file, HEADER_BYTES - 32, 32)?);
        Some(Self {
            identity: EmbedderIdentity {
                name: "static".to_owned(),
                dimensions,
                sha256,
            },
            unknown: u32_at(&file, MAGIC.len() + 4 * 5)?,
            max_word_chars: field(6)?,
            longest: field(7)?,
            max_chars: field(8)?.saturating_mul(MAX_PIECES),
            file,
            weights,
            slots,
            rows,
            heap,
            lengths: (0..pieces).map(|_| AtomicU32::new(0)).collect(),
        })
    }

    /// The vector of one text: of length one, or all zeros where no piece of it is known.
    #[must_use]
    pub fn vector(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.identity.dimensions];
        for piece in self.pieces(text) {
            self.add(piece, &mut sum);
        }
        normalise(&mut sum);
        sum
    }

    /// The number of a folded word that is one of the vocabulary's whole.
    pub(crate) fn whole(&self, word: &str) -> Option<u32> {
        let mut pieces = Vec::with_capacity(4);
        self.vocabulary().split(word, &mut pieces);
        match pieces[..] {
            [Some(piece)] if piece != self.unknown => Some(piece),
            _ => None,
        }
    }

    /// The int8 row of a piece, with its length.
    pub(crate) fn row(&self, piece: u32) -> Option<(&[u8], f32)> {
        let dimensions = self.identity.dimensions;
        let at = index(piece).checked_mul(dimensions)?;
        let row = slice(&self.file[self.rows.clone()], at, dimensions)?;
        // Computed when first wanted; one or another thread may do it twice.
        let known = self.lengths.get(index(piece))?;
        let mut length = f32::from_bits(known.load(Ordering::Relaxed));
        if length == 0.0 {
            let squares = row
                .iter()
                .map(|value| f32::from(value.cast_signed()).powi(2));
            length = squares.sum::<f32>().sqrt().max(1.0);
            known.store(length.to_bits(), Ordering::Relaxed);
        }
        Some((row, length))
    }

    fn vocabulary(&self) -> Vocabulary<'_> {
        Vocabulary {
            slots: &self.file[self.slots.clone()],
            heap: &self.file[self.heap.clone()],
            longest: self.longest,
            max_word_chars: self.max_word_chars,
        }
    }

    /// The numbers of the known pieces of `text`.
    fn pieces(&self, text: &str) -> Vec<u32> {
        let text = text
            .char_indices()
            .nth(self.max_chars)
            .map_or(text, |(end, _)| &text[..end]);
        let vocabulary = self.vocabulary();
        let mut pieces = Vec::with_capacity(16);
        for_each_word(text, |word| vocabulary.split(word, &mut pieces));
        pieces.truncate(MAX_PIECES);
        pieces
            .into_iter()
            .flatten()
            .filter(|piece| *piece != self.unknown)
            .collect()
    }

    fn add(&self, piece: u32, sum: &mut [f32]) {
        let weights = &self.file[self.weights.clone()];
        let rows = &self.file[self.rows.clone()];
        let piece = index(piece);
        let row = piece
            .checked_mul(sum.len())
            .and_then(|at| slice(rows, at, sum.len()));
        let weight = piece.checked_mul(4).and_then(|at| f32_at(weights, at));
        if let (Some(row), Some(weight)) = (row, weight) {
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum += f32::from(value.cast_signed()) * weight;
            }
        }
    }
}

#[async_trait]
impl Embedder for StaticEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    /// A word of the vocabulary, or one with a piece of four bytes or more: an inflected or compound word.
    fn knows(&self, word: &str) -> bool {
        let vocabulary = self.vocabulary();
        let mut pieces = Vec::new();
        let mut known = false;
        for_each_word(word, |word| {
            pieces.clear();
            vocabulary.split(word, &mut pieces);
            let whole = pieces.len() == 1 && pieces != [None] && pieces != [Some(self.unknown)];
            known |= whole || vocabulary.longest_of(word) >= DISTINCTIVE_BYTES;
        });
        known
    }

    fn words(&self) -> Option<&StaticEmbedder> {
        Some(self)
    }

    async fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

/// Brings `vector` to length one; zeros, and what holds an infinity or a NaN, become zeros.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length.is_finite() && length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    } else {
        vector.fill(0.0);
    }
}

#[cfg(test)]
mod fuzz;
