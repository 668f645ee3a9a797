//! What a tool found, and what is not in it.

use super::SNAPSHOT_WARNING;
use crate::{
    catalogue::ItemResult,
    index::{Facets, Ranks, Sort, Source},
    language::List,
    log::ListedItem,
    text::{place_of, words},
    understand::{Fact, is_in, sought},
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
    /// The fact of the first result that was asked for.
    pub(crate) asked: Option<Fact>,
    /// In which order the results are.
    pub sort: Sort,
    /// By item number, where that was asked for and the text was searched.
    pub ranks: Vec<(u64, Ranks)>,
}

/// Whether a message asks for what somebody of that name has made.
fn is_maker(message: &str, name: &str) -> bool {
    let markers = List::Markers.in_all();
    let (said, name) = (words(message), words(name));
    // "De Rulfo o de Cortázar" is two of them.
    let is_one = !name.iter().any(|word| List::Function.in_all().has(word));
    let before = place_of(&name, &said)
        .filter(|_| is_one)
        .and_then(|at| said.get(at.checked_sub(1)?));
    before.is_some_and(|word| markers.stands(word, "by"))
}

/// Whether an item is by somebody of that name, or has the name in one of its texts as it is written: "Dan Brown" is not two words.
fn has_maker(item: &ItemResult, name: &str) -> bool {
    let name_words = words(name);
    let texts = [&item.editorial, &item.categoria, &item.descripcion];
    let texts = texts.into_iter().map(String::as_str);
    let mut texts = texts.chain(item.titles());
    is_in(name, &[&item.autor]) || texts.any(|text| place_of(&name_words, &words(text)).is_some())
}

impl Retrieved {
    /// Whether prices and copies are those of the index's build.
    pub(crate) fn is_of_the_build(&self) -> bool {
        self.warnings
            .iter()
            .any(|warning| warning == SNAPSHOT_WARNING)
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
        let absent = sought(message).filter(|name| !is_there(name));
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
            ("Dan Brown", "Dan Brown", false),
            ("libros de Rulfo o de Borges", "Rulfo o de Borges", false),
        ] {
            assert_eq!(is_maker(message, name), expected, "{message}");
        }
    }
}
