//! What a search leaves out: "algo de terror que no sea de Stephen King".

use super::{only_recommends, route::word_places};
use crate::{
    catalogue::ItemResult,
    language::List,
    text::{clauses, fold, is_same, words},
};

/// Most words that are left out.
const WORDS: usize = 4;

/// A search without what it leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exclusion {
    /// What is looked for.
    pub(crate) kept: String,
    /// Nothing that is named by all words of one of these is wanted.
    pub(crate) named: Vec<Vec<String>>,
}

impl Exclusion {
    /// What a text leaves out, where it looks for something beside that.
    pub(crate) fn in_text(text: &str) -> Option<Self> {
        Self::read(text).filter(Self::looks_for_something)
    }

    /// What a text leaves out that leaves the choice to the shop: "no me gusta la novela negra, recomiéndame otra cosa".
    pub(crate) fn of_choice(text: &str) -> Option<Self> {
        Self::read(text).filter(|exclusion| only_recommends(&exclusion.kept))
    }

    /// Whether a text leaves something out and looks for nothing: "que no sea de Stephen King".
    pub(crate) fn is_alone(text: &str) -> bool {
        Self::read(text).is_some_and(|exclusion| !exclusion.looks_for_something())
    }

    fn looks_for_something(&self) -> bool {
        // "Same, but nothing by Wells."
        let lists = [&[List::References], &List::SMALL[..]].concat();
        !List::beside(&lists, &words(&self.kept)).is_empty()
    }

    /// What a text leaves out, whatever else it says.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let [list, joints] = [List::Exclusions, List::Markers].map(List::in_all);
        let (mut kept, mut named) = (Vec::new(), Vec::new());
        for part in clauses(text) {
            let (places, said): (Vec<_>, Vec<_>) = word_places(part)
                .map(|(place, word)| (place, fold(word)))
                .unzip();
            let but_not = |at: usize| {
                let found = list.at(&said[at..]);
                found.filter(|found| found.key == "but-not")
            };
            // "Que no dé mucho miedo" may be some.
            let is_degree = |word: &String| list.stands(word, "degree");
            let first = (0..said.len()).find(|at| but_not(*at).is_some());
            let first = first.filter(|first| !said[*first..].iter().any(is_degree));
            // "De animales no."
            if let (None, [of, name @ .., no]) = (first, &said[..])
                && joints.stands(of, "by")
                && joints.stands(no, "negation")
            {
                named.push(name.to_vec());
                continue;
            }
            // "Su poesía, no el teatro."
            if let (None, false, [no, article, name @ ..]) = (first, kept.is_empty(), &said[..])
                && joints.stands(no, "negation")
                && joints.stands(article, "article")
            {
                named.push(name.to_vec());
                continue;
            }
            let Some(first) = first else {
                kept.push(part.trim());
                continue;
            };
            kept.push(part[..places[first].start].trim());
            // "No Asimov and no Dick", "ni Lorca ni Shakespeare".
            let (mut at, mut name) = (first, Vec::new());
            while at < said.len() {
                let length = but_not(at).map(|found| found.words.max(1));
                let is_joint = joints.stands(&said[at], "clause");
                if length.is_some() || is_joint {
                    named.push(std::mem::take(&mut name));
                } else if !(name.is_empty() && list.stands(&said[at], "between")) {
                    name.push(said[at].clone());
                }
                at += length.unwrap_or(1);
            }
            named.push(name);
        }
        let named: Vec<Vec<String>> = named.into_iter().map(named_by).collect();
        let named: Vec<_> = named.into_iter().filter(|name| !name.is_empty()).collect();
        kept.retain(|part| !part.is_empty());
        let kept = kept.join(", ");
        let is_named = !named.is_empty() && named.iter().all(|name| name.len() <= WORDS);
        is_named.then_some(Self { kept, named })
    }

    /// The same, and what categories are called otherwise is left out by their own names, too: "no plays".
    pub(crate) fn with_kinds(mut self, own: impl Fn(&str) -> Option<String>) -> Self {
        let kinds = self.named.iter().filter_map(|name| own(&name.join(" ")));
        let kinds: Vec<Vec<String>> = kinds.map(|kind| words(&kind)).collect();
        self.named.extend(kinds);
        self
    }

    /// Whether what has these titles and makers is what is left out.
    pub(crate) fn leaves_out_name(&self, titles: &[String], makers: &[String]) -> bool {
        let own: Vec<String> = titles
            .iter()
            .chain(makers)
            .flat_map(|name| words(name))
            .collect();
        let mut named = self.named.iter();
        named.any(|name| name.iter().all(|word| own.contains(word)))
    }

    /// Whether an item is what is left out: its title, its maker, its kind or what it is about has all of the words.
    pub(crate) fn leaves_out(&self, item: &ItemResult) -> bool {
        let texts = [&item.categoria, &item.descripcion].map(|text| (text.as_str(), true));
        let names = item.titles().chain([item.autor.as_str()]);
        let texts = texts.into_iter().chain(names.map(|name| (name, false)));
        let list = List::Exclusions.in_all();
        // What it is without, it does not have: "sin mangas".
        let is_without = |text: &[String], at: usize| {
            let before = at
                .checked_sub(1)
                .and_then(|before| list.at(&text[before..at]));
            before.is_some_and(|found| found.key == "but-not")
        };
        texts.into_iter().any(|(text, may_translate)| {
            let text = words(text);
            let is_it = |said: &str, word: &str| {
                is_same(said, word) || (may_translate && is_cognate(said, word))
            };
            let has = |word: &String| {
                let mut places = 0..text.len();
                places.any(|at| is_it(&text[at], word) && !is_without(&text, at))
            };
            self.named.iter().any(|name| name.iter().all(has))
        })
    }
}

