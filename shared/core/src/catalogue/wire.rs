//! A result as it goes over the wire: a book by the names that books have always had, any other item without them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AttributeValue, Details, ItemResult};
use crate::{ids::ItemId, price::Price};

/// What prices are in where nothing is said.
const EURO: &str = "EUR";

/// An item of the catalogue.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Result {
    /// As the shop calls it.
    #[schemars(with = "String")]
    id: ItemId,
    #[serde(flatten)]
    book: Option<BookNames>,
    titulo: String,
    precio: Price,
    /// What the price is in, by ISO 4217.
    moneda: String,
    categoria: String,
    stock: u32,
    descripcion: String,
    /// Its page.
    url: Option<String>,
    /// Its picture: an address, or the picture itself as a `data:` one.
    imagen: Option<String>,
    /// What else it is called; absent where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    otros_titulos: Vec<String>,
    /// ISBN, EAN, GTIN or SKU.
    codigo: Option<String>,
    /// What the shop's profile says that its items have.
    atributos: BTreeMap<String, AttributeValue>,
    /// How well it matched, higher is better; absent where it was asked for by number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<f32>,
}

/// What a book has besides.
#[derive(Serialize, Deserialize, JsonSchema)]
struct BookNames {
    libro_id: u64,
    autor: String,
    isbn: String,
    editorial: String,
    #[serde(rename = "año_publicacion")]
    publicado: Option<i32>,
}

impl From<ItemResult> for Result {
    fn from(item: ItemResult) -> Self {
        let id = item.id();
        let is_book = item.details.id.is_none();
        let code = item.details.codigo;
        let isbn = Some(item.isbn.clone()).filter(|isbn| !isbn.is_empty());
        Self {
            id,
            book: is_book.then_some(BookNames {
                libro_id: item.libro_id,
                autor: item.autor,
                isbn: item.isbn,
                editorial: item.editorial,
                publicado: item.publicado,
            }),
            titulo: item.titulo,
            precio: item.precio,
            moneda: item.details.moneda.unwrap_or_else(|| EURO.to_owned()),
            categoria: item.categoria,
            stock: item.stock,
            descripcion: item.descripcion,
            url: item.details.url,
            imagen: item.details.imagen,
            otros_titulos: item.details.otros_titulos,
            codigo: code.or(isbn),
            atributos: item.details.atributos,
            score: item.score,
        }
    }
}

impl From<Result> for ItemResult {
    fn from(item: Result) -> Self {
        let is_book = item.book.is_some();
        let book = item.book.unwrap_or_else(|| BookNames {
            libro_id: item.id.number(),
            autor: String::new(),
            isbn: String::new(),
            editorial: String::new(),
            publicado: None,
        });
        Self {
            libro_id: book.libro_id,
            titulo: item.titulo,
            autor: book.autor,
            isbn: book.isbn,
            precio: item.precio,
            categoria: item.categoria,
            stock: item.stock,
            editorial: book.editorial,
            publicado: book.publicado,
            descripcion: item.descripcion,
            details: Details {
                id: (!is_book).then_some(item.id),
                moneda: Some(item.moneda).filter(|code| code != EURO),
                url: item.url,
                imagen: item.imagen,
                otros_titulos: item.otros_titulos,
                codigo: item.codigo.filter(|_| !is_book),
                atributos: item.atributos,
            },
            score: item.score,
        }
    }
}
