//! What a model may use: one file a tool, with its description for a model, its arguments and what a call of it wants done.
//!
//! The registry is the only list of tools: it is read by the turn, what a model is offered, and `status`. A tool finds items, or
//! has the shop say something of itself or of what is the customer's own, or proposes a change; no call changes anything. What a model
//! is told of the tools in a shop that sells no books is in `items`.

mod add_to_cart;
mod appointments;
mod cancel_order;
mod cancel_reservation;
mod checkout;
mod clear_cart;
mod filter_catalog;
mod forget;
mod items;
mod list_orders;
mod list_reservations;
mod lookup_book;
mod order_status;
mod proposal;
mod recommend_similar;
mod remember;
mod remove_from_cart;
mod reserve_book;
mod return_order;
mod search_catalog;
mod set_quantity;
pub(crate) mod shop_info;
mod view_cart;
pub(crate) mod view_profile;

use std::sync::LazyLock;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

pub(crate) use proposal::Proposal;

use crate::{
    actions::Payload,
    answer::prose,
    model::{ToolCall, ToolSpec},
    retrieval::{TOP_K, TOP_K_MAX},
    shop::Profile,
    text::truncate,
    understand::Route,
};

/// Every tool, in the order in which a model is offered them.
static OF_SHOP: [&Tool; 21] = [
    &search_catalog::TOOL,
    &lookup_book::TOOL,
    &filter_catalog::TOOL,
    &recommend_similar::TOOL,
    &shop_info::TOOL,
    &view_cart::TOOL,
    &list_orders::TOOL,
    &order_status::TOOL,
    &list_reservations::TOOL,
    &view_profile::TOOL,
    &add_to_cart::TOOL,
    &set_quantity::TOOL,
    &remove_from_cart::TOOL,
    &clear_cart::TOOL,
    &checkout::TOOL,
    &reserve_book::TOOL,
    &cancel_reservation::TOOL,
    &cancel_order::TOOL,
    &return_order::TOOL,
    &remember::TOOL,
    &forget::TOOL,
];

/// All of them.
fn tools() -> impl Iterator<Item = &'static Tool> {
    OF_SHOP.into_iter().chain(appointments::TOOLS)
}

/// Longest text that is searched for, in characters.
const TEXT_CHARS: usize = 200;
/// Longest description of what is wrong with a call, in characters: it may have written what is repeated in it.
const ERROR_CHARS: usize = 300;

/// A tool that a model may call.
pub(crate) struct Tool {
    name: &'static str,
    /// Its description in a prompt.
    description: &'static str,
    access: Access,
    /// Of a business that takes appointments: offered where there is one.
    is_of_business: bool,
    /// JSON Schema of its arguments, made from the type that reads them.
    parameters: fn() -> Value,
    /// Reads a call's arguments, or returns what is wrong with them, for the model.
    read: fn(&Value) -> Result<Wanted, String>,
}

impl Tool {
    /// A tool of everybody's turns, with arguments `A`.
    const fn for_anyone<A: JsonSchema>(
        name: &'static str,
        description: &'static str,
        read: fn(&Value) -> Result<Wanted, String>,
    ) -> Self {
        Self {
            name,
            description,
            access: Access::Anyone,
            is_of_business: false,
            parameters: parameters::<A>,
            read,
        }
    }
}

/// Whose turns a tool is offered in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Anyone,
    /// Those of who is signed in.
    Customer,
    /// Those that are kept: a proposal is found again in the log.
    Proposer,
}

/// What the tools of a turn may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct May {
    /// Look up what is the customer's own.
    pub(crate) look_up: bool,
    pub(crate) propose: bool,
    /// Take appointments.
    pub(crate) book: bool,
}

impl May {
    fn use_of(self, tool: &Tool) -> bool {
        let is_offered = self.book || !tool.is_of_business;
        is_offered
            && match tool.access {
                Access::Anyone => true,
                Access::Customer => self.look_up,
                Access::Proposer => self.propose,
            }
    }
}

/// What a call asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    /// Items of the catalogue.
    Find {
        route: Route,
        text: String,
        top_k: usize,
    },
    /// What the shop says of itself, to a question where there is one.
    ShopInfo {
        question: Option<String>,
    },
    /// What is the customer's own: an action that changes nothing.
    LookUp {
        action: &'static str,
        payload: Payload,
    },
    Propose(Proposal),
}

impl Wanted {
    fn find(route: Route, text: String, k: Option<usize>) -> Self {
        Self::Find {
            route,
            text,
            top_k: k.unwrap_or(TOP_K).clamp(1, TOP_K_MAX),
        }
    }

