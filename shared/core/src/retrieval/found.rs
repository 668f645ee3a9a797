//! What a tool found, and what is not in it.

use std::sync::Arc;

use super::{Recommended, SNAPSHOT_WARNING};
use crate::{
    catalogue::{ItemResult, title_in},
    index::{Facets, Index, Ranks, Sort, Source},
    language::List,
    log::ListedItem,
    text::{is_same, place_of, words},
    understand::{Fact, behind_maker, is_in, recommends, sought, sought_behind_word},
};

/// What a tool found.
#[derive(Debug, Clone, PartialEq)]
pub struct Retrieved {
    pub tool: &'static str,
    /// The code of a refusal; the results may then come from a search instead.
    pub error: Option<&'static str>,
    pub results: Vec<ItemResult>,
    pub source: Source,
    pub degraded: bool,
    pub warnings: Vec<String>,
    pub build_id: Option<String>,
    /// Where they were asked for.
    pub facets: Option<Facets>,
    /// The name that was asked for, where no result has it.
    pub absent: Option<String>,
    /// Why they are recommended, where the shop was asked to choose.
    pub(crate) recommended: Option<Recommended>,
    /// The facts of the first result that were asked for.
    pub(crate) asked: Vec<Fact>,
    /// How the prices of several were asked for.
    pub(crate) priced: Option<Priced>,
    /// In which order the results are.
    pub sort: Sort,
    /// By item number, where that was asked for and the text was searched.
    pub ranks: Vec<(u64, Ranks)>,
}

/// How the prices of several are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Priced {
    /// "How much are they?"
    Each,
    /// "What do they come to?"
    InAll,
}

/// What answers where no text is searched.
pub(super) fn source_of(index: Option<&Arc<dyn Index>>) -> Source {
    match index {
        Some(_) => Source::Keyword,
        None => Source::Catalogue,
    }
}

/// Whether a message asks for what somebody of that name has made.
fn is_maker(message: &str, name: &str) -> bool {
    let exclusions = List::Exclusions.in_all();
    let (said, name) = (words(message), words(name));
    // "De Rulfo o de Cortázar" is two of them.
    let is_one = !name.iter().any(|word| List::Function.in_all().has(word));
    let before = place_of(&name, &said)
        .filter(|_| is_one)
        .and_then(|at| said.get(at.checked_sub(1)?));
    before.is_some_and(|word| exclusions.stands(word, "maker"))
}

/// Whether an item is by somebody of that name, or has the name as it is written in what else is known of it: "Dan Brown" is not two
/// words, and "Japón" may begin one.
fn has_maker(item: &ItemResult, name: &str) -> bool {
    /// Fewer letters begin what has nothing to do with them: "Eco" and "economía".
    const BEGINNING: usize = 5;
    let name_words = words(name);
    let attributes = item.details.atributos.values();
    let attributes: Vec<String> = attributes.flat_map(|value| value.texts()).collect();
    let own = [&item.editorial, &item.categoria, &item.descripcion];
    let texts = own.into_iter().chain(&attributes).map(String::as_str);
    let mut texts = texts.chain(item.titles()).map(words);
    let is_written = |text: Vec<String>| match &name_words[..] {
        [name] => text.iter().any(|word| {
            is_same(word, name)
                || (name.chars().count() >= BEGINNING && word.starts_with(name.as_str()))
        }),
        names => place_of(names, &text).is_some(),
    };
    is_in(name, &[&item.autor]) || texts.any(is_written)
}

/// The words of the last sentence of a message that says anything: "le gustó Patria. ¿Hay alguna de la guerra civil?" asks for the latter.
fn last_telling_sentence(message: &str) -> Vec<String> {
    let sentences = message.rsplit(['.', '!', '?', '…', ';', '\n']).map(words);
    let mut telling = sentences.filter(|words| !words.iter().all(|word| List::is_small(word)));
    telling.next().unwrap_or_default()
}

