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
    measures::{Quantity, quantities},
    token::{Token, tokens},
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
    /// What its attributes state as one number each.
    pub(super) quantities: Vec<Quantity>,
    /// Numbers in its texts, in hundredths.
    numbers: HashSet<i64>,
    /// Those that count years, months, weeks or days, or stand in an attribute of ages.
    spans: HashSet<i64>,
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
        let mut numbers = HashSet::new();
        let mut spans = HashSet::new();
        for text in &texts {
            take_numbers(text, &mut numbers, &mut spans);
        }
        let ages = item.attributes.iter().filter(|(key, _)| is_age(&fold(key)));
        for value in ages.flat_map(|(_, values)| values) {
            let tokens = tokens(value, 0);
            spans.extend(tokens.iter().filter_map(Token::number));
        }
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
            quantities: quantities(&item.attributes),
            numbers,
            spans,
            language: language_of(&words(&item.description)),
            words: all,
            item,
        }
    }

    /// Whether one of its texts has a word that differs at most in its ending.
    pub(super) fn has(&self, folded: &str) -> bool {
        self.words.contains(folded) || self.stems.contains(&stem(folded))
    }

    /// Folded words of its texts.
    pub(super) fn words(&self) -> impl Iterator<Item = &String> {
        self.words.iter()
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

    /// Whether it is told apart by a word: what it is called by, or who publishes it.
    pub(super) fn is_told_by(&self, folded: &str) -> bool {
        self.is_called(folded)
            || words(&self.item.publisher)
                .iter()
                .any(|word| word == folded)
    }

    /// Whether the words of `run` stand together in one of its texts.
    pub(super) fn has_run(&self, run: &str) -> bool {
        self.texts.iter().any(|text| text.contains(run))
    }

    /// Whether an age is between two that its texts state.
    pub(super) fn is_for_age(&self, age: i64) -> bool {
        let (low, high) = (self.spans.iter().min(), self.spans.iter().max());
        low.zip(high)
            .is_some_and(|(low, high)| low < high && (*low..=*high).contains(&age))
    }

    /// Whether its texts state an age or a span of time of so many years, months, weeks or days.
    pub(super) fn states_span(&self, number: i64) -> bool {
        self.spans.contains(&number)
    }

    pub(super) fn states(&self, number: i64) -> bool {
        self.numbers.contains(&number)
    }
}

/// Whether a folded key is of an age, in whatever language.
fn is_age(key: &str) -> bool {
    let mut lexicons = Language::all().map(Lexicon::of);
    lexicons.any(|lexicon| {
        lexicon
            .topics
            .at(&[key])
            .is_some_and(|topic| topic.key == "age")
    })
}

/// Takes note of the numbers of a text, in the words of whatever language, and of those that count years or days: "de 8 a 12 años".
fn take_numbers(text: &str, numbers: &mut HashSet<i64>, spans: &mut HashSet<i64>) {
    /// Tokens between a number and its unit.
    const BETWEEN: usize = 4;
    let written = tokens(text, 0);
    for lexicon in Language::all().map(Lexicon::of) {
        let mut tokens = written.clone();
        lexicon.join_numerals(&mut tokens);
        for (at, token) in tokens.iter().enumerate() {
            let Some(number) = token.number() else {
                continue;
            };
            numbers.insert(number);
            let is_unit = |token: &Token| {
                let unit = lexicon.units.at(&[token.folded.as_str()]);
                unit.is_some_and(|unit| matches!(unit.key, "years" | "days"))
            };
            let is_age = |token: &Token| {
                let topic = lexicon.topics.at(&[token.folded.as_str()]);
                topic.is_some_and(|topic| topic.key == "age")
            };
            if tokens[at + 1..].iter().take(BETWEEN).any(is_unit)
                || tokens[..at].iter().rev().take(BETWEEN).any(is_age)
            {
                spans.insert(number);
            }
        }
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
