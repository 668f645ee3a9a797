//! `list_orders`: the customer's orders.

use super::{Access, NoArguments, Tool, Wanted, arguments, parameters};

pub(super) static TOOL: Tool = Tool {
    name: "list_orders",
    description: "Shows the customer their own orders, newest first, by number and state.",
    access: Access::Customer,
    is_of_business: false,
    parameters: parameters::<NoArguments>,
    read: |call| {
        let NoArguments {} = arguments(call)?;
        Ok(Wanted::look_up(&TOOL))
    },
};
