//! What a text asks for and nothing else: a kind of item, or what somebody made.

use std::{cell::LazyCell, collections::HashSet};

use crate::{
    catalogue::title_in,
    index::{Filters, Hit, IndexQuery},
    language::{List, Phrases},
    text::{clauses, fold, is_slip, place_of_name, words},
};

/// The kind of item, or the maker, that a text asks for where it asks for nothing else: "algo de terror", "poesía", "books by Lorca".
pub(super) fn all_asked_for(query: &IndexQuery, hits: &[Hit]) -> Option<Filters> {
    let filters = &query.filters;
    if filters.categoria.is_some() || filters.autor.is_some() || query.similar_to.is_some() {
        return None;
    }
    let [markers, references] = [List::Markers, List::References].map(List::in_all);
    let said = words(&query.text);
    let numerals = List::Numerals.in_all();
    let is_small = |word: &String| List::is_small(word) || numerals.has(word);
    // Who writes a title wants that item.
    let is_title = |hit: &Hit| title_in(hit.item.titles(), &said).is_some();
    if hits.iter().any(is_title) {
        return None;
    }
    let telling: Vec<&String> = said.iter().filter(|word| !is_small(word)).collect();
    let mut kinds = hits.iter().map(|hit| &hit.item.categoria);
    let kind = kinds.find(|kind| {
        let kind = words(kind);
        let mut named = kind.iter().filter(|word| !is_small(word)).peekable();
        named.peek().is_some() && named.all(|word| said.contains(word))
    });
    let of_kind = kind.map(|kind| words(kind)).unwrap_or_default();
    let rest = telling.iter().filter(|word| !of_kind.contains(word));
    let rest: Vec<&&String> = rest.collect();
    // "Che, ¿qué teatro tienen?": what no text has looks for nothing.
    let texts = LazyCell::new(|| words_of(hits));
    let is_found = |word: &String| texts.contains(word);
    let is_told_by_nothing = || !rest.iter().any(|word| is_found(word));
    // "Un regalo para mi madre, le encanta la poesía."
    let is_told_alone = || {
        let mut clauses = clauses(&query.text)
            .map(words)
            .filter(|clause| clause.len() < said.len());
        clauses.any(|clause| {
            let mut telling = clause.iter().filter(|word| !is_small(word)).peekable();
            telling.peek().is_some() && telling.all(|word| of_kind.contains(word))
        })
    };
    // Of whom there is a book among the first: by their last name at least.
    let mut makers = hits.iter().map(|hit| &hit.item.autor);
    let maker = makers.find(|name| {
        let maker = words(name);
        // "Agatha Cristie."
        let is_of_maker = |word: &String| maker.iter().any(|own| is_slip(word, own));
        let last = maker.last();
        let last = last.filter(|last| rest.iter().any(|word| is_slip(word, last)));
        let at = said.iter().position(is_of_maker);
        let before = at.and_then(|at| said.get(at.checked_sub(1)?));
        let is = |list: &Phrases, key: &str| before.is_some_and(|word| list.stands(word, key));
        // "Para Ana" is for somebody.
        let is_for = is(references, "whom");
        let mut others = rest.iter().filter(|word| !is_of_maker(word));
        let is_alone = others.all(|word| is(markers, "by") && !is_found(word));
        last.is_some() && !is_for && (is_alone || is_named(name, &said, hits))
    });
    // "Luna" may be somebody, and then the best is by them.
    let best = hits.first().map(|hit| &hit.item.autor);
    let maker = maker.filter(|maker| telling.len() > 1 || best == Some(maker));
    let (categoria, autor) = match (kind, maker) {
        (None, None) => return None,
        (Some(_), None) if !is_told_by_nothing() && !is_told_alone() => return None,
        (kind, maker) => (kind.cloned(), maker.cloned()),
    };
    Some(Filters {
        categoria,
        autor,
        ..filters.clone()
    })
}

