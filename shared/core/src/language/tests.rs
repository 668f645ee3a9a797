//! What every language must have: a language is complete or it is none.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use fluent_bundle::FluentResource;
use fluent_syntax::{
    ast::{Entry, Resource},
    serializer::serialize,
};

use super::{languages::LANGUAGES, lexicon::LISTS, messages::FILES, *};
use crate::{shop::Profile, text::fold};

/// Each message of a file, with its attributes and the variables that it needs; the shop's noun is everywhere to be had.
fn needs(file: &str) -> BTreeMap<String, BTreeSet<String>> {
    let resource = FluentResource::try_new(file.to_owned());
    let resource = resource.unwrap_or_else(|(_, errors)| panic!("{errors:?}\n{file}"));
    let mut needs = BTreeMap::new();
    for entry in resource.entries() {
        let Entry::Message(message) = entry else {
            continue;
        };
        let mut message = message.clone();
        message.comment = None;
        let attributes: Vec<&str> = message.attributes.iter().map(|a| a.id.name).collect();
        let key = format!("{} {}", message.id.name, attributes.join(" "));
        let body = vec![Entry::Message(message)];
        let written = serialize(&Resource { body });
        let names = written.split('$').skip(1).map(|rest| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-');
            rest[..end.unwrap_or(rest.len())].to_owned()
        });
        let nouns = ["item", "items", "gender", "sells"];
        // A dollar before a number is one of money.
        let names = names.filter(|name| name.starts_with(char::is_alphabetic));
        let names = names.filter(|name| !nouns.contains(&&**name)).collect();
        assert!(needs.insert(key.clone(), names).is_none(), "{key} twice");
    }
    needs
}

#[test]
fn every_language_has_every_message() {
    let first = &LANGUAGES[0];
    for files in &LANGUAGES {
        for (at, name) in FILES.iter().enumerate() {
            let (own, expected) = (needs(files.messages[at]), needs(first.messages[at]));
            let keys = |needs: &BTreeMap<String, _>| needs.keys().cloned().collect::<Vec<_>>();
            assert_eq!(keys(&own), keys(&expected), "{} {name}", files.tag);
            assert_eq!(own, expected, "{} {name}", files.tag);
        }
    }
}

/// Where a language may have keys of its own: numbers, sounds, currencies, categories that are asked for by a word, what is typed for longer words, and superlatives,
/// where they are not comparatives.
const OWN_KEYS: [&str; 6] = [
    "numerals",
    "sounds",
    "units",
    "light",
    "claims",
    "shorthand",
];

#[test]
fn every_list_is_complete_folded_and_sorted() {
    for files in &LANGUAGES {
        for (at, name) in LISTS.iter().enumerate() {
            let place = format!("{} {name}", files.tag);
            let keys = |file: &'static str| -> BTreeSet<&str> {
                let lines = file.lines().skip(1);
                lines.map(|line| line.split(':').next().unwrap()).collect()
            };
            let (file, first) = (files.lists[at], LANGUAGES[0].lists[at]);
            if !OWN_KEYS.contains(name) {
                assert_eq!(keys(file), keys(first), "{place}");
            }
            let mut lines = file.lines();
            let purpose = lines.next().unwrap_or_default();
            assert!(purpose.starts_with("# ") && purpose.len() > 12, "{place}");
            for line in lines {
                let (_, listed) = line.split_once(':').unwrap();
                // A language may have nothing there.
                let Some(listed) = listed.strip_prefix(' ') else {
                    assert_eq!(listed, "", "{place}");
                    continue;
                };
                let phrases: Vec<&str> = listed.split(", ").collect();
                let mut sorted = phrases.clone();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(phrases, sorted, "{place}");
                // What is only begun is found by its first letters.
                let begun = phrases.iter().filter_map(|phrase| phrase.split_once('*'));
                assert!(
                    begun.into_iter().all(|(begun, _)| begun.len() > 1),
                    "{place}"
                );
                // Letters are listed as they are written.
                if !line.starts_with("letters: ") {
                    assert_eq!(listed, fold(listed), "{place}");
                }
            }
        }
    }
}

