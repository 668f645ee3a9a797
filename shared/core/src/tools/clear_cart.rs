//! `clear_cart`: the whole cart emptied, as a proposal.

use super::{NoArguments, Tool, proposal};

pub(super) static TOOL: Tool = proposal::tool::<NoArguments>(
    "clear_cart",
    "Proposes to empty the customer's cart; the customer confirms it.",
    |call| proposal::of_all_read("clear_cart", call),
);
