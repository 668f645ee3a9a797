//! What the shop sells, as it is right now.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::price::Price;

/// A book as the shop describes it, without what moves (stock) or what a search adds (score).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
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
}

/// Copies set aside for a reservation until a time; afterwards they count as free with nothing written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    pub reservation: Uuid,
    pub copies: u32,
    #[serde(with = "time::serde::timestamp")]
    pub until: OffsetDateTime,
}

/// A book with its copies, as the catalogue table holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockedBook {
    pub book: Book,
    /// Copies in the shop, those set aside included.
    pub on_hand: u32,
    pub holds: Vec<Hold>,
    /// Grows with every change; a change is conditioned on it.
    pub version: u64,
}

impl StockedBook {
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

/// A book as it is shown to people and programs: with its live price, the copies free, and how well it matched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BookResult {
    pub libro_id: u64,
    pub titulo: String,
    pub autor: String,
    pub isbn: String,
    pub precio: Price,
    pub categoria: String,
    pub stock: u32,
    pub editorial: String,
    #[serde(rename = "año_publicacion")]
    pub publicado: Option<i32>,
    pub descripcion: String,
    /// How well it matched, higher is better; absent where it was asked for by number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
}

impl BookResult {
    #[must_use]
    pub fn new(book: Book, stock: u32, score: Option<f32>) -> Self {
        Self {
            libro_id: book.libro_id,
            titulo: book.titulo,
            autor: book.autor,
            isbn: book.isbn,
            precio: book.precio,
            categoria: book.categoria,
            stock,
            editorial: book.editorial,
            publicado: book.publicado,
            descripcion: book.descripcion,
            score,
        }
    }
}

/// The catalogue could not answer.
#[derive(Debug, thiserror::Error)]
#[error("the catalogue cannot be reached")]
pub struct CatalogueError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// The shop's catalogue table.
#[async_trait]
pub trait Catalogue: Send + Sync {
    /// The books with these numbers that exist, in any order; at most 100 asked for at once.
    async fn get(&self, ids: &[u64], consistent: bool) -> Result<Vec<StockedBook>, CatalogueError>;

    /// The number of the book with this 13-digit ISBN.
    async fn find_isbn(&self, isbn: &str) -> Result<Option<u64>, CatalogueError>;

    /// A bounded look through the table, for when there is no index: at most `limit` items are read.
    async fn scan(&self, limit: usize) -> Result<Vec<StockedBook>, CatalogueError>;
}
