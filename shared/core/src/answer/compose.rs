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
        bullets.push(caution.to_owned());
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
fn caution(found: &Retrieved, language: Language) -> Option<&'static str> {
    let is_filter_ignored = found.tool == "filter_catalog" && found.source != Source::Catalogue;
    if found.is_of_the_build() {
        Some(language.pick(
            "Ahora mismo no puedo asegurar que precios y existencias estén al día.",
            "Right now I can't be sure that prices and stock are up to date.",
        ))
    } else if found.degraded && found.error.is_none() && is_filter_ignored {
        Some(language.pick(
            "Hay un filtro que no entendí y que no he tenido en cuenta.",
            "There is a filter that I did not understand and left out.",
        ))
    } else {
        None
    }
}

/// Where in the customer's documents the nearest is; its words stand beside the message.
fn in_documents(nearest: &Citation, language: Language) -> String {
    let name = name(&nearest.name);
    match (nearest.page, language) {
        (Some(page), Language::Spanish) => {
            format!("De tus documentos, lo más cercano está en «{name}», página {page}.")
        }
        (None, Language::Spanish) => {
            format!("De tus documentos, lo más cercano está en «{name}».")
        }
        (Some(page), Language::English) => {
            format!("Of your documents, the nearest is in “{name}”, page {page}.")
        }
        (None, Language::English) => format!("Of your documents, the nearest is in “{name}”."),
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
    let [first, second] = language.pick(
        [
            "¡Hola! Estoy en el mostrador para ayudarte a encontrar libros.",
            "Dime un título, un autor, un tema o un ISBN; también entiendo «categoria: novela, precio_max: 20».",
        ],
        [
            "Hello! I'm at the counter to help you find books.",
            "Tell me a title, an author, a subject or an ISBN; “categoria: novela, precio_max: 20” works too.",
        ],
    );
    vec![first.to_owned(), second.to_owned()]
}

fn nothing_found(found: &Retrieved, language: Language) -> Vec<String> {
    let first = match (found.error, language) {
        (Some("unavailable"), Language::Spanish) => "Ahora mismo no puedo consultar el catálogo.",
        (Some("unavailable"), Language::English) => "I can't look into the catalogue right now.",
        (_, Language::Spanish) => "No encontré libros que encajen con lo que buscas.",
        (_, Language::English) => "I found no books that match what you are looking for.",
    };
    let second = language.pick(
        "Prueba con un título, un autor, un ISBN o un filtro como «categoria: novela».",
        "Try a title, an author, an ISBN or a filter such as “categoria: novela”.",
    );
    vec![first.to_owned(), second.to_owned()]
}

fn books_found(found: &Retrieved, language: Language) -> Vec<String> {
    let count = found.results.len();
    let intro = match (found.tool, found.error, count, language) {
        (_, Some(_), _, Language::Spanish) => {
            "No encontré exactamente eso, pero quizá te interese:".to_owned()
        }
        (_, Some(_), _, Language::English) => {
            "I didn't find exactly that, but you may like:".to_owned()
        }
        ("lookup_book", _, _, Language::Spanish) => "Aquí lo tienes:".to_owned(),
        ("lookup_book", _, _, Language::English) => "Here it is:".to_owned(),
        (_, _, 1, Language::Spanish) => "Encontré 1 libro:".to_owned(),
        (_, _, 1, Language::English) => "I found 1 book:".to_owned(),
        (_, _, n, Language::Spanish) if n > TOLD => {
            format!("Encontré {n} libros; los {TOLD} que mejor encajan:")
        }
        (_, _, n, Language::English) if n > TOLD => {
            format!("I found {n} books; the {TOLD} best matches:")
        }
        (_, _, n, Language::Spanish) => format!("Encontré {n} libros:"),
        (_, _, n, Language::English) => format!("I found {n} books:"),
    };
    let mut bullets = vec![intro];
    bullets.extend(
        found
            .results
            .iter()
            .take(TOLD)
            .map(|book| told(book, language)),
    );
    let outro = match (found.tool, language) {
        ("lookup_book", Language::Spanish) => "¿Quieres ver libros parecidos?",
        ("lookup_book", Language::English) => "Would you like to see similar books?",
        (_, Language::Spanish) => "¿Quieres que afine la búsqueda por autor, categoría o precio?",
        (_, Language::English) => "Shall I narrow it down by author, category or price?",
    };
    bullets.push(outro.to_owned());
    bullets
}

/// A book in one line, as the shop tells of it.
pub(crate) fn told(book: &BookResult, language: Language) -> String {
    let (titulo, autor) = (name(&book.titulo), name(&book.autor));
    let precio = book.precio.display(language);
    let stock = match (book.stock, language) {
        (0, Language::Spanish) => "agotado".to_owned(),
        (0, Language::English) => "sold out".to_owned(),
        (1, Language::Spanish) => "queda 1 ejemplar".to_owned(),
        (1, Language::English) => "1 copy left".to_owned(),
        (n, Language::Spanish) => format!("{n} ejemplares disponibles"),
        (n, Language::English) => format!("{n} copies in stock"),
    };
    match (language, autor.is_empty()) {
        (Language::Spanish, false) => format!("«{titulo}», de {autor}: {precio}, {stock}."),
        (Language::English, false) => format!("“{titulo}” by {autor}: {precio}, {stock}."),
        (Language::Spanish, true) => format!("«{titulo}»: {precio}, {stock}."),
        (Language::English, true) => format!("“{titulo}”: {precio}, {stock}."),
    }
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
        let hint = language.pick(
            "Puedes pedirme filtrar por autor, ISBN o categoría.",
            "You can ask me to filter by author, ISBN or category.",
        );
        actions.push(Action::RefineSearch {
            hint: hint.to_owned(),
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
