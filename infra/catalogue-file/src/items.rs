//! The lines of a file as items of a shop, by its profile.

mod build;
mod code;

use std::{
    collections::{BTreeSet, HashMap},
    path::Path,
};

use mostrador_core::{
    catalogue::Item,
    shop::{Attribute, Holds, Profile, currency},
};
use serde_json::{Map, Value};

use crate::{
    LineError, Read, Reading, SourceError,
    columns::meaning,
    csv_file, decoded,
    json_lines::{self, Line},
    row::{DESCRIPTION_CHARS, NAME_CHARS, STOCK_MAX},
};

/// Longest ids and codes, addresses and pictures, in characters; a picture may be in the line itself.
const ID_CHARS: usize = 64;
const URL_CHARS: usize = 2_000;
const IMAGE_CHARS: usize = 8_000;

/// Reads a `.jsonl`, `.csv` or `.tsv` file. One that has a column `libro_id` holds books; any other holds items with `id`, `titulo`,
/// `precio` and what else the profile has them have.
///
/// # Errors
/// [`SourceError`]; with `Lines`, every line that is wrong is named.
pub fn read_catalogue(path: &Path, shop: &Profile) -> Result<Read, SourceError> {
    let name = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|error| SourceError::Unreadable(name.clone(), error))?;
    let (text, encoding) = decoded(&bytes);
    let lines = match path.extension().and_then(|extension| extension.to_str()) {
        Some("jsonl" | "ndjson") => json_lines::objects(&text).collect(),
        Some("csv" | "tsv" | "txt") => csv_file::objects(&text),
        _ => return Err(SourceError::UnknownKind(name)),
    };
    let has_number = |line: &Map<String, Value>| {
        let mut names = line.keys();
        names.any(|name| meaning(name, &[]) == Some("libro_id"))
    };
    let objects = || lines.iter().filter_map(|line| line.members.as_ref().ok());
    if objects().next().is_some_and(has_number) {
        let reading = Reading {
            allow_free: shop.zero_prices,
            ..Reading::default()
        };
        return reading.file(path);
    }
    let (items, left_out) = items(lines, shop)?;
    Ok(Read {
        items,
        left_out,
        encoding: encoding.name(),
    })
}

type Items = (Vec<(Item, u32)>, BTreeSet<String>);

fn items(lines: Vec<Line>, shop: &Profile) -> Result<Items, SourceError> {
    if lines.is_empty() {
        return Err(SourceError::Empty);
    }
    let (mut items, mut left_out) = (Vec::with_capacity(lines.len()), BTreeSet::new());
    let mut errors = Vec::new();
    let mut seen: HashMap<(&str, String), usize> = HashMap::new();
    for Line {
        number: line,
        members,
    } in lines
    {
        let problem = members.and_then(|members| {
            item(&members, shop, &mut left_out)?;
            for name in ["id", "codigo"] {
                let Some(value) = members.get(name).and_then(Value::as_str) else {
                    continue;
                };
                if value.is_empty() {
                    continue;
                }
                let first = *seen.entry((name, value.to_owned())).or_insert(line);
                if first != line {
                    return Err(format!("{name} {value} was already on line {first}"));
                }
            }
            let (item, stock) = build::item(&members, shop)?;
            let number = item.libro_id.to_string();
            let first = *seen.entry(("number", number)).or_insert(line);
            if first != line {
                let id = item.id();
                return Err(format!(
                    "id {id} cannot be kept apart from that on line {first}"
                ));
            }
            items.push((item, stock));
            Ok(())
        });
        if let Err(problem) = problem {
            errors.push(LineError { line, problem });
        }
    }
    if errors.is_empty() {
        Ok((items, left_out))
    } else {
        Err(SourceError::Lines(errors))
    }
}

fn item(
    members: &Map<String, Value>,
    shop: &Profile,
    left_out: &mut BTreeSet<String>,
) -> Result<(), String> {
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
        let is_known = match (name.as_str(), value) {
            (_, Value::Null) => true,
            ("atributos", Value::Object(attributes)) => {
                for (key, value) in attributes {
                    let attribute = shop.attribute(key).ok_or_else(|| {
                        format!(
                            "{key} is none of the shop's attributes: add it to them or leave it out"
                        )
                    })?;
                    attribute_value(attribute, value)?;
                }
                true
            }
            ("atributos", _) => return Err("atributos is no object".to_owned()),
            (name, value) => match shop.attribute(name) {
                Some(attribute) => attribute_value(attribute, value).map(|()| true)?,
                None => known(name, value, shop)?,
            },
        };
        if !is_known {
            left_out.insert(name.clone());
        }
    }
    Ok(())
}

/// Checks what every item may have; false for a name that is none of these.
fn known(name: &str, value: &Value, shop: &Profile) -> Result<bool, String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let is_text = matches!(value, Value::String(_) | Value::Number(_));
    let at_most = |chars: usize| text.chars().count() <= chars;
    let digits = currency::minor_digits(&shop.currency).unwrap_or(2);
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
        "precio" if is_amount(&text, digits) && is_nothing(&text) => (
            shop.zero_prices,
            "more than nothing; zero_prices = true takes it".to_owned(),
        ),
        "precio" => (
            is_amount(&text, digits),
            format!("an amount with at most {digits} decimals"),
        ),
        "moneda" => (text == shop.currency, shop.currency.clone()),
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
        _ => return Ok(false),
    };
    if is_text && holds {
        Ok(true)
    } else {
        Err(format!("{name} {value} is not {expected}"))
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

fn is_amount(text: &str, digits: u8) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.split_once(['.', ',']) {
        None => is_number(text),
        Some((whole, rest)) => {
            is_number(whole) && is_number(rest) && rest.len() <= usize::from(digits)
        }
    }
}

fn is_nothing(amount: &str) -> bool {
    !amount.contains(|c| matches!(c, '1'..='9'))
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
