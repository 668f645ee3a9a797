//! What the shop sells, as it is right now.

mod wire;

use std::{borrow::Cow, collections::BTreeMap, ops::Range};

use async_trait::async_trait;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{ids::ItemId, price::Price, text};

/// An item as the shop describes it, without what moves (stock) or what a search adds (score).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    pub libro_id: u64,
    pub titulo: String,
    pub autor: String,
    /// Thirteen digits, or empty where the shop knows none.
    pub isbn: String,
    pub precio: Price,
    pub categoria: String,
    pub editorial: String,
    #[serde(rename = "año_publicacion")]
    pub publicado: Option<i32>,
    pub descripcion: String,
    #[serde(default, skip_serializing_if = "Details::is_empty")]
    pub details: Details,
}

impl Item {
    /// What it is called, its title first.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        titles(&self.titulo, &self.details)
    }

    /// As the shop calls it.
    #[must_use]
    pub fn id(&self) -> ItemId {
        let id = self.details.id.clone();
        id.unwrap_or_else(|| self.libro_id.into())
    }
}

fn titles<'a>(title: &'a str, details: &'a Details) -> impl Iterator<Item = &'a str> {
    let others = details.otros_titulos.iter().map(String::as_str);
    std::iter::once(title).chain(others)
}

/// Which of some titles stands in folded words, with a slip at most, and where.
pub(crate) fn title_in<'a>(
    mut titles: impl Iterator<Item = &'a str>,
    said: &[String],
) -> Option<(&'a str, Range<usize>)> {
    titles.find_map(|title| {
        let named = text::words(title);
        let at = text::place_of_name(&named, said)?;
        Some((title, at..at + named.len()))
    })
}

/// What items of any shop have beside what books have.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Details {
    /// As the shop calls it; nothing for a book, which its number is enough for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<ItemId>,
    /// What its price is in, by ISO 4217; euros where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moneda: Option<String>,
    /// Its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its picture: an address, or the picture itself as a `data:` one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imagen: Option<String>,
    /// What else it is called: in another language, in another edition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub otros_titulos: Vec<String>,
    /// EAN, GTIN or SKU; a book has its ISBN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codigo: Option<String>,
    /// What the shop's profile says that its items have.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub atributos: Attributes,
}

/// What an item has of the attributes that its shop's profile names, by their keys.
pub type Attributes = BTreeMap<String, AttributeValue>;

impl Details {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What an item has of an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AttributeValue {
    Text(String),
    Number(serde_json::Number),
    List(Vec<String>),
}

impl AttributeValue {
    /// Each of its values, as it is written.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        match self {
            Self::Text(text) => vec![text.clone()],
            Self::Number(number) => vec![number.to_string()],
            Self::List(texts) => texts.clone(),
        }
    }
}

/// Copies set aside for a reservation until a time; afterwards they count as free with nothing written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    pub reservation: Uuid,
    pub copies: u32,
    #[serde(with = "time::serde::timestamp")]
    pub until: OffsetDateTime,
}

/// An item with its copies, as the catalogue table holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockedItem {
    pub item: Item,
    /// Copies in the shop, those set aside included.
    pub on_hand: u32,
    pub holds: Vec<Hold>,
    /// Copies in orders that were neither cancelled nor returned.
    pub sold: u32,
    /// Grows with every change; a change is conditioned on it.
    pub version: u64,
}

impl StockedItem {
    /// Copies anybody may still take at `now`.
    #[must_use]
    pub fn available(&self, now: OffsetDateTime) -> u32 {
        self.available_beside(now, &[])
    }

    /// Copies free at `now` for somebody whose own reservations are `own`.
    #[must_use]
    pub fn available_beside(&self, now: OffsetDateTime, own: &[Uuid]) -> u32 {
        let held: u32 = self
            .holds
            .iter()
            .filter(|hold| hold.until > now && !own.contains(&hold.reservation))
            .map(|hold| hold.copies)
            .sum();
        self.on_hand.saturating_sub(held)
    }
}

/// An item as it is shown to people and programs: with its live price, the copies free, and how well it matched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "wire::Result", into = "wire::Result")]
pub struct ItemResult {
    pub libro_id: u64,
    pub titulo: String,
    pub autor: String,
    pub isbn: String,
    pub precio: Price,
    pub categoria: String,
    pub stock: u32,
    pub editorial: String,
    pub publicado: Option<i32>,
    pub descripcion: String,
    pub details: Details,
    /// How well it matched, higher is better; absent where it was asked for by number.
    pub score: Option<f32>,
}

impl ItemResult {
    /// What it is called, its title first.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        titles(&self.titulo, &self.details)
    }

    #[must_use]
    pub fn new(item: Item, stock: u32, score: Option<f32>) -> Self {
        Self {
            libro_id: item.libro_id,
            titulo: item.titulo,
            autor: item.autor,
            isbn: item.isbn,
            precio: item.precio,
            categoria: item.categoria,
            stock,
            editorial: item.editorial,
            publicado: item.publicado,
            descripcion: item.descripcion,
            details: item.details,
            score,
        }
    }

    /// As the shop calls it.
    #[must_use]
    pub fn id(&self) -> ItemId {
        let id = self.details.id.clone();
        id.unwrap_or_else(|| self.libro_id.into())
    }
}

#[cfg(test)]
impl ItemResult {
    /// Of which nothing is known but its name and its maker.
    pub(crate) fn named(titulo: &str, autor: &str) -> Self {
        Self {
            libro_id: 1,
            titulo: titulo.to_owned(),
            autor: autor.to_owned(),
            isbn: String::new(),
            precio: Price::from_minor(900),
            categoria: String::new(),
            stock: 1,
            editorial: String::new(),
            publicado: None,
            descripcion: String::new(),
            details: Details::default(),
            score: None,
        }
    }
}

impl JsonSchema for ItemResult {
    fn schema_name() -> Cow<'static, str> {
        "BookResult".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        wire::Result::json_schema(generator)
    }
}

/// The catalogue could not answer.
#[derive(Debug, thiserror::Error)]
#[error("the catalogue cannot be reached")]
pub struct CatalogueError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// The shop's catalogue table.
#[async_trait]
pub trait Catalogue: Send + Sync {
    /// The items with these numbers that exist, in any order; at most 100 asked for at once.
    async fn get(&self, ids: &[u64], consistent: bool) -> Result<Vec<StockedItem>, CatalogueError>;

    /// The number of the item with this 13-digit ISBN.
    async fn find_isbn(&self, isbn: &str) -> Result<Option<u64>, CatalogueError>;

    /// The numbers of the items that have been sold, the most sold first; at most `limit` of them. It may be a moment behind.
    async fn most_sold(&self, limit: usize) -> Result<Vec<u64>, CatalogueError>;

    /// A bounded look through the table, for when there is no index: at most `limit` items are read.
    async fn scan(&self, limit: usize) -> Result<Vec<StockedItem>, CatalogueError>;
}
