//! From a message to the one tool that answers it: a pure function, case and accents ignored.

mod limits;
mod ordering;
mod similar;
mod words;

use serde_json::{Value, json};

use crate::{
    ids::ItemId,
    index::{Filters, Sort},
    isbn,
    language::List,
    price::Price,
    text::fold,
};
use ordering::ordering;
use similar::similar;
pub(crate) use words::words as word_places;
use words::{add_clause, ending, whole, words};

/// The tool a message is for, with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    LookupId(u64),
    /// Several, in the order in which they are named.
    LookupIds(Vec<u64>),
    /// Digits as they were written; perhaps no valid ISBN.
    LookupIsbn(String),
    Filter {
        filters: Filters,
        text: String,
        sort: Sort,
        warnings: Vec<String>,
    },
    SimilarToId(u64),
    SimilarToTitle(String),
    /// The question before once more: with what narrows it, or without what was shown for it.
    More {
        text: String,
        filters: Filters,
        sort: Sort,
        seen: Vec<u64>,
    },
    Search,
}

impl Route {
    /// The tool's name on the wire.
    #[must_use]
    pub fn tool(&self) -> &'static str {
        match self {
            Self::LookupId(_) | Self::LookupIds(_) | Self::LookupIsbn(_) => "lookup_book",
            Self::Filter { .. } => "filter_catalog",
            Self::SimilarToId(_) | Self::SimilarToTitle(_) => "recommend_similar",
            Self::More { .. } | Self::Search => "search_catalog",
        }
    }

    /// The tool's arguments, as the log keeps them.
    #[must_use]
    pub fn arguments(&self, top_k: usize) -> Value {
        match self {
            Self::LookupId(id) => json!({"libro_id": id}),
            Self::LookupIds(ids) => json!({"libro_ids": ids}),
            Self::LookupIsbn(isbn) => json!({"isbn": isbn}),
            Self::Filter {
                filters,
                text,
                sort,
                ..
            } => searched(text, filters, *sort, top_k),
            Self::SimilarToId(id) => json!({"libro_id": id, "k": top_k}),
            Self::SimilarToTitle(title) => json!({"titulo": title, "k": top_k}),
            Self::More {
                text,
                filters,
                sort,
                seen,
            } => {
                let mut arguments = searched(text, filters, *sort, top_k);
                arguments["without"] = json!(seen);
                arguments
            }
            Self::Search => json!({"k": top_k}),
        }
    }
}

fn searched(text: &str, filters: &Filters, sort: Sort, top_k: usize) -> Value {
    let mut arguments = json!({"filters": filters, "q": text, "k": top_k});
    if !sort.is_relevance() {
        arguments["sort"] = json!(sort);
    }
    arguments
}

/// Decides which tool answers `message`; amounts in it are in `currency`.
#[must_use]
pub fn route(message: &str, currency: &str) -> Route {
    let folded = fold(message);
    similar(&folded)
        .or_else(|| filter(&folded, currency))
        .or_else(|| lookup_isbn(&folded))
        .or_else(|| lookup_id(&folded))
        .unwrap_or(Route::Search)
}

/// What a filter is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Category,
    Author,
    Publisher,
    PriceMin,
    PriceMax,
    Text,
}

impl Key {
    /// The key of a phrase in the list of filters.
    fn read(key: &str) -> Option<Self> {
        Some(match key {
            "category" => Self::Category,
            "author" => Self::Author,
            "publisher" => Self::Publisher,
            "price-min" => Self::PriceMin,
            "price-max" => Self::PriceMax,
            "text" => Self::Text,
            _ => return None,
        })
    }
}

/// Words that, standing alone, ask for items with or without copies.
fn availability(text: &str) -> Option<bool> {
    let key = whole(text, List::Availability.in_all())?;
    Some(key == "in-stock")
}

