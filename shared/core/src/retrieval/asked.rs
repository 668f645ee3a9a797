//! What a text asks for and nothing else: a kind of item, or what somebody made.

use crate::{
    index::{Filters, Hit, IndexQuery},
    language::List,
    text::{place_of, words},
};

/// The kind of item, or the maker, that a text asks for where it asks for nothing else: "algo de terror", "poesía", "books by Lorca".
pub(super) fn all_asked_for(query: &IndexQuery, hits: &[Hit]) -> Option<Filters> {
    let filters = &query.filters;
    if filters.categoria.is_some() || filters.autor.is_some() || query.similar_to.is_some() {
        return None;
    }
    let [light, function] = [List::Light, List::Function].map(List::in_all);
    let said = words(&query.text);
    let is_small = |word: &String| light.has(word) || function.has(word);
    // Who writes a title wants that item.
    let is_title = |hit: &Hit| place_of(&words(&hit.item.titulo), &said).is_some();
    if hits.iter().any(is_title) {
        return None;
    }
    let mut kinds = hits.iter().map(|hit| &hit.item.categoria);
    let kind = kinds.find(|kind| {
        let kind = words(kind);
        let is_named = kind.iter().any(|word| !is_small(word));
        is_named
            && kind.iter().all(|word| said.contains(word))
            && said
                .iter()
                .all(|word| kind.contains(word) || is_small(word))
    });
    let telling: Vec<&String> = said.iter().filter(|word| !is_small(word)).collect();
    // Of whom there is a book among the first: by their last name at least.
    let mut makers = hits.iter().map(|hit| &hit.item.autor);
    let maker = makers.find(|maker| {
        let maker = words(maker);
        let has_last = maker.last().is_some_and(|last| telling.contains(&last));
        has_last && telling.iter().all(|word| maker.contains(word))
    });
    // "Luna" may be somebody, and then the best is by them.
    let best = hits.first().map(|hit| &hit.item.autor);
    let maker = maker.filter(|maker| telling.len() > 1 || best == Some(maker));
    let (categoria, autor) = match (kind, maker) {
        (None, None) => return None,
        (Some(kind), _) => (Some(kind.clone()), None),
        (None, maker) => (None, maker.cloned()),
    };
    Some(Filters {
        categoria,
        autor,
        ..filters.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::{Details, Item},
        price::Price,
    };

    fn hit(titulo: &str, autor: &str, categoria: &str) -> Hit {
        Hit {
            item: Item {
                libro_id: 1,
                titulo: titulo.to_owned(),
                autor: autor.to_owned(),
                isbn: String::new(),
                precio: Price::from_minor(900),
                categoria: categoria.to_owned(),
                editorial: String::new(),
                publicado: None,
                descripcion: String::new(),
                details: Details::default(),
            },
            stock: 1,
            score: 1.0,
            ranks: None,
        }
    }

    #[test]
    fn a_kind_or_a_maker_is_asked_for_where_nothing_else_is() {
        let hits = [
            hit("Bodas de sangre", "Federico García Lorca", "Teatro"),
            hit("Drácula", "Bram Stoker", "Terror"),
            hit("Solaris", "Stanisław Lem", "Ciencia ficción"),
            hit("La novela perdida", "Ana Luna", "Novela"),
        ];
        let asked = |text: &str| {
            let query = IndexQuery {
                text: text.to_owned(),
                ..IndexQuery::default()
            };
            all_asked_for(&query, &hits).map(|filters| (filters.categoria, filters.autor))
        };
        let kind = |kind: &str| Some((Some(kind.to_owned()), None));
        let maker = |maker: &str| Some((None, Some(maker.to_owned())));
        assert_eq!(asked("algo de terror"), kind("Terror"));
        assert_eq!(asked("ciencia ficción"), kind("Ciencia ficción"));
        assert_eq!(
            asked("libros de García Lorca"),
            maker("Federico García Lorca")
        );
        assert_eq!(asked("Bram Stoker"), maker("Bram Stoker"));
        assert_eq!(asked("lorca"), maker("Federico García Lorca"));
        for text in [
            "",
            "una historia de terror y amor",
            "Drácula",
            "una novela",
            "Federico",
            "luna",
            "algo de terror para Ana",
        ] {
            assert_eq!(asked(text), None, "{text}");
        }
    }
}
