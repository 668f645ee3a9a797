//! What is done about a message, by its words and by what was found for it.

use super::beside::{
    SURE_OF_NAMED, SURE_OF_SHOP, asks_shop_beside, beside_title, has_long_title, is_titled,
    meant_beside_name, meant_beside_title, meant_beside_titles, only_names,
};
use crate::{
    catalogue::ItemResult,
    dialogue::{asks_of_it, begins_by_dropping, content, forbids, plainly},
    language::List,
    shop::{Locale, Profile},
    text::{is_same, place_of, words},
    tools::shop_info,
    turn::types::ChatRequest,
    understand::{
        Change, Fact, MAYBE_DISTRESS, Route, Step,
        intent::{Intent, Meant, likely_change},
        is_to_be_kept, names_kind, only_asks, only_recommends, sought, step,
        topic::{Topic, topics},
        wants_remembered,
    },
};

/// Whether a message is the whole title or the maker of one of the items.
fn names_whole(items: &[ItemResult], message: &str) -> bool {
    let message = words(message);
    let mut names = items
        .iter()
        .flat_map(|item| item.titles().chain([item.autor.as_str()]));
    names.any(|name| words(name) == message)
}

/// Surer than this, a question is one to the shop, although it has a name in it: "¿abrís en Navidad?", and not "is there Dune?".
pub(super) const SURE_OF_NO_NAME: f32 = 0.8;
/// So many words may be the theme of an item.
const THEME: usize = 3;
/// Surer than this, a message is what its words say, although an item has them in its name.
pub(super) const SURE_OF_WORDS: f32 = 0.9;

/// Whether all that a message says is in one text of an item, as one or as several: "abrigo".
fn is_of_an_item(
    items: &[ItemResult],
    message: &str,
    text: impl Fn(&ItemResult) -> String,
) -> bool {
    let content = content(message);
    let mut items = items.iter();
    !content.is_empty()
        && items.any(|item| {
            let text = words(&text(item));
            let has = |said: &String| {
                let mut text = text.iter();
                text.any(|word| is_same(word, said))
            };
            content.iter().all(has)
        })
}

/// Whether all that a message says, and that is several words, is in the name of who made an item, or in one of its titles.
fn names_several(items: &[ItemResult], message: &str) -> bool {
    let in_maker = || is_of_an_item(items, message, |item| item.autor.clone());
    let in_title = || is_of_an_item(items, message, |item| item.titulo.clone());
    content(message).len() > 1 && (in_maker() || in_title())
}

/// Whether all that a message says is one word, and the last of the name of who made an item: "have you something from Lem?"
fn names_maker(items: &[ItemResult], message: &str) -> bool {
    let content = content(message);
    let [said] = &content[..] else { return false };
    let mut makers = items.iter().map(|item| words(&item.autor));
    makers.any(|maker| maker.last() == Some(said))
}

/// What an item is called, and its kind.
fn name_and_kind(item: &ItemResult) -> String {
    format!("{} {}", item.titulo, item.categoria)
}

/// What an item is called, its kind, and what it is about.
fn all_of(item: &ItemResult) -> String {
    format!("{} {}", name_and_kind(item), item.descripcion)
}

/// What is done where the one word that is looked for is one of the shop's own texts, and of no item that was found: "tem
/// estacionamento?"
pub(super) fn or_of_shop(
    (step, route): (Step, &Route),
    items: &[ItemResult],
    (meant, message): (Meant, &str),
    locale: Locale<'_>,
) -> Step {
    let is_search = step == Step::Find && *route == Route::Search;
    let is_of_shop = is_search
        && meant.confidence < SURE_OF_WORDS
        && content(message).len() == 1
        && shop_info::says_all(message, 1, locale)
        && !is_of_an_item(items, message, all_of);
    if is_of_shop {
        Step::Read(shop_info::NAME)
    } else {
        step
    }
}

/// Whether a message is a few words of what an item is about, and no sentence: "una isla".
fn is_a_theme(items: &[ItemResult], message: &str) -> bool {
    words(message).len() <= THEME
        && !message.contains('?')
        && is_of_an_item(items, message, |item| item.descripcion.clone())
}

/// Whether what is taken for a wish of its own is part of a title that stands in the message as a whole.
fn is_of_title(items: &[ItemResult], wish: &str, message: &str) -> bool {
    let [wish, said] = [wish, message].map(words);
    let mut titles = items.iter().flat_map(ItemResult::titles);
    wish != said
        && titles.any(|title| {
            let title = words(title);
            place_of(&title, &said).is_some() && place_of(&wish, &title).is_some()
        })
}

