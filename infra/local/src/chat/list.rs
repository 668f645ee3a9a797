//! An answer's lines: what it shows is listed once, and each item by the number that the next message may name it by.

use std::collections::BTreeSet;

use mostrador_core::{
    answer::described,
    catalogue::ItemResult,
    segment::Segment,
    shop::{Locale, Profile},
};
use serde_json::Value;

use super::text;

/// The mark of a list's line, as the shop writes it.
const MARK: &str = "- ";
/// What looks up a list of the customer's own, of which one is meant by its place. Orders have numbers already.
const PLACED: [&str; 3] = ["view_cart", "list_reservations", "view_profile"];

/// A line of a list that a tool has read, which is meant by its place there.
pub(super) struct Row {
    place: usize,
    line: String,
}

/// The lines of what a tool has read that are meant by their places.
pub(super) fn rows(tool_result: &Value, locale: Locale<'_>) -> Vec<Row> {
    let result = &tool_result["result"];
    let is_placed = PLACED.iter().any(|tool| tool_result["tool_name"] == *tool);
    let has_items = result["results"]
        .as_array()
        .is_some_and(|items| items.len() > 1);
    if !is_placed && !has_items {
        return Vec::new();
    }
    let lines = result["lines"].as_array().into_iter().flatten();
    let rows = lines.skip(1).map(text).enumerate();
    rows.filter(|(_, line)| !counts_more(line, locale))
        .map(|(place, line)| Row { place, line })
        .collect()
}

/// Whether a line counts what had no room in its list.
fn counts_more(line: &str, locale: Locale<'_>) -> bool {
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    let count = digits.parse::<u64>().ok();
    count.is_some_and(|count| line == locale.message("and-more", &[("count", count.into())]))
}

/// The lines of an answer, the opening first. `rows` are those of a list that was read for it.
pub(super) fn lines(answer: &Value, rows: &[Row], locale: Locale<'_>) -> Vec<String> {
    let items = items(answer, locale.shop);
    let mut named = BTreeSet::new();
    let mut lines = Vec::new();
    let mut behind_list = None;
    for line in message(answer) {
        let written: String = line.iter().map(|segment| segment.text.as_str()).collect();
        let place = written.strip_prefix(MARK).and_then(|row| {
            let of_item = only_new(&line, &named);
            let of_list = || rows.iter().find(|known| known.line == row);
            of_item.or_else(|| of_list().map(|known| known.place))
        });
        named.extend(line.iter().filter_map(place_of));
        match (place, written.strip_prefix(MARK)) {
            (Some(place), Some(row)) => {
                named.insert(place);
                lines.push(numbered(place, row));
                behind_list = Some(lines.len());
            }
            // Behind a list with numbers, what is said of it is no part of it.
            (None, Some(rest)) if behind_list.is_some() => lines.push(rest.to_owned()),
            _ => lines.push(written),
        }
    }
    let rest = items.iter().filter(|(place, _)| !named.contains(place));
    let rest: Vec<String> = rest
        .filter(|_| items.len() > 1)
        .map(|(place, item)| numbered(*place, &described(item, locale)))
        .collect();
    if !rest.is_empty() {
        let heading = (!named.is_empty()).then(|| locale.language.terminal("also", &[]));
        let at = behind_list.unwrap_or(lines.len());
        lines.splice(at..at, heading.into_iter().chain(rest));
    }
    lines
}

fn numbered(place: usize, row: &str) -> String {
    format!("  {}. {row}", place + 1)
}

/// The message line by line, in pieces.
fn message(answer: &Value) -> Vec<Vec<Segment>> {
    serde_json::from_value(answer["segments"].clone()).unwrap_or_default()
}

/// The items that an answer shows, by their places. A question has one, which it names by itself.
fn items(answer: &Value, shop: &Profile) -> Vec<(usize, ItemResult)> {
    let asks = answer["type"] == "approval_requested";
    let results = answer["results"].as_array().filter(|_| !asks);
    let items = results.into_iter().flatten().enumerate();
    items
        .filter_map(|(place, item)| Some((place, serde_json::from_value(item.clone()).ok()?)))
        .map(|(place, item)| (place, with_maker(item, shop)))
        .collect()
}

/// An item with its maker, who is one of its attributes where it is no book.
fn with_maker(item: ItemResult, shop: &Profile) -> ItemResult {
    let mut naming = shop.attributes.iter().filter(|attribute| attribute.names);
    let maker = naming.find_map(|attribute| item.details.atributos.get(&attribute.key));
    match maker {
        Some(maker) if item.autor.is_empty() => ItemResult {
            autor: maker.texts().join(", "),
            ..item
        },
        _ => item,
    }
}

/// The item that a line is for: the only one that it names, unless that has been named before.
fn only_new(line: &[Segment], named: &BTreeSet<usize>) -> Option<usize> {
    let places: BTreeSet<usize> = line.iter().filter_map(place_of).collect();
    let place = places.first().copied().filter(|_| places.len() == 1)?;
    (!named.contains(&place)).then_some(place)
}

