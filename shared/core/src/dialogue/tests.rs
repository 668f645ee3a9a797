//! What messages go back to.

use super::*;
use crate::{
    price::Price,
    understand::{intent::meant, route},
};

fn shown() -> Shown {
    Shown {
        question: "novelas del mar".to_owned(),
        items: vec![11, 12, 13],
        firsts: vec![11],
        ..Shown::default()
    }
}

fn back(shown: &Shown, message: &str) -> Option<Back> {
    let (meant, route) = (meant(message), route(message, "EUR"));
    let back = shown.back(message, meant, &route);
    assert!(
        back.is_none() || may_go_back(message, meant, &route),
        "{message}"
    );
    back
}

#[test]
fn one_of_what_was_shown_is_found_by_its_place() {
    for (message, item) in [
        ("el segundo", 12),
        ("¿y el segundo cuánto vale?", 12),
        ("cuéntame más del primero", 11),
        ("añade el tercero al carrito", 13),
        ("el último", 13),
        ("me quedo con la 2", 12),
        ("the second one", 12),
        ("how much is the first one?", 11),
        ("tell me more about the third", 13),
        ("put the last one in my cart", 13),
        ("o segundo", 12),
        ("quanto custa o primeiro?", 11),
        ("fala-me mais do terceiro", 13),
        ("reserva o último", 13),
        ("y la segunda, ¿de quién es?", 12),
        ("e a segunda quem escreveu?", 12),
    ] {
        let expected = Some(Back::To(Route::LookupId(item)));
        assert_eq!(back(&shown(), message), expected, "{message}");
        let nothing = back(&Shown::default(), message);
        assert_eq!(nothing, Some(Back::ToNothing), "{message}");
    }
    assert_eq!(back(&shown(), "el quinto"), None);
}

#[test]
fn what_names_something_goes_back_to_nothing() {
    for message in [
        "El segundo sexo",
        "second foundation",
        "¿tenéis El tercer hombre?",
        "La última noche en Twisted River",
        "The Last Mohican",
        "first aid for children",
        "novelas de amor",
        "¿a qué hora abrís?",
        "¿tenéis algo de Borges?",
        "O primeiro amor",
        "pon dos de Germinal en el carrito",
        "add two copies of germinal",
    ] {
        assert_eq!(back(&shown(), message), None, "{message}");
    }
}

#[test]
fn that_is_the_one_that_was_shown_or_the_nearest_of_several() {
    let one = Shown {
        items: vec![7],
        ..Shown::default()
    };
    for message in [
        "añádelo",
        "¿cuánto cuesta ese?",
        "resérvamelo",
        "put it in my cart",
        "I'll take it",
        "adiciona ao carrinho",
    ] {
        let expected = Some(Back::To(Route::LookupId(7)));
        assert_eq!(back(&one, message), expected, "{message}");
        let nearest = Some(Back::To(Route::LookupId(shown().items[0])));
        assert_eq!(back(&shown(), message), nearest, "{message}");
        let nothing = back(&Shown::default(), message);
        assert_eq!(nothing, Some(Back::ToNothing), "{message}");
    }
}

#[test]
fn what_narrows_a_question_is_asked_with_it() {
    let check = |message: &str, max: Option<i64>, wanted: Sort| {
        let Some(Back::To(Route::Filter {
            filters,
            text,
            sort,
            ..
        })) = back(&shown(), message)
        else {
            panic!("{message} goes back to nothing");
        };
        assert_eq!(text, "novelas del mar", "{message}");
        assert_eq!(
            filters.precio_max.map(|price| price.minor()),
            max,
            "{message}"
        );
        assert_eq!(sort, wanted, "{message}");
    };
    check("¿y algo más barato?", None, Sort::PriceAsc);
    check("el más barato", None, Sort::PriceAsc);
    check("anything cheaper?", None, Sort::PriceAsc);
    check("o mais barato", None, Sort::PriceAsc);
    check("por menos de 15 €", Some(1_500), Sort::Relevance);
    for message in [
        "precio_max: 15",
        "disponible",
        "zapatos más baratos",
        "el libro más barato",
        "novedades",
    ] {
        assert_eq!(back(&shown(), message), None, "{message}");
    }
}

