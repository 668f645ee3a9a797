//! What else a shop's categories are called: "sci-fi" where the catalogue says "Ciencia ficción".

use super::Profile;
use crate::{
    language::List,
    text::{place_of, words},
};

/// A phrase that stands in a text, and what the catalogue calls it.
struct Called {
    at: usize,
    words: usize,
    own: Vec<String>,
}

impl Profile {
    /// A text in the catalogue's own words for what categories it names: in their place where it asks for nothing else, and else
    /// behind it. Nothing where it names none.
    #[must_use]
    pub fn in_own_words(&self, text: &str) -> Option<String> {
        let said = words(text);
        let mut called: Vec<Called> = Vec::new();
        let mut at = 0;
        while at < said.len() {
            match self.called_at(&said, at) {
                Some(found) => {
                    at += found.words;
                    called.push(found);
                }
                None => at += 1,
            }
        }
        if called.is_empty() {
            return None;
        }
        let [light, function] = [List::Light, List::Function].map(List::in_all);
        let (mut own, mut is_alone, mut at) = (Vec::new(), true, 0);
        for found in &called {
            let between = &said[at..found.at];
            is_alone &= between
                .iter()
                .all(|word| light.has(word) || function.has(word));
            own.extend(between.iter().chain(&found.own).cloned());
            at = found.at + found.words;
        }
        let rest = &said[at..];
        is_alone &= rest
            .iter()
            .all(|word| light.has(word) || function.has(word));
        own.extend(rest.iter().cloned());
        if is_alone {
            return Some(own.join(" "));
        }
        let names = called.into_iter().flat_map(|found| found.own);
        // "Novela" finds nothing beside what else is said.
        let names = names.filter(|word| !said.contains(word) && !light.has(word));
        let names: Vec<String> = names.collect();
        (!names.is_empty()).then(|| format!("{text} {}", names.join(" ")))
    }

    /// The longest phrase for categories that begins there; of several categories that it may be, what their names have in common.
    fn called_at(&self, said: &[String], at: usize) -> Option<Called> {
        let mut longest: Option<Called> = None;
        for (name, phrases) in &self.kinds {
            let name = words(name);
            for phrase in phrases.values().flatten() {
                let phrase = words(phrase);
                if phrase.is_empty() || place_of(&phrase, &said[at..]) != Some(0) {
                    continue;
                }
                match &mut longest {
                    Some(found) if found.words > phrase.len() => {}
                    Some(found) if found.words == phrase.len() => {
                        found.own.retain(|word| name.contains(word));
                    }
                    _ => {
                        longest = Some(Called {
                            at,
                            words: phrase.len(),
                            own: name.clone(),
                        });
                    }
                }
            }
        }
        longest.filter(|found| !found.own.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_otherwise_is_looked_for_by_its_own_name() {
        let mut shop = Profile::named("Macondo");
        let kinds = serde_json::json!({
            "Ciencia ficción": {"en": ["sci-fi", "science fiction"]},
            "Novela": {"en": ["novels"]},
            "Mujer/Camisas": {"en": ["shirts", "women's shirts"]},
            "Hombre/Camisas": {"en": ["shirts", "men's shirts"]},
        });
        shop.kinds = serde_json::from_value(kinds).unwrap();
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
            assert_eq!(shop.in_own_words(text).as_deref(), own, "{text}");
        }
    }
}
