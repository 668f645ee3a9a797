//! The answer without a model: built from the results, under the same guard.

use super::{
    Action,
    guard::{BULLETS, MESSAGE_CHARS},
};
use crate::{
    catalogue::BookResult,
    files::Citation,
    index::Source,
    language::Language,
    retrieval::Retrieved,
    text::{truncate, words},
};

/// Most `view_book` actions.
const VIEWED: usize = 5;
/// Most books told of in the message; the rest are in the results.
const TOLD: usize = 3;
/// Longest title or author told, in characters: five bullets must fit [`MESSAGE_CHARS`].
const NAME_CHARS: usize = 60;

/// The message for what was found.
#[must_use]
pub(crate) fn message(
    question: &str,
    found: &Retrieved,
    cited: &[Citation],
    language: Language,
) -> String {
    let mut bullets = match found.results.len() {
        0 if is_greeting(question) => greeting(language),
        0 => nothing_found(found, language),
        _ => books_found(found, language),
    };
    let caution = caution(found, language);
    let room = *BULLETS.end() - usize::from(caution.is_some());
    if let Some(nearest) = cited.first() {
        bullets.truncate(room - 1);
        bullets.push(in_documents(nearest, language));
    }
    if let Some(caution) = caution {
        bullets.truncate(room);
        bullets.push(caution);
    }
    let message = bullets
        .iter()
        .map(|bullet| format!("- {bullet}"))
        .collect::<Vec<_>>()
        .join("\n");
    debug_assert!(message.chars().count() <= MESSAGE_CHARS);
    message
}

/// What of the results is not as it was asked for.
fn caution(found: &Retrieved, language: Language) -> Option<String> {
    let is_filter_ignored = found.tool == "filter_catalog" && found.source != Source::Catalogue;
    if found.is_of_the_build() {
        Some(language.text("caution-prices"))
    } else if found.degraded && found.error.is_none() && is_filter_ignored {
        Some(language.text("caution-filter"))
    } else {
        None
    }
}

/// Where in the customer's documents the nearest is; its words stand beside the message.
fn in_documents(nearest: &Citation, language: Language) -> String {
    let name = name(&nearest.name);
    match nearest.page {
        Some(page) => {
            let page = page.to_string();
            let arguments = [("name", (&name).into()), ("page", (&page).into())];
            language.message("in-documents-page", &arguments)
        }
        None => language.message("in-documents", &[("name", (&name).into())]),
    }
}

/// Whether there is nothing in it but courtesy.
fn is_greeting(question: &str) -> bool {
    const COURTESIES: [&str; 22] = [
        "hola", "buenas", "buenos", "dias", "tardes", "noches", "saludos", "que", "tal", "gracias",
        "muchas", "adios", "ayuda", "hello", "hi", "hey", "good", "morning", "thanks", "thank",
        "you", "help",
    ];
    let words = words(question);
    !words.is_empty() && words.iter().all(|word| COURTESIES.contains(&word.as_str()))
}

fn greeting(language: Language) -> Vec<String> {
    vec![language.text("greeting"), language.text("greeting-how")]
}

fn nothing_found(found: &Retrieved, language: Language) -> Vec<String> {
    let first = match found.error {
        Some("unavailable") => "catalogue-unavailable",
        _ => "nothing-found",
    };
    vec![language.text(first), language.text("nothing-found-how")]
}

fn books_found(found: &Retrieved, language: Language) -> Vec<String> {
    let count = found.results.len();
    let intro = match (found.tool, found.error) {
        (_, Some(_)) => language.text("found-near"),
        ("lookup_book", _) => language.text("found-it"),
        _ if count > TOLD => {
            let arguments = [("count", count.into()), ("listed", TOLD.into())];
            language.message("found-many", &arguments)
        }
        _ => language.message("found", &[("count", count.into())]),
    };
    let mut bullets = vec![intro];
    bullets.extend(
        found
            .results
            .iter()
            .take(TOLD)
            .map(|book| told(book, language)),
    );
    bullets.push(language.text(match found.tool {
        "lookup_book" => "offer-similar",
        _ => "offer-refining",
    }));
    bullets
}

/// A book in one line, as the shop tells of it.
pub(crate) fn told(book: &BookResult, language: Language) -> String {
    let (title, maker) = (name(&book.titulo), name(&book.autor));
    let price = book.precio.display(language);
    let stock = language.message("stock", &[("count", book.stock.into())]);
    let key = if maker.is_empty() { "item" } else { "item-by" };
    let arguments = [
        ("title", (&title).into()),
        ("maker", (&maker).into()),
        ("price", (&price).into()),
        ("stock", (&stock).into()),
    ];
    language.message(key, &arguments)
}

/// A title or an author as it is told.
pub(crate) fn name(text: &str) -> String {
    truncate(&plain(text), NAME_CHARS)
}

/// A catalogue text as one harmless line: it may hold whatever a supplier wrote.
pub(crate) fn plain(text: &str) -> String {
    let kept = text.chars().map(|c| {
        if c.is_control() || "`{}[]<>«»“”".contains(c) {
            ' '
        } else {
            c
        }
    });
    kept.collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// What a page can offer next.
#[must_use]
pub(crate) fn actions(results: &[BookResult], signed_in: bool, language: Language) -> Vec<Action> {
    let mut actions: Vec<Action> = results
        .iter()
        .take(VIEWED)
        .map(|book| Action::ViewBook {
            libro_id: book.libro_id,
        })
        .collect();
    if !results.is_empty() {
        actions.push(Action::RefineSearch {
            hint: language.text("hint-refine"),
        });
    }
    if signed_in {
        for book in results.iter().take(VIEWED).filter(|book| book.stock > 0) {
            actions.push(Action::AddToCart {
                libro_id: book.libro_id,
            });
            actions.push(Action::ReserveBook {
                libro_id: book.libro_id,
            });
        }
    }
    actions
}