#[test]
fn of_several_that_were_shown_the_shop_may_choose() {
    for message in [
        "¿cuál me recomiendas?",
        "¿cuál de estos me recomiendas?",
        "which of these do you recommend?",
    ] {
        assert_eq!(back(&shown(), message), Some(Back::Choice), "{message}");
        let one = Shown {
            items: vec![11],
            ..shown()
        };
        assert_ne!(back(&one, message), Some(Back::Choice), "{message}");
    }
    for message in ["¿qué me recomiendas?", "¿cuál me recomiendas de poesía?"] {
        assert_ne!(back(&shown(), message), Some(Back::Choice), "{message}");
    }
}

#[test]
fn what_a_question_was_limited_to_it_stays_limited_to() {
    let limited = Filters {
        precio_max: Some(Price::from_minor(4_000)),
        ..Filters::default()
    };
    let shown = Shown {
        filters: limited.clone(),
        ..shown()
    };
    let cheaper = Route::Filter {
        filters: limited.clone(),
        text: "novelas del mar".to_owned(),
        sort: Sort::PriceAsc,
        warnings: Vec::new(),
    };
    assert_eq!(
        back(&shown, "¿algo más barato?"),
        Some(Back::To(cheaper.clone()))
    );
    let then = shown.then("", &cheaper, [21, 22].into_iter());
    let more = Route::More {
        text: "novelas del mar".to_owned(),
        filters: limited,
        sort: Sort::PriceAsc,
        seen: vec![21, 22],
    };
    assert_eq!(back(&then, "¿tienes más?"), Some(Back::To(more)));
    assert_eq!(Shown::read(&then.context().unwrap()), Some(then));
}

#[test]
fn what_else_there_is_is_asked_without_what_was_shown() {
    for message in [
        "¿tienes más?",
        "otros",
        "enséñame otros",
        "anything else?",
        "show me more",
        "tem outros?",
    ] {
        let Some(Back::To(Route::More { text, seen, .. })) = back(&shown(), message) else {
            panic!("{message} goes back to nothing");
        };
        assert_eq!(
            (text.as_str(), &seen[..]),
            ("novelas del mar", &[11, 12, 13][..]),
            "{message}"
        );
        let nothing = back(&Shown::default(), message);
        assert_eq!(nothing, Some(Back::ToNothing), "{message}");
    }
    for message in [
        "pero en inglés",
        "uno más corto",
        "but for men",
        "mais curto",
    ] {
        let expected = Route::More {
            text: format!("novelas del mar {message}"),
            filters: Filters::default(),
            sort: Sort::Relevance,
            seen: Vec::new(),
        };
        assert_eq!(
            back(&shown(), message),
            Some(Back::To(expected)),
            "{message}"
        );
    }
}

#[test]
fn a_guests_context_is_read_as_it_was_given_and_nothing_else_is() {
    let given = shown().context().unwrap();
    assert_eq!(Shown::read(&given), Some(shown()));
    assert_eq!(Shown::default().context(), None);
    for forged in ["", "x", "[]", "{\"i\":\"a\"}", "null", "1"] {
        let read = Shown::read(forged);
        assert!(read.is_none() || read == Some(Shown::default()), "{forged}");
    }
    let many = format!("{{\"i\":[{}0]}}", "5,".repeat(300));
    let read = Shown::read(&many).unwrap();
    assert_eq!(read.items, [5; TOP_K_MAX]);
    assert_eq!(Shown::read(&" ".repeat(3_000)), None);
    let long = Shown {
        question: "ñ".repeat(400),
        items: (1..=20).map(|n| n + 9_000_000_000_000_000).collect(),
        seen: (1..=40).map(|n| n + 9_000_000_000_000_000).collect(),
        ..Shown::default()
    };
    assert!(
        long.context()
            .is_none_or(|context| context.len() <= CONTEXT_BYTES)
    );
}

