//! `reserve_book`: copies put aside, as a proposal.

use super::{Access, Tool, parameters, proposal};

pub(super) static TOOL: Tool = Tool {
    name: "reserve_book",
    description: "Proposes to reserve copies of an item for 24 hours; the customer confirms it with a button.",
    access: Access::Proposer,
    parameters: parameters::<proposal::Arguments>,
    read: |call| proposal::read("reserve_book", "propose-reservation", call),
};