/// The facts of the first item that a message asks for: of what was shown, or beside its title; `is_named` where it names one of those
/// that were shown by some word.
pub(super) fn facts_asked(
    items: &[ItemResult],
    message: &str,
    is_named: bool,
    shop: &Profile,
) -> Vec<Fact> {
    let attribute = |message: &str| {
        let place = shop.attribute_asked(message);
        place.map(Fact::Attribute).into_iter().collect()
    };
    if is_named {
        // "What's the second one about?"
        let said = words(message);
        let facts = match Fact::in_words(&said) {
            facts if facts.is_empty() => {
                let markers = List::Markers.in_all();
                let mut beside = List::beside(&[List::References], &said);
                beside.retain(|word| !markers.stands(word, "article"));
                Fact::in_words(&beside)
            }
            facts => facts,
        };
        // "Is it scary?" is answered by what it is about.
        return match facts.is_empty() {
            true if asks_of_it(message) => vec![Fact::About],
            true => attribute(message),
            false => facts,
        };
    }
    let facts = Fact::alone(message);
    let first = items.first().filter(|_| facts.is_empty());
    match first.and_then(|first| beside_title(first, &words(message))) {
        Some(beside) => match Fact::in_words(&beside) {
            facts if facts.is_empty() => attribute(&said_as(message, &beside)),
            facts => facts,
        },
        None => facts,
    }
}

/// Whether a message asks for an attribute of an item, and for no fact that every item has.
pub(super) fn asks_attribute(message: &str, shop: &Profile) -> bool {
    shop.attribute_asked(message).is_some() && Fact::in_words(&words(message)).is_empty()
}

/// Some words of a message, as a question where that is one.
fn said_as(message: &str, beside: &[String]) -> String {
    let mark = if message.contains('?') { "?" } else { "" };
    format!("{}{mark}", beside.join(" "))
}

/// Whether a message asks what something costs: "y El resplandor, ¿a cuánto va?"
fn asks_price(message: &str) -> bool {
    Fact::in_words(&words(message)).contains(&Fact::Price)
}

