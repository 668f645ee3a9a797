//! What else a shop's categories are called: "sci-fi" where the catalogue says "Ciencia ficción".

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::RangeInclusive,
    sync::OnceLock,
};

use serde::{Deserialize, Serialize};

use crate::{
    language::{Language, List},
    text::{clauses, is_same, words},
};

/// Other names of categories, by their own and the tags of languages.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kinds {
    pub named: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The same in words, by the first of them; the longest come first. An age is a phrase of its number.
    #[serde(skip)]
    phrases: OnceLock<HashMap<String, Vec<Phrase>>>,
}

impl PartialEq for Kinds {
    fn eq(&self, other: &Self) -> bool {
        self.named == other.named
    }
}

impl Eq for Kinds {}

/// A phrase, and what the catalogue calls it: of several categories that it may be, what their names have in common; and the tags of
/// the languages that have it.
#[derive(Debug, Clone)]
struct Phrase {
    words: Vec<String>,
    own: Vec<String>,
    tags: BTreeSet<String>,
}

impl Kinds {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    fn phrases(&self) -> &HashMap<String, Vec<Phrase>> {
        self.phrases.get_or_init(|| {
            let mut all: BTreeMap<Vec<String>, Phrase> = BTreeMap::new();
            for (name, phrases) in &self.named {
                let name = words(name);
                for (tag, phrases) in phrases.iter().filter(|(tag, _)| *tag != AGES) {
                    for phrase in phrases {
                        let words = words(phrase);
                        let phrase = all.entry(words.clone()).or_insert_with(|| Phrase {
                            words,
                            own: name.clone(),
                            tags: BTreeSet::new(),
                        });
                        phrase.own.retain(|word| name.contains(word));
                        phrase.tags.insert(tag.clone());
                    }
                }
            }
            let mut phrases: HashMap<String, Vec<Phrase>> = HashMap::new();
            for phrase in all.into_values().filter(|phrase| !phrase.own.is_empty()) {
                if let Some(first) = phrase.words.first() {
                    phrases.entry(first.clone()).or_default().push(phrase);
                }
            }
            for of_first in phrases.values_mut() {
                of_first.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
            }
            phrases
        })
    }

    fn at(&self, said: &[String], at: usize) -> Option<(Vec<String>, usize)> {
        if let Some((age, length)) = age(said, at) {
            let (name, _) = self.ages().find(|(_, ages)| ages.contains(&age))?;
            return Some((words(name), length));
        }
        let phrase = self.phrase_at(&said[at..])?;
        Some((phrase.own.clone(), phrase.words.len()))
    }

    fn phrase_at(&self, said: &[String]) -> Option<&Phrase> {
        let mut of_first = self.phrases().get(said.first()?)?.iter();
        of_first.find(|phrase| said.starts_with(&phrase.words))
    }

    /// The one language that has what a text calls categories: "science fiction". What the catalogue itself calls one may be typed in any.
    pub(super) fn language_of(&self, text: &str) -> Option<Language> {
        let said = words(text);
        let found = (0..said.len()).filter_map(|at| self.phrase_at(&said[at..]));
        let foreign = found.filter(|phrase| phrase.words != phrase.own);
        let tags = foreign.map(|phrase| phrase.tags.clone());
        let tags = tags.reduce(|all, tags| &all & &tags)?;
        let mut tags = tags.iter();
        let one = tags.next().filter(|_| tags.next().is_none())?;
        Language::from_tag(one)
    }

    /// The categories that are for people of some ages, with these.
    fn ages(&self) -> impl Iterator<Item = (&String, RangeInclusive<u32>)> {
        let ages = self.named.iter().filter_map(|(name, phrases)| {
            let ages = phrases.get(AGES)?;
            let ages = ages.iter().filter_map(|ages| read_ages(ages));
            Some(ages.map(move |ages| (name, ages)))
        });
        ages.flatten()
    }

