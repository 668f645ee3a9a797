//! `reserve_book`: copies put aside, as a proposal.

use super::{
    Tool,
    proposal::{self, OfItem},
};

pub(super) static TOOL: Tool = proposal::tool::<OfItem>(
    "reserve_book",
    "Proposes to reserve copies of an item for 24 hours; the customer confirms it.",
    |call| proposal::of_item_read("reserve_book", call),
);
