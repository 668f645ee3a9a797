//! What a model may use: tools that only read, and changes that it may propose. Their schemas are made from the types that read
//! their arguments; those of a shop that sells no books are in [`items`].

mod items;

use std::{collections::BTreeMap, sync::LazyLock};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use crate::{
    answer::{prose, render},
    catalogue::BookResult,
    ids::ItemId,
    index::Filters,
    model::{ToolCall, ToolSpec},
    price::Price,
    retrieval::{TOP_K, TOP_K_MAX},
    shop::{Locale, Profile},
    text::truncate,
    understand::Route,
};

/// Longest text that is searched for, in characters.
const TEXT_CHARS: usize = 200;
/// Most copies that may be proposed at once.
const COPIES_MAX: u32 = 10;
/// Longest that a model is told what is wrong with a call, in characters: it may have written what is repeated in it.
const ERROR_CHARS: usize = 300;

/// What a call asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    Read {
        route: Route,
        text: String,
        top_k: usize,
    },
    Propose(Proposal),
}

/// A change that the customer may have done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proposal {
    pub(crate) tool: &'static str,
    pub(crate) item: ItemId,
    pub(crate) copies: u32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchCatalog {
    #[schemars(description = "What is looked for, in words: a title, an author, a subject.")]
    text: String,
    #[schemars(description = "How many books: 1 to 20, 5 if left out.")]
    k: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LookupBook {
    #[schemars(description = "The book's number.", with = "Option<u64>")]
    #[serde(alias = "book_id", alias = "item_id")]
    libro_id: Option<ItemId>,
    #[schemars(description = "Its ISBN, of 10 or 13 digits.")]
    isbn: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FilterCatalog {
    categoria: Option<String>,
    autor: Option<String>,
    editorial: Option<String>,
    #[schemars(skip)]
    atributos: Option<BTreeMap<String, String>>,
    precio_min: Option<f64>,
    precio_max: Option<f64>,
    #[schemars(description = "true: with copies left; false: sold out.")]
    disponible: Option<bool>,
    #[schemars(description = "Words to look for among those books.")]
    text: Option<String>,
    #[schemars(description = "How many books: 1 to 20, 5 if left out.")]
    k: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RecommendSimilar {
    #[schemars(description = "The book's number.", with = "Option<u64>")]
    #[serde(alias = "book_id", alias = "item_id")]
    libro_id: Option<ItemId>,
    #[schemars(description = "Its title, where the number is not known.")]
    #[serde(alias = "nombre")]
    titulo: Option<String>,
    #[schemars(description = "How many books: 1 to 20, 5 if left out.")]
    k: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Copies {
    #[schemars(
        description = "The number of a book that is among the results.",
        with = "u64"
    )]
    #[serde(alias = "libro_id", alias = "item_id")]
    book_id: ItemId,
    #[schemars(description = "How many copies: 1 to 10, 1 if left out.")]
    cantidad: Option<u32>,
}

const PROPOSALS: [&str; 2] = ["add_to_cart", "reserve_book"];

static TOOLS: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
    vec![
        spec::<SearchCatalog>(
            "search_catalog",
            "Searches the catalogue by words and meaning.",
        ),
        spec::<LookupBook>("lookup_book", "Looks one book up by its number or ISBN."),
        spec::<FilterCatalog>(
            "filter_catalog",
            "Lists books by category, author, publisher, price or availability.",
        ),
        spec::<RecommendSimilar>("recommend_similar", "Finds books that are like a book."),
        spec::<Copies>(
            PROPOSALS[0],
            "Proposes to put a book into the customer's cart; the customer confirms it with a button.",
        ),
        spec::<Copies>(
            PROPOSALS[1],
            "Proposes to reserve copies of a book for 24 hours; the customer confirms it with a button.",
        ),
    ]
});

fn spec<T: JsonSchema>(name: &str, description: &str) -> ToolSpec {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut parameters = schema.to_value();
    if let Some(members) = parameters.as_object_mut() {
        members.remove("title");
    }
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
    }
}

/// The tools of a turn in `shop`; only who is signed in can have anything proposed.
pub(crate) fn offered(can_propose: bool, shop: &Profile) -> Vec<ToolSpec> {
    let tools = match shop.sells_books() {
        true => TOOLS.clone(),
        false => items::specs(shop),
    };
    let proposes = |tool: &ToolSpec| PROPOSALS.contains(&items::name_for_books(&tool.name));
    tools
        .into_iter()
        .filter(|tool| can_propose || !proposes(tool))
        .collect()
}

/// The name of a tool as it is told; what a model makes up is not.
pub(crate) fn told_name(name: &str) -> &'static str {
    let name = items::name_for_books(name);
    let known = TOOLS.iter().find(|tool| tool.name == name);
    known.map_or("unknown_tool", |tool| &tool.name)
}