    /// The action of the tool's name.
    fn look_up(tool: &Tool) -> Self {
        Self::LookUp {
            action: tool.name,
            payload: Payload::default(),
        }
    }

    /// The same of what has that number.
    fn look_up_by(tool: &Tool, name: &str, id: u32) -> Self {
        let payload = Map::from_iter([(name.to_owned(), id.into())]);
        Self::LookUp {
            action: tool.name,
            payload: Payload(payload),
        }
    }
}

/// Of a tool that takes none.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoArguments {}

fn parameters<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut parameters = schema.to_value();
    if let Some(members) = parameters.as_object_mut() {
        members.remove("title");
        members.remove("description");
        // Some providers want it of a tool without any.
        members.entry("properties").or_insert_with(|| json!({}));
    }
    parameters
}

/// The names of the tools that change nothing, and propose nothing.
pub fn read_only() -> impl Iterator<Item = &'static str> {
    tools()
        .filter(|tool| tool.access != Access::Proposer)
        .map(|tool| tool.name)
}

/// Each tool as a model is offered it.
static SPECS: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
    let specs = tools().map(|tool| ToolSpec {
        name: tool.name.to_owned(),
        description: tool.description.to_owned(),
        parameters: (tool.parameters)(),
    });
    specs.collect()
});

/// The tools of a turn in `shop`.
pub(crate) fn offered(may: May, shop: &Profile) -> Vec<ToolSpec> {
    let tools = tools().zip(SPECS.iter());
    let offered = tools.filter(|(tool, _)| may.use_of(tool));
    let specs = offered.map(|(_, spec)| spec.clone());
    if shop.sells_books() {
        return specs.collect();
    }
    specs.map(|spec| items::spec(spec, shop)).collect()
}

fn by_name(name: &str) -> Option<&'static Tool> {
    let name = items::name_for_books(name);
    tools().find(|tool| tool.name == name)
}

/// The name of a tool as it is emitted; what a model makes up is not.
pub(crate) fn known_name(name: &str) -> &'static str {
    by_name(name).map_or("unknown_tool", |tool| tool.name)
}

/// Whether a call's texts claim no more than any line of a model's may: they are emitted to the customer.
pub(crate) fn may_be_emitted(arguments: &Map<String, Value>) -> bool {
    !texts(arguments).any(|(_, text)| prose::promises(text))
}

/// Reads a call, or returns what is wrong with it, for the model.
pub(crate) fn wanted(call: &ToolCall, may: May) -> Result<Wanted, String> {
    let wanted = read(call, may);
    wanted.map_err(|error| truncate(&error, ERROR_CHARS - 1))
}

fn read(call: &ToolCall, may: May) -> Result<Wanted, String> {
    check_texts(&call.arguments)?;
    let tool = by_name(&call.name).ok_or("there is no such tool")?;
    if tool.is_of_business && !may.book {
        return Err("there is no such tool".to_owned());
    }
    if !may.use_of(tool) {
        return Err("the customer is not signed in".to_owned());
    }
    (tool.read)(&call.arguments)
}

/// The texts of arguments, each with the name of its argument; of one with members, their names and theirs.
fn texts(arguments: &Map<String, Value>) -> impl Iterator<Item = (&str, &str)> {
    arguments.iter().flat_map(|(name, value)| {
        let members = value.as_object().into_iter().flatten();
        let of_members = members.flat_map(|(key, value)| [Some(key.as_str()), value.as_str()]);
        let texts = std::iter::once(value.as_str()).chain(of_members);
        texts.flatten().map(|text| (name.as_str(), text))
    })
}

/// What is searched for is a short line.
fn check_texts(arguments: &Value) -> Result<(), String> {
    for (name, text) in arguments.as_object().into_iter().flat_map(texts) {
        if text.chars().count() > TEXT_CHARS {
            return Err(format!("{name}: at most {TEXT_CHARS} characters"));
        }
        if text.chars().any(char::is_control) {
            return Err(format!("{name}: a control character"));
        }
    }
    Ok(())
}

fn arguments<T: DeserializeOwned>(call: &Value) -> Result<T, String> {
    if !call.is_object() {
        return Err("the arguments are no object".to_owned());
    }
    serde_json::from_value(call.clone()).map_err(|error| error.to_string())
}

#[cfg(test)]
pub(crate) mod fuzz;

#[cfg(test)]
mod tests;
