//! `remove_from_cart`: a line of the cart taken out, or some of its copies, as a proposal.

use super::{
    Tool,
    proposal::{self, OfLine},
};

pub(super) static TOOL: Tool = proposal::tool::<OfLine>(
    "remove_from_cart",
    "Proposes to take an item out of the customer's cart; the customer confirms it.",
    |call| proposal::of_line_read("remove_from_cart", call),
);
