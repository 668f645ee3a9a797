//! The tools as a model is told of them in a shop that sells something else than books. They are the same tools.

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

/// The same tools in the same order.
pub(super) fn specs(shop: &Profile) -> Vec<ToolSpec> {
    let text = |description: &str| json!({"type": "string", "description": description});
    let count = || json!({"type": ["integer", "null"], "minimum": 0, "description": "How many items: 1 to 20, 5 if left out."});
    let amount = || json!({"type": ["number", "null"]});
    let pieces = || json!({"type": ["integer", "null"], "minimum": 0, "description": "How many: 1 to 10, 1 if left out."});
    let shown = || text("The id of an item that is among the results.");
    let filters = shop.attributes.iter().filter(|attribute| attribute.filter);
    let filters: Map<String, Value> = filters
        .map(|attribute| (attribute.key.clone(), json!({"type": "string"})))
        .collect();
    [
        (
            "search_catalog",
            "Searches the catalogue by words and meaning.",
            json!({"text": text("What is looked for, in words: a name, a brand, what it is for."), "k": count()}),
            &["text"][..],
        ),
        (
            "lookup_item",
            "Looks one item up by its id.",
            json!({"item_id": text("The item's id.")}),
            &["item_id"],
        ),
        (
            "filter_catalog",
            "Lists items by category, what they have, price or availability.",
            json!({
                "categoria": {"type": ["string", "null"]},
                "atributos": {"type": ["object", "null"], "properties": filters, "additionalProperties": false},
                "precio_min": amount(),
                "precio_max": amount(),
                "disponible": {"type": ["boolean", "null"], "description": "true: with stock left; false: sold out."},
                "text": {"type": ["string", "null"], "description": "Words to look for among those items."},
                "k": count(),
            }),
            &[],
        ),
        (
            "recommend_similar",
            "Finds items that are like an item.",
            json!({
                "item_id": {"type": ["string", "null"], "description": "The item's id."},
                "nombre": {"type": ["string", "null"], "description": "Its name, where the id is not known."},
                "k": count(),
            }),
            &[],
        ),
        (
            "add_to_cart",
            "Proposes to put an item into the customer's cart; the customer confirms it with a button.",
            json!({"item_id": shown(), "cantidad": pieces()}),
            &["item_id"],
        ),
        (
            "reserve_item",
            "Proposes to reserve an item for 24 hours; the customer confirms it with a button.",
            json!({"item_id": shown(), "cantidad": pieces()}),
            &["item_id"],
        ),
    ]
    .map(|(name, description, properties, required)| ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
    })
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::TOOLS;

    #[test]
    fn they_are_the_same_tools_without_a_word_of_books() {
        let specs = specs(&Profile::named("Ana"));
        let names: Vec<&str> = specs
            .iter()
            .map(|spec| name_for_books(&spec.name))
            .collect();
        let of_books: Vec<&str> = TOOLS.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, of_books);
        for spec in specs {
            let text = format!("{} {} {}", spec.name, spec.description, spec.parameters);
            for word in [
                "book", "libro", "author", "autor", "isbn", "cop", "title", "titulo",
            ] {
                assert!(!text.to_lowercase().contains(word), "{word} in {text}");
            }
        }
    }
}
