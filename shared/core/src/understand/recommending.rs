//! What asks the shop for its own choice: "¿qué me recomiendas?", "surprise me".

use crate::{
    language::{Found, List},
    text::words,
};

/// Whether a message asks the shop to choose.
pub(crate) fn recommends(message: &str) -> bool {
    List::Recommending.in_all().says(&words(message), "asks")
}

/// Whether a message asks the shop to choose, and says nothing of what: no kind, no name, and none of what was shown.
pub(crate) fn only_recommends(message: &str) -> bool {
    let said = words(message);
    let is_of_shown = || List::References.in_all().says(&said, "among");
    recommends(message) && beside_recommending(message).is_empty() && !is_of_shown()
}

/// The words that say what a message wants, beside those that ask the shop to choose.
pub(crate) fn beside_recommending(message: &str) -> Vec<String> {
    let [recommending, light] = [List::Recommending, List::Light].map(List::in_all);
    let said = words(message);
    let is_kind = |found: Found| !matches!(found.key, "asking" | "grammar");
    let (mut beside, mut at) = (Vec::new(), 0);
    while at < said.len() {
        let rest = &said[at..];
        let length = recommending.at(rest).map_or(0, |found| found.words);
        // "Novela" is small, and a kind.
        let is_kind = light.at(&rest[..1]).is_some_and(is_kind);
        if length == 0 && (is_kind || !List::is_small(&said[at])) {
            beside.push(said[at].clone());
        }
        at += length.max(1);
    }
    beside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_nothing_else_leaves_the_choice_to_the_shop() {
        for message in [
            "¿qué me recomiendas?",
            "recomiéndame algo",
            "¿Me recomendáis un libro?",
            "sorpréndeme",
            "no sé qué leer, ¿alguna sugerencia?",
            "any recommendations?",
            "what do you suggest?",
            "Can you recommend something good to read?",
            "surprise me!",
            "me recomenda alguma coisa?",
            "o que vocês indicam?",
            "me surpreenda",
        ] {
            assert!(only_recommends(message), "{message}");
        }
        for message in [
            "",
            "hola",
            "busco un libro",
            "¿qué me recomiendas de poesía?",
            "recomiéndame una novela",
            "recomiéndame algo parecido a Rayuela",
            "me recomendaron La magia del orden",
            "¿cuál de estos me recomiendas?",
            "recommend me a book for my mother",
            "recomende um romance",
        ] {
            assert!(!only_recommends(message), "{message}");
        }
    }

    #[test]
    fn what_is_wanted_stands_beside_it() {
        for (message, expected) in [
            ("¿qué me recomiendas de poesía?", "poesia"),
            ("recomiéndame una novela", "novela"),
            ("any sci-fi recommendations?", "sci fi"),
            ("sorpréndeme", ""),
        ] {
            assert_eq!(
                beside_recommending(message).join(" "),
                expected,
                "{message}"
            );
        }
    }
}
