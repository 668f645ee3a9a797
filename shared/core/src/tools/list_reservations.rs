//! `list_reservations`: what is put aside for the customer.

use super::{Access, NoArguments, Tool, Wanted, arguments, parameters};

pub(super) static TOOL: Tool = Tool {
    name: "list_reservations",
    description: "Shows the customer what is reserved for them, and for how long.",
    access: Access::Customer,
    is_of_business: false,
    parameters: parameters::<NoArguments>,
    read: |call| {
        let NoArguments {} = arguments(call)?;
        Ok(Wanted::look_up(&TOOL))
    },
};
