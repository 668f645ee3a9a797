//! What a business offers, found by what customers say for it.

use crate::{
    booking::{Business, Service},
    dialogue::outside_phrases,
    language::List,
    text::{is_same, is_slip, place_of, words},
};

/// Letters that two words begin alike with, so that one may be a form of the other: "corte", "cortarme".
const ROOT: usize = 4;
/// From so many letters on, one that is wrong is a slip.
const SLIP_FROM: usize = 5;

/// Whether a folded word may be a form of another, or a slip away from it: the first letter is hardly ever the wrong one, and "nombre" is
/// no "hombre".
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars());
    let common = common.take_while(|(one, other)| one == other).count();
    let shorter = one.chars().count().min(other.chars().count());
    let has_root = common >= ROOT && common + 1 >= shorter;
    let may_slip = common > 0 && shorter >= SLIP_FROM;
    is_same(one, other)
        || has_root
        || closes(one, other)
        || closes(other, one)
        || (may_slip && is_slip(one, other))
}

/// Whether a word is the end of a compound: "cut" of "haircut".
fn closes(end: &str, whole: &str) -> bool {
    /// Letters of each part of one.
    const LETTERS: usize = 3;
    let first = whole.strip_suffix(end).map_or(0, str::len);
    end.len() >= LETTERS && first > LETTERS
}

/// Whether two folded words are for the same people: "dama", "mujer".
fn is_for_same(one: &str, other: &str) -> bool {
    let audience = List::Audience.in_all();
    let of = |word: &str| audience.at(&[word]).map(|found| found.key);
    of(one).is_some_and(|key| of(other) == Some(key))
}

/// The words of a name that tell it from others.
pub(super) fn telling(name: &str) -> Vec<String> {
    let function = List::Function.in_all();
    let all = words(name);
    let telling: Vec<String> = all
        .iter()
        .filter(|word| !function.has(word))
        .cloned()
        .collect();
    if telling.is_empty() { all } else { telling }
}

/// The folded words of a message that say something: "uñas" is no "unas", and "sí, señora" names nobody's haircut.
fn meaning(message: &str) -> Vec<String> {
    let apart = message.split(|c: char| !c.is_alphanumeric());
    let said = apart.flat_map(|word| {
        let is_own = word.contains(['ñ', 'Ñ']);
        words(word).into_iter().map(move |folded| (folded, is_own))
    });
    let (said, own): (Vec<String>, Vec<bool>) = said.unzip();
    let outside = outside_phrases(&said).into_iter();
    let outside = outside.filter(|at| own[*at] || !List::is_small(&said[*at]));
    outside.map(|at| said[at].clone()).collect()
}

/// The one that is named, by all the words of its name one after the other, or by one of them that is no other's; of two of one name
/// neither is.
pub(super) fn named<'b, T>(
    said: &[String],
    things: &[&'b T],
    name: impl Fn(&T) -> &String,
) -> Option<&'b T> {
    let only = |found: Vec<&'b T>| match found[..] {
        [one] => Some(one),
        _ => None,
    };
    let whole = |thing: &&&T| place_of(&words(name(thing)), said).is_some();
    let whole: Vec<&T> = things.iter().filter(whole).copied().collect();
    if let Some(longest) = whole.iter().map(|thing| name(thing).len()).max() {
        let is_longest = |thing: &&T| name(thing).len() == longest;
        return only(whole.into_iter().filter(is_longest).collect());
    }
    let is_named = |thing: &&&T| {
        let own = telling(name(thing));
        let mut said = said.iter();
        said.any(|word| {
            own.iter()
                .any(|own| own == word || (own.len() >= SLIP_FROM && is_slip(word, own)))
        })
    };
    only(things.iter().filter(is_named).copied().collect())
}

