//! `add_to_cart`: an item for the cart, as a proposal.

use super::{Access, Tool, parameters, proposal};

pub(super) static TOOL: Tool = Tool {
    name: "add_to_cart",
    description: "Proposes to put an item into the customer's cart; the customer confirms it with a button.",
    access: Access::Proposer,
    parameters: parameters::<proposal::Arguments>,
    read: |call| proposal::read("add_to_cart", "propose-cart", call),
};
