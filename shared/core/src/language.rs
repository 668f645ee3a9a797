//! The languages that shoppers are understood and answered in: data in one folder a language, rules in none.

mod languages;
mod lexicon;
mod messages;
pub mod recognise;

pub use lexicon::{Found, List, Phrases};
pub use messages::{Argument, Arguments, PageText};

#[cfg(test)]
mod tests;

use languages::LANGUAGES;
use serde::{Deserialize, Serialize};

/// One of the languages there are, by its place among them; the first is a caller's whose own is not known.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(into = "&'static str", try_from = "String")]
pub struct Language(u8);

/// There is no language of that tag.
#[derive(Debug, thiserror::Error)]
#[error("no language {0:?}")]
pub struct NoLanguage(String);

impl From<Language> for &'static str {
    fn from(language: Language) -> Self {
        language.tag()
    }
}

impl TryFrom<String> for Language {
    type Error = NoLanguage;

    fn try_from(tag: String) -> Result<Self, NoLanguage> {
        Self::from_tag(&tag).ok_or(NoLanguage(tag))
    }
}

impl Language {
    /// How many there are.
    pub const COUNT: usize = 3;

    /// Every language, the default first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).take(LANGUAGES.len()).map(Self)
    }

    /// The language of a BCP 47 tag, by its primary subtag.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
        Self::all().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// Reads an `Accept-Language` header: the language with the highest weight, the first on a tie.
    #[must_use]
    pub fn from_accept_language(header: &str) -> Self {
        let mut best = (Self::default(), 0.0_f32);
        for range in header.split(',').take(32) {
            let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
            let weight = match parameters.trim().strip_prefix("q=") {
                None => 1.0,
                Some(q) => q.trim().parse().unwrap_or(0.0),
            };
            if let Some(language) = Self::from_tag(tag)
                && weight > best.1
            {
                best = (language, weight);
            }
        }
        best.0
    }

    /// The BCP 47 tag, for `Content-Language`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.files().tag
    }

    /// Its place among the languages.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    fn files(self) -> &'static languages::Files {
        &LANGUAGES[self.index()]
    }
}
