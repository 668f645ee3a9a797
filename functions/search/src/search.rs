//! `GET search/`: items by text, conditions and neighbourhood.

use std::collections::BTreeMap;

use mostrador_core::{
    ids::ItemId,
    index::{Facets, Filters, IndexQuery, Sort, Source},
    limits::Scope,
    retrieval::Retrieved,
    shop::Profile,
    turn::{flag, top_k},
    understand::amount,
};
use mostrador_web::{Call, Problem, Query, Rated, Reply};

use crate::{Deps, describe::SearchAnswer};

/// Results given where nothing else is asked for.
const TOP_K: usize = 5;
/// Longest query, in characters.
const QUERY_CHARS: usize = 1_000;

pub(crate) async fn get(deps: &Deps, call: &Call) -> Rated<Reply> {
    let shop = deps.shop.current().await;
    let (query, mut warnings) = match read(&call.query, &shop) {
        Ok(read) => read,
        Err(problem) => return Err(problem).into(),
    };
    let query_text = query.text.clone();
    let top_k = query.top_k;
    let asks_nothing =
        query.text.is_empty() && query.filters.is_empty() && query.similar_to.is_none();
    if asks_nothing && query.sort.is_relevance() {
        let counted = deps.gate.rate(call, Scope::Search).await;
        warnings.push("Empty query".to_owned());
        let answer = SearchAnswer {
            query: query_text,
            k: top_k,
            source: Source::Keyword,
            degraded: false,
            warnings,
            results: Vec::new(),
            facets: query.facets.then(|| of_shop(Facets::default(), &shop)),
        };
        return counted.and_then(async |()| Ok(Reply::ok(&answer))).await;
    }
    let (counted, found) = tokio::join!(
        deps.gate.rate(call, Scope::Search),
        deps.retrieval.search("search_catalog", query, call.now)
    );
    let Retrieved {
        results,
        source,
        degraded,
        warnings: found_warnings,
        facets,
        ..
    } = found;
    let facets = facets.map(|facets| of_shop(facets, &shop));
    warnings.extend(found_warnings);
    let answer = SearchAnswer {
        query: query_text,
        k: top_k,
        source,
        degraded,
        warnings,
        results,
        facets,
    };
    counted.and_then(async |()| Ok(Reply::ok(&answer))).await
}

/// Authors are books'; of attributes the shop says which are counted.
fn of_shop(facets: Facets, shop: &Profile) -> Facets {
    let mut atributos = facets.atributos;
    atributos.retain(|key, _| shop.attribute(key).is_some_and(|attribute| attribute.facet));
    Facets {
        autor: facets.autor.filter(|_| shop.sells_books()),
        atributos,
        ..facets
    }
}

/// The query, and which of its hints were not understood.
fn read(parameters: &Query, shop: &Profile) -> Result<(IndexQuery, Vec<String>), Problem> {
    let text = parameters.text("q").unwrap_or_default();
    if text.chars().count() > QUERY_CHARS {
        return Err(Problem::invalid(format!(
            "`q` is longer than {QUERY_CHARS} characters"
        )));
    }
    let mut warnings = Vec::new();
    let mut unread = |name: &str| warnings.push(format!("{name}: not understood, ignored"));
    let owned = |name: &str| parameters.text(name).map(str::to_owned);
    let mut price = |name: &str| {
        let text = parameters.text(name)?;
        let price = amount(text, &shop.currency);
        if price.is_none() {
            unread(name);
        }
        price
    };
    let (precio_min, precio_max) = (price("precio_min"), price("precio_max"));
    let mut hint = |name: &str| {
        let value = parameters.hint(name)?;
        let flag = flag(&value);
        if flag.is_none() {
            unread(name);
        }
        flag
    };
    let disponible = hint("disponible");
    let prefer_vector = hint("prefer_vector").unwrap_or(true);
    let prefix = hint("prefix").unwrap_or(false);
    let facets = hint("facets").unwrap_or(false);
    let top_k = match parameters.hint("k") {
        None => TOP_K,
        Some(value) => top_k(&value).unwrap_or_else(|| {
            unread("k");
            TOP_K
        }),
    };
    let similar_to = parameters.text("similar_to").and_then(|text| {
        let id = ItemId::read(text);
        let id = id.and_then(|id| match shop.sells_books() {
            true => id.own_number(),
            false => Some(id.number()),
        });
        if id.is_none() {
            unread("similar_to");
        }
        id
    });
    let sort = parameters.text("sort").and_then(|name| {
        let sort = Sort::from_name(name);
        if sort.is_none() {
            unread("sort");
        }
        sort
    });
    let mut filters = Filters {
        categoria: owned("categoria"),
        autor: owned("autor"),
        editorial: owned("editorial"),
        atributos: BTreeMap::new(),
        precio_min,
        precio_max,
        disponible,
    };
    for (key, value) in parameters.beginning("atributo.") {
        if !filters.want_attribute(key, value, shop) {
            unread(&format!("atributo.{key}"));
        }
    }
    Ok((
        IndexQuery {
            text: text.to_owned(),
            filters,
            similar_to,
            top_k,
            sort: sort.unwrap_or_default(),
            prefer_vector,
            prefix,
            facets,
            ..IndexQuery::default()
        },
        warnings,
    ))
}
