//! The tools' descriptions in a shop that sells something else than books. They are the same tools.

use serde_json::{Map, Value, json};

use super::ToolSpec;
use crate::shop::Profile;

/// A tool's name in a shop of books.
pub(super) fn name_for_books(name: &str) -> &str {
    match name {
        "lookup_item" => "lookup_book",
        "reserve_item" => "reserve_book",
        other => other,
    }
}

/// A tool for `shop`, from its description in a shop of books.
pub(super) fn spec(of_books: ToolSpec, shop: &Profile) -> ToolSpec {
    let described =
        |name: &str, description: &str, properties: Value, required: &[&str]| ToolSpec {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: json!({
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            }),
        };
    let text = |description: &str| json!({"type": "string", "description": description});
    let count = || json!({"type": ["integer", "null"], "minimum": 0, "description": "How many items: 1 to 20, 5 if left out."});
    let proposed = || {
        json!({
            "item_id": text("The id of an item that is among the results."),
            "cantidad": {"type": ["integer", "null"], "minimum": 0, "description": "How many: 1 to 10, 1 if left out."},
        })
    };
    match of_books.name.as_str() {
        "search_catalog" => described(
            "search_catalog",
            &of_books.description,
            json!({"text": text("What is looked for, in words: a name, a brand, what it is for."), "k": count()}),
            &["text"],
        ),
        "lookup_book" => described(
            "lookup_item",
            "Looks one item up by its id.",
            json!({"item_id": text("The item's id.")}),
            &["item_id"],
        ),
        "filter_catalog" => described(
            "filter_catalog",
            "Lists items by category, what they have, price or availability.",
            json!({
                "categoria": {"type": ["string", "null"]},
                "atributos": {"type": ["object", "null"], "properties": filters(shop), "additionalProperties": false},
                "precio_min": {"type": ["number", "null"]},
                "precio_max": {"type": ["number", "null"]},
                "disponible": {"type": ["boolean", "null"], "description": "true: with stock left; false: sold out."},
                "text": {"type": ["string", "null"], "description": "Words to look for among those items."},
                "k": count(),
            }),
            &[],
        ),
        "recommend_similar" => described(
            "recommend_similar",
            &of_books.description,
            json!({
                "item_id": {"type": ["string", "null"], "description": "The item's id."},
                "nombre": {"type": ["string", "null"], "description": "Its name, where the id is not known."},
                "k": count(),
            }),
            &[],
        ),
        "add_to_cart" => described(
            "add_to_cart",
            &of_books.description,
            proposed(),
            &["item_id"],
        ),
        "reserve_book" => described(
            "reserve_item",
            "Proposes to reserve an item for 24 hours; the customer confirms it.",
            proposed(),
            &["item_id"],
        ),
        "remove_from_cart" => described(
            "remove_from_cart",
            &of_books.description,
            json!({
                "item_id": text("The id of an item that is in the cart."),
                "cantidad": {"type": ["integer", "null"], "minimum": 0, "description": "How many: 1 to 10, all if left out."},
            }),
            &["item_id"],
        ),
        // The others are described alike in every shop.
        _ => of_books,
    }
}

/// The attributes that items are filtered by.
fn filters(shop: &Profile) -> Map<String, Value> {
    let filters = shop.attributes.iter().filter(|attribute| attribute.filter);
    filters
        .map(|attribute| (attribute.key.clone(), json!({"type": "string"})))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::ToolCall,
        tools::{May, SPECS, wanted},
    };

    /// Something of everything that a schema has.
    fn example(schema: &Value) -> Value {
        let types = &schema["type"];
        let first = types.as_array().and_then(|types| types.first());
        match first.unwrap_or(types).as_str() {
            Some("object") => {
                let members = schema["properties"].as_object();
                let members = members.into_iter().flatten();
                let examples = members.map(|(name, schema)| (name.clone(), example(schema)));
                examples.collect::<Map<_, _>>().into()
            }
            Some("string") => json!("camisa"),
            Some("integer" | "number") => json!(2),
            Some("boolean") => json!(true),
            other => panic!("{other:?} in {schema}"),
        }
    }

    /// What is written here by hand is what the tools read.
    #[test]
    fn a_call_by_its_schema_is_read() {
        let shop = json!({
            "name": "Ana",
            "attributes": [{"key": "talla", "label": {}, "type": "list", "filter": true}],
        });
        let shop: Profile = serde_json::from_value(shop).unwrap();
        let may = May {
            look_up: true,
            propose: true,
            book: true,
        };
        for of_books in SPECS.iter() {
            let spec = spec(of_books.clone(), &shop);
            let members = spec.parameters["properties"].as_object().unwrap();
            let required = spec.parameters["required"].as_array();
            for name in required.into_iter().flatten() {
                assert!(members.contains_key(name.as_str().unwrap()), "{name}");
            }
            let call = ToolCall {
                id: "1".to_owned(),
                name: spec.name,
                arguments: example(&spec.parameters),
                provider_data: None,
            };
            let read = wanted(&call, may);
            assert!(read.is_ok(), "{call:?}: {read:?}");
        }
    }

    #[test]
    fn they_are_the_same_tools_without_a_word_of_books() {
        let shop = Profile::named("Ana");
        for of_books in SPECS.iter() {
            let spec = spec(of_books.clone(), &shop);
            assert_eq!(name_for_books(&spec.name), of_books.name);
            let text = format!("{} {} {}", spec.name, spec.description, spec.parameters);
            for word in [
                "book", "libro", "author", "autor", "isbn", "cop", "title", "titulo",
            ] {
                assert!(!text.to_lowercase().contains(word), "{word} in {text}");
            }
        }
    }
}