#[test]
fn a_category_after_everything_is_asked_for_anew() {
    let cheapest = Shown {
        question: String::new(),
        sort: Sort::PriceAsc,
        ..shown()
    };
    for message in [
        "novelas por menos de 15 euros",
        "novels under 15 euros",
        "romances por menos de 15 euros",
    ] {
        assert_eq!(back(&cheapest, message), None, "{message}");
        assert!(back(&shown(), message).is_some(), "{message}");
    }
    assert!(back(&cheapest, "por menos de 15 euros").is_some());
}

/// Of two that were looked at one after the other, and of one and what else there was of its maker.
#[test]
fn two_that_were_not_listed_together_are_compared() {
    let looked_at = Shown {
        items: vec![12],
        alone: vec![12, 11],
        ..Shown::default()
    };
    let another = Shown {
        items: vec![12],
        seen: vec![11],
        ..Shown::default()
    };
    for shown in [looked_at, another] {
        assert_eq!(shown.compared(), [11, 12]);
        let cheapest = back(&shown, "¿cuál es el más barato de los dos?");
        assert_eq!(cheapest, Some(Back::Among(Sort::PriceAsc)));
        let both = back(&shown, "ponme los dos");
        assert_eq!(both, Some(Back::To(Route::LookupIds(vec![11, 12]))));
    }
    let one = Shown {
        items: vec![12],
        ..Shown::default()
    };
    assert_eq!(one.compared(), [12]);
    assert_eq!(shown().compared(), [11, 12, 13]);
}

#[test]
fn what_is_done_with_what_was_shown_is_said_in_any_words() {
    let one = Shown {
        items: vec![12],
        ..Shown::default()
    };
    for message in [
        "nice. ill have two, one for my bf",
        "go on, stick one in the basket",
        "me pones uno",
        "y agrega uno más de ese para mi compa",
        "los 2 que hay, ponmelos",
        "quero 2 se faz favor",
        "¿me la guardas hasta mañana?",
        "apártamelo porfa, yo creo q paso el sábado",
        "put it by for me ill pick it up in town",
        "grand ill take two so",
        "guardem-me um sff, passo aí sexta",
    ] {
        let expected = Some(Back::To(Route::LookupId(12)));
        assert_eq!(back(&one, message), expected, "{message}");
    }
    // What is named, or said of how it is to be, is something else.
    for message in [
        "add one for beginners",
        "add one in Spanish",
        "ponme dos de Sapiens",
        "add two of sapiens",
        "add that one by Lem",
    ] {
        assert_eq!(back(&one, message), None, "{message}");
    }
}

/// Whoever names the maker beside it needs nothing that was shown.
#[test]
fn who_made_it_may_be_named_beside_it() {
    let nothing = Shown::default();
    assert_eq!(
        back(&nothing, "¿qué más tenéis de ella?"),
        Some(Back::ToNothing)
    );
    let message = "le encanta Isabel Allende. ¿qué tenéis de ella?";
    assert_eq!(back(&nothing, message), None);
}

#[test]
fn what_is_like_that_is_like_what_was_shown() {
    for message in [
        "anything like it?",
        "¿y algo del estilo?",
        "tem algo parecido?",
    ] {
        let expected = Some(Back::To(Route::SimilarToId(11)));
        assert_eq!(back(&shown(), message), expected, "{message}");
        assert_eq!(
            back(&Shown::default(), message),
            Some(Back::ToNothing),
            "{message}"
        );
    }
    assert_eq!(back(&shown(), "something similar about whales"), None);
}

/// "Something with animals" is for whom the question before was.
#[test]
fn whom_something_is_for_stays() {
    let for_a_child = Shown {
        question: "a book for a 4 year old".to_owned(),
        ..shown()
    };
    let Some(Back::To(Route::More { text, .. })) = back(&for_a_child, "something with animals")
    else {
        panic!("it goes back to nothing");
    };
    assert_eq!(text, "a book for a 4 year old something with animals");
    assert_eq!(back(&for_a_child, "any roald dahl?"), None);
    assert_eq!(back(&for_a_child, "something for a 9 year old"), None);
    assert_eq!(back(&shown(), "something with animals"), None);
}