/// Whether what a model looks for says no more than any line of it may: it is shown to the customer.
pub(crate) fn may_be_told(arguments: &Map<String, Value>) -> bool {
    let mut texts = arguments.values().filter_map(Value::as_str);
    !texts.any(prose::promises)
}

/// Reads a call, or tells the model what is wrong with it.
pub(crate) fn wanted(call: &ToolCall, can_propose: bool) -> Result<Wanted, String> {
    let wanted = read_call(call, can_propose);
    wanted.map_err(|error| truncate(&error, ERROR_CHARS - 1))
}

fn read_call(call: &ToolCall, can_propose: bool) -> Result<Wanted, String> {
    let arguments = &call.arguments;
    check_texts(arguments)?;
    let read = |route: Route, text: Option<String>, k: Option<usize>| {
        Ok(Wanted::Read {
            route,
            text: text.unwrap_or_default(),
            top_k: k.unwrap_or(TOP_K).clamp(1, TOP_K_MAX),
        })
    };
    match items::name_for_books(&call.name) {
        "search_catalog" => {
            let SearchCatalog { text, k } = parsed(arguments)?;
            if text.trim().is_empty() {
                return Err("text: it is blank".to_owned());
            }
            read(Route::Search, Some(text), k)
        }
        "lookup_book" => match parsed(arguments)? {
            LookupBook {
                libro_id: Some(id), ..
            } => read(Route::LookupId(id.number()), None, None),
            LookupBook {
                isbn: Some(isbn), ..
            } => read(Route::LookupIsbn(isbn), None, None),
            _ => Err("libro_id or isbn is needed".to_owned()),
        },
        "filter_catalog" => {
            let wanted: FilterCatalog = parsed(arguments)?;
            let price = |amount: Option<f64>| {
                let amount = amount.map(|amount| Price::parse(&format!("{amount:.2}")));
                let price = amount.transpose();
                price.map_err(|_| "a price is not one".to_owned())
            };
            let filters = Filters {
                categoria: wanted.categoria,
                autor: wanted.autor,
                editorial: wanted.editorial,
                precio_min: price(wanted.precio_min)?,
                precio_max: price(wanted.precio_max)?,
                atributos: wanted.atributos.unwrap_or_default(),
                disponible: wanted.disponible,
            };
            let text = wanted.text.unwrap_or_default();
            if filters.is_empty() && text.trim().is_empty() {
                return Err("a filter is needed".to_owned());
            }
            let route = Route::Filter {
                filters,
                text: text.clone(),
                warnings: Vec::new(),
            };
            read(route, Some(text), wanted.k)
        }
        "recommend_similar" => match parsed(arguments)? {
            RecommendSimilar {
                libro_id: Some(id),
                k,
                ..
            } => read(Route::SimilarToId(id.number()), None, k),
            RecommendSimilar {
                titulo: Some(titulo),
                k,
                ..
            } => read(Route::SimilarToTitle(titulo), None, k),
            _ => Err("libro_id or titulo is needed".to_owned()),
        },
        name => match PROPOSALS.iter().find(|proposal| **proposal == name) {
            Some(tool) if can_propose => {
                let Copies { book_id, cantidad } = parsed(arguments)?;
                let copies = cantidad.unwrap_or(1);
                if !(1..=COPIES_MAX).contains(&copies) {
                    return Err(format!("cantidad: 1 to {COPIES_MAX}"));
                }
                Ok(Wanted::Propose(Proposal {
                    tool,
                    item: book_id,
                    copies,
                }))
            }
            Some(_) => Err("the customer is not signed in".to_owned()),
            None => Err("there is no such tool".to_owned()),
        },
    }
}

/// What is searched for is a short line.
fn check_texts(arguments: &Value) -> Result<(), String> {
    for (name, value) in arguments.as_object().into_iter().flatten() {
        let Some(text) = value.as_str() else { continue };
        if text.chars().count() > TEXT_CHARS {
            return Err(format!("{name}: at most {TEXT_CHARS} characters"));
        }
        if text.chars().any(char::is_control) {
            return Err(format!("{name}: a control character"));
        }
    }
    Ok(())
}

fn parsed<T: DeserializeOwned>(arguments: &Value) -> Result<T, String> {
    serde_json::from_value(arguments.clone()).map_err(|error| error.to_string())
}

impl Proposal {
    /// The payload of the action that does it.
    pub(crate) fn payload(&self) -> Value {
        match self.item.own_number() {
            Some(number) => json!({"book_id": number, "cantidad": self.copies}),
            None => json!({"item_id": self.item, "cantidad": self.copies}),
        }
    }

