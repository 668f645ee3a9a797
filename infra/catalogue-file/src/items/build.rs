//! From a line that was checked to an item.

use std::collections::BTreeMap;

use mostrador_core::{
    catalogue::{AttributeValue, Details, Item},
    ids::ItemId,
    price::Price,
    shop::{Attribute, Holds, Profile},
};
use serde_json::{Map, Number, Value};

/// The item with its stock.
pub(super) fn item(members: &Map<String, Value>, shop: &Profile) -> Result<(Item, u32), String> {
    let text = |name: &str| match members.get(name) {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let stated = |name: &str| Some(text(name)).filter(|text| !text.is_empty());
    let id = ItemId::read(&text("id")).ok_or("id is missing")?;
    let precio = Price::parse(&text("precio"));
    let precio = precio.map_err(|_| format!("precio {:?} is too much", text("precio")))?;
    let beside = members.get("atributos").and_then(Value::as_object);
    let mut atributos = BTreeMap::new();
    let mut names = None;
    for attribute in &shop.attributes {
        let key = &attribute.key;
        let written = beside.and_then(|all| all.get(key)).or(members.get(key));
        let Some(value) = written.and_then(|written| value(attribute, written)) else {
            continue;
        };
        if attribute.names && names.is_none() {
            names = Some(value.texts().join(", "));
        }
        atributos.insert(key.clone(), value);
    }
    let year = stated("publicado_at").and_then(|date| date.get(..4)?.parse().ok());
    let item = Item {
        libro_id: id.number(),
        titulo: text("titulo"),
        autor: names.unwrap_or_default(),
        isbn: String::new(),
        precio,
        categoria: text("categoria"),
        editorial: String::new(),
        publicado: year,
        descripcion: text("descripcion"),
        details: Details {
            id: Some(id),
            moneda: Some(shop.currency.clone()),
            url: stated("url"),
            imagen: stated("imagen"),
            codigo: stated("codigo"),
            atributos,
        },
    };
    Ok((item, text("stock").parse().unwrap_or_default()))
}

/// What the line has of the attribute; nothing where it is left blank.
fn value(attribute: &Attribute, written: &Value) -> Option<AttributeValue> {
    let text = match written {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    match attribute.holds {
        Holds::Text => Some(text)
            .filter(|text| !text.is_empty())
            .map(AttributeValue::Text),
        Holds::Number => {
            let number = text.replace(',', ".");
            let whole = number.parse::<i64>().ok().map(Number::from);
            let number = whole.or_else(|| Number::from_f64(number.parse().ok()?))?;
            Some(AttributeValue::Number(number))
        }
        Holds::List => {
            let all: Vec<String> = match written {
                Value::Array(all) => all
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
                _ => text.split('|').map(str::to_owned).collect(),
            };
            let all = all.iter().map(|text| text.trim().to_owned());
            let all: Vec<String> = all.filter(|text| !text.is_empty()).collect();
            (!all.is_empty()).then_some(AttributeValue::List(all))
        }
    }
}
