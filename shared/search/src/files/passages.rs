//! A document cut into passages, each with its vector.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::OnceLock,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use mostrador_core::{chain::Chain, language::Language, text};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::EMBEDDED_WITHIN;
use crate::{
    embedder::{Embedder, EmbedderIdentity, Purpose},
    query::words::light_in,
    stem::Stems,
    store::StoreError,
    tuning::PASSAGE_CHARS,
};

/// What stands on a page of a document; all of it, where there are no pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// From 1 on.
    pub number: Option<u32>,
    pub text: String,
}

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Passage {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) page: Option<u32>,
    pub(super) text: String,
}

/// A document's pieces and their vectors, where an embedder made some: one signed byte a number, in base64.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Passages {
    pub(super) passages: Vec<Passage>,
    embedder: Option<EmbedderIdentity>,
    #[serde(with = "written")]
    vectors: Vec<u8>,
    /// What each passage is about; worked out by the first search.
    #[serde(skip)]
    content: OnceLock<Vec<Vec<Stem>>>,
    #[serde(skip)]
    language: OnceLock<Language>,
}

/// Why a document's passages cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum TextError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the passages are not what was written")]
    Damaged(#[from] serde_json::Error),
}

/// The passages of a document's pages; none where there is no text.
pub(super) fn cut(pages: &[Page]) -> Vec<Passage> {
    let mut passages = Vec::new();
    for page in pages {
        let mut text = String::new();
        let mut close = |text: &mut String| {
            if text.chars().any(char::is_alphanumeric) {
                passages.push(Passage {
                    page: page.number,
                    text: std::mem::take(text),
                });
            }
            text.clear();
        };
        for piece in pieces(&page.text) {
            let size = piece.chars().count();
            if !text.is_empty() && text.chars().count() + size >= PASSAGE_CHARS {
                close(&mut text);
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&piece);
        }
        close(&mut text);
    }
    passages
}

/// The paragraphs of a text, on one line each; a long one by its sentences, and a long sentence by its words.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut paragraph = String::new();
    let lines = text.split(['\n', '\r', '\u{c}']).chain([""]);
    for line in lines {
        let words = line.split(|c: char| c.is_whitespace() || c.is_control());
        let line: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        if line.is_empty() {
            cut_long(&std::mem::take(&mut paragraph), &mut pieces);
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(&line.join(" "));
        }
    }
    pieces
}

fn cut_long(paragraph: &str, pieces: &mut Vec<String>) {
    let mut piece = String::new();
    for sentence in paragraph.split_inclusive(['.', '!', '?', ';']) {
        for part in chunks(sentence) {
            if !piece.is_empty() && piece.chars().count() + part.chars().count() > PASSAGE_CHARS {
                pieces.push(std::mem::take(&mut piece).trim().to_owned());
            }
            piece.push_str(&part);
        }
    }
    if !piece.trim().is_empty() {
        pieces.push(piece.trim().to_owned());
    }
}

/// A sentence in parts of at most a passage, between words where there are any.
fn chunks(sentence: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut size = 0;
    for word in sentence.split_inclusive(' ') {
        let letters: Vec<char> = word.chars().collect();
        for letters in letters.chunks(PASSAGE_CHARS) {
            if size + letters.len() > PASSAGE_CHARS {
                parts.push(String::new());
                size = 0;
            }
            size += letters.len();
            if let Some(part) = parts.last_mut() {
                part.extend(letters);
            }
        }
    }
    parts
}

impl Passages {
    /// Gives passages their vectors; without an embedder that answers, they are searched by their words.
    pub(super) async fn new(passages: Vec<Passage>, embedder: Option<&dyn Embedder>) -> Self {
        let none = Self {
            passages,
            embedder: None,
            vectors: Vec::new(),
            content: OnceLock::new(),
            language: OnceLock::new(),
        };
        let Some(embedder) = embedder else {
            return none;
        };
        let texts: Vec<&str> = none.passages.iter().map(|passage| &*passage.text).collect();
        let made = embedder.embed(&texts, Purpose::Document);
        let vectors = match timeout(EMBEDDED_WITHIN, made).await {
            Ok(Ok(vectors)) => vectors,
            Ok(Err(error)) => {
                tracing::warn!(error = %Chain(&error), "a document gets no vectors");
                return none;
            }
            Err(_) => {
                tracing::warn!("a document gets no vectors: the embedder takes too long");
                return none;
            }
        };
        Self {
            embedder: Some(embedder.identity().clone()),
            vectors: vectors.iter().flatten().map(|value| byte(*value)).collect(),
            ..none
        }
    }

    pub(super) fn len(&self) -> usize {
        self.passages.len()
    }

    /// What it is written in, by the first passage that tells; else the language of those whose own is not known.
    pub(super) fn language(&self) -> Language {
        *self.language.get_or_init(|| {
            let texts = self.passages.iter().map(|passage| passage.text.as_str());
            texts
                .filter_map(Language::of_text)
                .next()
                .unwrap_or_default()
        })
    }

    /// What each passage is about.
    pub(super) fn content(&self) -> &[Vec<Stem>] {
        self.content.get_or_init(|| {
            let mut stems = Stems::of(self.language());
            let passages = self.passages.iter();
            passages
                .map(|passage| content(&passage.text, &mut stems))
                .collect()
        })
    }

    /// The vector of passage `at` where `embedder` made it, times 127.
    pub(super) fn vector(&self, at: usize, embedder: &EmbedderIdentity) -> Option<&[u8]> {
        let dimensions = embedder.dimensions;
        let own = self.embedder.as_ref() == Some(embedder);
        let from = at.checked_mul(dimensions)?;
        self.vectors
            .get(from..from + dimensions)
            .filter(|_| own && dimensions > 0)
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }
}

/// A number from -1 to 1 as a signed byte.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a signed byte, whose bits are kept"
)]
fn byte(value: f32) -> u8 {
    (value * 127.0).round().clamp(-127.0, 127.0) as i8 as u8
}

/// A stem by its hash: there are many, and they are only compared.
pub(super) type Stem = u64;

/// The different content words.
pub(super) fn content(text: &str, stems: &mut Stems) -> Vec<Stem> {
    let hash = |word: String| {
        let mut hasher = DefaultHasher::new();
        stems.stem(&word).hash(&mut hasher);
        hasher.finish()
    };
    let light = light_in(text);
    let words = text::words(text).into_iter();
    let mut words: Vec<Stem> = words.filter(|word| !light.has(word)).map(hash).collect();
    words.sort_unstable();
    words.dedup();
    words
}

mod written {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::{BASE64_STANDARD, Engine};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&BASE64_STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        BASE64_STANDARD.decode(text).map_err(D::Error::custom)
    }
}
