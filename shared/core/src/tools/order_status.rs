//! `order_status`: where one of the customer's orders stands, and what is in it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Access, Tool, Wanted, arguments, parameters};

pub(super) static TOOL: Tool = Tool {
    name: "order_status",
    description: "Shows the customer where one of their own orders stands, what is in it and what it cost.",
    access: Access::Customer,
    is_of_business: false,
    parameters: parameters::<OfOrder>,
    read: |call| {
        let OfOrder { order_id } = arguments(call)?;
        Ok(Wanted::look_up_by(&TOOL, "order_id", order_id))
    },
};

/// One of the customer's orders.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfOrder {
    #[schemars(
        description = "The order's number, which the customer has said or list_orders has shown."
    )]
    pub(super) order_id: u32,
}
