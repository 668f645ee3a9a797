//! Which of some items, or of what is the customer's own, a message names.

use super::{
    place::{is_a_name, place_among, says_that},
    task::{content, naming},
};
use crate::{
    actions::Choice,
    catalogue::ItemResult,
    language::List,
    text::{clauses, is_slip, place_of, words},
    understand::{Exclusion, is_in, sought},
};

/// From so many letters on, a word names an item that it is a slip away from.
const SLIP_LETTERS: usize = 6;

/// What may name something: its titles, and what else.
struct Named<'a> {
    titles: Vec<&'a str>,
    beside: Vec<&'a str>,
    /// What it is about.
    abouts: Vec<&'a str>,
}

/// Those of the largest count, if any has one.
fn most(counts: impl Iterator<Item = usize>) -> Vec<usize> {
    let counts: Vec<usize> = counts.collect();
    let most = counts.iter().copied().max().unwrap_or_default();
    let places = counts.into_iter().enumerate();
    let places = places.filter(|(_, count)| most > 0 && *count == most);
    places.map(|(place, _)| place).collect()
}

/// Those, of these titles each, of which a message has a whole one in it; of a title in another one, the longer.
fn whole_titles(message: &str, titles: &mut dyn Iterator<Item = Vec<&str>>) -> Vec<usize> {
    let (said, content) = (words(message), content(message));
    let length = |title: &str| {
        let title = words(title);
        // "It" says nothing by itself.
        let says_something = title.iter().any(|word| content.contains(word));
        let is_said = says_something && place_of(&title, &said).is_some();
        if is_said { title.len() } else { 0 }
    };
    most(titles.map(|titles| titles.into_iter().map(length).max().unwrap_or_default()))
}

/// Those that a message is for among some: those whose whole title is in it, or else those that have most of what it says.
fn named(message: &str, among: &[Named<'_>]) -> Vec<usize> {
    let whole = whole_titles(message, &mut among.iter().map(|named| named.titles.clone()));
    if !whole.is_empty() {
        return whole;
    }
    // "Sapiens" is what *Sapiens. De animales a dioses* is called.
    let mut heads = among.iter().map(|named| {
        let heads = named.titles.iter();
        let heads = heads.filter_map(|title| title.split_once(['.', ':', '(']));
        heads.map(|(head, _)| head).collect()
    });
    let headed = whole_titles(message, &mut heads);
    if !headed.is_empty() {
        return headed;
    }
    let content = content(message);
    let covered = among.iter().map(|named| {
        let texts: Vec<&str> = named.titles.iter().chain(&named.beside).copied().collect();
        let own: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
        // A short word that is a slip away says little: "till" is not "hill".
        let is_said = |word: &&String| {
            let is_long = word.chars().count() >= SLIP_LETTERS;
            is_in(word, &texts) && (is_long || own.iter().any(|own| own.starts_with(word.as_str())))
        };
        content.iter().filter(is_said).count()
    });
    let covered = most(covered);
    if !covered.is_empty() {
        return covered;
    }
    // "Quita la del tren."
    let told: Vec<&String> = content
        .iter()
        .filter(|word| !super::is_change(word))
        .collect();
    let says_all = |about: &&str| {
        let own = words(about);
        !told.is_empty() && told.iter().all(|word| own.contains(word))
    };
    let about = |named: &Named<'_>| usize::from(named.abouts.iter().any(says_all));
    most(among.iter().map(about))
}

/// The items that a message is for, among those that were found for it.
pub(crate) fn named_items(message: &str, items: &[ItemResult]) -> Vec<usize> {
    let among = items.iter().map(|item| Named {
        titles: item.titles().collect(),
        beside: vec![&item.autor],
        abouts: Vec::new(),
    });
    named(message, &among.collect::<Vec<_>>())
}

/// What a message names among some items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// The one at that place.
    One(usize),
    /// More than one.
    Several,
}

/// The one among some items that a message names by a word of its name, or else of what it is about: "la del tren", "o de Lorca, de que
/// ano é?". Nothing where it names something else.
pub(crate) fn names_one(message: &str, items: &[ItemResult]) -> Option<Names> {
    /// Most words by which one is named.
    const NAMING: usize = 4;
    let said = naming(message);
    if !(1..=NAMING).contains(&said.len()) {
        return None;
    }
    let the_one = |text: fn(&ItemResult) -> String| {
        let has_all = |item: &ItemResult| {
            let own = words(&text(item));
            said.iter().all(|word| own.contains(word))
        };
        let mut having = items.iter().enumerate().filter(|(_, item)| has_all(item));
        let (place, _) = having.next()?;
        Some((place, having.next().is_none()))
    };
    let named = the_one(|item| {
        let titles: Vec<&str> = item.titles().collect();
        format!("{} {}", titles.join(" "), item.autor)
    });
    let named = named.or_else(|| the_one(|item| item.descripcion.clone()));
    named.map(|(place, is_alone)| match is_alone {
        true => Names::One(place),
        false => Names::Several,
    })
}

/// Those of the customer's own that a message names.
fn named_choices(message: &str, choices: &[Choice]) -> Vec<usize> {
    let named_so = choices.iter().map(|choice| Named {
        titles: choice.names.titles.iter().map(String::as_str).collect(),
        beside: choice.names.makers.iter().map(String::as_str).collect(),
        abouts: choice.names.abouts.iter().map(String::as_str).collect(),
    });
    named(message, &named_so.collect::<Vec<_>>())
}

/// Whether a message names one of the customer's own.
pub(crate) fn names_choice(message: &str, choices: &[Choice]) -> bool {
    named_choices(message, choices).len() == 1
}

