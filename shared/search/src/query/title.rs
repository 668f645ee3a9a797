//! The item a text names by its title.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use mostrador_core::{language::List, text};

use super::evidence::inverse_frequency;
use crate::{
    artifact::{
        items::Items,
        keywords::{Field, Keywords},
    },
    tuning::{LIGHT, ONE_EDIT, TITLE_CANDIDATES, TITLE_SHARE_MIN, TYPO_LETTERS},
};

/// Whether a text is the whole title of an item, and nothing else.
pub(super) fn is_whole(items: &Items, keywords: &Keywords, text: &str) -> bool {
    let said = text::words(text);
    // What has its rarest word, of which there are fewest.
    let lists = said.iter().map(|word| keywords.list(Field::Title, word));
    let lists: Option<Vec<_>> = lists.collect();
    let rarest = lists.and_then(|lists| lists.into_iter().min_by_key(|list| list.doc_freq));
    let mut is_found = false;
    if let Some(list) = rarest {
        keywords.visit(Field::Title, &list, |row| {
            let others = items.other_titles(row);
            let mut titles = std::iter::once(items.title(row)).chain(others);
            is_found = is_found || titles.any(|title| text::words(&title) == said);
        });
    }
    is_found
}

/// The whole titles that stand in a text, by the places of their words in it, with the numbers of their items; of two that share a word,
/// the longer. A title of small words alone is none here.
pub(super) fn all_in(items: &Items, keywords: &Keywords, text: &str) -> Vec<(Range<usize>, u64)> {
    let said = text::words(text);
    let mut rows = BTreeSet::new();
    for word in said.iter().filter(|word| !List::Light.in_all().has(word)) {
        let mut add = |list: &_| {
            keywords.visit(Field::Title, list, |row| {
                rows.insert(row);
            });
        };
        match keywords.list(Field::Title, word) {
            Some(list) => add(&list),
            None if word.chars().count() >= TYPO_LETTERS => {
                keywords.similar(&[Field::Title], word, 1, |_, list| add(list));
            }
            None => {}
        }
    }
    let mut all: Vec<(Range<usize>, u64)> = Vec::new();
    for row in rows {
        let others = items.other_titles(row);
        let titles = std::iter::once(items.title(row)).chain(others);
        let places = titles.filter_map(|title| {
            let title = text::words(&title);
            let at = text::place_of_name(&title, &said)?;
            Some(at..at + title.len())
        });
        all.extend(places.map(|place| (place, items.libro_id(row))));
    }
    all.sort_by_key(|(place, number)| (Reverse(place.len()), place.start, *number));
    let mut kept: Vec<(Range<usize>, u64)> = Vec::new();
    for (place, number) in all {
        let is_beside =
            |(other, _): &(Range<usize>, u64)| place.end <= other.start || other.end <= place.start;
        if kept.iter().all(is_beside) {
            kept.push((place, number));
        }
    }
    kept.sort_by_key(|(place, _)| place.start);
    kept
}

/// The number of the item with the best-named title, and the share of words found: the harmonic mean of the title's words that are in
/// the text and the text's words that are in the title or its author, 1 for the title itself.
pub(super) fn find(items: &Items, keywords: &Keywords, text: &str) -> Option<(u64, f32)> {
    let query = text::words(text);
    let mut masses = Masses {
        keywords,
        known: HashMap::new(),
    };
    let mut near: HashMap<usize, f32> = HashMap::new();
    for (place, word) in query.iter().enumerate() {
        if query[..place].contains(word) {
            continue;
        }
        let mass = masses.of(word);
        let mut add = |list: &_, weight: f32| {
            keywords.visit(Field::Title, list, |row| {
                *near.entry(row).or_default() += mass * weight;
            });
        };
        match keywords.list(Field::Title, word) {
            Some(list) => add(&list, 1.0),
            None if word.chars().count() >= TYPO_LETTERS => {
                keywords.similar(&[Field::Title], word, 1, |_, list| add(list, ONE_EDIT));
            }
            None => {}
        }
    }
    let mut near: Vec<(usize, f32)> = near.into_iter().collect();
    let number = |row| items.libro_id(row);
    near.sort_unstable_by(|a, b| {
        let by_mass = b.1.total_cmp(&a.1);
        by_mass.then_with(|| number(a.0).cmp(&number(b.0)))
    });
    // The exact title has all of the text's words, so only items with as many can come before it.
    let most = near.first()?.1;
    let reach = near
        .iter()
        .position(|(_, mass)| *mass < most)
        .unwrap_or(near.len());
    near.truncate(reach.max(TITLE_CANDIDATES));
    near.iter()
        .map(|&(row, _)| {
            let author = text::words(&items.author(row));
            let (mut best, mut is_exact) = (0.0_f32, false);
            let others = items.other_titles(row);
            for title in std::iter::once(items.title(row)).chain(others) {
                let words = text::words(&title);
                best = best.max(share(&query, &words, &author, &mut masses));
                // What comes after a colon or in brackets is often left out.
                if let Some((main, _)) = title.split_once([':', '(']) {
                    best = best.max(share(&query, &text::words(main), &author, &mut masses));
                }
                is_exact |= words == query;
            }
            (row, best, is_exact)
        })
        .filter(|(_, share, exact)| *exact || *share >= TITLE_SHARE_MIN)
        .max_by(|a, b| {
            let by_share = a.2.cmp(&b.2).then(a.1.total_cmp(&b.1));
            by_share.then_with(|| number(b.0).cmp(&number(a.0)))
        })
        .map(|(row, share, exact)| (number(row), if exact { 1.0 } else { share }))
}

