//! `add_to_cart`: an item for the cart, as a proposal.

use super::{Tool, proposal};

pub(super) static TOOL: Tool = proposal::tool(
    "add_to_cart",
    "Proposes to put an item into the customer's cart; the customer confirms it with a button.",
    |call| proposal::read("add_to_cart", "propose-cart", call),
);