fn filter(folded: &str, currency: &str) -> Option<Route> {
    let mut filters = Filters::default();
    // What is sought, by segments: a clause ends where it is said to.
    let mut text = String::new();
    let mut warnings = Vec::new();
    let mut explicit = false;
    for segment in segments(folded) {
        let mut free = Vec::new();
        let mut rest = segment.trim();
        if let Some(wanted) = availability(rest) {
            filters.disponible = Some(wanted);
            explicit = true;
            continue;
        }
        while !rest.is_empty() {
            let Some((before, key, after)) = next_key(rest) else {
                free.push(rest.to_owned());
                break;
            };
            if !before.trim().is_empty() {
                free.push(before.trim().to_owned());
            }
            explicit = true;
            let value_end = next_key(after).map_or(after.len(), |(value, ..)| value.len());
            let (value, tail) = after.split_at(value_end);
            let (value, wanted) = split_availability(value.trim());
            if wanted.is_some() {
                filters.disponible = wanted;
            }
            set(
                &mut filters,
                &mut free,
                &mut warnings,
                (key, value),
                currency,
            );
            rest = tail;
        }
        let is_spaced = segment.starts_with(char::is_whitespace);
        add_clause(&mut text, &free.join(" "), is_spaced);
    }
    let mut sort = Sort::default();
    if let Some((wanted, left)) = ordering(&text) {
        explicit = true;
        (sort, text) = (wanted, left);
    }
    if let Some(left) = limits::take(&text, currency, &mut filters, &mut warnings) {
        explicit = true;
        text = left;
    }
    let asks = !filters.is_empty() || !text.is_empty() || !warnings.is_empty();
    (explicit && (asks || !sort.is_relevance())).then_some(Route::Filter {
        filters,
        text,
        sort,
        warnings,
    })
}

/// The parts of a list. A comma between digits is a decimal comma, not a separator.
fn segments(folded: &str) -> Vec<&str> {
    let bytes = folded.as_bytes();
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, separator) in folded.match_indices([',', ';', '\n']) {
        if separator == "," && digit(at.checked_sub(1)) && digit(Some(at + 1)) {
            continue;
        }
        parts.push(&folded[start..at]);
        start = at + 1;
    }
    parts.push(&folded[start..]);
    parts
}

/// The first `key:` in `text`: what stands before it, the key, what follows.
fn next_key(text: &str) -> Option<(&str, Key, &str)> {
    let mut colons = text.match_indices(':');
    colons.find_map(|(colon, _)| {
        let (before, key) = ending(text[..colon].trim_end(), List::Filters.in_all())?;
        Some((before, Key::read(key)?, &text[colon + 1..]))
    })
}

/// Takes a word of availability off a value's end.
fn split_availability(value: &str) -> (&str, Option<bool>) {
    match value.rsplit_once(char::is_whitespace) {
        Some((head, tail)) if availability(tail).is_some() => (head.trim(), availability(tail)),
        _ => (value, None),
    }
}

fn set(
    filters: &mut Filters,
    free: &mut Vec<String>,
    warnings: &mut Vec<String>,
    (key, value): (Key, &str),
    currency: &str,
) {
    let value = value.trim_matches(|c: char| c.is_whitespace() || "\"'«»“”".contains(c));
    if value.is_empty() {
        return;
    }
    let mut price = |name: &str| {
        let price = limits::whole(value, currency);
        if price.is_none() {
            warnings.push(format!("{name}: not an amount, ignored"));
        }
        price
    };
    match key {
        Key::Category => filters.categoria = Some(value.to_owned()),
        Key::Author => filters.autor = Some(value.to_owned()),
        Key::Publisher => filters.editorial = Some(value.to_owned()),
        Key::Text => free.push(value.to_owned()),
        Key::PriceMin => filters.precio_min = price("precio_min").or(filters.precio_min),
        Key::PriceMax => filters.precio_max = price("precio_max").or(filters.precio_max),
    }
}

/// The amount that a text is, with the sign or a name of `currency` or without one; groups of three digits are thousands.
#[must_use]
pub fn amount(text: &str, currency: &str) -> Option<Price> {
    limits::whole(&fold(text), currency)
}

