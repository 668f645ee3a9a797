//! What an answer is made of: prose, and what the shop fills in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is stated of an item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Field {
    Price,
    Stock,
    Maker,
    Year,
    Publisher,
    Category,
    Code,
    /// An attribute of the shop's own, by its key.
    Attribute(String),
}

impl Field {
    /// The field of a folded name, in any of the ways in which it is written; other names are attributes'.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        match name {
            "precio" | "price" | "preco" => Self::Price,
            "stock" | "existencias" | "estoque" => Self::Stock,
            "autor" | "author" | "maker" | "marca" | "brand" => Self::Maker,
            "ano" | "ano_publicacion" | "year" => Self::Year,
            "editorial" | "publisher" | "editora" => Self::Publisher,
            "categoria" | "category" => Self::Category,
            "isbn" | "codigo" | "code" => Self::Code,
            other => Self::Attribute(other.to_owned()),
        }
    }

    /// Its name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Price => "precio",
            Self::Stock => "stock",
            Self::Maker => "autor",
            Self::Year => "año",
            Self::Publisher => "editorial",
            Self::Category => "categoria",
            Self::Code => "codigo",
            Self::Attribute(key) => key,
        }
    }
}

/// A piece of a line before it is rendered. An item is meant by its place among those that are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Text(String),
    Item(usize),
    Fact(usize, Field),
}

/// A piece of a line as it is rendered: `text` by itself is the line, and what it stands for lets a page do better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Segment {
    pub text: String,
    /// The item that is named, or of which something is stated: its place in `results`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<u64>,
    /// What is stated of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact: Option<String>,
}
