//! The lines of a file as items of a shop, by its profile.

mod build;
mod code;

use mostrador_core::{
    catalogue::Item,
    shop::{Attribute, Holds, Profile},
};
use serde_json::Value;

use crate::{
    DESCRIPTION_CHARS, NAME_CHARS, STOCK_MAX,
    table::{Members, list, written},
};

/// Longest ids and codes, addresses and pictures, in characters; a picture may be in the line itself.
const ID_CHARS: usize = 64;
const URL_CHARS: usize = 2_000;
const IMAGE_CHARS: usize = 8_000;
/// Most other titles of an item.
const TITLES_MAX: usize = 20;

/// The item of a line with its stock.
pub(crate) fn item(members: &Members, shop: &Profile) -> Result<(Item, u32), String> {
    check(members, shop)?;
    build::item(members, shop)
}

fn check(members: &Members, shop: &Profile) -> Result<(), String> {
    for name in ["id", "titulo", "precio"] {
        let is_blank = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
        if members
            .get(name)
            .is_none_or(|value| value.is_null() || is_blank(value))
        {
            return Err(format!("{name} is missing"));
        }
    }
    for (name, value) in members {
        match (name.as_str(), value) {
            (_, Value::Null) => {}
            ("atributos", Value::Object(attributes)) => {
                for (key, value) in attributes {
                    let attribute = shop.attribute(key).ok_or_else(|| {
                        format!(
                            "{key} is none of the shop's attributes: add it to them or leave it out"
                        )
                    })?;
                    attribute_value(attribute, value)?;
                }
            }
            ("atributos", _) => return Err("atributos is no object".to_owned()),
            ("otros_titulos", value) => other_titles(value)?,
            (name, value) => match shop.attribute(name) {
                Some(attribute) => attribute_value(attribute, value)?,
                None => known(name, value)?,
            },
        }
    }
    Ok(())
}

/// Checks what every item may have, but for what it costs.
fn known(name: &str, value: &Value) -> Result<(), String> {
    let text = written(Some(value));
    let is_text = matches!(value, Value::String(_) | Value::Number(_));
    let at_most = |chars: usize| text.chars().count() <= chars;
    let (holds, expected) = match name {
        "id" => (
            at_most(ID_CHARS) && !text.contains(char::is_whitespace),
            format!("text of up to {ID_CHARS} characters without blanks"),
        ),
        "titulo" | "categoria" => (
            at_most(NAME_CHARS),
            format!("text of up to {NAME_CHARS} characters"),
        ),
        "descripcion" => (
            at_most(DESCRIPTION_CHARS),
            format!("text of up to {DESCRIPTION_CHARS} characters"),
        ),
        "stock" => (
            text.is_empty() || text.parse().is_ok_and(|stock: u32| stock <= STOCK_MAX),
            format!("a whole number from 0 to {STOCK_MAX}"),
        ),
        "url" => (
            text.is_empty() || is_web_address(&text) && at_most(URL_CHARS),
            "an address that begins with https://".to_owned(),
        ),
        "imagen" => (
            text.is_empty()
                || (is_web_address(&text) || text.starts_with("data:image/"))
                    && at_most(IMAGE_CHARS),
            format!(
                "an address that begins with https:// or data:image/, of up to {IMAGE_CHARS} characters"
            ),
        ),
        "codigo" => (
            at_most(ID_CHARS) && code::is_valid(&text),
            "an ISBN, EAN or GTIN with a right check digit, or a SKU".to_owned(),
        ),
        "publicado_at" => (
            text.is_empty() || is_date(&text),
            "a date such as 2026-03-01".to_owned(),
        ),
        _ => return Ok(()),
    };
    if is_text && holds {
        Ok(())
    } else {
        Err(format!("{name} {value} is not {expected}"))
    }
}

/// Checks what else an item is called.
pub(crate) fn other_titles(value: &Value) -> Result<(), String> {
    let is_list = match value {
        Value::Array(all) => all.iter().all(Value::is_string),
        value => value.is_string() || value.is_null(),
    };
    let titles = list(Some(value));
    let is_short = |title: &String| title.chars().count() <= NAME_CHARS;
    if is_list && titles.len() <= TITLES_MAX && titles.iter().all(is_short) {
        Ok(())
    } else {
        Err(format!(
            "otros_titulos {value} is not a list of up to {TITLES_MAX} texts of up to {NAME_CHARS} characters"
        ))
    }
}

fn attribute_value(attribute: &Attribute, value: &Value) -> Result<(), String> {
    let is_text = |value: &Value| {
        let text = value.as_str();
        text.is_some_and(|text| text.chars().count() <= NAME_CHARS)
    };
    let (holds, expected) = match attribute.holds {
        Holds::Text => (is_text(value), "text"),
        Holds::Number => {
            let written = value.as_str().map(|text| text.replace(',', "."));
            let is_number = |text: String| text.is_empty() || text.parse::<f64>().is_ok();
            (
                value.is_number() || written.is_some_and(is_number),
                "a number",
            )
        }
        // In a spreadsheet a list is a text with bars in it.
        Holds::List => (
            is_text(value) || value.as_array().is_some_and(|all| all.iter().all(is_text)),
            "a list of texts",
        ),
    };
    if holds || value.is_null() {
        Ok(())
    } else {
        Err(format!("{} {value} is not {expected}", attribute.key))
    }
}

fn is_web_address(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, length: usize, most: u32| {
        part.len() == length
            && part
                .parse()
                .is_ok_and(|number: u32| (1..=most).contains(&number))
    };
    matches!(parts[..], [year, month, day] if number(year, 4, 9999) && number(month, 2, 12) && number(day, 2, 31))
}

#[cfg(test)]
mod tests;