fn lookup_isbn(folded: &str) -> Option<Route> {
    let after_name = folded.find("isbn").map(|at| {
        folded[at + 4..]
            .trim_start_matches("-13")
            .trim_start_matches("-10")
    });
    if let Some(rest) = after_name {
        let digits: String = rest
            .trim_start_matches([':', ' ', '#'])
            .chars()
            .take_while(|c| c.is_ascii_digit() || matches!(c, '-' | ' ' | 'x' | '–'))
            .filter(|c| c.is_ascii_digit() || *c == 'x')
            .collect();
        if matches!(digits.len(), 10 | 13) {
            return Some(Route::LookupIsbn(digits.to_ascii_uppercase()));
        }
    }
    // A number that carries a right check digit is an ISBN even without the word.
    folded
        .split(|c: char| !(c.is_ascii_digit() || c == '-' || c == 'x'))
        .find_map(isbn::normalise)
        .map(Route::LookupIsbn)
}

fn lookup_id(folded: &str) -> Option<Route> {
    let numbered = List::Numbered.in_all();
    let words: Vec<&str> = words(folded).map(|(_, word)| word).collect();
    let named = words.iter().enumerate();
    let mut named =
        named.filter(|(_, word)| numbered.stands(word, "item") || numbered.stands(word, "id"));
    named.find_map(|(at, _)| {
        let id = words.get(at + 1)?.parse().ok().filter(|id| is_id(*id))?;
        // "Harry Potter book 3" and "libro 3 de la saga" are books of a series.
        let of_series = words
            .get(at + 2)
            .is_some_and(|word| numbered.stands(word, "volume"));
        let is_alone = at == 0
            || numbered.stands(words[at - 1], "before")
            || numbered.stands(words[at - 1], "item");
        (is_alone && !of_series).then_some(Route::LookupId(id))
    })
}

