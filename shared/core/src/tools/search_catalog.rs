//! `search_catalog`: the catalogue by words and meaning.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Tool, Wanted, arguments};
use crate::understand::Route;

pub(super) static TOOL: Tool = Tool::for_anyone::<Arguments>(
    "search_catalog",
    "Searches the catalogue by words and meaning.",
    read,
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[schemars(description = "What is looked for, in words: a title, an author, a subject.")]
    text: String,
    #[schemars(description = "How many items: 1 to 20, 5 if left out.")]
    k: Option<usize>,
}

fn read(call: &Value) -> Result<Wanted, String> {
    let Arguments { text, k } = arguments(call)?;
    if text.trim().is_empty() {
        return Err("text: it is blank".to_owned());
    }
    Ok(Wanted::find(Route::Search, text, k))
}
