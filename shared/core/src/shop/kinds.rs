//! What else a shop's categories are called: "sci-fi" where the catalogue says "Ciencia ficción".

use std::{
    collections::{BTreeMap, HashMap},
    sync::OnceLock,
};

use serde::{Deserialize, Serialize};

use crate::{language::List, text::words};

/// Other names of categories, by their own and the tags of languages.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kinds {
    pub named: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The same in words, by the first of them; the longest come first.
    #[serde(skip)]
    phrases: OnceLock<HashMap<String, Vec<Phrase>>>,
}

impl PartialEq for Kinds {
    fn eq(&self, other: &Self) -> bool {
        self.named == other.named
    }
}

impl Eq for Kinds {}

/// A phrase, and what the catalogue calls it: of several categories that it may be, what their names have in common.
#[derive(Debug, Clone)]
struct Phrase {
    words: Vec<String>,
    own: Vec<String>,
}

impl Kinds {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    fn phrases(&self) -> &HashMap<String, Vec<Phrase>> {
        self.phrases.get_or_init(|| {
            let mut all: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
            for (name, phrases) in &self.named {
                let name = words(name);
                for phrase in phrases.values().flatten() {
                    let own = all.entry(words(phrase));
                    own.and_modify(|own| own.retain(|word| name.contains(word)))
                        .or_insert_with(|| name.clone());
                }
            }
            let mut phrases: HashMap<String, Vec<Phrase>> = HashMap::new();
            for (words, own) in all {
                if let Some(first) = words.first().filter(|_| !own.is_empty()) {
                    let of_first = phrases.entry(first.clone()).or_default();
                    of_first.push(Phrase { words, own });
                }
            }
            for of_first in phrases.values_mut() {
                of_first.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
            }
            phrases
        })
    }

    fn at(&self, said: &[String]) -> Option<&Phrase> {
        let mut of_first = self.phrases().get(said.first()?)?.iter();
        of_first.find(|phrase| said.starts_with(&phrase.words))
    }

    /// A text in the catalogue's own words for what categories it names: in their place where it asks for nothing else, and else
    /// behind it. Nothing where it names none.
    #[must_use]
    pub fn in_own_words(&self, text: &str) -> Option<String> {
        let said = words(text);
        let (mut own, mut names) = (Vec::new(), Vec::new());
        let (mut is_alone, mut at) = (true, 0);
        while at < said.len() {
            match self.at(&said[at..]) {
                Some(phrase) => {
                    own.extend(phrase.own.iter().cloned());
                    names.extend(phrase.own.iter().cloned());
                    at += phrase.words.len();
                }
                None => {
                    is_alone &= List::is_small(&said[at]);
                    own.push(said[at].clone());
                    at += 1;
                }
            }
        }
        if names.is_empty() {
            return None;
        }
        if is_alone {
            return Some(own.join(" "));
        }
        // "Novela" finds nothing beside what else is said.
        let light = List::Light.in_all();
        names.retain(|word| !said.contains(word) && !light.has(word));
        (!names.is_empty()).then(|| format!("{text} {}", names.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_otherwise_is_looked_for_by_its_own_name() {
        let kinds = serde_json::json!({
            "Ciencia ficción": {"en": ["sci-fi", "science fiction"]},
            "Novela": {"en": ["novels"]},
            "Mujer/Camisas": {"en": ["shirts", "women's shirts"]},
            "Hombre/Camisas": {"en": ["shirts", "men's shirts"]},
        });
        let kinds: Kinds = serde_json::from_value(kinds).unwrap();
        for (text, own) in [
            ("any sci-fi?", Some("any ciencia ficcion")),
            ("Science Fiction", Some("ciencia ficcion")),
            ("women's shirts", Some("mujer camisas")),
            ("do you have shirts", Some("do you have camisas")),
            (
                "sci-fi about a desert planet",
                Some("sci-fi about a desert planet ciencia ficcion"),
            ),
            ("novels", Some("novela")),
            ("novels about lighthouses", None),
            ("ciencia", None),
            ("", None),
        ] {
            assert_eq!(kinds.in_own_words(text).as_deref(), own, "{text}");
        }
    }
}