/// What is done about a wish that is meant and routed so, and may ask something first; and what it is meant for, given the items that
/// were found.
pub(super) fn decide(
    (meant, route, asks): (Meant, &Route, Option<Step>),
    items: &[ItemResult],
    wish: &str,
    request: &ChatRequest,
) -> (Meant, Step) {
    let has_title = is_titled(items, wish);
    let beside_title = match step(meant, route) {
        Step::Find if matches!(route, Route::LookupIds(_)) => meant_beside_titles(items, wish),
        Step::Find => {
            meant_beside_title(items, wish).or_else(|| meant_beside_name(items, wish, route))
        }
        // "Add Just Kids to my cart", "resérvame también Un mundo sin fin".
        Step::Read(_) if has_title && meant.confidence < SURE_OF_NO_NAME => {
            meant_beside_title(items, wish)
        }
        // "Ponme Tokio blues", "now add I Am Legend".
        Step::Say(said)
            if said != Intent::Distress && has_title && meant.confidence < SURE_OF_WORDS =>
        {
            meant_beside_title(items, wish)
        }
        // "Reserve Ficciones, please": a title that is not known may make one change look like another.
        Step::Propose(_) if has_title && meant.confidence < SURE_OF_SHOP => {
            meant_beside_title(items, wish)
        }
        _ => None,
    };
    let meant = beside_title.unwrap_or(meant);
    let of_shop = asks_shop_beside(items, wish);
    let step = match step(meant, route) {
        // "Gracias por el fuego" is thanks by its words, and a book by the catalogue.
        _ if names_whole(items, wish) => Step::Find,
        _ if is_of_title(items, wish, &request.message) => Step::Find,
        step @ (Step::Say(Intent::Distress) | Step::Ask(MAYBE_DISTRESS)) => step,
        step if asks.is_some() => asks.unwrap_or(step),
        _ if !has_title && shop_info::asks_who_speaks(wish) => Step::Read(shop_info::NAME),
        // "Sorpréndeme", whatever else that is like.
        _ if only_recommends(wish) => Step::Find,
        // "How much would Sense and Sensibility be?" asks for nothing of the customer's own.
        Step::Read(_) | Step::Propose(Change::Remember)
            if meant.confidence < SURE_OF_NAMED
                && !of_shop
                && !wants_remembered(wish)
                && ((wish.contains('?') && has_long_title(items, wish))
                    || (has_title && asks_price(wish))) =>
        {
            Step::Find
        }
        Step::Propose(change) if change.is_of_notes() && request.files.is_none() => {
            of_notes(change, wish)
        }
        // "¿Tengo que pagar ahora?" wants nothing done.
        Step::Propose(_) if !has_title && asks_whether_it_must(wish) => Step::Read(shop_info::NAME),
        Step::Propose(change) if forbids(wish, change) => Step::Find,
        // "O Alquimista" wants nothing done.
        Step::Propose(change)
            if change.is_of_item()
                && likely_change(wish) < SURE_OF_SHOP
                && (is_a_name(wish) || (change == Change::AddToCart && wish.contains('?'))) =>
        {
            Step::Find
        }
        // "And The Lord of the Rings?"
        Step::Propose(change)
            if change.is_of_item() && wish.contains('?') && only_names(items, wish) =>
        {
            Step::Find
        }
        // "Y Paula, ¿esa está?"
        Step::Propose(Change::Checkout)
            if has_title && wish.contains('?') && meant.confidence < SURE_OF_SHOP =>
        {
            Step::Find
        }
        // "Buy Ficciones" is one for the cart, and not all that is in it.
        Step::Propose(Change::Checkout) if has_title => Step::Propose(Change::AddToCart),
        // A word that is not known for sure, and that an item has.
        Step::Say(_)
            if meant.confidence < SURE_OF_WORDS && is_of_an_item(items, wish, name_and_kind) =>
        {
            Step::Find
        }
        // What is likelier that than anything else, asks for nothing by name, and finds nothing.
        Step::Find
            if meant.intent == Intent::OffTopic
                && *route == Route::Search
                && items.is_empty()
                && sought(wish).is_none()
                && request.files.is_none() =>
        {
            Step::Say(Intent::OffTopic)
        }
        Step::Say(Intent::OffTopic) if is_a_theme(items, wish) => Step::Find,
        // What is asked of the customer's own documents is looked for there.
        _ if request.files.is_some() => Step::Find,
        // "Do you have The Shining?" names an item, and asks nothing of the shop itself.
        Step::Read(shop_info::NAME)
            if (!of_shop
                && has_title
                && (meant.confidence < SURE_OF_WORDS || has_long_title(items, wish)))
                || (meant.confidence < SURE_OF_NO_NAME && sought(wish).is_some()) =>
        {
            Step::Find
        }
        // "Who wrote The Shadow of the Wind?", whatever else that looks like.
        Step::Say(Intent::OffTopic)
            if has_long_title(items, wish) && !Fact::in_words(&words(wish)).is_empty() =>
        {
            Step::Find
        }
        // "¿Qué tiene de García Lorca?"
        Step::Read(shop_info::NAME)
            if names_several(items, wish)
                || (meant.confidence < SURE_OF_WORDS && names_maker(items, wish)) =>
        {
            Step::Find
        }
        // "Any recommendations?"
        Step::Read(shop_info::NAME)
            if meant.confidence < SURE_OF_SHOP && only_asks(wish) && !asks_what_is_sold(wish) =>
        {
            Step::Find
        }
        // "¿Tenéis perros?" is of what there is, where anything is about them.
        Step::Read(shop_info::NAME)
            if meant.confidence < SURE_OF_NAMED
                && content(wish).len() == 1
                && is_of_an_item(items, wish, all_of) =>
        {
            Step::Find
        }
        // "¿Cuánto cuesta el envío de Fundación?"
        Step::Find if of_shop && meant.confidence < SURE_OF_WORDS => Step::Read(shop_info::NAME),
        // "What do you sell?"
        Step::Find
            if *route == Route::Search
                && meant.confidence < SURE_OF_NO_NAME
                && content(wish).is_empty()
                && !names_kind(wish)
                && asks_what_is_sold(wish) =>
        {
            Step::Read(shop_info::NAME)
        }
        step => step,
    };
    (meant, step)
}

/// Whether a message asks whether something has to be done.
fn asks_whether_it_must(message: &str) -> bool {
    message.contains('?') && List::Markers.in_all().says(&words(message), "must")
}

/// Whether a question to the shop is about what it sells, with a question mark or without.
fn asks_what_is_sold(question: &str) -> bool {
    topics(question.trim_end_matches('?'))[0].0 == Topic::About
}

