//! What a search leaves out: "algo de terror que no sea de Stephen King".

use super::route::word_places;
use crate::{
    catalogue::ItemResult,
    language::List,
    text::{fold, is_same, words},
};

/// Most words that are left out.
const WORDS: usize = 4;

/// A search without what it leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exclusion {
    /// What is looked for.
    pub(crate) kept: String,
    /// Nothing that is named so is wanted.
    pub(crate) named: Vec<String>,
}

impl Exclusion {
    /// What a text leaves out, where it looks for something beside that.
    pub(crate) fn in_text(text: &str) -> Option<Self> {
        Self::read(text).filter(Self::looks_for_something)
    }

    /// Whether a text leaves something out and looks for nothing: "que no sea de Stephen King".
    pub(crate) fn is_alone(text: &str) -> bool {
        Self::read(text).is_some_and(|exclusion| !exclusion.looks_for_something())
    }

    fn looks_for_something(&self) -> bool {
        !List::beside(&List::SMALL, &words(&self.kept)).is_empty()
    }

    fn read(text: &str) -> Option<Self> {
        let [list, light] = [List::Exclusions, List::Light].map(List::in_all);
        let (mut kept, mut named) = (Vec::new(), Vec::new());
        for part in text.split([',', '.', ';', '?', '!', '\n']) {
            let (places, said): (Vec<_>, Vec<_>) = word_places(part)
                .map(|(place, word)| (place, fold(word)))
                .unzip();
            let place = (0..said.len()).find_map(|at| {
                let found = list.at(&said[at..])?;
                (found.key == "but-not").then_some((at, found.words))
            });
            let Some((at, length)) = place.filter(|_| named.is_empty()) else {
                kept.push(part.trim());
                continue;
            };
            let rest = said[at + length..].iter();
            let rest = rest.skip_while(|word| list.stands(word, "between"));
            named.extend(rest.cloned());
            kept.push(part[..places[at].start].trim());
        }
        // "Que no sea muy caro" is an order of prices, and no name.
        let agreement = List::Agreement.in_all();
        named.retain(|word| !light.has(word) && !agreement.has(word));
        kept.retain(|part| !part.is_empty());
        let kept = kept.join(" ");
        let is_name = (1..=WORDS).contains(&named.len());
        is_name.then_some(Self { kept, named })
    }

    /// Whether an item is what is left out: its title, its maker, its kind or what it is about has all of the words.
    pub(crate) fn leaves_out(&self, item: &ItemResult) -> bool {
        let texts = [
            &item.titulo,
            &item.autor,
            &item.categoria,
            &item.descripcion,
        ];
        let list = List::Exclusions.in_all();
        // What it is without, it does not have: "sin mangas".
        let is_without = |text: &[String], at: usize| {
            let before = at
                .checked_sub(1)
                .and_then(|before| list.at(&text[before..at]));
            before.is_some_and(|found| found.key == "but-not")
        };
        texts.into_iter().any(|text| {
            let text = words(text);
            self.named.iter().all(|name| {
                let mut places = 0..text.len();
                places.any(|at| is_same(&text[at], name) && !is_without(&text, at))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_behind_a_but_not_is_left_out() {
        for (text, kept, named) in [
            (
                "algo de terror pero que no sea de Stephen King",
                "algo de terror pero",
                "stephen king",
            ),
            (
                "Roald Dahl books, but not Matilda, we have it",
                "Roald Dahl books we have it",
                "matilda",
            ),
            (
                "queria um livro de terror, mas nada do Stephen King",
                "queria um livro de terror",
                "stephen king",
            ),
            (
                "algo de García Lorca que no sea teatro",
                "algo de García Lorca",
                "teatro",
            ),
            (
                "something in horror, but not Stephen King please",
                "something in horror",
                "stephen king",
            ),
        ] {
            let found = Exclusion::in_text(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (found.kept.as_str(), found.named.join(" ").as_str()),
                (kept, named)
            );
        }
        for text in [
            "",
            "Menos que cero",
            "Y no quedó ninguno",
            "algo que no sea muy caro",
            "no country for old men",
            "una novela de terror",
        ] {
            assert_eq!(Exclusion::in_text(text), None, "{text}");
        }
    }

    #[test]
    fn what_looks_for_nothing_goes_on_with_what_was_looked_for() {
        for text in [
            "que no sea de Stephen King",
            "pero q no sean de Lorca, porfa",
            "sem asimov pfv",
        ] {
            assert!(Exclusion::is_alone(text), "{text}");
        }
        for text in ["algo de terror que no sea de King", "terror", ""] {
            assert!(!Exclusion::is_alone(text), "{text}");
        }
    }

    #[test]
    fn what_an_item_is_without_it_does_not_have() {
        let item = |descripcion: &str| ItemResult {
            descripcion: descripcion.to_owned(),
            ..ItemResult::named("Camisa", "")
        };
        let exclusion = Exclusion::in_text("camisa que no tenga mangas").unwrap();
        assert!(exclusion.leaves_out(&item("De mangas largas.")));
        assert!(exclusion.leaves_out(&item("De manga larga.")));
        assert!(!exclusion.leaves_out(&item("Sin mangas, de lino.")));
        assert!(!exclusion.leaves_out(&item("De lino.")));
    }
}
