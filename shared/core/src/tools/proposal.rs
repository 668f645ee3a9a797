//! A change that a model proposes, and the question to the customer who may have it done.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Access, Tool, Wanted, arguments, parameters};
use crate::{answer::render, catalogue::ItemResult, ids::ItemId, shop::Locale};

/// Most copies that may be proposed at once.
pub(super) const COPIES_MAX: u32 = 10;

/// A change that the customer may have done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proposal {
    /// The tool, and the action that does it.
    pub(crate) tool: &'static str,
    /// The message that asks.
    pub(super) question: &'static str,
    pub(crate) item_id: ItemId,
    pub(crate) copies: u32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[schemars(
        description = "The number of an item that is among the results.",
        with = "u64"
    )]
    #[serde(alias = "book_id", alias = "libro_id")]
    item_id: ItemId,
    #[schemars(description = "How many copies: 1 to 10, 1 if left out.")]
    cantidad: Option<u32>,
}

/// A tool that proposes a change of an item's copies.
pub(super) const fn tool(
    name: &'static str,
    description: &'static str,
    read: fn(&Value) -> Result<Wanted, String>,
) -> Tool {
    Tool {
        name,
        description,
        access: Access::Proposer,
        parameters: parameters::<Arguments>,
        read,
    }
}

pub(super) fn read(
    tool: &'static str,
    question: &'static str,
    call: &Value,
) -> Result<Wanted, String> {
    let Arguments { item_id, cantidad } = arguments(call)?;
    let copies = cantidad.unwrap_or(1);
    if !(1..=COPIES_MAX).contains(&copies) {
        return Err(format!("cantidad: 1 to {COPIES_MAX}"));
    }
    Ok(Wanted::Propose(Proposal {
        tool,
        question,
        item_id,
        copies,
    }))
}

impl Proposal {
    /// The payload of the action that does it.
    pub(crate) fn payload(&self) -> Value {
        match self.item_id.own_number() {
            Some(number) => json!({"book_id": number, "cantidad": self.copies}),
            None => json!({"item_id": self.item_id, "cantidad": self.copies}),
        }
    }

    /// The question to the customer, where the item is among those shown and there are enough of it.
    pub(crate) fn question(
        &self,
        items: &[ItemResult],
        locale: Locale<'_>,
    ) -> Result<String, String> {
        let item = items.iter().find(|item| item.id() == self.item_id);
        let item = item.ok_or("item_id: not among the results")?;
        if item.stock < self.copies {
            return Err(format!("only {} copies are left", item.stock));
        }
        let price = item.precio.display(locale.language);
        let titulo = render::name(&item.titulo);
        let arguments = [
            ("title", (&titulo).into()),
            ("price", (&price).into()),
            ("count", self.copies.into()),
        ];
        Ok(locale.message(self.question, &arguments))
    }
}