    /// The category that is for somebody of an age which a text says: "libros para niños de 8 años".
    #[must_use]
    pub fn for_age(&self, text: &str) -> Option<&str> {
        let said = words(text);
        let age = (0..said.len()).find_map(|at| age(&said, at))?.0;
        let (name, _) = self.ages().find(|(_, ages)| ages.contains(&age))?;
        Some(name)
    }

    /// The category that one clause of a text names and nothing else, and the other clauses: "vale, lo pienso. Mientras, novela histórica".
    pub(crate) fn of_clause(&self, text: &str) -> Option<(&str, String)> {
        let clauses: Vec<&str> = clauses(text).collect();
        let kinds = clauses.iter().map(|clause| self.only(clause));
        let (at, kind) = kinds.enumerate().find_map(|(at, kind)| Some((at, kind?)))?;
        let others = clauses.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<&str> = others.map(|(_, clause)| clause.trim()).collect();
        Some((kind, others.join(" ").trim().to_owned()))
    }

    /// The category that a text names and nothing else beside small words: "essays, please".
    fn only(&self, text: &str) -> Option<&str> {
        let said = words(text);
        let [references, numerals] = [List::References, List::Numerals].map(List::in_all);
        let (mut own, mut at) = (None, 0);
        while at < said.len() {
            let named = self.at(&said, at).or_else(|| self.own_name_at(&said[at..]));
            // "Poesia por menos d 11 euros", "mejor otra novela negra".
            let is_small = || {
                said[at].chars().count() == 1
                    || List::is_small(&said[at])
                    || [references, numerals]
                        .iter()
                        .any(|list| list.has(&said[at]))
            };
            match named {
                Some((name, length)) => {
                    if own.replace(name).is_some() {
                        return None;
                    }
                    at += length;
                }
                None if is_small() => at += 1,
                None => return None,
            }
        }
        let own = own?;
        let mut names = self.named.keys().map(String::as_str);
        names.find(|name| words(name) == own)
    }

    /// The name of a category, as one or as several, that some words begin with, and how many they are.
    fn own_name_at(&self, said: &[String]) -> Option<(Vec<String>, usize)> {
        let names = self.named.keys().map(|name| words(name));
        let names = names.filter(|name| {
            let mut pairs = name.iter().zip(said);
            said.len() >= name.len() && pairs.all(|(own, said)| is_same(own, said))
        });
        // "Novela histórica" is no "novela".
        let name = names.max_by_key(Vec::len)?;
        let length = name.len();
        Some((name, length))
    }