fn share(query: &[String], title: &[String], author: &[String], masses: &mut Masses<'_>) -> f32 {
    let of_title = found_share(title, &[query], masses);
    let of_text = found_share(query, &[title, author], masses);
    2.0 * of_title * of_text / (of_title + of_text).max(f32::MIN_POSITIVE)
}

/// The share of the mass of `words` that is found in any of `places`.
fn found_share(words: &[String], places: &[&[String]], masses: &mut Masses<'_>) -> f32 {
    let (mut found, mut total) = (0.0, 0.0);
    for word in words {
        let mass = masses.of(word);
        let best = places
            .iter()
            .flat_map(|place| place.iter())
            .map(|other| likeness(word, other))
            .fold(0.0, f32::max);
        found += mass * best;
        total += mass;
    }
    if total > 0.0 { found / total } else { 0.0 }
}

/// 1 for the same word, less for one that is an edit away, else 0.
fn likeness(word: &str, other: &str) -> f32 {
    if word == other {
        1.0
    } else if word.chars().count() >= TYPO_LETTERS && one_edit_apart(word, other) {
        ONE_EDIT
    } else {
        0.0
    }
}

/// Whether one letter more, less or other, or two swapped, makes one word the other.
fn one_edit_apart(a: &str, b: &str) -> bool {
    // A character has at most four bytes.
    if a.len().abs_diff(b.len()) > 4 {
        return false;
    }
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let (short, long) = if a.len() <= b.len() {
        (&a, &b)
    } else {
        (&b, &a)
    };
    if long.len() - short.len() > 1 {
        return false;
    }
    let start = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let (short, long) = (&short[start..], &long[start..]);
    if short.len() < long.len() {
        return *short == long[1..];
    }
    match (short, long) {
        ([x, y, short @ ..], [v, w, long @ ..]) if x == w && y == v => short == long,
        ([_, short @ ..], [_, long @ ..]) => short == long,
        _ => true,
    }
}

/// What words weigh among titles.
struct Masses<'a> {
    keywords: &'a Keywords,
    known: HashMap<String, f32>,
}

impl Masses<'_> {
    fn of(&mut self, word: &str) -> f32 {
        if let Some(mass) = self.known.get(word) {
            return *mass;
        }
        let titles = self
            .keywords
            .list(Field::Title, word)
            .map_or(0, |list| crate::layout::index(list.doc_freq));
        let light = if List::Light.in_all().has(word) {
            LIGHT
        } else {
            1.0
        };
        let mass = light * inverse_frequency(titles, self.keywords.len());
        self.known.insert(word.to_owned(), mass);
        mass
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_is_a_letter_more_less_other_or_two_swapped() {
        for (a, b, expected) in [
            ("rayuela", "rayuela", true),
            ("rayuela", "ralluela", false),
            ("rayuela", "rayuella", true),
            ("rayuela", "rauyela", true),
            ("rayuela", "rayueta", true),
            ("rayuela", "rayul", false),
            ("ñu", "ñus", true),
            ("", "", true),
        ] {
            assert_eq!(
                (one_edit_apart(a, b), one_edit_apart(b, a)),
                (expected, expected),
                "{a} {b}"
            );
        }
    }
}