    /// The question to the customer, where the book is among those shown and there are enough of it.
    pub(crate) fn question(
        &self,
        books: &[BookResult],
        locale: Locale<'_>,
    ) -> Result<String, String> {
        let book = books.iter().find(|book| book.id() == self.item);
        let book = book.ok_or("book_id: not among the results")?;
        if book.stock < self.copies {
            return Err(format!("only {} copies are left", book.stock));
        }
        let price = book.precio.display(locale.language);
        let titulo = render::name(&book.titulo);
        let key = if self.tool == "reserve_book" {
            "propose-reservation"
        } else {
            "propose-cart"
        };
        let arguments = [
            ("title", (&titulo).into()),
            ("price", (&price).into()),
            ("count", self.copies.into()),
        ];
        Ok(locale.message(key, &arguments))
    }
}

#[cfg(test)]
pub(crate) mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: Value) -> Result<Wanted, String> {
        let call = ToolCall {
            id: "1".into(),
            name: name.into(),
            arguments,
            provider_data: None,
        };
        wanted(&call, true)
    }

    #[test]
    fn calls_are_read_strictly() {
        let read = |route, text: &str, top_k| {
            Ok(Wanted::Read {
                route,
                text: text.into(),
                top_k,
            })
        };
        for (name, arguments, expected) in [
            (
                "search_catalog",
                json!({"text": "mar"}),
                read(Route::Search, "mar", 5),
            ),
            (
                "search_catalog",
                json!({"text": "mar", "k": 900}),
                read(Route::Search, "mar", 20),
            ),
            (
                "lookup_book",
                json!({"libro_id": 12}),
                read(Route::LookupId(12), "", 5),
            ),
            (
                "recommend_similar",
                json!({"titulo": "Rayuela", "k": 0}),
                read(Route::SimilarToTitle("Rayuela".into()), "", 1),
            ),
            (
                "reserve_book",
                json!({"book_id": 12}),
                Ok(Wanted::Propose(Proposal {
                    tool: "reserve_book",
                    item: 12.into(),
                    copies: 1,
                })),
            ),
        ] {
            assert_eq!(
                call(name, arguments.clone()),
                expected,
                "{name} {arguments}"
            );
        }
        for (name, arguments) in [
            ("search_catalog", json!({})),
            ("search_catalog", json!({"text": " "})),
            ("search_catalog", json!({"text": "x".repeat(201)})),
            ("search_catalog", json!({"text": "mar", "price": 1})),
            ("search_catalog", json!("{\"text\": \"mar\"}")),
            ("search_catalog", json!(null)),
            ("lookup_book", json!({})),
            ("filter_catalog", json!({})),
            ("filter_catalog", json!({"precio_max": -1})),
            ("recommend_similar", json!({"k": 3})),
            ("reserve_book", json!({"book_id": 12, "cantidad": 11})),
            ("reserve_book", json!({"book_id": 12, "cantidad": -1})),
            ("reserve_book", json!({"book_id": "0"})),
            ("reserve_item", json!({"item_id": "a b"})),
            ("reserve_book", json!({"book_id": 12, "precio": "0.01"})),
            ("checkout", json!({})),
            ("delete_everything", json!({})),
        ] {
            call(name, arguments.clone()).expect_err(&format!("{name} {arguments}"));
        }
    }

    #[test]
    fn what_is_looked_for_is_told_unless_it_promises() {
        for (text, expected) in [
            ("novelas de Cortázar", true),
            ("novelas por menos de 20 €", false),
            ("todo al 50 % de descuento", false),
            ("pedido confirmado", false),
        ] {
            let arguments = json!({"text": text});
            call("search_catalog", arguments.clone()).unwrap();
            assert_eq!(
                may_be_told(arguments.as_object().unwrap()),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn guests_are_offered_what_only_reads() {
        let names = |can_propose| -> Vec<String> {
            let offered = offered(can_propose, &Profile::default()).into_iter();
            offered.map(|tool| tool.name).collect()
        };
        let reading = [
            "search_catalog",
            "lookup_book",
            "filter_catalog",
            "recommend_similar",
        ];
        assert_eq!(names(false), reading);
        assert_eq!(names(true), [&reading[..], &PROPOSALS[..]].concat());
        let search = &offered(false, &Profile::default())[0].parameters;
        assert_eq!(
            search,
            &json!({
                "type": "object",
                "properties": {
                    "text": {"type": "string", "description": "What is looked for, in words: a title, an author, a subject."},
                    "k": {"type": ["integer", "null"], "format": "uint", "minimum": 0, "description": "How many books: 1 to 20, 5 if left out."},
                },
                "required": ["text"],
                "additionalProperties": false,
            })
        );
    }
}
