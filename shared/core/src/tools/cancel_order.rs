//! `cancel_order`: an order called off, as a proposal.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Tool, arguments, proposal};

pub(super) static TOOL: Tool = proposal::tool::<Arguments>(
    "cancel_order",
    "Proposes to cancel one of the customer's orders that is still pending; the customer confirms it.",
    |call| {
        let Arguments { order_id } = arguments(call)?;
        Ok(proposal::of_number("cancel_order", "order_id", order_id))
    },
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[schemars(
        description = "The order's number, which the customer has said or list_orders has shown."
    )]
    order_id: u32,
}
