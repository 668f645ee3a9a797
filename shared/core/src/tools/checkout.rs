//! `checkout`: an order of what is in the cart, as a proposal.

use super::{NoArguments, Tool, proposal};

pub(super) static TOOL: Tool = proposal::tool::<NoArguments>(
    "checkout",
    "Proposes to order all that is in the customer's cart; the customer sees the total and confirms it.",
    |call| proposal::of_all_read("checkout", call),
);
