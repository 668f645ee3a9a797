//! `set_quantity`: exactly so many copies of an item in the cart, as a proposal.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Tool, arguments, proposal};
use crate::ids::ItemId;

/// So many copies of a line of the cart.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Quantity {
    #[schemars(
        description = "The number of an item that is in the cart.",
        with = "u64"
    )]
    #[serde(alias = "book_id", alias = "libro_id")]
    item_id: ItemId,
    #[schemars(description = "How many there are to be: 0 to 10.")]
    cantidad: u32,
}

pub(super) static TOOL: Tool = proposal::tool::<Quantity>(
    "set_quantity",
    "Proposes to have exactly so many of an item in the customer's cart, whatever it has now; the customer confirms it.",
    |call| {
        let Quantity { item_id, cantidad } = arguments(call)?;
        proposal::of_quantity("set_quantity", &item_id, cantidad)
    },
);
