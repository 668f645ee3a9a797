//! From a line that was checked to an item.

use std::collections::BTreeMap;

use mostrador_core::{
    catalogue::{AttributeValue, Details, Item},
    ids::ItemId,
    shop::{Attribute, Holds, Profile},
};
use serde_json::{Number, Value};

use crate::{
    money,
    table::{Members, list, written},
};

/// The item with its stock.
pub(super) fn item(members: &Members, shop: &Profile) -> Result<(Item, u32), String> {
    let text = |name: &str| written(members.get(name));
    let stated = |name: &str| Some(text(name)).filter(|text| !text.is_empty());
    let id = ItemId::read(&text("id")).ok_or("id is missing")?;
    let precio = money::price(members, shop)?;
    let moneda = money::currency(members, shop)?;
    let beside = members.get("atributos").and_then(Value::as_object);
    let mut atributos = BTreeMap::new();
    let mut names = None;
    for attribute in &shop.attributes {
        let key = &attribute.key;
        let stated = beside.and_then(|all| all.get(key)).or(members.get(key));
        let Some(value) = stated.and_then(|stated| value(attribute, stated)) else {
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
            moneda,
            url: stated("url"),
            imagen: stated("imagen"),
            otros_titulos: list(members.get("otros_titulos")),
            codigo: stated("codigo"),
            atributos,
        },
    };
    Ok((item, text("stock").parse().unwrap_or_default()))
}

/// What the line has of the attribute; nothing where it is left blank.
fn value(attribute: &Attribute, value: &Value) -> Option<AttributeValue> {
    let text = written(Some(value));
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
            let all = list(Some(value));
            (!all.is_empty()).then_some(AttributeValue::List(all))
        }
    }
}
