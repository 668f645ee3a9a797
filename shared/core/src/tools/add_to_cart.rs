//! `add_to_cart`: an item for the cart, as a proposal.

use super::{
    Tool,
    proposal::{self, OfItem},
};

pub(super) static TOOL: Tool = proposal::tool::<OfItem>(
    "add_to_cart",
    "Proposes to put an item into the customer's cart; the customer confirms it.",
    |call| proposal::of_item_read("add_to_cart", call),
);
