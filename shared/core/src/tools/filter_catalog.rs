//! `filter_catalog`: items by what they are, what they cost and whether they are there.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Tool, Wanted, arguments};
use crate::{
    index::{Filters, Sort},
    price::Price,
    understand::Route,
};

pub(super) static TOOL: Tool = Tool::for_anyone::<Arguments>(
    "filter_catalog",
    "Lists items by category, author, publisher, price or availability, and in order of price, year or sales.",
    read,
);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    categoria: Option<String>,
    autor: Option<String>,
    editorial: Option<String>,
    /// Offered where the shop's profile has attributes to filter by.
    #[schemars(skip)]
    atributos: Option<BTreeMap<String, String>>,
    precio_min: Option<f64>,
    precio_max: Option<f64>,
    #[schemars(description = "true: with copies left; false: sold out.")]
    disponible: Option<bool>,
    #[schemars(description = "Words to look for among those items.")]
    text: Option<String>,
    #[schemars(description = "relevance, price_asc, price_desc, newest, oldest or most_sold.")]
    sort: Option<String>,
    #[schemars(description = "How many items: 1 to 20, 5 if left out.")]
    k: Option<usize>,
}

fn read(call: &Value) -> Result<Wanted, String> {
    let wanted: Arguments = arguments(call)?;
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
    let sort = wanted.sort.map_or(Ok(Sort::default()), |name| {
        Sort::from_name(&name).ok_or("sort: none of the five")
    })?;
    if filters.is_empty() && text.trim().is_empty() && sort.is_relevance() {
        return Err("a filter is needed".to_owned());
    }
    let route = Route::Filter {
        filters,
        text: text.clone(),
        sort,
        warnings: Vec::new(),
    };
    Ok(Wanted::find(route, text, wanted.k))
}

fn price(amount: Option<f64>) -> Result<Option<Price>, String> {
    let amount = amount.map(|amount| Price::parse(&format!("{amount:.2}")));
    let price = amount.transpose();
    price.map_err(|_| "a price is not one".to_owned())
}
