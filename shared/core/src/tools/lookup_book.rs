//! `lookup_book`: one item by its number or ISBN.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Tool, Wanted, arguments};
use crate::{ids::ItemId, understand::Route};

pub(super) static TOOL: Tool = Tool::for_anyone::<Arguments>(
    "lookup_book",
    "Looks one item up by its number or ISBN.",
    read,
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[schemars(description = "The item's number.", with = "Option<u64>")]
    #[serde(alias = "book_id", alias = "libro_id")]
    item_id: Option<ItemId>,
    #[schemars(description = "Its ISBN, of 10 or 13 digits.")]
    isbn: Option<String>,
}

fn read(call: &Value) -> Result<Wanted, String> {
    let route = match arguments(call)? {
        Arguments {
            item_id: Some(id), ..
        } => Route::LookupId(id.number()),
        Arguments {
            isbn: Some(isbn), ..
        } => Route::LookupIsbn(isbn),
        Arguments { .. } => return Err("item_id or isbn is needed".to_owned()),
    };
    Ok(Wanted::find(route, String::new(), None))
}