impl Retrieved {
    /// Nothing, of a tool that looked there.
    pub(crate) fn nothing(tool: &'static str, source: Source) -> Self {
        Self {
            tool,
            error: None,
            results: Vec::new(),
            source,
            degraded: false,
            warnings: Vec::new(),
            build_id: None,
            facets: None,
            absent: None,
            recommended: None,
            asked: Vec::new(),
            priced: None,
            sort: Sort::default(),
            ranks: Vec::new(),
        }
    }

    /// Whether no fact of what was found was asked for.
    pub(crate) fn asks_nothing(&self) -> bool {
        self.asked.is_empty() && self.priced.is_none()
    }

    /// Whether prices and copies are those of the index's build.
    pub(crate) fn is_of_the_build(&self) -> bool {
        self.warnings
            .iter()
            .any(|warning| warning == SNAPSHOT_WARNING)
    }

    /// The same, of what the message has the whole title of and nothing else alone: "¿tenéis Ficciones?" asks for no other item.
    pub(super) fn alone_by_title(mut self, message: &str) -> Self {
        let said = words(message);
        let says_nothing = |words: &[String]| words.iter().all(|word| List::is_small(word));
        // "It by Stephen King": a title that says nothing is one where its maker is named with it.
        let is_whole = |item: &ItemResult| {
            let maker = words(&item.autor);
            let is_made = place_of(&maker, &said).is_some();
            let titles = item.titles();
            let mut titles = titles.filter(|title| is_made || !says_nothing(&words(title)));
            let is_beside =
                |word: &String| List::is_small(word) || (is_made && maker.contains(word));
            title_in(&mut titles, &said).is_some_and(|(_, at)| {
                let mut beside = said[..at.start].iter().chain(&said[at.end..]);
                beside.all(is_beside)
            })
        };
        // "Oi! A minha filha precisa d'O Principezinho para a escola, têm?"
        let sentence = last_telling_sentence(message);
        let is_open = recommends(message) || List::Similar.in_all().says(&said, "like");
        let is_named = |item: &ItemResult| {
            let telling = |title: &&str| {
                let own = words(title).into_iter();
                own.filter(|word| !List::is_small(word)).count() > 1
            };
            let named = title_in(item.titles().filter(telling), &sentence);
            // "O Senhor dos Anéis e o Hobbit" are two.
            let markers = List::Markers.in_all();
            let is_joined = |end: usize| {
                let behind = sentence.get(end);
                behind.is_some_and(|word| markers.stands(word, "clause"))
            };
            !is_open && named.is_some_and(|(_, at)| !is_joined(at.end))
        };
        let is_one = |item: &ItemResult| is_whole(item) || is_named(item);
        if self.results.iter().any(is_one) {
            self.results.retain(is_one);
        }
        self
    }

    /// The same, with the name that the message asks for where no result has it.
    pub(super) fn without_name(self, message: &str) -> Self {
        let has = |item: &ItemResult, name: &str| {
            let attributes = item.details.atributos.values();
            let attributes: Vec<String> = attributes.flat_map(|value| value.texts()).collect();
            let own = [
                &item.titulo,
                &item.autor,
                &item.editorial,
                &item.categoria,
                &item.descripcion,
            ];
            let texts = own.into_iter().chain(&attributes).map(String::as_str);
            let texts: Vec<&str> = texts.chain(item.titles()).collect();
            is_in(name, &texts)
        };
        let is_there = |name: &str| {
            let is_maker = is_maker(message, name);
            self.results.iter().any(|item| match is_maker {
                true => has_maker(item, name),
                false => has(item, name),
            })
        };
        // "Anything by dan brown?", where there is a Dan of another name: it is a name, and nobody's.
        let half_known = || {
            let name = behind_maker(message)?;
            let own = words(name);
            let has_one = |item: &ItemResult| {
                let maker = words(&item.autor);
                own.iter().any(|word| maker.contains(word))
            };
            // "Penas de Werther Goethe" is a title and its maker.
            let is_one = self.results.iter().any(has_one)
                && !self.results.iter().any(|item| has(item, name));
            is_one.then_some(name)
        };
        let absent = sought(message).or_else(|| sought_behind_word(message));
        let absent = absent.or_else(half_known);
        let absent = absent.filter(|name| !is_there(name));
        let absent = absent.map(str::to_owned);
        // "Anything by Dan Brown?" wants nothing by anybody else.
        let is_of_maker = absent
            .as_deref()
            .is_some_and(|name| is_maker(message, name));
        let results = match is_of_maker {
            true => Vec::new(),
            false => self.results,
        };
        Self {
            absent,
            results,
            ..self
        }
    }

