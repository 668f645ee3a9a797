//! `forget`: what is remembered of the customer forgotten, as a proposal.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Tool, arguments, proposal};

/// What is to be forgotten.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfNote {
    #[schemars(
        description = "The number of the sentence in <cliente>; everything that is remembered of the customer if left out."
    )]
    note_id: Option<u32>,
}

pub(super) static TOOL: Tool = proposal::tool::<OfNote>(
    "forget",
    "Proposes to forget what the shop remembers of the customer, one sentence or all of it; the customer confirms it.",
    |call| {
        let OfNote { note_id } = arguments(call)?;
        Ok(match note_id {
            Some(note_id) => proposal::of_number("forget", "note_id", note_id),
            None => proposal::of_all("forget"),
        })
    },
);
