//! The catalogues that are measured with.

use std::path::Path;

use anyhow::Context;
use mostrador_catalogue_file::Reading;
use mostrador_core::{
    catalogue::{Details, Item},
    isbn,
    price::Price,
};
use mostrador_local::import;

/// A catalogue file, or goodbooks-10k's own table.
pub(super) fn read(file: &Path) -> anyhow::Result<Vec<(Item, u32)>> {
    let goodbooks_columns = csv::Reader::from_path(file)
        .ok()
        .and_then(|mut reader| reader.headers().ok().cloned())
        .is_some_and(|columns| columns.iter().any(|column| column == "authors"));
    if goodbooks_columns {
        goodbooks(file)
    } else {
        let reading = Reading {
            allow_free: true,
            ..Reading::default()
        };
        import::read(file, &reading)
    }
}

/// goodbooks-10k's facts as a catalogue: titles and authors without synopses.
fn goodbooks(file: &Path) -> anyhow::Result<Vec<(Item, u32)>> {
    let mut reader = csv::Reader::from_path(file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    let mut items = Vec::new();
    for record in reader.deserialize() {
        let row: std::collections::HashMap<String, String> = record?;
        let column = |name: &str| row.get(name).cloned().unwrap_or_default();
        let libro_id: u64 = column("book_id")
            .parse()
            .context("a book without a number")?;
        items.push((
            Item {
                libro_id,
                titulo: column("title"),
                autor: column("authors"),
                isbn: isbn::normalise(&column("isbn10")).unwrap_or_default(),
                precio: Price::from_minor(999 + i64::try_from(libro_id % 2_000)?),
                categoria: "Novela".to_owned(),
                editorial: String::new(),
                publicado: column("original_publication_year").parse().ok(),
                descripcion: String::new(),
                details: Details::default(),
            },
            5,
        ));
    }
    Ok(items)
}

/// `books`, or where another `count` is wanted, them over and over until there are as many, each time as another volume.
pub(super) fn volumes(
    items: &[(Item, u32)],
    count: usize,
) -> impl Iterator<Item = (Item, u32)> + '_ {
    let as_they_are = count == items.len();
    (1..=count)
        .zip(items.iter().cycle())
        .map(move |(number, (item, stock))| {
            if as_they_are {
                return (item.clone(), *stock);
            }
            let volume = number.div_ceil(items.len());
            let titulo = format!("{}, tomo {volume}", item.titulo);
            (
                Item {
                    libro_id: number as u64,
                    titulo,
                    isbn: String::new(),
                    ..item.clone()
                },
                *stock,
            )
        })
}