/// Whether somebody is named as who made what is asked for, whatever else is said: by their whole name, or behind "by" by their last
/// one, where no text has that as a word. "Something like Stephen King" and "sobre Virginia Woolf" ask for nothing of theirs.
fn is_named(maker: &str, said: &[String], hits: &[Hit]) -> bool {
    let markers = List::Markers.in_all();
    let maker = words(maker);
    let Some(last) = maker.last() else {
        return false;
    };
    let before = |at: usize| said.get(at.checked_sub(1)?);
    let is = |word: &String, key: &str| markers.stands(word, key);
    let has_whole = || {
        let at = place_of_name(&maker, said).filter(|_| maker.len() > 1);
        let is_theirs = |word: &String| is(word, "by") || is(word, "article");
        at.is_some_and(|at| before(at).is_none_or(is_theirs))
    };
    let has_last = || {
        let at = said.iter().position(|word| is_slip(word, last));
        let is_by = at.and_then(before).is_some_and(|word| is(word, "by"));
        // "Luna" of a text is none of Ana Luna's, where it is written small.
        let is_word = |word: &str| word.starts_with(char::is_lowercase) && fold(word) == *last;
        let has_word = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(is_word);
        let mut texts = hits.iter().map(|hit| hit.item.descripcion.as_str());
        is_by && !texts.any(has_word)
    };
    has_whole() || has_last()
}

/// The words of the items' texts.
fn words_of(hits: &[Hit]) -> HashSet<String> {
    let texts = hits.iter().flat_map(|Hit { item, .. }| {
        let own = [&item.autor, &item.categoria, &item.descripcion];
        own.into_iter().map(String::as_str).chain(item.titles())
    });
    texts.flat_map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::{Details, Item},
        price::Price,
    };

    fn hit(titulo: &str, autor: &str, categoria: &str) -> Hit {
        about(titulo, autor, categoria, "")
    }

    fn about(titulo: &str, autor: &str, categoria: &str, descripcion: &str) -> Hit {
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
                descripcion: descripcion.to_owned(),
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
            about("Selva", "Rosa León", "Novela", "Un león y la luna."),
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
        assert_eq!(asked("che, ¿qué teatro tienen?"), kind("Teatro"));
        assert_eq!(
            asked("ok new then. anything by lorca"),
            maker("Federico García Lorca")
        );
        assert_eq!(asked("ciencia ficción"), kind("Ciencia ficción"));
        assert_eq!(
            asked("un regalo de amor perdida, le encanta el teatro"),
            kind("Teatro")
        );
        assert_eq!(
            asked("libros de García Lorca"),
            maker("Federico García Lorca")
        );
        let both = |kind: &str, maker: &str| Some((Some(kind.to_owned()), Some(maker.to_owned())));
        assert_eq!(
            asked("teatro de Lorca"),
            both("Teatro", "Federico García Lorca")
        );
        assert_eq!(asked("Bram Stoker"), maker("Bram Stoker"));
        assert_eq!(
            asked("una historia perdida, no sé, de Bram Stoker, que da miedo"),
            maker("Bram Stoker")
        );
        assert_eq!(
            asked("una historia perdida daquele escritor irlandês, o Bram Stocker"),
            maker("Bram Stoker")
        );
        assert_eq!(
            asked("preciso de uma novela perdida do lem"),
            maker("Stanisław Lem")
        );
        assert_eq!(asked("lorca"), maker("Federico García Lorca"));
        assert_eq!(asked("bram stokker"), maker("Bram Stoker"));
        for text in [
            "",
            "una historia de terror y amor perdida",
            "Drácula",
            "una novela",
            "Federico",
            "luna",
            "algo de terror para Ana Luna",
            "algo perdido como Bram Stoker",
            "una historia perdida sobre Bram Stoker",
            "una historia perdida de la luna",
            "una historia perdida de luna",
            "una historia perdida de león",
        ] {
            assert_eq!(asked(text), None, "{text}");
        }
    }
}
