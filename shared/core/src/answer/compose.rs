//! The answer without a model: what was found, in the same parts as a model's answer.

use super::{
    Action, LINES_MAX,
    part::{Field, Part},
    prose::Item,
    render::{Line, Renderer, name},
};
use crate::{
    catalogue::ItemResult,
    files::Citation,
    index::Source,
    language::{Language, List},
    retrieval::Retrieved,
    shop::Locale,
    text::words,
};

/// Most `view_book` actions.
const VIEWED: usize = 5;
/// Most items in the message; the rest are in the results.
const LISTED: usize = 3;

/// The lines for what was found: an opening, and a list.
#[must_use]
pub(crate) fn lines(
    question: &str,
    found: &Retrieved,
    cited: &[Citation],
    locale: Locale<'_>,
) -> Vec<Line> {
    let (opening, mut listed) = match found.results.len() {
        0 if is_greeting(question) => (
            locale.text("greeting"),
            vec![Line::of_text(locale.text("greeting-how"))],
        ),
        0 => nothing_found(found, locale),
        _ => found_some(found, locale),
    };
    let caution = caution(found, locale);
    let room = LINES_MAX - usize::from(caution.is_some());
    if let Some(nearest) = cited.first() {
        listed.truncate(room - 1);
        listed.push(Line::of_text(in_documents(nearest, locale)));
    }
    if let Some(caution) = caution {
        listed.truncate(room);
        listed.push(Line::of_text(caution));
    }
    let listed = listed.into_iter().map(Line::listed);
    std::iter::once(Line::of_text(opening))
        .chain(listed)
        .collect()
}

/// What of the results is not as it was asked for.
fn caution(found: &Retrieved, locale: Locale<'_>) -> Option<String> {
    let is_filter_ignored = found.tool == "filter_catalog" && found.source != Source::Catalogue;
    if found.is_of_the_build() {
        Some(locale.text("caution-prices"))
    } else if found.degraded && found.error.is_none() && is_filter_ignored {
        Some(locale.text("caution-filter"))
    } else {
        None
    }
}

/// Where in the customer's documents the nearest is; its words stand beside the message.
fn in_documents(nearest: &Citation, locale: Locale<'_>) -> String {
    let name = name(&nearest.name);
    match nearest.page {
        Some(page) => {
            let page = page.to_string();
            let arguments = [("name", (&name).into()), ("page", (&page).into())];
            locale.message("in-documents-page", &arguments)
        }
        None => locale.message("in-documents", &[("name", (&name).into())]),
    }
}

/// Whether there is nothing in it but courtesy.
fn is_greeting(question: &str) -> bool {
    let words = words(question);
    let is_courtesy = |word: &String| {
        Language::all().any(|language| language.phrases(List::Courtesies).has(word))
    };
    !words.is_empty() && words.iter().all(is_courtesy)
}

fn nothing_found(found: &Retrieved, locale: Locale<'_>) -> (String, Vec<Line>) {
    let opening = match found.error {
        Some("unavailable") => "catalogue-unavailable",
        _ => "nothing-found",
    };
    let how = Line::of_text(locale.text("nothing-found-how"));
    (locale.text(opening), vec![how])
}

fn found_some(found: &Retrieved, locale: Locale<'_>) -> (String, Vec<Line>) {
    let count = found.results.len();
    let opening = match (found.tool, found.error) {
        (_, Some(_)) => locale.text("found-near"),
        ("lookup_book", _) => locale.text("found-it"),
        _ if count > LISTED => {
            let arguments = [("count", count.into()), ("listed", LISTED.into())];
            locale.message("found-many", &arguments)
        }
        _ => locale.message("found", &[("count", count.into())]),
    };
    let mut renderer = Renderer::new(locale);
    let listed = found.results.iter().take(LISTED);
    let mut lines: Vec<Line> = listed.map(|item| item_line(item, &mut renderer)).collect();
    let offer = match found.tool {
        "lookup_book" => "offer-similar",
        _ => "offer-refining",
    };
    lines.push(Line::of_text(locale.text(offer)));
    (opening, lines)
}

