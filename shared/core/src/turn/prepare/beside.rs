//! What a message says beside the title or the name of an item.

use std::iter;

use crate::{
    catalogue::{ItemResult, title_in},
    dialogue::content,
    text::{place_of, words},
    understand::{
        Route, Step,
        intent::{Intent, Meant, likely_change, meant},
        step,
        topic::topics,
    },
};

/// Surer than this, a question of small words alone is one to the shop: "where are you?".
pub(super) const SURE_OF_SHOP: f32 = 0.5;
/// Surer than this, a question beside a title is of that topic: "¿puedo devolver…?", and not "¿tenéis…?".
const SURE_OF_TOPIC: f32 = 0.9;
/// Surer than this, what is said beside the name of one that was shown is what is to be done with it.
pub(super) const SURE_OF_NAMED: f32 = 0.7;

/// Whether a message has the whole title of an item in it.
pub(super) fn is_titled(items: &[ItemResult], message: &str) -> bool {
    let said = words(message);
    let mut items = items.iter();
    items.any(|item| beside_title(item, &said).is_some())
}

/// Whether a message has the whole title of an item in it, and that says several things: "Nada" may be nothing.
pub(super) fn has_long_title(items: &[ItemResult], message: &str) -> bool {
    let said = words(message);
    let mut titles = items.iter().flat_map(ItemResult::titles);
    titles.any(|title| content(title).len() > 1 && place_of(&words(title), &said).is_some())
}

/// What a message says beside the whole title of the item, where that stands in it. "It" says nothing by itself, and "It by Stephen King"
/// does.
pub(super) fn beside_title(item: &ItemResult, said: &[String]) -> Option<Vec<String>> {
    let (_, at) = item.titles().find_map(|title| {
        let found = title_in(iter::once(title), said)?;
        let maker = words(&item.autor);
        let is_made = || maker.last().is_some_and(|last| said.contains(last));
        (!content(title).is_empty() || is_made()).then_some(found)
    })?;
    Some([&said[..at.start], &said[at.end..]].concat())
}

/// Whether a message asks something of the shop itself beside the whole title of an item: "¿puedo devolver Ficciones?"
pub(super) fn asks_shop_beside(items: &[ItemResult], message: &str) -> bool {
    let said = words(message);
    let mut rests = items.iter().filter_map(|item| beside_title(item, &said));
    rests.next().is_some_and(|rest| {
        let rest = rest.join(" ");
        let meant = meant(&rest);
        let (topic, likelihood) = topics(&rest)[0];
        meant.intent == Intent::ShopInfo
            && meant.confidence >= SURE_OF_SHOP
            && topic.is_named()
            && likelihood >= SURE_OF_TOPIC
    })
}

/// Whether a message says nothing beside the whole title of an item but small words: "and The Lord of the Rings?"
pub(super) fn only_names(items: &[ItemResult], message: &str) -> bool {
    let said = words(message);
    let mut rests = items.iter().filter_map(|item| beside_title(item, &said));
    rests.any(|rest| {
        let rest = rest.join(" ");
        content(&rest).is_empty() && likely_change(&rest) < SURE_OF_SHOP
    })
}

/// What is meant by a message that has the whole title of an item in it and is no search without it: a title looks like a search,
/// and says nothing of what is to be done with it.
pub(super) fn meant_beside_title(items: &[ItemResult], message: &str) -> Option<Meant> {
    let said = words(message);
    let without_maker = |item: &ItemResult| {
        let rest = beside_title(item, &said)?.into_iter();
        let maker = words(&item.autor);
        Some(
            rest.filter(|word| !maker.contains(word))
                .collect::<Vec<_>>(),
        )
    };
    // Of two titles, the longer one is meant.
    let rests = items.iter().filter_map(without_maker);
    let rest = rests.min_by_key(Vec::len)?.join(" ");
    let meant = meant(&rest);
    let is_change = matches!(step(meant, &Route::Search), Step::Propose(_));
    (!rest.is_empty() && is_change).then_some(meant)
}

/// The same of a message that has the titles of several: "ponme Rayuela, Ficciones y El túnel de una vez".
pub(super) fn meant_beside_titles(items: &[ItemResult], message: &str) -> Option<Meant> {
    let mut rest = words(message);
    for item in items {
        if let Some((_, at)) = title_in(item.titles(), &rest) {
            rest.drain(at);
        }
    }
    let rest = rest.join(" ");
    let meant = meant(&rest);
    let is_change = matches!(step(meant, &Route::Search), Step::Propose(_));
    (is_change && likely_change(&rest) >= SURE_OF_SHOP).then_some(meant)
}

/// What is meant by a message that names one that was shown by some words, without these: "add the one by Mary Shelley".
pub(super) fn meant_beside_name(
    items: &[ItemResult],
    message: &str,
    route: &Route,
) -> Option<Meant> {
    let [item] = items else { return None };
    matches!(route, Route::LookupId(_)).then_some(())?;
    let name = words(&format!("{} {}", item.titulo, item.autor));
    let said = words(message);
    let rest: Vec<String> = said
        .iter()
        .filter(|word| !name.contains(word))
        .cloned()
        .collect();
    // "No, solo el primero" names it by its place.
    (rest.len() < said.len()).then_some(())?;
    let meant = meant(&rest.join(" "));
    let is_change = matches!(step(meant, &Route::Search), Step::Propose(_));
    (is_change && meant.confidence >= SURE_OF_NAMED).then_some(meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_beside_a_title_may_be_asked_of_the_shop() {
        let items = [ItemResult::named("El nombre de la rosa", "Umberto Eco")];
        for (message, of_shop) in [
            ("¿cuánto tarda en llegar El nombre de la rosa?", true),
            ("¿puedo devolver El nombre de la rosa si no me gusta?", true),
            ("¿cuánto cuesta el envío de El nombre de la rosa?", true),
            ("¿tenéis El nombre de la rosa?", false),
            ("¿cuánto cuesta El nombre de la rosa?", false),
            ("¿quién escribió El nombre de la rosa?", false),
            ("do u hav El nombre de la rosa", false),
            (
                "do you guys have El nombre de la rosa? its for college",
                false,
            ),
            (
                "it's a pity. and El nombre de la rosa, how much it costs?",
                false,
            ),
            ("¿hacéis envíos?", false),
        ] {
            assert_eq!(asks_shop_beside(&items, message), of_shop, "{message}");
        }
        assert!(only_names(&items, "¿y El nombre de la rosa?"));
        for message in [
            "¿me reservas El nombre de la rosa?",
            "can i reserve El nombre de la rosa?",
        ] {
            assert!(!only_names(&items, message), "{message}");
        }
    }

    #[test]
    fn a_title_says_nothing_of_what_is_to_be_done_with_it() {
        let items = [
            ItemResult::named("Rayuela", "Anónimo"),
            ItemResult::named("La reserva", "Anónimo"),
            ItemResult::named("Nada", "Carmen Laforet"),
        ];
        for (message, change) in [
            ("reserva Rayuela", true),
            ("pon Rayuela en la cesta", true),
            ("Rayuela", false),
            ("la reserva", false),
            ("¿cuánto cuesta Rayuela?", false),
            ("reserva", false),
            ("ponme Nada, de Laforet", true),
            ("no pongas nada más", false),
        ] {
            let meant = meant_beside_title(&items, message);
            assert_eq!(meant.is_some(), change, "{message} {meant:?}");
        }
    }
}
