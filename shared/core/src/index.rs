//! Finding items: what is asked of the search index, and what it answers.

use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
    ops::Range,
    sync::Arc,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    catalogue::{Attributes, Item},
    price::Price,
    shop::Profile,
    text::words,
};

/// Conditions a result must meet. Text conditions hold when every word given occurs in the field, case and accents ignored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Filters {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub categoria: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autor: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editorial: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precio_min: Option<Price>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precio_max: Option<Price>,
    /// By the key of the attribute.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub atributos: BTreeMap<String, String>,
    /// `true`: copies left; `false`: sold out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disponible: Option<bool>,
}

impl Filters {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a price is bounded, and nothing else is asked for.
    #[must_use]
    pub fn are_of_price_alone(&self) -> bool {
        let of_price = Self {
            precio_min: self.precio_min,
            precio_max: self.precio_max,
            ..Self::default()
        };
        !self.is_empty() && *self == of_price
    }

    /// Wants what `wanted` says of the attribute `key`. False for what `shop` does not filter by; so is a book's year, which no
    /// condition is for. A book's author and publisher are no attributes of the item: they have conditions of their own.
    #[must_use]
    pub fn want_attribute(&mut self, key: &str, wanted: &str, shop: &Profile) -> bool {
        if !shop.attribute(key).is_some_and(|known| known.filter) {
            return false;
        }
        let condition = match key {
            "autor" if shop.sells_books() => &mut self.autor,
            "editorial" if shop.sells_books() => &mut self.editorial,
            "año_publicacion" if shop.sells_books() => return false,
            _ => {
                self.atributos.insert(key.to_owned(), wanted.to_owned());
                return true;
            }
        };
        let known = condition.take();
        *condition =
            Some(known.map_or_else(|| wanted.to_owned(), |known| format!("{known} {wanted}")));
        true
    }

    /// Whether any of them can change between index builds.
    #[must_use]
    pub fn are_live(&self) -> bool {
        self.precio_min.is_some() || self.precio_max.is_some() || self.disponible.is_some()
    }

    /// What is wanted of attributes, to be looked for in many items.
    #[must_use]
    pub fn wanted_attributes(&self) -> WantedAttributes<'_> {
        let wanted = self.atributos.iter();
        WantedAttributes(
            wanted
                .map(|(key, wanted)| (key.as_str(), words(wanted)))
                .collect(),
        )
    }

    /// Whether a price and a number of free copies meet the conditions that move between index builds.
    #[must_use]
    pub fn admit_live(&self, price: Price, stock: u32) -> bool {
        self.precio_min.is_none_or(|min| price >= min)
            && self.precio_max.is_none_or(|max| price <= max)
            && self.disponible.is_none_or(|wanted| wanted == (stock > 0))
    }
}

/// What is wanted of attributes: the words by the attribute's key.
#[derive(Debug)]
pub struct WantedAttributes<'a>(Vec<(&'a str, Vec<String>)>);

impl WantedAttributes<'_> {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an item has all of it: of each attribute every word in one of its values.
    #[must_use]
    pub fn admit(&self, attributes: &Attributes) -> bool {
        self.0.iter().all(|(key, wanted)| {
            let has = |text: &String| {
                let own = words(text);
                wanted.iter().all(|word| own.contains(word))
            };
            let value = attributes.get(*key);
            value.is_some_and(|value| value.texts().iter().any(has))
        })
    }
}

/// In which order items are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// The best answers first.
    #[default]
    Relevance,
    PriceAsc,
    PriceDesc,
    /// By the year that items have; those without one come last.
    Newest,
    /// The other way round; those without a year come last, too.
    Oldest,
    /// By the copies that were ordered; what has not been sold is not among them.
    MostSold,
}

impl Sort {
    /// Every order, by its name on the wire.
    pub const ALL: [(&'static str, Self); 6] = [
        ("relevance", Self::Relevance),
        ("price_asc", Self::PriceAsc),
        ("price_desc", Self::PriceDesc),
        ("newest", Self::Newest),
        ("oldest", Self::Oldest),
        ("most_sold", Self::MostSold),
    ];

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(known, _)| *known == name).map(|(_, sort)| sort)
    }

    #[must_use]
    pub fn is_relevance(&self) -> bool {
        *self == Self::Relevance
    }

    /// Where an item stands in that order, lowest first: what is sold out comes last. Of [`Self::MostSold`] it tells no more than that:
    /// see [`IndexQuery::place`].
    #[must_use]
    pub fn place(self, price: Price, stock: u32, year: Option<i32>) -> (bool, i64) {
        let place = match self {
            Self::Relevance => return (false, 0),
            Self::PriceAsc => price.minor(),
            Self::PriceDesc => -price.minor(),
            Self::Newest => -i64::from(year.unwrap_or(i32::MIN)),
            Self::Oldest => i64::from(year.unwrap_or(i32::MAX)),
            Self::MostSold => 0,
        };
        (stock == 0, place)
    }
}

/// One question to the index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IndexQuery {
    /// Free text; may be empty when there are filters or `similar_to`.
    pub text: String,
    pub filters: Filters,
    /// Neighbours of this item, never the item itself.
    pub similar_to: Option<u64>,
    /// How many are wanted.
    pub top_k: usize,
    /// In which order: of all that answers the question, and not only of the nearest.
    pub sort: Sort,
    /// For [`Sort::MostSold`]: what has been sold, each item's number with its place, from 0 on.
    pub sold: Arc<HashMap<u64, i64>>,
    /// Meaning and keywords fused (`true`), or keywords alone.
    pub prefer_vector: bool,
    /// The last word may be the beginning of one: for suggestions while somebody types. Keywords alone then answer.
    pub prefix: bool,
    /// Whether categories and authors of everything found are counted.
    pub facets: bool,
    /// Whether each hit has its rank in either list.
    pub explain: bool,
}

