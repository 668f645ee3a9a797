//! Turns a published static model into one file that needs no parsing.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    prepared::{HEADER_BYTES, MAGIC, VERSION},
    wordpiece::{CONTINUATION, FREE, Hash, MAX_PIECE_BYTES, SLOT_BYTES},
};
use crate::layout::slice;

/// Why a model cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    #[error("the model or tokenizer file is not valid JSON")]
    Json(#[from] serde_json::Error),
    #[error("the tokenizer is not the lower-casing, accent-stripping BERT WordPiece tokenizer")]
    Tokenizer,
    #[error(
        "the model file lacks int8 `embeddings` and f32 `weights` with one row a vocabulary entry"
    )]
    Tensors,
}

/// The prepared file of a model in the model2vec format: int8 rows, one weight each, and the vocabulary as a hash table.
///
/// # Errors
/// [`PrepareError`] where the two files are not such a model.
pub fn prepare(model_safetensors: &[u8], tokenizer_json: &[u8]) -> Result<Vec<u8>, PrepareError> {
    let tokenizer: Tokenizer = serde_json::from_slice(tokenizer_json)?;
    let vocabulary = tokenizer.checked()?;
    let (rows, dimensions) = tensor(model_safetensors, "embeddings", "I8")?;
    let (weights, _) = tensor(model_safetensors, "weights", "F32")?;
    let pieces = vocabulary.vocab.len();
    if dimensions == 0 || rows.len() != pieces * dimensions || weights.len() != pieces * 4 {
        return Err(PrepareError::Tensors);
    }
    let unknown = *vocabulary
        .vocab
        .get(&vocabulary.unk_token)
        .ok_or(PrepareError::Tokenizer)?;
    let slots = (pieces * 2).next_power_of_two();
    let (table, heap) = hash_table(&vocabulary.vocab, slots)?;
    let number = |value: usize| u32::try_from(value).map_err(|_| PrepareError::Tensors);

    let mut out =
        Vec::with_capacity(HEADER_BYTES + rows.len() + weights.len() + table.len() + heap.len());
    out.extend_from_slice(MAGIC);
    for value in [
        VERSION,
        number(dimensions)?,
        number(pieces)?,
        number(slots)?,
        number(heap.len())?,
        unknown,
        number(vocabulary.max_input_chars_per_word)?,
        number(longest_piece(&vocabulary.vocab))?,
        number(median_length(&vocabulary.vocab))?,
        0,
    ] {
        out.extend_from_slice(&value.to_le_bytes());
    }
    let mut source = Sha256::new();
    source.update(model_safetensors);
    source.update(tokenizer_json);
    out.extend_from_slice(&source.finalize());
    out.extend_from_slice(weights);
    out.extend_from_slice(&table);
    out.extend_from_slice(rows);
    out.extend_from_slice(&heap);
    Ok(out)
}

#[derive(Deserialize)]
struct Tokenizer {
    normalizer: Value,
    pre_tokenizer: Value,
    model: WordPiece,
}

#[derive(Deserialize)]
struct WordPiece {
    #[serde(rename = "type")]
    kind: String,
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
    vocab: BTreeMap<String, u32>,
}

impl Tokenizer {
    fn checked(self) -> Result<WordPiece, PrepareError> {
        let normalizer = serde_json::json!({
            "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": true, "lowercase": true,
        });
        let ids = 0..u32::try_from(self.model.vocab.len()).map_err(|_| PrepareError::Tokenizer)?;
        let supported = self.normalizer == normalizer
            && self.pre_tokenizer.get("type").and_then(Value::as_str) == Some("BertPreTokenizer")
            && self.model.kind == "WordPiece"
            && self.model.continuing_subword_prefix.as_bytes() == CONTINUATION
            && longest_piece(&self.model.vocab) <= MAX_PIECE_BYTES
            && self.model.vocab.values().all(|id| ids.contains(id));
        if supported {
            Ok(self.model)
        } else {
            Err(PrepareError::Tokenizer)
        }
    }
}

/// A tensor's bytes, and the size of its second dimension (1 if there is none).
fn tensor<'a>(file: &'a [u8], name: &str, dtype: &str) -> Result<(&'a [u8], usize), PrepareError> {
    #[derive(Deserialize)]
    struct Entry {
        dtype: String,
        shape: Vec<usize>,
        data_offsets: (usize, usize),
    }
    let header_len = file
        .first_chunk()
        .map(|len| u64::from_le_bytes(*len))
        .and_then(|len| usize::try_from(len).ok())
        .ok_or(PrepareError::Tensors)?;
    let header = slice(file, 8, header_len).ok_or(PrepareError::Tensors)?;
    let header: Value = serde_json::from_slice(header)?;
    let entry = header.get(name).cloned().ok_or(PrepareError::Tensors)?;
    let entry: Entry = serde_json::from_value(entry)?;
    let (start, end) = entry.data_offsets;
    let data = file
        .get(8 + header_len..)
        .and_then(|data| data.get(start..end))
        .ok_or(PrepareError::Tensors)?;
    if entry.dtype == dtype {
        Ok((data, entry.shape.get(1).copied().unwrap_or(1)))
    } else {
        Err(PrepareError::Tensors)
    }
}

fn hash_table(
    vocabulary: &BTreeMap<String, u32>,
    slots: usize,
) -> Result<(Vec<u8>, Vec<u8>), PrepareError> {
    let mut table = vec![0xff; slots * SLOT_BYTES];
    let mut heap = Vec::new();
    for (piece, id) in vocabulary {
        let hash = Hash::EMPTY.with(piece.as_bytes());
        let mut slot = hash.slot(slots);
        while table[slot * SLOT_BYTES..][..4] != FREE.to_le_bytes() {
            slot = (slot + 1) & (slots - 1);
        }
        let offset = u32::try_from(heap.len()).map_err(|_| PrepareError::Tokenizer)?;
        let len = u16::try_from(piece.len()).map_err(|_| PrepareError::Tokenizer)?;
        let entry = &mut table[slot * SLOT_BYTES..][..SLOT_BYTES];
        entry[..4].copy_from_slice(&offset.to_le_bytes());
        entry[4..8].copy_from_slice(&id.to_le_bytes());
        entry[8..10].copy_from_slice(&len.to_le_bytes());
        entry[10..].copy_from_slice(&hash.tag().to_le_bytes());
        heap.extend_from_slice(piece.as_bytes());
    }
    Ok((table, heap))
}

fn longest_piece(vocabulary: &BTreeMap<String, u32>) -> usize {
    vocabulary.keys().map(String::len).max().unwrap_or_default()
}

/// The middle length in bytes, by which long texts are cut before they are split.
fn median_length(vocabulary: &BTreeMap<String, u32>) -> usize {
    let mut lengths: Vec<usize> = vocabulary.keys().map(String::len).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied().unwrap_or(1)
}
