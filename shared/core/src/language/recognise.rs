//! Which language a text is in.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{Language, List};
use crate::{
    linear::Weights,
    text::{fold, words},
};

/// Lists whose words are evidence of a language. Words that several languages have count for each, so that they decide nothing between them.
const DISTINCTIVE: [List; 8] = [
    List::Function,
    List::Recognised,
    List::Light,
    List::Courtesies,
    List::Telling,
    List::Units,
    List::Numerals,
    List::Amounts,
];

/// The list's key of letters.
const LETTERS: &str = "letters";

/// Words looked at: what comes behind them changes nothing.
const WORDS: usize = 100;
/// Fewer words are like any language, as titles are.
const WORDS_LEAST: usize = 3;
/// Surer than this, a text is of the language that it is most like.
const SURE: f32 = 0.9;

/// Features of a text are counted in so many buckets.
pub const BUCKETS: usize = 1 << 12;

/// The weights by which a text's language is told.
pub type LanguageWeights = Weights<{ Language::COUNT }>;

/// The product's weights.
static BYTES: &[u8] = include_bytes!("languages.bin");

impl Language {
    /// The language of a text: the one that most of its words and letters beyond `a` to `z` are of, or else what it is most like as
    /// a whole; `None` where neither tells.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        Self::by_words(text).or_else(|| Self::by_likeness(text))
    }

    /// What a text is like as a whole, where there is enough of it.
    fn by_likeness(text: &str) -> Option<Self> {
        static OWN: LazyLock<LanguageWeights> = LazyLock::new(|| Weights::own(BYTES));
        let words = words(text);
        // "categoria: novela" and "similares a Rayuela" are typed in any language.
        let is_command = text.contains(':') || List::Similar.in_all().find(&words).is_some();
        let telling = words.iter().filter(|word| tells(word));
        // A name is of any language: "Nike Air Max".
        let is_sentence = text.contains('?') || words.iter().any(|word| listed(word) != 0);
        if telling.count() < WORDS_LEAST || !is_sentence || is_command {
            return None;
        }
        let likelihoods = Self::all().zip(OWN.likelihoods(text));
        let mut sure = likelihoods.filter(|(_, likelihood)| *likelihood >= SURE);
        sure.next().map(|(language, _)| language)
    }

    /// The language that has more of a text's words and letters than every other.
    fn by_words(text: &str) -> Option<Self> {
        // What tells nothing by its folded form is nothing in any language.
        let words: Vec<(&str, u32)> = pieces(text)
            .take(WORDS)
            .map(|piece| {
                let folded = Some(fold(piece)).filter(|folded| tells(folded));
                (piece, folded.map_or(0, |folded| listed(&folded)))
            })
            .collect();
        let mut best: Option<Self> = None;
        let mut most = 0;
        for language in Self::all() {
            let points = words.iter().map(|(word, listed)| {
                let is_listed = listed & language.bit() != 0;
                usize::from(is_listed) + usize::from(language.spells(word))
            });
            let points: usize = points.sum();
            if points > most {
                (best, most) = (Some(language), points);
            } else if points == most {
                best = None;
            }
        }
        best
    }

    /// Its own of the bits by which languages are told together.
    fn bit(self) -> u32 {
        1 << self.index()
    }

    /// Whether a word has letters beyond `a` to `z`, and the language has all of them.
    fn spells(self, word: &str) -> bool {
        let letters = self.phrases(List::Recognised);
        let mut beyond = word.chars().filter(|c| !c.is_ascii()).peekable();
        beyond.peek().is_some()
            && beyond.all(|c| {
                let letter: String = c.to_lowercase().collect();
                letters.stands(&letter, LETTERS)
            })
    }
}

/// Words with the languages that list them, a bit each.
static LISTED: LazyLock<FxHashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut listed = FxHashMap::default();
    for language in Language::all() {
        for list in DISTINCTIVE {
            for word in language.phrases(list).single_words() {
                *listed.entry(word).or_default() |= language.bit();
            }
        }
    }
    listed
});

/// The languages that list a folded word, a bit each.
fn listed(folded: &str) -> u32 {
    LISTED.get(folded).copied().unwrap_or_default()
}

/// Whether a folded word may tell a language: a single consonant is a size or an initial.
fn tells(folded: &str) -> bool {
    let is_consonant = folded.len() == 1 && !"aeiouy".contains(folded);
    !is_consonant && !is_command(folded)
}

/// Whether a folded word is part of what may be typed in any language: "libro 12", "category: novela, disponible".
fn is_command(folded: &str) -> bool {
    let names_item = List::Numbered.in_all().at(&[folded]);
    let names_category = List::Light.in_all().at(&[folded]);
    names_item.is_some_and(|found| found.key != "before" && found.key != "volume")
        || names_category.is_some_and(|found| !matches!(found.key, "asking" | "grammar"))
        || List::Filters.in_all().has(folded)
        || List::Availability.in_all().has(folded)
}

/// Words, and the signs between them one by one.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    // Names of filters may hold `_`.
    let is_sign = |c: char| !c.is_alphanumeric() && c != '_';
    text.split_inclusive(is_sign)
        .flat_map(move |piece| {
            let end = piece.trim_end_matches(is_sign).len();
            let (word, sign) = piece.split_at(end);
            [word, sign.trim()]
        })
        .filter(|piece| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(
            Language::of_text(text).map(Language::tag),
            expected,
            "{text}"
        );
    }

    #[test]
    fn a_language_is_recognised_by_words_and_letters() {
        check("¿Tenéis algo de terror?", Some("es"));
        check("gracias", Some("es"));
        check("mañana", Some("es"));
        check("do you have anything by García Márquez?", Some("en"));
        check("thanks", Some("en"));
    }

    #[test]
    fn a_text_is_recognised_by_what_it_is_like() {
        check("a que horas abrem no domingo", Some("pt"));
        let weights = LanguageWeights::read(BYTES).expect("weights of this form");
        assert_eq!(weights.buckets(), BUCKETS);
    }

    #[test]
    fn a_text_too_short_to_recognise_has_no_language() {
        for text in [
            "",
            "Rayuela",
            "Agatha Christie",
            "John Williams",
            "Nike Air Max",
            "12",
            "no",
            "libro 12",
            "book 12",
            "categoria: novela, precio_max: 20, disponible",
            "isbn 9780307474728",
            "talla M",
            "👍",
            "…",
        ] {
            check(text, None);
        }
    }
}
