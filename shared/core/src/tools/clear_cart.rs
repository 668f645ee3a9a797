//! `clear_cart`: the whole cart emptied, as a proposal.

use super::{Tool, proposal};

pub(super) static TOOL: Tool = proposal::of_all_tool(
    "clear_cart",
    "Proposes to empty the customer's cart; the customer confirms it.",
    |call| proposal::of_all_read("clear_cart", call),
);
