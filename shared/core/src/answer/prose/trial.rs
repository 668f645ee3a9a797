//! Prose tried on a few items: what the tests of its rules have in common.

use std::collections::BTreeMap;

use super::{Item, Judged, Prose};
use crate::{answer::part::Part, language::Language};

/// A judge in a shop with euros, to whom `items` are shown and a message was written.
pub(super) fn judge(language: &str, items: &[Item], message: &str, line: &str) -> Judged {
    let language = Language::from_tag(language).expect("a language that there is");
    let mut prose = Prose::new(language, "EUR");
    prose.show(items.iter().cloned());
    prose.take_message(message);
    prose.judge(line)
}

/// Asserts that of each pair of lines the first stands as a whole, and that the second does not.
pub(super) fn tells_apart(language: &str, items: &[Item], message: &str, pairs: &[(&str, &str)]) {
    let stands = |line| judge(language, items, message, line).faults.is_empty();
    for (right, wrong) in pairs {
        assert!(stands(right), "{right}");
        assert!(!stands(wrong), "{wrong}");
    }
}

/// Of `lines` in a language, with each of `numbers` in place of its X, those of which the number is told.
pub(super) fn told_with(
    language: &str,
    items: &[Item],
    message: &str,
    lines: &[&str],
    numbers: &[i64],
) -> Vec<String> {
    let filled = lines.iter().flat_map(|line| {
        let filled = |number: &i64| (line.replace('X', &number.to_string()), number.to_string());
        numbers.iter().map(filled)
    });
    let tells = |(line, number): &(String, String)| {
        let judged = judge(language, items, message, line);
        judged.parts.iter().any(|part| {
            let mut words = match part {
                Part::Text(text) => text.split(|sign: char| !sign.is_ascii_digit()),
                Part::Item(_) | Part::Fact(..) => return false,
            };
            words.any(|word| word == number)
        })
    };
    filled.filter(tells).map(|(line, _)| line).collect()
}

/// Items at 10, 14.50 and 30 with 0, 1 and 5 copies, of 1999, 2005 and 2012.
pub(super) fn novels() -> [Item; 3] {
    let novel = |id, title: &str, maker: &str, price_minor, stock, year| Item {
        id,
        title: title.to_owned(),
        maker: maker.to_owned(),
        price_minor,
        stock,
        year: Some(year),
        description: "A story of the sea.".to_owned(),
        ..Item::default()
    };
    [
        novel(1, "Lighthouse Keepers", "Ann Marlow", 1_000, 0, 1999),
        novel(2, "Northern Harbour", "Peter Quill", 1_450, 1, 2005),
        novel(3, "Winter Crossing", "Ines Valdor", 3_000, 5, 2012),
    ]
}

/// Packs of 1.2 kg for 40 l, 800 g for 30 l, and 900 g for 35 l, for ages 8 to 12; the first is blue, the others are red.
pub(super) fn packs() -> [Item; 3] {
    let pack = |id, title: &str, weight: &str, volume: &str, colour: &str, price_minor| {
        let attribute = |key: &str, value: &str| (key.to_owned(), vec![value.to_owned()]);
        Item {
            id,
            title: title.to_owned(),
            price_minor,
            stock: 4,
            description: "A pack for ages 8 to 12, dry within 90 minutes.".to_owned(),
            attributes: BTreeMap::from([
                attribute("peso", weight),
                attribute("capacidad", volume),
                attribute("color", colour),
            ]),
            ..Item::default()
        }
    };
    [
        pack(1, "Ridge", "1.2 kg", "40 l", "blue", 9_000),
        pack(2, "Meadow", "800 g", "30 l", "red", 7_000),
        pack(3, "Brook", "900 g", "35 l", "red", 5_000),
    ]
}
