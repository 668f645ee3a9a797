//! What an answer is made of before it is rendered: prose, and what the shop fills in.

/// What is stated of an item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Field {
    Price,
    /// "Está agotado": a clause.
    Stock,
    /// "Agotado": a word beside others.
    Left,
    Maker,
    Year,
    Publisher,
    Category,
    Code,
    /// An attribute of the shop's own, by its key.
    Attribute(String),
}

impl Field {
    /// The field of a folded name, in any of the ways in which it is written; other names are attributes'. `None` for the item itself.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "" | "titulo" | "title" | "nombre" | "name" => return None,
            "precio" | "price" | "preco" => Self::Price,
            "stock" | "existencias" | "estoque" => Self::Stock,
            "autor" | "author" | "maker" | "marca" | "brand" => Self::Maker,
            "ano" | "ano_publicacion" | "year" => Self::Year,
            "editorial" | "publisher" | "editora" => Self::Publisher,
            "categoria" | "category" => Self::Category,
            "isbn" | "codigo" | "code" => Self::Code,
            other => Self::Attribute(other.to_owned()),
        })
    }

    /// Its name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Price => "precio",
            Self::Stock | Self::Left => "stock",
            Self::Maker => "autor",
            Self::Year => "año",
            Self::Publisher => "editorial",
            Self::Category => "categoria",
            Self::Code => "codigo",
            Self::Attribute(key) => key,
        }
    }
}

/// A piece of a line before it is rendered. An item is meant by its place among the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Text(String),
    Item(usize),
    Fact(usize, Field),
}