/// What is done about a wish to have something remembered or forgotten. What is not to be forgotten is remembered, and the other way
/// round; "olvídalo" by itself leaves whatever it was.
fn of_notes(change: Change, wish: &str) -> Step {
    let is_kept = is_to_be_kept(wish);
    match change {
        Change::Forget if is_kept => Step::Propose(Change::Remember),
        Change::Forget if plainly(wish) == Some(false) => Step::Say(Intent::No),
        Change::Remember if !is_kept && (forbids(wish, change) || begins_by_dropping(wish)) => {
            Step::Propose(Change::Forget)
        }
        // A story is no sentence to be remembered, unless that is said.
        Change::Remember if !is_kept && !wants_remembered(wish) && has_sentences(wish) => {
            Step::Find
        }
        change => Step::Propose(change),
    }
}

/// Whether a message is a name and nothing else.
fn is_a_name(message: &str) -> bool {
    sought(message).is_some_and(|name| content(name) == content(message))
}

/// Whether a message has several sentences.
fn has_sentences(message: &str) -> bool {
    let sentences = message.split(['.', '!', '?', '\n']);
    sentences.filter(|text| !words(text).is_empty()).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> ItemResult {
        ItemResult::named("¡Gracias por el fuego!", "Mario Benedetti")
    }

    #[test]
    fn a_makers_name_is_no_question_to_the_shop() {
        let items = [item()];
        assert!(names_several(&items, "¿qué tienen de Mario Benedetti?"));
        for message in ["¿hacen envíos?", "¿dónde están?", "¿y Benedetti?"] {
            assert!(!names_several(&items, message), "{message}");
        }
    }

    /// "Gracias por el fuego" is thanks by its words alone.
    #[test]
    fn a_title_is_a_title_whatever_it_says() {
        let items = [item()];
        assert!(names_whole(&items, "gracias por el fuego"));
        assert!(names_whole(&items, "mario benedetti"));
        assert!(!names_whole(&items, "gracias"));
    }

    #[test]
    fn part_of_a_title_is_no_wish() {
        let items = [item()];
        let of_title = |wish: &str, message: &str| is_of_title(&items, wish, message);
        assert!(of_title("gracias", "¿tenéis Gracias por el fuego?"));
        assert!(!of_title("gracias", "gracias, adiós"));
        assert!(!of_title("gracias", "gracias"));
    }

    /// Words alike are not the same: "logo" is no "lobo".
    #[test]
    fn an_item_has_a_word_as_it_is() {
        let items = [item()];
        assert!(is_of_an_item(&items, "fuegos", name_and_kind));
        assert!(!is_of_an_item(&items, "juego", name_and_kind));
    }

    #[test]
    fn a_theme_is_no_sentence() {
        let items = [ItemResult {
            descripcion: "Una isla, un mar y un tesoro.".to_owned(),
            ..item()
        }];
        assert!(is_a_theme(&items, "una isla"));
        assert!(is_a_theme(&items, "islas y tesoros"));
        assert!(!is_a_theme(&items, "una casa"));
        assert!(!is_a_theme(&items, "¿una isla?"));
        assert!(!is_a_theme(&items, "quiero vivir en una isla"));
    }

    #[test]
    fn a_title_asks_for_no_fact() {
        let items = [ItemResult {
            titulo: "El precio de la sal".to_owned(),
            ..item()
        }];
        let shop = Profile::default();
        for (message, fact) in [
            ("¿tenéis El precio de la sal?", vec![]),
            ("¿quién escribió El precio de la sal?", vec![Fact::Maker]),
            ("how much is El precio de la sal?", vec![Fact::Price]),
            (
                "El precio de la sal, ¿de qué año es y cuánto vale?",
                vec![Fact::Year, Fact::Price],
            ),
            ("¿cuánto cuesta?", vec![Fact::Price]),
        ] {
            assert_eq!(
                facts_asked(&items, message, false, &shop),
                fact,
                "{message}"
            );
        }
    }

    #[test]
    fn what_is_asked_of_the_one_that_was_shown() {
        let (items, shop) = ([item()], Profile::default());
        for (message, facts) in [
            ("what's the second one about?", vec![Fact::About]),
            (
                "the second one, how much and what year?",
                vec![Fact::Price, Fact::Year],
            ),
            ("is it scary?", vec![Fact::About]),
            ("the second one", vec![]),
        ] {
            assert_eq!(
                facts_asked(&items, message, true, &shop),
                facts,
                "{message}"
            );
        }
    }

    #[test]
    fn a_message_is_a_search_where_its_form_says_so_or_nothing_is_sure() {
        let thanks = |confidence| Meant {
            intent: Intent::Thanks,
            confidence,
        };
        assert_eq!(step(thanks(0.9), &Route::Search), Step::Say(Intent::Thanks));
        assert_eq!(step(thanks(0.1), &Route::Search), Step::Find);
        assert_eq!(step(thanks(0.9), &Route::LookupId(3)), Step::Find);
    }
}
