//! What is said without a model passes the same guard, whatever the shop sells.

use serde_json::Value;

use super::*;
use crate::{
    answer::compose,
    index::Source,
    retrieval::{Retrieved, SNAPSHOT_WARNING},
};

/// The books of the shop that ships.
fn demo() -> Vec<BookResult> {
    include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../infra/local/demo/catalogue.jsonl"
    ))
    .lines()
    .filter(|line| line.starts_with('{'))
    .map(|line| {
        let book: Value = serde_json::from_str(line).unwrap();
        serde_json::from_value(book).unwrap()
    })
    .collect()
}

fn found(
    tool: &'static str,
    error: Option<&'static str>,
    degraded: bool,
    results: &[BookResult],
) -> Retrieved {
    Retrieved {
        tool,
        error,
        results: results.to_vec(),
        source: Source::Keyword,
        degraded,
        warnings: match tool {
            "search_books" if degraded => vec![SNAPSHOT_WARNING.to_owned()],
            _ => Vec::new(),
        },
        build_id: None,
        facets: None,
        ranks: Vec::new(),
    }
}

#[test]
fn every_composed_message_passes() {
    let demo = demo();
    let mut wrong = Vec::new();
    let mut check_of = |found: &Retrieved, question: &str| {
        for language in [Language::default(), Language::from_tag("en").unwrap()] {
            let message = compose::message(question, found, &[], language);
            let violations = check(&message, &found.results);
            let mut guard = LineGuard::new(language);
            guard.know(&found.results);
            guard.push(&message);
            guard.finish();
            if !violations.is_empty() || guard.passed().join("\n") != message {
                wrong.push((message, violations, guard.verdict().clone()));
            }
        }
    };
    for results in demo.chunks(5) {
        check_of(&found("search_books", None, true, results), "novela");
        check_of(&found("filter_catalog", None, true, results), "novela");
        check_of(&found("search_books", Some("x"), false, results), "novela");
    }
    for result in demo.chunks(1) {
        check_of(&found("lookup_book", None, false, result), "libro");
        check_of(&found("search_books", None, false, result), "libro");
    }
    for error in [None, Some("unavailable"), Some("book_not_found")] {
        check_of(&found("search_books", error, true, &[]), "hola");
        check_of(&found("search_books", error, true, &[]), "libros de terror");
    }
    assert_eq!(wrong, [], "{}", wrong.len());
}

/// What a good model would say of any book of the shop, and the same of another's price.
#[test]
fn every_book_has_its_own_price() {
    let demo = demo();
    let mut wrong = Vec::new();
    for results in demo.chunks(12) {
        for (at, book) in results.iter().enumerate() {
            let other = &results[(at + 1) % results.len()];
            let of = |price: Price| {
                let price = price.display(Language::default());
                format!(
                    "- «{}», de {}, cuesta {price}.\n- ¿Sí?",
                    book.titulo, book.autor
                )
            };
            let right = check(&of(book.precio), results);
            let lie = check(&of(other.precio), results);
            let expected: &[_] = if book.precio == other.precio {
                &[]
            } else {
                &[Violation::Price]
            };
            if !right.is_empty() || lie != expected {
                wrong.push((of(other.precio), right, lie));
            }
        }
    }
    assert_eq!(wrong, [], "{}", wrong.len());
}