#[test]
fn whether_it_is_such_is_asked_of_the_one_that_was_shown() {
    let one = Shown {
        items: vec![12],
        ..shown()
    };
    for message in ["is it scary?", "¿es de miedo?", "ela é triste?"] {
        let expected = Some(Back::To(Route::LookupId(12)));
        assert_eq!(back(&one, message), expected, "{message}");
        assert_eq!(back(&shown(), message), None, "{message}");
    }
    assert_eq!(back(&one, "terror"), None);
}

/// After a look at one of them, a price narrows what was asked for all the same.
#[test]
fn what_was_asked_is_narrowed_after_a_look_at_one() {
    let looked_at = Shown {
        items: vec![12],
        seen: vec![11, 12, 13],
        ..shown()
    };
    let Some(Back::To(Route::Filter { text, sort, .. })) = back(&looked_at, "¿y más barato?")
    else {
        panic!("it goes back to nothing");
    };
    assert_eq!((text.as_str(), sort), ("novelas del mar", Sort::PriceAsc));
}

/// What else somebody made is asked for, whatever else is said before it.
#[test]
fn what_else_is_by_the_same_is_asked_for() {
    for (message, sort) in [
        ("something cheaper by the same author?", Sort::PriceAsc),
        (
            "too pricey, something cheaper by the same author?",
            Sort::PriceAsc,
        ),
        ("damn. anything else by him?", Sort::Relevance),
        (
            "uy qué caro, algo más barato del mismo autor",
            Sort::PriceAsc,
        ),
    ] {
        assert_eq!(
            back(&shown(), message),
            Some(Back::ToMaker(sort)),
            "{message}"
        );
    }
}

#[test]
fn an_order_goes_on_with_another_kind() {
    let sorted = Shown {
        sort: Sort::PriceAsc,
        ..shown()
    };
    let Some(Back::To(Route::Filter { text, sort, .. })) = back(&sorted, "¿y de teatro?") else {
        panic!("the order is not kept");
    };
    assert_eq!((text.as_str(), sort), ("¿y de teatro?", Sort::PriceAsc));
    // What asks of one that was shown is of that one, and what was in no order has none.
    let year = back(&sorted, "¿y en qué año salió ese?");
    assert_eq!(year, Some(Back::To(Route::LookupId(11))));
    let kept = back(&shown(), "¿y de teatro?");
    assert!(
        !matches!(kept, Some(Back::To(Route::Filter { .. }))),
        "{kept:?}"
    );
}

#[test]
fn who_has_had_one_wants_another() {
    let one = Shown {
        items: vec![11],
        ..shown()
    };
    for message in [
        "ya lo he leído",
        "uy no, ese ya lo tiene",
        "already read that one",
        "já li esse",
        "esse já tenho",
    ] {
        let like = Back::To(Route::SimilarToId(11));
        assert_eq!(back(&one, message), Some(like), "{message}");
        let Some(Back::To(Route::More { seen, .. })) = back(&shown(), message) else {
            panic!("{message} is of nothing else");
        };
        assert_eq!(seen, [11, 12, 13], "{message}");
    }
    for message in [
        "uy no, ese ya lo tiene. sácalo del carrito",
        "ya lo tengo en el carrito, haz el pedido",
    ] {
        assert!(!super::has_had(message), "{message}");
    }
}

/// "Something shorter" than one is another one; "in English?" may be that one.
#[test]
fn what_compares_with_one_leaves_it_out() {
    let one = Shown {
        items: vec![11],
        ..shown()
    };
    for (message, left_out) in [("algo más corto", &[11][..]), ("pero en inglés", &[])] {
        let Some(Back::To(Route::More { seen, .. })) = back(&one, message) else {
            panic!("{message} does not go on");
        };
        assert_eq!(seen, left_out, "{message}");
    }
}