/// An item in one line: "«Rayuela», de Julio Cortázar: 21,90 €, quedan 7."
fn item_line(result: &ItemResult, renderer: &mut Renderer<'_>) -> Line {
    let item = Item::from(result);
    let parts = [
        Part::Item(0),
        Part::Text(": ".to_owned()),
        Part::Fact(0, Field::Price),
        Part::Text(", ".to_owned()),
        Part::Fact(0, Field::Left),
        Part::Text(".".to_owned()),
    ];
    renderer.line(&parts, |_| Some(&item), &[])
}

/// An item's line in a prompt.
pub(crate) fn described(item: &ItemResult, locale: Locale<'_>) -> String {
    item_line(item, &mut Renderer::new(locale)).text()
}

/// What a page can offer next.
#[must_use]
pub(crate) fn actions(results: &[ItemResult], signed_in: bool, locale: Locale<'_>) -> Vec<Action> {
    let mut actions: Vec<Action> = results
        .iter()
        .take(VIEWED)
        .map(|item| match item.details.id.clone() {
            None => Action::ViewBook {
                libro_id: item.libro_id,
            },
            Some(item_id) => Action::ViewItem { item_id },
        })
        .collect();
    if !results.is_empty() {
        actions.push(Action::RefineSearch {
            hint: locale.text("hint-refine"),
        });
    }
    if signed_in {
        for item in results.iter().take(VIEWED).filter(|item| item.stock > 0) {
            let item_id = item.details.id.clone();
            let libro_id = item.libro_id;
            actions.push(Action::AddToCart {
                libro_id: item_id.is_none().then_some(libro_id),
                item_id: item_id.clone(),
            });
            actions.push(match item_id {
                None => Action::ReserveBook { libro_id },
                Some(item_id) => Action::ReserveItem { item_id },
            });
        }
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalogue::Details, price::Price, shop::Profile};

    /// What rendering costs: messages, and a whole answer without a model.
    #[test]
    #[ignore = "measures"]
    fn rendering() {
        let shop = Profile::default();
        let item = |libro_id| ItemResult {
            libro_id,
            titulo: "Cien años de soledad".to_owned(),
            autor: "Gabriel García Márquez".to_owned(),
            isbn: String::new(),
            precio: Price::from_minor(2599),
            categoria: "Novela".to_owned(),
            stock: 15,
            editorial: String::new(),
            publicado: Some(1967),
            descripcion: String::new(),
            details: Details::default(),
            score: None,
        };
        let found = Retrieved {
            tool: "search_catalog",
            error: None,
            results: (1..=5).map(item).collect(),
            source: Source::Catalogue,
            degraded: false,
            warnings: Vec::new(),
            build_id: None,
            facets: None,
            ranks: Vec::new(),
        };
        for language in Language::all() {
            let locale = shop.locale(language);
            let measure = |what: &str, render: &dyn Fn() -> usize| {
                const ROUNDS: u32 = 20_000;
                let bytes = render();
                let started = std::time::Instant::now();
                for _ in 0..ROUNDS {
                    assert_eq!(render(), bytes);
                }
                let micros = started.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS);
                println!("{} {what}: {micros:.2} µs", language.tag());
            };
            measure("a message", &|| locale.text("approval-rejected").len());
            measure("a message that chooses", &|| {
                let arguments = [("count", 12_u32.into()), ("listed", 3_u32.into())];
                locale.message("found-many", &arguments).len()
            });
            measure("a price", &|| {
                Price::from_minor(2599).display(language).len()
            });
            measure("an answer", &|| {
                let lines = lines("novela", &found, &[], locale);
                lines.iter().map(|line| line.text().len()).sum()
            });
        }
    }
}
