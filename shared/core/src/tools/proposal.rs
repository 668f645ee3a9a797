//! A change that is proposed: the customer is asked, and may have it done.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Access, NoArguments, Tool, Wanted, arguments, parameters};
use crate::{
    actions::{Payload, of_item},
    ids::ItemId,
};

/// Most copies that may be proposed at once.
pub(super) const COPIES_MAX: u32 = 10;

/// A change that the customer may have done: the action that does it, with its payload.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Proposal {
    pub(crate) action: &'static str,
    pub(crate) payload: Payload,
    /// The item that it is of, which has to be one of those shown.
    pub(crate) shown: Option<ItemId>,
}

/// Copies of an item that was shown.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfItem {
    #[schemars(
        description = "The number of an item that is among the results.",
        with = "u64"
    )]
    #[serde(alias = "book_id", alias = "libro_id")]
    item_id: ItemId,
    #[schemars(description = "How many copies: 1 to 10, 1 if left out.")]
    cantidad: Option<u32>,
}

/// A line of the cart, or copies of it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfLine {
    #[schemars(
        description = "The number of an item that is in the cart.",
        with = "u64"
    )]
    #[serde(alias = "book_id", alias = "libro_id")]
    item_id: ItemId,
    #[schemars(description = "How many copies: 1 to 10, all of them if left out.")]
    cantidad: Option<u32>,
}

/// A tool that proposes a change, with arguments `A`.
pub(super) const fn tool<A: JsonSchema>(
    name: &'static str,
    description: &'static str,
    read: fn(&Value) -> Result<Wanted, String>,
) -> Tool {
    Tool {
        name,
        description,
        access: Access::Proposer,
        is_of_business: false,
        parameters: parameters::<A>,
        read,
    }
}

pub(super) fn of_item_read(action: &'static str, call: &Value) -> Result<Wanted, String> {
    let OfItem { item_id, cantidad } = arguments(call)?;
    let payload = with_copies(&item_id, Some(cantidad.unwrap_or(1)))?;
    Ok(proposed(action, payload, Some(item_id)))
}

pub(super) fn of_line_read(action: &'static str, call: &Value) -> Result<Wanted, String> {
    let OfLine { item_id, cantidad } = arguments(call)?;
    let payload = with_copies(&item_id, cantidad)?;
    Ok(proposed(action, payload, None))
}

/// Of exactly so many copies, none of which may be wanted.
pub(super) fn of_quantity(
    action: &'static str,
    item_id: &ItemId,
    copies: u32,
) -> Result<Wanted, String> {
    let mut payload = with_copies(item_id, (copies > 0).then_some(copies))?;
    payload.0.insert("cantidad".to_owned(), copies.into());
    Ok(proposed(action, payload, None))
}

pub(super) fn of_all_read(action: &'static str, call: &Value) -> Result<Wanted, String> {
    let NoArguments {} = arguments(call)?;
    Ok(of_all(action))
}

/// Of all that the customer has of that.
pub(super) fn of_all(action: &'static str) -> Wanted {
    proposed(action, Payload::default(), None)
}

/// Of a sentence.
pub(super) fn of_text(action: &'static str, text: String) -> Wanted {
    let payload = Map::from_iter([("text".to_owned(), text.into())]);
    proposed(action, Payload(payload), None)
}

/// Of what the action takes.
pub(super) fn of(action: &'static str, payload: Payload) -> Wanted {
    proposed(action, payload, None)
}

/// Of what has that number in the customer's own series.
pub(super) fn of_number(action: &'static str, name: &str, number: u32) -> Wanted {
    let payload = Map::from_iter([(name.to_owned(), number.into())]);
    proposed(action, Payload(payload), None)
}

fn with_copies(item_id: &ItemId, copies: Option<u32>) -> Result<Payload, String> {
    let mut payload = of_item(item_id);
    if let Some(copies) = copies {
        if !(1..=COPIES_MAX).contains(&copies) {
            return Err(format!("cantidad: 1 to {COPIES_MAX}"));
        }
        payload.0.insert("cantidad".to_owned(), copies.into());
    }
    Ok(payload)
}

fn proposed(action: &'static str, payload: Payload, shown: Option<ItemId>) -> Wanted {
    Wanted::Propose(Proposal {
        action,
        payload,
        shown,
    })
}
