//! Messages of any kind, and the tool that each is for.

use std::time::{Duration, Instant};

use unicode_normalization::UnicodeNormalization;

use super::{super::MESSAGE_CHARS, *};

/// A debug build on a busy machine takes some milliseconds for the longest message there can be; what is quadratic, seconds.
const WITHIN: Duration = Duration::from_secs(2);

fn is_price(price: Option<Price>) -> bool {
    price.is_none_or(|price| (0..=Price::MAX.minor()).contains(&price.minor()))
}

/// What a tool is given, is what it takes.
fn check(message: &str) {
    let folded = fold(message).chars().count();
    let is_text = |text: &str| !text.trim().is_empty() && text.chars().count() <= folded;
    let found = route(message, "EUR");
    match &found {
        Route::LookupId(id) | Route::SimilarToId(id) => assert!(is_id(*id)),
        Route::LookupIds(ids) => assert!(ids.iter().all(|id| is_id(*id))),
        Route::LookupIsbn(isbn) => {
            let (last, digits) = isbn.as_bytes().split_last().expect("an ISBN");
            assert!(matches!(isbn.len(), 10 | 13), "{isbn}");
            assert!(digits.iter().all(u8::is_ascii_digit), "{isbn}");
            assert!(
                last.is_ascii_digit() || (*last == b'X' && isbn.len() == 10),
                "{isbn}"
            );
        }
        Route::SimilarToTitle(title) => assert!(is_text(title)),
        Route::Filter {
            filters,
            text,
            sort,
            warnings,
        } => {
            let named = [&filters.categoria, &filters.autor, &filters.editorial];
            assert!(named.into_iter().flatten().all(|text| is_text(text)));
            assert!(is_price(filters.precio_min) && is_price(filters.precio_max));
            assert!(text.is_empty() || is_text(text), "{text:?} of {message:?}");
            let asks = !filters.is_empty() || !text.is_empty() || !warnings.is_empty();
            assert!(asks || !sort.is_relevance());
        }
        Route::More { .. } | Route::Search => {}
    }
    let arguments = found.arguments(5);
    assert!(arguments.is_object(), "{arguments}");
    for same in [message.nfc().collect::<String>(), message.nfd().collect()] {
        assert_eq!(route(&same, "EUR"), found, "{same:?}");
    }
}

#[test]
fn a_message_is_for_one_tool() {
    let target = bolero::check!().with_iterations(500);
    target.for_each(|input: &[u8]| {
        let message: String = String::from_utf8_lossy(input)
            .chars()
            .take(MESSAGE_CHARS)
            .collect();
        check(&message);
        // A few are enough.
        if input.len() % 16 == 15 {
            let longest: String = message.chars().cycle().take(MESSAGE_CHARS).collect();
            let started = Instant::now();
            let _ = route(&longest, "EUR");
            assert!(started.elapsed() < WITHIN, "{:?}", started.elapsed());
        }
    });
}
