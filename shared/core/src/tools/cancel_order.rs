//! `cancel_order`: an order called off, as a proposal.

use super::{Tool, arguments, order_status::OfOrder, proposal};

pub(super) static TOOL: Tool = proposal::tool::<OfOrder>(
    "cancel_order",
    "Proposes to cancel one of the customer's orders that is still pending; the customer confirms it.",
    |call| {
        let OfOrder { order_id } = arguments(call)?;
        Ok(proposal::of_number("cancel_order", "order_id", order_id))
    },
);
