//! `view_cart`: what is in the customer's cart, and what it costs.

use super::{Access, NoArguments, Tool, Wanted, arguments, parameters};

pub(super) static TOOL: Tool = Tool {
    name: "view_cart",
    description: "Shows the customer their own cart, with prices and total.",
    access: Access::Customer,
    is_of_business: false,
    parameters: parameters::<NoArguments>,
    read: |call| {
        let NoArguments {} = arguments(call)?;
        Ok(Wanted::look_up(&TOOL))
    },
};