/// Whether two folded words are likely the same in two languages, since they differ in their ends alone: "vampires", "vampiros".
fn is_cognate(one: &str, other: &str) -> bool {
    const STEM: usize = 5;
    const END: usize = 2;
    let alike = one.chars().zip(other.chars());
    let stem = alike.take_while(|(one, other)| one == other).count();
    stem >= STEM && one.chars().count().max(other.chars().count()) <= stem + END
}

/// What of some words names something. "Que no sea muy caro" is an order of prices, and no name; "no novels" names a category.
fn named_by(said: Vec<String>) -> Vec<String> {
    let [light, agreement] = [List::Light, List::Agreement].map(List::in_all);
    let named = said
        .into_iter()
        .filter_map(|word| match light.at(&[&word]) {
            Some(found) if ["asking", "grammar"].contains(&found.key) => None,
            Some(found) => Some(found.key.to_owned()),
            None => (!agreement.has(&word)).then_some(word),
        });
    named.collect()
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
            ("un cuento, de animales no", "un cuento", "animales"),
            (
                "Roald Dahl books, but not Matilda, we have it",
                "Roald Dahl books, we have it",
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
            (
                "teatro, nada de Shakespeare nem Lorca",
                "teatro",
                "shakespeare lorca",
            ),
            (
                "sci-fi but no Asimov and no Philip Dick",
                "sci-fi",
                "asimov philip dick",
            ),
            ("something Roman, not a novel", "something Roman", "novela"),
            (
                "releer a Lorca, pero su poesía, no el teatro",
                "releer a Lorca, pero su poesía",
                "teatro",
            ),
        ] {
            let found = Exclusion::in_text(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (found.kept.as_str(), found.named.concat().join(" ").as_str()),
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

    /// Catalogues are in one language, and customers in another.
    #[test]
    fn what_is_left_out_is_known_in_another_language() {
        for (one, other, is_same) in [
            ("vampires", "vampiros", true),
            ("zombies", "zombis", true),
            ("dragons", "dragones", true),
            ("monkeys", "monjes", false),
            ("magic", "magnolia", false),
            ("historias", "historiador", false),
        ] {
            assert_eq!(is_cognate(one, other), is_same, "{one} {other}");
        }
        let item = ItemResult {
            descripcion: "Una historia de vampiros.".to_owned(),
            ..ItemResult::named("Déjame entrar", "John Martínez")
        };
        let leaves_out = |text| Exclusion::in_text(text).is_some_and(|left| left.leaves_out(&item));
        assert!(leaves_out("something in horror, but no vampires"));
        // A name is a name.
        assert!(!leaves_out("algo de terror que no sea de Martín"));
    }

    #[test]
    fn what_looks_for_nothing_goes_on_with_what_was_looked_for() {
        for text in [
            "que no sea de Stephen King",
            "pero q no sean de Lorca, porfa",
            "sem asimov pfv",
            "de animales no",
            "same but nothing by h g wells",
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