fn place_of(segment: &Segment) -> Option<usize> {
    segment.item.and_then(|place| usize::try_from(place).ok())
}

#[cfg(test)]
mod tests {
    use mostrador_core::language::Language;
    use serde_json::json;

    use super::*;

    const TITLES: [&str; 3] = ["Rayuela", "Ficciones", "Bestiario"];

    /// The lines of an answer with so many results; a segment that is a title names that item.
    fn check(segments: &[&[&str]], results: usize, rows: &[Row]) -> String {
        let segment = |text: &&str| {
            let place = TITLES.iter().position(|title| title == text);
            json!({"text": text, "item": place})
        };
        let line = |line: &&[&str]| line.iter().map(segment).collect::<Vec<_>>();
        let item = |place: usize| {
            json!({
                "id": (place + 1).to_string(), "libro_id": place + 1, "autor": "", "isbn": "", "editorial": "", "categoria": "",
                "año_publicacion": null, "descripcion": "", "url": null, "imagen": null,
                "otros_titulos": [], "codigo": null, "atributos": {}, "titulo": TITLES[place], "precio": "9.50", "stock": 2, "moneda": "EUR",
            })
        };
        let answer = json!({
            "segments": segments.iter().map(line).collect::<Vec<_>>(),
            "results": (0..results).map(item).collect::<Vec<_>>(),
        });
        let shop = Profile::default();
        lines(&answer, rows, shop.locale(Language::default())).join("\n")
    }

    #[test]
    fn an_item_is_listed_once_and_by_its_number() {
        let named_otherwise: [&[&str]; 3] = [
            &["Dos:"],
            &["- ", "Ficciones", " primero."],
            &["- ", "Rayuela", " después."],
        ];
        insta::assert_snapshot!(check(&named_otherwise, 3, &[]), @r"
    Dos:
      2. Ficciones primero.
      1. Rayuela después.
    También:
      3. «Bestiario»: 9,50 €, quedan 2.
    ");
        let in_prose: [&[&str]; 2] = [
            &["El mejor es ", "Rayuela", "."],
            &["- ", "Ficciones", " y ", "Bestiario", " son más breves."],
        ];
        insta::assert_snapshot!(check(&in_prose, 3, &[]), @r"
    El mejor es Rayuela.
    - Ficciones y Bestiario son más breves.
    ");
        let of_none: [&[&str]; 1] = [&["Mira:"]];
        insta::assert_snapshot!(check(&of_none, 3, &[]), @r"
    Mira:
      1. «Rayuela»: 9,50 €, quedan 2.
      2. «Ficciones»: 9,50 €, quedan 2.
      3. «Bestiario»: 9,50 €, quedan 2.
    ");
        insta::assert_snapshot!(check(&of_none, 1, &[]), @"Mira:");
    }

    #[test]
    fn what_is_meant_by_its_place_is_numbered() {
        let shop = Profile::default();
        let locale = shop.locale(Language::default());
        let read = |tool: &str, lines: &[&str]| {
            let result = json!({"results": [], "lines": lines});
            rows(&json!({"tool_name": tool, "result": result}), locale)
        };
        let cart = ["Tu carrito:", "Rayuela", "Ficciones", "y 4 más"];
        let answer: [&[&str]; 4] = [
            &["Tu carrito:"],
            &["- Rayuela"],
            &["- Ficciones"],
            &["- y 4 más"],
        ];
        insta::assert_snapshot!(check(&answer, 0, &read("view_cart", &cart)), @r"
    Tu carrito:
      1. Rayuela
      2. Ficciones
    y 4 más
    ");
        insta::assert_snapshot!(check(&answer, 0, &read("list_orders", &cart)), @r"
    Tu carrito:
    - Rayuela
    - Ficciones
    - y 4 más
    ");
    }

    #[test]
    fn a_brand_is_named_and_a_noun_agrees() {
        let shop = json!({
            "name": "Hilo y Percha", "currency": {"code": "EUR"}, "noun": {"one": "prenda", "many": "prendas", "gender": "f"},
            "attributes": [{"key": "marca", "names": true}, {"key": "color", "names": false}],
        });
        let language = Language::default();
        let shop = super::super::shop::of_answer(&shop, language).expect("a shop");
        let item = |id: &str, atributos: Value| {
            json!({
                "id": id, "titulo": id, "categoria": "", "descripcion": "", "url": null, "imagen": null, "codigo": null,
                "precio": "1234.50", "moneda": "EUR", "stock": 0, "atributos": atributos,
            })
        };
        let falda = item("falda", json!({"marca": "Monteflor", "color": "gris"}));
        let answer = json!({"segments": [], "results": [falda, item("abrigo", json!({}))]});
        insta::assert_snapshot!(lines(&answer, &[], shop.locale(language)).join("\n"), @r"
    1. «falda», de Monteflor: 1234,50 €, sin existencias.
    2. «abrigo»: 1234,50 €, sin existencias.
    ");
    }
}
