//! `shop_info`: what the shop says of itself.

use super::{Access, NoArguments, Tool, Wanted, arguments, parameters};
use crate::shop::Locale;

pub(super) static TOOL: Tool = Tool {
    name: "shop_info",
    description: "Tells the shopper what the shop says of itself.",
    access: Access::Anyone,
    parameters: parameters::<NoArguments>,
    read: |call| {
        let NoArguments {} = arguments(call)?;
        Ok(Wanted::ShopInfo)
    },
};

/// What the shop's profile says, a line each.
pub(crate) fn lines(locale: Locale<'_>) -> Vec<String> {
    vec![locale.text("shop-sells")]
}
