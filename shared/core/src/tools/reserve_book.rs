//! `reserve_book`: copies put aside, as a proposal.

use super::{Tool, proposal};

pub(super) static TOOL: Tool = proposal::tool(
    "reserve_book",
    "Proposes to reserve copies of an item for 24 hours; the customer confirms it with a button.",
    |call| proposal::read("reserve_book", "propose-reservation", call),
);