/// The services that have most of the words that are said in one of their names, each word counting the more the fewer services have it;
/// of those the ones of whose names the most is said.
pub(super) fn services<'b>(message: &str, business: &'b Business) -> Vec<&'b Service> {
    let names: Vec<Vec<Vec<String>>> = business
        .services
        .iter()
        .map(|service| service.names().map(telling).collect())
        .collect();
    let said = meaning(message);
    let is_named = |own: &String| said.iter().any(|word| is_alike(word, own));
    let is_meant = |own: &String| said.iter().any(|word| is_for_same(word, own));
    let having = |own: &String| {
        let has = |names: &&Vec<Vec<String>>| names.iter().any(|name| name.contains(own));
        names.iter().filter(has).count().max(1)
    };
    let score = |name: &Vec<String>| {
        /// How much more a word itself counts than another like it, or for the same people.
        const ITSELF: f32 = 2.0;
        // "Dama" by itself is no haircut.
        let is_any = name.iter().any(is_named);
        let weight = |own: &String| {
            if said.iter().any(|word| is_same(word, own)) {
                ITSELF
            } else if is_named(own) || (is_any && is_meant(own)) {
                1.0
            } else {
                0.0
            }
        };
        let count = name.iter().filter(|own| weight(own) > 0.0).count();
        let score: f32 = name
            .iter()
            .map(|own| weight(own) / small(having(own)))
            .sum();
        (score, small(count) / small(name.len().max(1)))
    };
    let best = |(one, part): (f32, f32), other: &Vec<String>| {
        let (score, share) = score(other);
        match (score, share) > (one, part) {
            true => (score, share),
            false => (one, part),
        }
    };
    let scores: Vec<(f32, f32)> = names
        .iter()
        .map(|names| names.iter().fold((0.0, 0.0), best))
        .collect();
    let (most, share) =
        scores.iter().fold(
            (0.0_f32, 0.0_f32),
            |most, one| {
                if *one > most { *one } else { most }
            },
        );
    if most == 0.0 {
        return Vec::new();
    }
    let found = business.services.iter().zip(&scores);
    let found = found.filter(|(_, one)| **one >= (most, share));
    found.map(|(service, _)| service).collect()
}

/// Of these services the one that is for the people whom a message names, by itself: "de caballero", "es para mi hijo".
pub(super) fn for_whom<'b>(
    message: &str,
    among: &[String],
    business: &'b Business,
) -> Option<&'b Service> {
    let said = words(message);
    let is_meant = |service: &&Service| {
        let mut own = service.names().flat_map(words);
        own.any(|own| said.iter().any(|word| is_for_same(word, &own)))
    };
    let services = business.services.iter();
    let mut found = services.filter(|service| among.iter().any(|id| id == service.id.as_str()));
    let first = found.find(is_meant)?;
    found.find(is_meant).is_none().then_some(first)
}

fn small(count: usize) -> f32 {
    f32::from(u8::try_from(count).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn salon() -> Business {
        let service = |id: &str, name: &str, also_called: &[&str]| serde_json::json!({"id": id, "name": name, "category": "pelo", "price": "29.00", "duration_minutes": 60, "also_called": also_called});
        let file = serde_json::json!({
            "id": "brisa", "business_name": "Salón Brisa", "time_zone": "Europe/Madrid", "currency": "EUR",
            "branches": [{"id": "ruzafa", "name": "Ruzafa", "address": "Calle del Peine, 8", "hours": {"monday": ["10:00-14:00"]}}],
            "categories": [{"id": "pelo", "name": "Pelo"}],
            "services": [
                service("mujer", "Corte de mujer", &["women's haircut", "corte de señora"]),
                service("hombre", "Corte de hombre", &["men's haircut", "corte de caballero"]),
                service("tinte", "Tinte de raíz", &["root colour"]),
                service("manicura", "Manicura", &["nails", "uñas"])],
            "calendars": [{"id": "carmen", "name": "Carmen", "branch": "ruzafa", "offers": ["mujer", "hombre", "tinte", "manicura"]}]
        });
        Business::read(file.as_object().unwrap().clone()).unwrap()
    }

    #[test]
    fn services_are_found_by_what_is_said_for_them() {
        let salon = salon();
        for (message, expected) in [
            ("un corte de dama", "mujer"),
            ("a ladies' haircut", "mujer"),
            ("a cut for my husband", "hombre"),
            ("blokes cut", "hombre"),
            ("un corte", "mujer hombre"),
            ("las uñas", "manicura"),
            ("una uña", "manicura"),
            ("para arreglarme las uñas, que recojo al niño", "manicura"),
            ("quiero teñirme las raíces", "tinte"),
            ("a nombre de mi madre", ""),
            ("sí señora", ""),
            ("unas tijeras", ""),
        ] {
            let found = services(message, &salon);
            let found: Vec<&str> = found.iter().map(|one| one.id.as_str()).collect();
            assert_eq!(found.join(" "), expected, "{message}");
        }
        let among = ["mujer", "hombre"].map(str::to_owned);
        for (message, expected) in [
            ("buenas señorita, un corte de varón", Some("hombre")),
            ("es para mi marido", Some("hombre")),
            ("a las cinco", None),
        ] {
            let found = for_whom(message, &among, &salon);
            assert_eq!(found.map(|one| one.id.as_str()), expected, "{message}");
        }
    }
}
