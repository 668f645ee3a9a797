//! `remember`: a sentence that the customer wants remembered, as a proposal.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Tool, arguments, proposal};
use crate::text::{plain, words};

/// A sentence about the customer.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Sentence {
    #[schemars(
        description = "One sentence in the customer's own words, in the first person and in their language: at most 200 characters."
    )]
    text: String,
}

pub(super) static TOOL: Tool = proposal::tool::<Sentence>(
    "remember",
    "Proposes to remember for later what the customer has just asked to have remembered of them; the customer confirms it.",
    |call| {
        let Sentence { text } = arguments(call)?;
        let text = plain(&text);
        if words(&text).is_empty() {
            return Err("text: it says nothing".to_owned());
        }
        Ok(proposal::of_text("remember", text))
    },
);
