//! One line of a shop's file, and what makes it a book.

use std::collections::{BTreeSet, HashMap};

use mostrador_core::{
    catalogue::{Details, Item},
    isbn,
    price::Price,
};

use crate::{LineError, SourceError};

/// Longest texts taken, in characters.
pub(crate) const NAME_CHARS: usize = 1_000;
pub(crate) const DESCRIPTION_CHARS: usize = 8_000;
/// Most copies of one item.
pub(crate) const STOCK_MAX: u32 = 1_000_000;

/// A line's values by what they mean.
pub(crate) type Row = HashMap<&'static str, String>;

/// A file's lines by their numbers, and its columns that mean nothing to us.
pub(crate) struct Rows {
    pub(crate) rows: Vec<(usize, Result<Row, String>)>,
    pub(crate) left_out: BTreeSet<String>,
}

/// Checks every row; all good, or every bad one named.
pub(crate) fn collect(
    rows: Vec<(usize, Result<Row, String>)>,
    allow_free: bool,
) -> Result<Vec<(Item, u32)>, SourceError> {
    if rows.is_empty() {
        return Err(SourceError::Empty);
    }
    let mut items = Vec::new();
    let mut errors = Vec::new();
    let mut ids: HashMap<u64, usize> = HashMap::new();
    let mut isbns: HashMap<String, usize> = HashMap::new();
    for (line, row) in rows {
        let mut object = |problem: String| errors.push(LineError { line, problem });
        match row.and_then(|row| book(&row, allow_free)) {
            Err(problem) => object(problem),
            Ok((book, stock)) => {
                if let Some(first) = ids.insert(book.libro_id, line) {
                    object(format!(
                        "libro_id {} was already on line {first}",
                        book.libro_id
                    ));
                    continue;
                }
                if !book.isbn.is_empty()
                    && let Some(first) = isbns.insert(book.isbn.clone(), line)
                {
                    object(format!("isbn {} was already on line {first}", book.isbn));
                    continue;
                }
                items.push((book, stock));
            }
        }
    }
    if errors.is_empty() {
        Ok(items)
    } else {
        Err(SourceError::Lines(errors))
    }
}

fn book(row: &Row, allow_free: bool) -> Result<(Item, u32), String> {
    let value = |name: &str| row.get(name).map_or("", |value| value.trim());
    let text = |name: &str, longest: usize| match value(name) {
        long if long.chars().count() > longest => {
            Err(format!("{name} is longer than {longest} characters"))
        }
        text => Ok(text.to_owned()),
    };
    let required = |name: &str| match text(name, NAME_CHARS)? {
        blank if blank.is_empty() => Err(format!("{name} is missing")),
        text => Ok(text),
    };
    let libro_id = value("libro_id")
        .parse()
        .ok()
        .filter(|id| (1..=(1_u64 << 53)).contains(id));
    let libro_id = libro_id.ok_or_else(|| {
        format!(
            "libro_id {:?} is not a positive whole number",
            value("libro_id")
        )
    })?;
    let precio = Price::parse(value("precio")).map_err(|_| {
        format!(
            "precio {:?} is not an amount with at most two decimals",
            value("precio")
        )
    })?;
    if precio == Price::default() && !allow_free {
        return Err(format!(
            "precio {:?} is a price for nothing; --allow-free takes it",
            value("precio")
        ));
    }
    let isbn = match value("isbn") {
        "" => String::new(),
        written => isbn::normalise(written)
            .ok_or_else(|| format!("isbn {written:?} is not a valid ISBN-10 or ISBN-13"))?,
    };
    let stock = match value("stock") {
        "" => 0,
        written => written
            .parse()
            .ok()
            .filter(|stock| *stock <= STOCK_MAX)
            .ok_or_else(|| {
                format!("stock {written:?} is not a whole number from 0 to {STOCK_MAX}")
            })?,
    };
    let publicado = match value("año_publicacion") {
        "" => None,
        written => Some(
            written
                .parse()
                .map_err(|_| format!("año_publicacion {written:?} is not a year"))?,
        ),
    };
    let book = Item {
        libro_id,
        titulo: required("titulo")?,
        autor: text("autor", NAME_CHARS)?,
        isbn,
        precio,
        categoria: text("categoria", NAME_CHARS)?,
        editorial: text("editorial", NAME_CHARS)?,
        publicado,
        descripcion: text("descripcion", DESCRIPTION_CHARS)?,
        details: Details::default(),
    };
    Ok((book, stock))
}