#[test]
fn a_shop_that_sells_something_else_reads_well() {
    let noun = |one: &str, many: &str, gender: &str| crate::shop::Noun {
        one: one.to_owned(),
        many: many.to_owned(),
        gender: gender.to_owned(),
    };
    let clothes = Profile {
        noun: BTreeMap::from([
            ("es".to_owned(), noun("prenda", "prendas", "f")),
            ("en".to_owned(), noun("garment", "garments", "m")),
        ]),
        ..Profile::named("Clothes")
    };
    let bookshop = Profile::default();
    let check = |shop: &Profile, tag: &str, key: &str, expected: &str| {
        let locale = shop.locale(Language::from_tag(tag).unwrap());
        let arguments = [
            ("title", "Lino".into()),
            ("count", 3_u32.into()),
            ("total", "9,00 €".into()),
        ];
        assert_eq!(locale.message(key, &arguments), expected);
    };
    check(
        &bookshop,
        "es",
        "book_not_found",
        "No encuentro ese libro en el catálogo.",
    );
    check(
        &clothes,
        "es",
        "book_not_found",
        "No encuentro esa prenda en el catálogo.",
    );
    check(
        &clothes,
        "es",
        "empty_cart",
        "Tu carrito está vacío: añade alguna prenda primero.",
    );
    check(
        &bookshop,
        "en",
        "empty_cart",
        "Your cart is empty: add a book first.",
    );
    check(
        &clothes,
        "es",
        "insufficient_stock",
        "De «Lino» solo quedan 3 unidades disponibles.",
    );
    check(
        &bookshop,
        "en",
        "insufficient_stock",
        "Only 3 copies of “Lino” are left.",
    );
    check(
        &bookshop,
        "es",
        "cart",
        "En tu carrito hay 3 títulos: 9,00 € en total.",
    );
    check(
        &clothes,
        "en",
        "cart",
        "You have 3 items in your cart: 9,00 € in all.",
    );
    let spanish = Language::from_tag("es").unwrap();
    let page = clothes.locale(spanish).page();
    let PageText::Forms(tools) = &page["tools"] else {
        panic!("tools have forms");
    };
    assert_eq!(tools["recommend_similar"], "Buscando prendas parecidas…");
    let PageText::Forms(found) = &page["found"] else {
        panic!("what counts has forms");
    };
    assert_eq!(found["other"], "{count} encontradas; escribiendo…");
}

#[test]
fn follows_the_weights() {
    for (header, expected) in [
        ("", "es"),
        ("en", "en"),
        ("en-GB,es;q=0.8", "en"),
        ("xx, es;q=0.5, en;q=0.4", "es"),
        ("en;q=0", "es"),
        ("xx,*;q=0.1", "es"),
        ("en;q=x", "es"),
    ] {
        assert_eq!(
            Language::from_accept_language(header).tag(),
            expected,
            "{header}"
        );
    }
}

/// What the core's rules are written in, without its tests.
fn sources(folder: &Path, whole: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_of_tests = path.file_stem().is_some_and(|name| name == "tests");
        if is_of_tests {
            continue;
        }
        if path.is_dir() {
            sources(&path, whole);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            whole.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

/// The texts in quotation marks.
fn quoted(source: &str) -> impl Iterator<Item = &str> {
    source.split('"').skip(1).step_by(2)
}

/// A key that is misspelt, in a list or in a rule, would switch the rule off.
#[test]
fn rules_and_lists_know_each_others_keys() {
    let mut source = String::new();
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    sources(&core, &mut source);
    let keys = |list: List| Language::all().flat_map(move |language| language.phrases(list).keys());
    let of_rules = [
        List::Claims,
        List::Markers,
        List::Filters,
        List::Availability,
        List::Similar,
        List::Numbered,
        List::Amounts,
        List::Light,
        List::Telling,
        List::Remembering,
    ];
    for key in of_rules.into_iter().flat_map(keys) {
        let literal = format!("\"{key}\"");
        assert!(source.contains(&literal), "no rule knows {key}");
    }
    let all: Vec<&str> = (0..LISTS.len())
        .flat_map(|list| LANGUAGES.iter().map(move |files| files.lists[list]))
        .flat_map(str::lines)
        .filter_map(|line| line.split_once(':').map(|(key, _)| key))
        .collect();
    let mut named = Vec::new();
    for compared in ["key == ", "key != "] {
        let after = source.split(compared).skip(1);
        named.extend(after.filter_map(|after| after.strip_prefix('"')?.split('"').next()));
    }
    for called in ["stands(", "marks(", "matches!(found.key"] {
        let calls = source.split(called).skip(1);
        let arguments = calls.filter_map(|after| after.split(')').next());
        named.extend(arguments.flat_map(quoted));
    }
    assert!(named.len() > 40, "{named:?}");
    for key in named {
        assert!(all.contains(&key), "no list has {key}");
    }
}
