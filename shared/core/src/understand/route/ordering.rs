//! The order that a message asks for: by price, by year or by what sells most.

use std::ops::Range;

use super::words::words;
use crate::{index::Sort, language::List};

/// The order that a text asks for, and the text without it: "las camisetas más baratas". What is compared with another asks for none:
/// "más barato que Rayuela", and not "el más barato que tengas".
pub(super) fn ordering(text: &str) -> Option<(Sort, String)> {
    let orderings = List::Orderings.in_all();
    let found: Vec<(Range<usize>, &str)> = words(text).collect();
    let only_words: Vec<&str> = found.iter().map(|(_, word)| *word).collect();
    let markers = List::Markers.in_all();
    let is_possessed = |at: usize| {
        let before = at.checked_sub(1).map(|before| only_words[before]);
        before.is_some_and(|word| markers.stands(word, "possessive"))
    };
    let asked = |at: usize| {
        let phrase = orderings.at(&only_words[at..])?;
        let sort = match phrase.key {
            "cheapest" => Sort::PriceAsc,
            "dearest" => Sort::PriceDesc,
            "newest" => Sort::Newest,
            // "For my oldest son."
            "oldest" if !is_possessed(at) => Sort::Oldest,
            "most-sold" => Sort::MostSold,
            _ => return None,
        };
        Some((at, phrase.words, sort))
    };
    let (at, count, sort) = (0..only_words.len()).find_map(asked)?;
    let stands = |at: Option<usize>, key: &str| {
        let word = at.and_then(|at| only_words.get(at));
        word.is_some_and(|word| orderings.stands(word, key))
    };
    // "La más barata", "la camiseta más barata".
    let is_superlative = (1..=2).any(|before| stands(at.checked_sub(before), "article"));
    // "El más caro que tenéis" compares with nothing.
    let next = only_words.get(at + count + 1);
    let is_of_shop = next.is_some_and(|next| List::Light.in_all().stands(next, "asking"));
    if stands(Some(at + count), "than") && !is_superlative && !is_of_shop {
        return None;
    }
    let (start, end) = (found[at].0.start, found[at + count - 1].0.end);
    let left = format!("{} {}", &text[..start], &text[end..]);
    let left = left.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_of_price = |sort: Sort| matches!(sort, Sort::PriceAsc | Sort::PriceDesc);
    // "By price, cheapest first", "da mais cara para a mais barata".
    match ordering(&left) {
        Some((again, rest)) if again == sort || (is_of_price(again) && is_of_price(sort)) => {
            Some((sort, rest))
        }
        _ => Some((sort, left)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Route, route};
    use crate::{
        index::{Filters, Sort},
        price::Price,
    };

    #[test]
    fn orders() {
        let check_order = |message: &str, wanted: Sort, left: &str| {
            let Route::Filter { sort, text, .. } = route(message, "EUR") else {
                panic!("{message} asks for no order");
            };
            assert_eq!((sort, text.as_str()), (wanted, left), "{message}");
        };
        check_order("el más barato", Sort::PriceAsc, "el");
        check_order(
            "¿Cuál es la camiseta más barata que tenéis?",
            Sort::PriceAsc,
            "¿cual es la camiseta que teneis?",
        );
        check_order("el más barato que tengas", Sort::PriceAsc, "el que tengas");
        check_order(
            "libros de terror baratos",
            Sort::PriceAsc,
            "libros de terror",
        );
        check_order(
            "una novela que no sea cara",
            Sort::PriceAsc,
            "una novela que",
        );
        check_order(
            "lo más nuevo de Isabel Allende",
            Sort::Newest,
            "lo de isabel allende",
        );
        check_order("the cheapest jacket", Sort::PriceAsc, "the jacket");
        check_order(
            "what is your most expensive wine?",
            Sort::PriceDesc,
            "what is your wine?",
        );
        check_order("o romance mais barato", Sort::PriceAsc, "o romance");
        check_order("as mais recentes", Sort::Newest, "as");
        check_order(
            "which of them came out first?",
            Sort::Oldest,
            "which of them ?",
        );
        check_order(
            "peças de teatro, da mais cara pra mais barata",
            Sort::PriceDesc,
            "pecas de teatro, da pra",
        );
        check_order("los más vendidos", Sort::MostSold, "los");
        check_order(
            "¿qué es lo que más se vende?",
            Sort::MostSold,
            "¿que es lo que ?",
        );
        check_order("best sellers", Sort::MostSold, "");
        check_order("what's popular?", Sort::MostSold, "what' ?");
        check_order("your best-selling sci-fi", Sort::MostSold, "your sci-fi");
        check_order("os mais vendidos de poesia", Sort::MostSold, "os de poesia");
        let both = route("novelas baratas por menos de 15 €", "EUR");
        let limited = Route::Filter {
            filters: Filters {
                precio_max: Some(Price::from_minor(1_500)),
                ..Filters::default()
            },
            text: "novelas".to_owned(),
            sort: Sort::PriceAsc,
            warnings: Vec::new(),
        };
        assert_eq!(both, limited);
        for message in [
            "algo más barato que Rayuela",
            "anything cheaper than Rayuela",
            "más que barro",
            "economía",
            "historia económica",
            "a book for my oldest son",
            "economic history",
            "popular science",
            "¿qué libros vendéis más baratos que Rayuela?",
        ] {
            assert_eq!(route(message, "EUR"), Route::Search, "{message}");
        }
    }

    #[test]
    fn a_superlative_of_what_the_shop_has_compares_with_nothing() {
        for (text, sort) in [
            (
                "¿cuál es el libro de terror más caro que tenéis?",
                Some(Sort::PriceDesc),
            ),
            ("sort them by price, cheapest first", Some(Sort::PriceAsc)),
            ("más barato que Rayuela", None),
        ] {
            let found = super::ordering(&crate::text::fold(text)).map(|(sort, _)| sort);
            assert_eq!(found, sort, "{text}");
        }
    }
}