/// Whether it can be an item's number.
pub(crate) fn is_id(id: u64) -> bool {
    (1..=ItemId::NUMBER_MAX).contains(&id)
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    fn filters(set: impl FnOnce(&mut Filters)) -> Filters {
        let mut filters = Filters::default();
        set(&mut filters);
        filters
    }

    fn check(message: &str, expected: Route) {
        assert_eq!(route(message, "EUR"), expected, "{message}");
    }

    fn check_filter(message: &str, text: &str, set: impl FnOnce(&mut Filters)) {
        check(
            message,
            Route::Filter {
                filters: filters(set),
                text: text.into(),
                sort: Sort::Relevance,
                warnings: vec![],
            },
        );
    }

    #[test]
    fn numbers() {
        check("libro 12", Route::LookupId(12));
        check("ver LIBRO #12, por favor", Route::LookupId(12));
        check("id 7", Route::LookupId(7));
        check("libro id 7", Route::LookupId(7));
        check("libro 0", Route::Search);
        check("libro -1", Route::LookupId(1));
        check("libro 99999999999999999999", Route::Search);
        check("12 libros", Route::Search);
        check("el señor de los anillos 2", Route::Search);
        check("¿cuánto cuesta el libro 12?", Route::LookupId(12));
        check("harry potter book 3", Route::Search);
        check("Fundación, libro 3 de la saga", Route::Search);
        check("book 2 of the expanse", Route::Search);
    }

    #[test]
    fn isbns() {
        check(
            "isbn 978-0-307-47472-8",
            Route::LookupIsbn("9780307474728".into()),
        );
        check("ISBN: 080442957X", Route::LookupIsbn("080442957X".into()));
        check(
            "ISBN-13: 9780307474728",
            Route::LookupIsbn("9780307474728".into()),
        );
        check(
            "¿tienes el 9780307474728?",
            Route::LookupIsbn("9780307474728".into()),
        );
        check(
            "isbn 9780307474729",
            Route::LookupIsbn("9780307474729".into()),
        );
        check("isbn 978", Route::Search);
        check("¿qué es un isbn?", Route::Search);
    }

    #[test]
    fn filter_lists() {
        check_filter("categoria: novela, precio_max: 20, disponible", "", |f| {
            f.categoria = Some("novela".into());
            f.precio_max = Some(Price::from_minor(2000));
            f.disponible = Some(true);
        });
        check_filter("Categoría: Fantasía disponible precio_max: 25", "", |f| {
            f.categoria = Some("fantasia".into());
            f.precio_max = Some(Price::from_minor(2500));
            f.disponible = Some(true);
        });
        check_filter("autor: García Márquez; q: coronel", "coronel", |f| {
            f.autor = Some("garcia marquez".into())
        });
        check_filter("dragones, editorial: Minotauro\nagotado", "dragones", |f| {
            f.editorial = Some("minotauro".into());
            f.disponible = Some(false);
        });
        check_filter("precio_max: 20,50, disponible", "", |f| {
            f.precio_max = Some(Price::from_minor(2050));
            f.disponible = Some(true);
        });
        check_filter("disponible", "", |f| f.disponible = Some(true));
        check_filter("precio min: 10 precio max: 12.5 euros", "", |f| {
            f.precio_min = Some(Price::from_minor(1000));
            f.precio_max = Some(Price::from_minor(1250));
        });
        check(
            "precio_max: barato",
            Route::Filter {
                filters: Filters::default(),
                text: String::new(),
                sort: Sort::Relevance,
                warnings: vec!["precio_max: not an amount, ignored".into()],
            },
        );
        check_filter("Novelas por menos de 15 €", "novelas", |f| {
            f.precio_max = Some(Price::from_minor(1500));
        });
        check_filter("categoria: novela, más de 10 euros, disponible", "", |f| {
            f.categoria = Some("novela".into());
            f.precio_min = Some(Price::from_minor(1000));
            f.disponible = Some(true);
        });
        check("¿está disponible Rayuela?", Route::Search);
        check("hola: busco una novela", Route::Search);
        check("categoria:", Route::Search);
    }

    #[test]
    fn neighbours() {
        check(
            "parecidos a Rayuela",
            Route::SimilarToTitle("rayuela".into()),
        );
        check(
            "Recomiéndame libros similares a «El Aleph».",
            Route::SimilarToTitle("el aleph".into()),
        );
        check("similares a 12", Route::SimilarToTitle("12".into()));
        check("something like Dune", Route::SimilarToTitle("dune".into()));
        check("something like that", Route::Search);
        check("parecidos a 1984", Route::SimilarToTitle("1984".into()));
        check("parecidos a #12", Route::SimilarToId(12));
        check("parecidos al libro 12", Route::SimilarToId(12));
        check(
            "books similar to Dune?",
            Route::SimilarToTitle("dune".into()),
        );
        check("parecidos a", Route::Search);
    }

    /// What is left out ends where its clause does.
    #[test]
    fn what_a_limit_leaves_has_its_clauses() {
        let message = "classics under 11 euros but no Jane Austen, done her to death";
        let Route::Filter { text, .. } = route(message, "EUR") else {
            panic!("no limit");
        };
        assert_eq!(text, "classics but no jane austen, done her to death");
    }

    #[test]
    fn everything_else_is_a_search() {
        for message in [
            "tolkien",
            "novela de realismo mágico sobre una familia",
            "¿qué hora es?",
            "😀",
            ":::",
            "q",
        ] {
            check(message, Route::Search);
        }
    }

    /// Customers are told of no names that are written before a colon.
    #[test]
    fn no_hint_is_a_query() {
        let shop = crate::shop::Profile::default();
        for language in crate::language::Language::all() {
            let locale = shop.locale(language);
            for hint in ["greeting-how", "nothing-found-how"] {
                assert!(!locale.text(hint).contains([':', '_']), "{hint}");
            }
            assert!(!language.terminal("help", &[]).contains('_'));
        }
    }
}
