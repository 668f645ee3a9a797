//! `view_profile`: what the shop remembers of the customer at their wish.

use super::{Access, NoArguments, Tool, Wanted, arguments, parameters};

pub(crate) const NAME: &str = "view_profile";

pub(super) static TOOL: Tool = Tool {
    name: NAME,
    description: "Shows the customer what the shop remembers of them at their own wish.",
    access: Access::Customer,
    is_of_business: false,
    parameters: parameters::<NoArguments>,
    read: |call| {
        let NoArguments {} = arguments(call)?;
        Ok(Wanted::look_up(&TOOL))
    },
};
