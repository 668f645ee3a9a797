//! From a line to a book.

use mostrador_core::{
    catalogue::{Details, Item},
    isbn,
    shop::Profile,
};
use serde_json::Value;

use crate::{
    DESCRIPTION_CHARS, NAME_CHARS, STOCK_MAX,
    items::other_titles,
    money,
    table::{Members, list, written},
};

/// The book of a line with its copies.
pub(crate) fn book(members: &Members, shop: &Profile) -> Result<(Item, u32), String> {
    for (name, value) in members {
        if name == "otros_titulos" {
            other_titles(value)?;
        } else if !matches!(value, Value::String(_) | Value::Number(_) | Value::Null) {
            return Err(format!("{name} is neither text nor a number"));
        }
    }
    let value = |name: &str| written(members.get(name));
    let text = |name: &str, longest: usize| match value(name) {
        long if long.chars().count() > longest => {
            Err(format!("{name} is longer than {longest} characters"))
        }
        text => Ok(text),
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
    let precio = money::price(members, shop)?;
    let moneda = money::currency(members, shop)?;
    let isbn = match value("isbn") {
        blank if blank.is_empty() => blank,
        written => isbn::normalise(&written)
            .ok_or_else(|| format!("isbn {written:?} is not a valid ISBN-10 or ISBN-13"))?,
    };
    let stock = match value("stock") {
        blank if blank.is_empty() => 0,
        written => written
            .parse()
            .ok()
            .filter(|stock| *stock <= STOCK_MAX)
            .ok_or_else(|| {
                format!("stock {written:?} is not a whole number from 0 to {STOCK_MAX}")
            })?,
    };
    let publicado = match value("año_publicacion") {
        blank if blank.is_empty() => None,
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
        details: Details {
            moneda,
            otros_titulos: list(members.get("otros_titulos")),
            ..Details::default()
        },
    };
    Ok((book, stock))
}
