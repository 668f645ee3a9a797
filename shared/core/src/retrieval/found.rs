//! What a tool found, and what is not in it.

use super::SNAPSHOT_WARNING;
use crate::{
    catalogue::ItemResult,
    index::{Facets, Ranks, Sort, Source},
    log::ListedItem,
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
        let is_there = |name: &&str| self.results.iter().any(|item| has(item, name));
        let absent = sought(message).filter(|name| !is_there(name));
        Self {
            absent: absent.map(str::to_owned),
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
