//! Stems of words that are already folded: both sides of a comparison lose their accents before.

use tantivy::tokenizer::{Language, RawTokenizer, Stemmer, TextAnalyzer};

/// Brings the inflected forms of a word together, in one language.
pub(crate) struct Stems(TextAnalyzer);

impl Stems {
    pub(crate) fn spanish() -> Self {
        Self::of(Language::Spanish)
    }

    pub(crate) fn english() -> Self {
        Self::of(Language::English)
    }

    fn of(language: Language) -> Self {
        let analyzer =
            TextAnalyzer::builder(RawTokenizer::default()).filter(Stemmer::new(language));
        Self(analyzer.build())
    }

    pub(crate) fn stem(&mut self, word: &str) -> String {
        let mut stem = String::new();
        self.0
            .token_stream(word)
            .process(&mut |token| stem.clone_from(&token.text));
        stem
    }
}