impl IndexQuery {
    /// Where an item stands in the order that is asked for, lowest first; nothing where it is not among those that are asked for.
    #[must_use]
    pub fn place(
        &self,
        libro_id: u64,
        price: Price,
        stock: u32,
        year: Option<i32>,
    ) -> Option<(bool, i64)> {
        let (is_sold_out, place) = self.sort.place(price, stock, year);
        match self.sort {
            Sort::MostSold => Some((is_sold_out, *self.sold.get(&libro_id)?)),
            Sort::Relevance | Sort::PriceAsc | Sort::PriceDesc | Sort::Newest | Sort::Oldest => {
                Some((is_sold_out, place))
            }
        }
    }
}

/// An item found, as the index knows it: price and stock are those of the build.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub item: Item,
    pub stock: u32,
    pub score: f32,
    /// Where that was asked for and the text was searched.
    pub ranks: Option<Ranks>,
}

/// Where an item stood in the two lists that were fused, from 1 on; none where it was not in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Ranks {
    /// By nearness of meaning, among the books that were looked at.
    pub vector: Option<usize>,
    /// By the words it shares with the question.
    pub keyword: Option<usize>,
}

/// What took part in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Meaning, fused with keywords.
    Vector,
    Keyword,
    /// No index: the catalogue table itself was looked through.
    Catalogue,
}

/// The index's answer: hits best first, ties by item number.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub hits: Vec<Hit>,
    pub source: Source,
    /// Where they were asked for.
    pub facets: Option<Facets>,
}

/// The categories and authors of everything found, whether it is shown or not; the most frequent first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Facets {
    pub categoria: Vec<FacetCount>,
    /// Nothing in a shop that sells no books.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autor: Option<Vec<FacetCount>>,
    /// By the keys of attributes, in a shop whose items have some.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub atributos: BTreeMap<String, Vec<FacetCount>>,
}

/// A value and how many of what was found have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FacetCount {
    pub value: String,
    pub count: usize,
}

/// Values told of each facet.
const FACET_VALUES: usize = 20;

impl Default for Facets {
    /// Of nothing.
    fn default() -> Self {
        Self::of(std::iter::empty::<(&str, &str)>())
    }
}

impl Facets {
    /// Counts categories and authors.
    #[must_use]
    pub fn of<C, A>(found: impl Iterator<Item = (C, A)>) -> Self
    where
        C: Into<String> + Ord + Hash,
        A: Into<String> + Ord + Hash,
    {
        let (mut categories, mut authors) = (HashMap::new(), HashMap::new());
        for (category, author) in found {
            *categories.entry(category).or_default() += 1;
            *authors.entry(author).or_default() += 1;
        }
        Self {
            categoria: most_frequent(categories),
            autor: Some(most_frequent(authors)),
            atributos: BTreeMap::new(),
        }
    }

    /// Counts what attributes hold as well, each value of an item's once.
    #[must_use]
    pub fn with_attributes(mut self, found: impl Iterator<Item = Attributes>) -> Self {
        let mut counts: BTreeMap<String, HashMap<String, usize>> = BTreeMap::new();
        for (key, value) in found.flatten() {
            for text in value.texts() {
                *counts
                    .entry(key.clone())
                    .or_default()
                    .entry(text)
                    .or_default() += 1;
            }
        }
        let counts = counts.into_iter();
        self.atributos = counts
            .map(|(key, counts)| (key, most_frequent(counts)))
            .collect();
        self
    }
}

/// Of equals, those that come first in the alphabet.
fn most_frequent<S: Into<String> + Ord>(counts: HashMap<S, usize>) -> Vec<FacetCount> {
    let mut counts: Vec<(S, usize)> = counts.into_iter().collect();
    counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let counts = counts.into_iter().take(FACET_VALUES);
    counts
        .map(|(value, count)| FacetCount {
            value: value.into(),
            count,
        })
        .collect()
}

/// What is known of a loaded index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexInfo {
    pub build_id: String,
    pub items: usize,
    pub embedder: String,
    pub built_at: String,
}

/// One generation of the search index, immutable: a turn asks one generation only.
#[async_trait::async_trait]
pub trait Index: Send + Sync {
    fn info(&self) -> &IndexInfo;
    /// Never fails: what cannot be embedded is answered by keywords, which the answer's source names.
    async fn search(&self, query: &IndexQuery) -> Found;
    /// The item with this number, as it was at the build; its score is 0.
    fn item(&self, libro_id: u64) -> Option<Hit>;
    /// The number of the item with this 13-digit ISBN.
    fn find_isbn(&self, isbn: &str) -> Option<u64>;
    /// The item whose title `text` names best, if any does; with the share (0 to 1) of its words found.
    fn find_title(&self, text: &str) -> Option<(u64, f32)>;
    /// Whether a text is the whole title of an item, and nothing else.
    fn is_title(&self, text: &str) -> bool;
    /// The whole titles that stand in a text, by the places of their words in it, with the numbers of their items; of two that share a
    /// word, the longer.
    fn titles_in(&self, text: &str) -> Vec<(Range<usize>, u64)>;
    /// How near a question is in meaning to each of some texts, as the cosine of their vectors; nothing where that has to be asked of a
    /// service.
    async fn likeness(&self, question: &str, texts: &[&str]) -> Vec<f32>;
}

/// Where the current generation is had; `None` when there is none that can be trusted.
#[async_trait::async_trait]
pub trait IndexSource: Send + Sync {
    async fn current(&self) -> Option<Arc<dyn Index>>;
}
