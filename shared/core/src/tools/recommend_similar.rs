//! `recommend_similar`: what is like an item.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Tool, Wanted, arguments};
use crate::{ids::ItemId, understand::Route};

pub(super) static TOOL: Tool = Tool::for_anyone::<Arguments>(
    "recommend_similar",
    "Finds items that are like an item.",
    read,
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[schemars(description = "The item's number.", with = "Option<u64>")]
    #[serde(alias = "book_id", alias = "libro_id")]
    item_id: Option<ItemId>,
    #[schemars(description = "Its title, where the number is not known.")]
    #[serde(alias = "nombre")]
    titulo: Option<String>,
    #[schemars(description = "How many items: 1 to 20, 5 if left out.")]
    k: Option<usize>,
}

fn read(call: &Value) -> Result<Wanted, String> {
    let Arguments { item_id, titulo, k } = arguments(call)?;
    let route = match (item_id, titulo) {
        (Some(id), _) => Route::SimilarToId(id.number()),
        (None, Some(titulo)) => Route::SimilarToTitle(titulo),
        (None, None) => return Err("item_id or titulo is needed".to_owned()),
    };
    Ok(Wanted::find(route, String::new(), k))
}
