//! What is shown, as far as prose can speak of it.

use std::collections::{BTreeMap, HashSet};

use crate::{
    answer::part::Field,
    catalogue::{Details, ItemResult},
    language::Language,
    text::{fold, words},
};

use super::{
    lexicon::Lexicon,
    token::{Kind, tokens},
};

/// An item as prose is judged by it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    pub id: u64,
    pub title: String,
    pub maker: String,
    pub price_minor: i64,
    pub stock: u32,
    pub year: Option<i32>,
    pub publisher: String,
    pub category: String,
    pub code: String,
    pub description: String,
    pub attributes: BTreeMap<String, Vec<String>>,
}

impl From<&ItemResult> for Item {
    fn from(book: &ItemResult) -> Self {
        let Details {
            codigo: code,
            atributos: attributes,
            ..
        } = book.details.clone();
        let attributes = attributes.into_iter();
        let attributes = attributes.map(|(key, value)| (key, value.texts()));
        Self {
            id: book.libro_id,
            title: book.titulo.clone(),
            maker: book.autor.clone(),
            price_minor: book.precio.minor(),
            stock: book.stock,
            year: book.publicado,
            publisher: book.editorial.clone(),
            category: book.categoria.clone(),
            code: code.unwrap_or_else(|| book.isbn.clone()),
            description: book.descripcion.clone(),
            attributes: attributes.collect(),
        }
    }
}

/// An item with its texts folded once.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) item: Item,
    pub(super) title: Vec<String>,
    /// The title as far as its subtitle.
    pub(super) short: Vec<String>,
    /// Each of its texts in words: `" one two "`.
    texts: Vec<String>,
    /// Words of all its texts.
    words: HashSet<String>,
    stems: HashSet<String>,
    /// Stems of what it is called by: its title, its category and what its attributes are.
    called: HashSet<String>,
    /// Numbers in its texts, in hundredths.
    numbers: HashSet<i64>,
    /// What language its description is in, where its small words tell.
    language: Option<Language>,
}

impl Known {
    pub(super) fn new(item: Item) -> Self {
        let attributes = item.attributes.values().flatten();
        let keys = item.attributes.keys();
        let texts = [
            &item.title,
            &item.maker,
            &item.publisher,
            &item.category,
            &item.description,
        ];
        let texts: Vec<&String> = texts.into_iter().chain(attributes).chain(keys).collect();
        let all = texts.iter().flat_map(|text| words(text));
        let all: HashSet<String> = all.collect();
        let numbers = texts
            .iter()
            .flat_map(|text| {
                let languages = Language::all().map(Lexicon::of);
                languages.flat_map(|lexicon| {
                    let mut tokens = tokens(text, 0);
                    lexicon.join_numerals(&mut tokens);
                    tokens
                })
            })
            .filter_map(|token| match token.kind {
                Kind::Number(number) => Some(number),
                _ => None,
            });
        let short = item.title.split([':', '(', '[']).next();
        let attributes = item.attributes.values().flatten();
        let called = [&item.title, &item.category].into_iter().chain(attributes);
        let called = called.flat_map(|text| words(text)).map(|word| stem(&word));
        Self {
            texts: texts
                .iter()
                .map(|text| format!(" {} ", words(text).join(" ")))
                .collect(),
            title: words(&item.title),
            short: words(short.unwrap_or_default()),
            called: called.collect(),
            stems: all.iter().map(|word| stem(word)).collect(),
            numbers: numbers.collect(),
            language: language_of(&words(&item.description)),
            words: all,
            item,
        }
    }

    /// Whether one of its texts has a word that differs at most in its ending.
    pub(super) fn has(&self, folded: &str) -> bool {
        self.words.contains(folded) || self.stems.contains(&stem(folded))
    }

    /// Whether one of its texts has the very word.
    pub(super) fn has_word(&self, folded: &str) -> bool {
        self.words.contains(folded)
    }

    /// Whether its description is in another language: what is said of it has no words in common with it.
    pub(super) fn is_in_other_words(&self, language: Language) -> bool {
        self.language.is_some_and(|own| own != language)
    }

    /// Whether its title, its category or an attribute has a word that differs at most in its ending.
    pub(super) fn is_called(&self, folded: &str) -> bool {
        self.called.contains(&stem(folded))
    }

    /// Whether the words of `run` stand together in one of its texts.
    pub(super) fn has_run(&self, run: &str) -> bool {
        self.texts.iter().any(|text| text.contains(run))
    }

    pub(super) fn states(&self, number: i64) -> bool {
        self.numbers.contains(&number)
    }

    /// Numbers among its texts that an attribute states by itself: "128 páginas", "110 cm".
    pub(super) fn measures(&self) -> impl Iterator<Item = (&str, i64)> {
        self.item.attributes.iter().filter_map(|(key, values)| {
            let [value] = &values[..] else { return None };
            let numbers = tokens(value, 0).into_iter();
            let number = numbers.filter_map(|token| token.number()).next()?;
            Some((key.as_str(), number))
        })
    }

    /// What it weighs by an attribute, in hundredths of a gram.
    pub(super) fn grams(&self) -> Option<i64> {
        /// A gram by the kilogram.
        const KILOGRAM: i64 = 1000;
        self.item.attributes.values().flatten().find_map(|value| {
            let tokens = tokens(value, 0);
            let mut pairs = tokens.windows(2);
            pairs.find_map(|pair| match pair[1].folded.as_str() {
                "g" => pair[0].number(),
                "kg" => pair[0].number().map(|number| number * KILOGRAM),
                _ => None,
            })
        })
    }
}

impl Item {
    /// What there is to fill in for a field; nothing where the shop states none.
    pub(crate) fn value(&self, field: &Field) -> Option<String> {
        let stated = |text: &String| (!text.is_empty()).then(|| text.clone());
        match field {
            Field::Price | Field::Stock | Field::Left => Some(String::new()),
            Field::Maker => {
                let brand = self.attributes.get("marca");
                stated(&self.maker).or_else(|| brand.map(|values| values.join(", ")))
            }
            Field::Year => self.year.map(|year| year.to_string()),
            Field::Publisher => stated(&self.publisher),
            Field::Category => stated(&self.category),
            Field::Code => stated(&self.code),
            Field::Attribute(key) => {
                let mut attributes = self.attributes.iter();
                let (_, values) = attributes.find(|(own, _)| fold(own) == *key)?;
                stated(&values.join(", "))
            }
        }
    }
}

/// The language most of whose small words a text has, where it has more of them than of any other's.
fn language_of(words: &[String]) -> Option<Language> {
    let count = |language: Language| {
        let lexicon = Lexicon::of(language);
        words
            .iter()
            .filter(|word| lexicon.is_function(word))
            .count()
    };
    let mut counts: Vec<(usize, Language)> = Language::all()
        .map(|language| (count(language), language))
        .collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let [(most, language), (next, _), ..] = counts[..] else {
        return None;
    };
    (most > next).then_some(language)
}

/// A word without what inflects it, roughly and alike in the languages there are: endings of number and gender.
pub(super) fn stem(folded: &str) -> String {
    let letters = folded.chars().count();
    if letters < 4 {
        return folded.to_owned();
    }
    let stem = folded.strip_suffix('s').unwrap_or(folded);
    let shorter = stem.strip_suffix(['a', 'e', 'o']).unwrap_or(stem);
    if shorter.chars().count() < 3 {
        stem.to_owned()
    } else {
        shorter.to_owned()
    }
}