    /// What was found, as the log keeps it.
    pub(crate) fn listed(&self) -> Vec<ListedItem> {
        let items = self.results.iter();
        let listed = items.map(|item| ListedItem {
            libro_id: item.libro_id,
            precio: item.precio,
            stock: item.stock,
        });
        listed.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maker_is_named_behind_a_by() {
        for (message, name, expected) in [
            ("anything by Dan Brown?", "Dan Brown", true),
            ("¿tenéis algo de Paulo Coelho?", "Paulo Coelho", true),
            ("têm alguma coisa do Saramago?", "Saramago", true),
            ("¿tenéis Solenoide?", "Solenoide", false),
            ("books from Japan", "Japan", false),
            ("Dan Brown", "Dan Brown", false),
            ("libros de Rulfo o de Borges", "Rulfo o de Borges", false),
        ] {
            assert_eq!(is_maker(message, name), expected, "{message}");
        }
    }

    /// Which of some titles by one maker are left, where the message has one of them alone.
    fn alone_of(titles: &[&str], maker: &str, message: &str) -> Vec<String> {
        let items = titles.iter().map(|title| ItemResult::named(title, maker));
        let found = Retrieved {
            results: items.collect(),
            ..Retrieved::nothing("search_catalog", Source::Vector)
        };
        let left = found.alone_by_title(message).results.into_iter();
        left.map(|item| item.titulo).collect()
    }

    #[test]
    fn a_title_that_says_nothing_is_one_beside_its_maker() {
        for (message, left) in [
            ("have you got It by Stephen King", &["It"][..]),
            ("have you got it?", &["El resplandor", "It"]),
            ("¿tenéis El resplandor?", &["El resplandor"]),
            (
                "it and others by Stephen King about clowns",
                &["El resplandor", "It"],
            ),
        ] {
            let found = alone_of(&["El resplandor", "It"], "Stephen King", message);
            assert_eq!(found, left, "{message}");
        }
    }

    #[test]
    fn a_title_that_tells_is_alone_whatever_it_is_for() {
        for (message, left) in [
            (
                "Oi! A minha filha precisa d'O amor nos tempos do cólera para a escola, têm?",
                1,
            ),
            (
                "le gustó O amor nos tempos do cólera. ¿Hay alguna de la guerra?",
                2,
            ),
            ("têm O amor nos tempos do cólera e a Lolita?", 2),
            (
                "recomende-me algo triste como O amor nos tempos do cólera",
                2,
            ),
        ] {
            let found = alone_of(
                &["O amor nos tempos do cólera", "Lolita"],
                "Anónimo",
                message,
            );
            assert_eq!(found.len(), left, "{message}");
        }
    }

    #[test]
    fn what_has_a_maker_s_name_is_not_cleared() {
        let item = |autor: &str, descripcion: &str| ItemResult {
            descripcion: descripcion.to_owned(),
            ..ItemResult::named("Kokoro", autor)
        };
        let found = |item: ItemResult, message: &str| {
            let found = Retrieved {
                results: vec![item],
                ..Retrieved::nothing("search_catalog", Source::Vector)
            };
            let found = found.without_name(message);
            (found.results.len(), found.absent)
        };
        let soseki = || {
            item(
                "Natsume Sōseki",
                "Una amistad japonesa, contada por Dan y por Brown.",
            )
        };
        for (message, left) in [
            ("algo de Natsume Soseki", 1),
            ("algo de Japón", 1),
            ("anything by Dan Brown?", 0),
            ("algo de natsume ogawa", 0),
            ("algo de kokoro natsume", 1),
            ("algo de amistad japonesa", 1),
            ("algo de amistad rusa", 1),
            ("algo de Saramago", 0),
        ] {
            let (results, absent) = found(soseki(), message);
            assert_eq!((results, absent.is_none()), (left, left == 1), "{message}");
        }
    }
}
