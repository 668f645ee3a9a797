//! Stems of words that are already folded: both sides of a comparison lose their accents before.

use mostrador_core::language::Language;
use tantivy::tokenizer::{Language as Stemmed, RawTokenizer, Stemmer, TextAnalyzer};

/// Brings the inflected forms of a word together, in one language.
pub(crate) struct Stems(TextAnalyzer);

impl Stems {
    /// The stems of `language`; where nobody has written a stemmer for it, a word is its own.
    pub(crate) fn of(language: Language) -> Self {
        let plain = TextAnalyzer::builder(RawTokenizer::default());
        Self(match stemmed(language.tag()) {
            Some(stemmed) => plain.filter(Stemmer::new(stemmed)).build(),
            None => plain.build(),
        })
    }

    pub(crate) fn stem(&mut self, word: &str) -> String {
        let mut stem = String::new();
        self.0
            .token_stream(word)
            .process(&mut |token| stem.clone_from(&token.text));
        stem
    }
}

/// The languages that there are stemmers for, by their tags.
fn stemmed(tag: &str) -> Option<Stemmed> {
    Some(match tag {
        "ar" => Stemmed::Arabic,
        "da" => Stemmed::Danish,
        "de" => Stemmed::German,
        "el" => Stemmed::Greek,
        "en" => Stemmed::English,
        "es" => Stemmed::Spanish,
        "fi" => Stemmed::Finnish,
        "fr" => Stemmed::French,
        "hu" => Stemmed::Hungarian,
        "it" => Stemmed::Italian,
        "nl" => Stemmed::Dutch,
        "no" => Stemmed::Norwegian,
        "pt" => Stemmed::Portuguese,
        "ro" => Stemmed::Romanian,
        "ru" => Stemmed::Russian,
        "sv" => Stemmed::Swedish,
        "ta" => Stemmed::Tamil,
        "tr" => Stemmed::Turkish,
        _ => return None,
    })
}