    /// A text in the catalogue's own words for what categories it names: in their place where it asks for nothing else, and else
    /// behind it. Nothing where it names none.
    #[must_use]
    pub fn in_own_words(&self, text: &str) -> Option<String> {
        let said = words(text);
        let (mut own, mut names) = (Vec::new(), Vec::new());
        let (mut is_alone, mut at) = (true, 0);
        while at < said.len() {
            match self.at(&said, at) {
                Some((name, length)) => {
                    own.extend(name.iter().cloned());
                    names.extend(name);
                    at += length;
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

/// Whether a text says how old somebody is.
pub(crate) fn says_age(text: &str) -> bool {
    let said = words(text);
    (0..said.len()).any(|at| age(&said, at).is_some())
}

/// What a category's ages stand under, beside its other names by language.
pub(super) const AGES: &str = "ages";

/// Ages as a profile writes them: "0-14".
pub(super) fn read_ages(text: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once('-')?;
    let ages = first.trim().parse().ok()?..=last.trim().parse().ok()?;
    (!ages.is_empty()).then_some(ages)
}

/// The age that some words say there, and how many of them say it: "eight year old", "de 8 años", "turns three", and not "los últimos 10
/// años".
pub(crate) fn age(said: &[String], at: usize) -> Option<(u32, usize)> {
    let amounts = List::Amounts.in_all();
    let first = said.get(at)?;
    let numeral = || List::Numerals.in_all().at(&[first])?.key.parse().ok();
    let number: u32 = first.parse().ok().or_else(numeral)?;
    let before = at.checked_sub(1).map(|before| &said[before]);
    let next = said.get(at + 1);
    let is_turned = before.is_some_and(|word| amounts.stands(word, "turned"));
    if is_turned && next.is_none_or(|next| List::is_small(next)) {
        return Some((number, 1));
    }
    let found = amounts.at(&said[at + 1..])?;
    let is_age = match found.key {
        "age" => true,
        "years" => before.is_some_and(|word| amounts.stands(word, "age-of")),
        _ => false,
    };
    is_age.then_some((number, 1 + found.words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_otherwise_is_looked_for_by_its_own_name() {
        let kinds = serde_json::json!({
            "Ciencia ficción": {"en": ["sci-fi", "science fiction"]},
            "Novela": {"en": ["novels"]},
            "Infantil": {"es": ["libros infantiles"], "ages": ["0-14"]},
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
            (
                "libros para niños de 8 años",
                Some("libros para niños de 8 años infantil"),
            ),
            ("books for an eight-year-old", Some("books for an infantil")),
            ("cien años de soledad", None),
            ("ciencia", None),
            ("", None),
        ] {
            assert_eq!(kinds.in_own_words(text).as_deref(), own, "{text}");
        }
        for (text, name) in [
            ("algo para mi sobrina de 4 añitos", Some("Infantil")),
            ("para um menino de dez anos", Some("Infantil")),
            ("something for my 80 year old grandmother", None),
            ("8 books", None),
            ("mi hijo tiene 6 años", Some("Infantil")),
            ("mi sobrina cumple 8, algo divertido", Some("Infantil")),
            (
                "my grandson has just turned three and likes pictures",
                Some("Infantil"),
            ),
            ("turned 180 degrees", None),
            ("cumple 8 condiciones", None),
            ("novelas de los últimos 10 años", None),
            ("libros sobre los 8 años de guerra", None),
            ("Dos años de vacaciones", None),
            ("o livro foi escrito há 10 anos", None),
        ] {
            assert_eq!(kinds.for_age(text), name, "{text}");
        }
    }

    #[test]
    fn a_kind_is_called_so_in_one_language() {
        let kinds = serde_json::json!({
            "Novela": {"es": ["novela", "narrativa"], "en": ["novels"], "pt": ["romances", "narrativa"]},
            "Ciencia ficción": {"en": ["science fiction", "sci-fi"], "pt": ["ficção científica", "sci-fi"]},
        });
        let kinds: Kinds = serde_json::from_value(kinds).unwrap();
        for (text, tag) in [
            ("science fiction", Some("en")),
            ("romances por menos de 15", Some("pt")),
            ("science fiction novels", Some("en")),
            ("sci-fi novels", Some("en")),
            ("sci-fi", None),
            ("narrativa", None),
            ("novela", None),
            ("novels, romances", None),
            ("Rayuela", None),
        ] {
            let language = kinds.language_of(text);
            assert_eq!(language.map(Language::tag), tag, "{text}");
        }
    }

    #[test]
    fn a_kind_is_named_by_one_clause_alone() {
        let kinds = serde_json::json!({
            "Novela": {"en": ["novels"]},
            "Novela histórica": {"en": ["historical novels"]},
            "Ensayo": {"en": ["essays"]},
        });
        let kinds: Kinds = serde_json::from_value(kinds).unwrap();
        for (text, kind) in [
            ("essays", Some(("Ensayo", ""))),
            ("the two essays, please", Some(("Ensayo", "please"))),
            (
                "¿Qué otros ensayos hay? Ese es caro",
                Some(("Ensayo", "Ese es caro")),
            ),
            ("mejor una novela histórica", Some(("Novela histórica", ""))),
            ("ensayos", Some(("Ensayo", ""))),
            (
                "ok, lo pienso. novela histórica",
                Some(("Novela histórica", "ok lo pienso")),
            ),
            ("historical novels", Some(("Novela histórica", ""))),
            ("essays about bees", None),
            ("novels and essays", None),
            ("Rayuela", None),
            ("", None),
        ] {
            let found = kinds.of_clause(text);
            let found = found.as_ref().map(|(kind, rest)| (*kind, rest.as_str()));
            assert_eq!(found, kind, "{text}");
        }
    }
}