/// The one of the customer's own that a message is for; `found` is what the catalogue has by its words.
pub(crate) fn chosen(message: &str, choices: &[Choice], found: &[ItemResult]) -> Option<usize> {
    let is_said = |number: u32| {
        let said = number.to_string();
        words(message).contains(&said)
    };
    let mut numbered = choices.iter();
    let numbered = numbered.position(|choice| choice.number.is_some_and(is_said));
    if numbered.is_some() {
        return numbered;
    }
    // "La de 2666."
    let own = choices.iter().map(|choice| &choice.names.titles);
    let mut own = own.map(|titles| titles.iter().map(String::as_str).collect());
    if let [titled] = whole_titles(message, &mut own)[..] {
        return Some(titled);
    }
    // "El pedido 7", and there is none of that number.
    let is_number = |word: &String| word.parse::<u32>().is_ok();
    let numbers = choices.iter().all(|choice| choice.number.is_some());
    if numbers && words(message).iter().any(is_number) {
        return place_among(message, choices.len()).filter(|_| choices.len() > 1);
    }
    if let [one] = named_choices(message, choices)[..] {
        return Some(one);
    }
    let alone = (choices.len() == 1).then_some(0);
    let place = place_among(message, choices.len());
    place.or(alone.filter(|_| !names_another(message, choices, found)))
}

/// Whether what a message names is none of these: the title of something else that was found, a word of its names, or a name behind the
/// verb that neither these nor what was found have.
fn names_another(message: &str, choices: &[Choice], found: &[ItemResult]) -> bool {
    /// Of what was found, so many are likely what is named.
    const FOUND: usize = 3;
    let titles = choices.iter().flat_map(|choice| &choice.names.titles);
    let titles: Vec<&str> = titles.map(String::as_str).collect();
    let mut others = found.iter().map(|item| item.titles().collect());
    if sought(message).is_some_and(|name| !is_in(name, &titles))
        || !whole_titles(message, &mut others).is_empty()
    {
        return true;
    }
    let names = choices.iter().map(|choice| &choice.names);
    let beside = names.flat_map(|names| names.makers.iter().chain(&names.abouts));
    let own = titles.iter().copied().chain(beside.map(String::as_str));
    let own: Vec<String> = own.flat_map(words).collect();
    let is_strange = |word: &String| !own.iter().any(|own| is_slip(word, own));
    let said = naming(message);
    let is_one_clause = clauses(message).nth(1).is_none();
    if !is_one_clause || said.is_empty() || !said.iter().all(is_strange) {
        return false;
    }
    // "Cancel the Gatsby one."
    let found = &found[..found.len().min(FOUND)];
    let other = found
        .iter()
        .flat_map(|item| item.titles().chain([item.autor.as_str()]));
    let other: Vec<String> = other.flat_map(words).collect();
    if said.iter().all(|word| other.contains(word)) {
        return true;
    }
    // "Remove Animal Farm."
    let mut found = found.iter().flat_map(ItemResult::titles);
    let mut all = words(message).into_iter();
    let begins = all.find(|word| !List::is_small(word));
    begins.is_some_and(|word| super::is_change(&word))
        && !found.any(|title| titles.contains(&title))
        && Exclusion::read(message).is_none()
        && !says_that(message)
        && said.iter().any(|word| is_a_name(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_is_found_among_others() {
        let texts = [
            [
                "Rayuela",
                "Julio Cortázar",
                "La Maga y el Club de la Serpiente.",
            ],
            [
                "Bestiario",
                "Julio Cortázar",
                "Cuentos con una casa tomada.",
            ],
            [
                "Los tres mosqueteros",
                "Alexandre Dumas",
                "Un gascón en París.",
            ],
            ["It", "Stephen King", "Un payaso en Derry."],
        ];
        for (message, places) in [
            ("añade Rayuela al carrito", &[0][..]),
            ("pon en la cesta algo de Cortázar", &[0, 1]),
            ("quisiera apartar dos de los tres mosqueteros", &[2]),
            ("ponme el bestiaro", &[1]),
            ("apártame uno que paso luego", &[]),
            ("ponme la rayela", &[0]),
            ("quiero la ruela", &[]),
            ("add it to the cart", &[]),
            ("añade una bicicleta", &[]),
            ("quita la del payaso", &[3]),
            ("quita la del payaso rojo", &[]),
        ] {
            let texts = texts.iter().map(|[title, maker, about]| Named {
                titles: vec![title],
                beside: vec![maker],
                abouts: vec![about],
            });
            let texts: Vec<_> = texts.collect();
            assert_eq!(named(message, &texts), places, "{message}");
        }
    }

    #[test]
    fn one_of_what_was_shown_is_named_by_a_word() {
        let item = |titulo: &str, autor: &str, descripcion: &str| ItemResult {
            descripcion: descripcion.to_owned(),
            ..ItemResult::named(titulo, autor)
        };
        let items = [
            item(
                "Bodas de sangre",
                "Federico García Lorca",
                "Un drama en el campo.",
            ),
            item("Hamlet", "William Shakespeare", "Un príncipe en Dinamarca."),
            item("Yerma", "Federico García Lorca", "Una mujer sin hijos."),
        ];
        for (message, names) in [
            ("la de Shakespeare de qué año es?", Some(Names::One(1))),
            ("add the Hamlet one", Some(Names::One(1))),
            ("o da Dinamarca", Some(Names::One(1))),
            ("la de Lorca", Some(Names::Several)),
            ("la de Calderón", None),
            ("Hamlet de Calderón", None),
            ("la segunda", None),
            ("añádelo", None),
        ] {
            assert_eq!(names_one(message, &items), names, "{message}");
        }
    }
}
