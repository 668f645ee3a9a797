//! `return_order`: an order sent back, as a proposal.

use super::{Tool, arguments, order_status::OfOrder, proposal};

pub(super) static TOOL: Tool = proposal::tool::<OfOrder>(
    "return_order",
    "Proposes to ask the shop to take back one of the customer's orders that was delivered; the customer confirms it.",
    |call| {
        let OfOrder { order_id } = arguments(call)?;
        Ok(proposal::of_number("return_order", "order_id", order_id))
    },
);
