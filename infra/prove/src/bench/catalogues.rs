//! The catalogues that are measured with.

use std::path::Path;

use anyhow::Context;
use mostrador_catalogue_file::Reading;
use mostrador_core::{
    catalogue::{Book, Details},
    isbn,
    price::Price,
};
use mostrador_local::import;

/// A catalogue file, or goodbooks-10k's own table.
pub(super) fn read(file: &Path) -> anyhow::Result<Vec<(Book, u32)>> {
    let goodbooks_columns = csv::Reader::from_path(file)
        .ok()
        .and_then(|mut reader| reader.headers().ok().cloned())
        .is_some_and(|columns| columns.iter().any(|column| column == "authors"));
    if goodbooks_columns {
        goodbooks(file)
    } else {
        let mut reading = Reading::default();
        reading.shop.zero_prices = true;
        import::read(file, &reading)
    }
}

/// goodbooks-10k's facts as a catalogue: titles and authors without synopses.
fn goodbooks(file: &Path) -> anyhow::Result<Vec<(Book, u32)>> {
    let mut reader = csv::Reader::from_path(file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    let mut books = Vec::new();
    for record in reader.deserialize() {
        let row: std::collections::HashMap<String, String> = record?;
        let column = |name: &str| row.get(name).cloned().unwrap_or_default();
        let libro_id: u64 = column("book_id")
            .parse()
            .context("a book without a number")?;
        books.push((
            Book {
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
    Ok(books)
}

/// `books`, or where another `count` is wanted, them over and over until there are as many, each time as another volume.
pub(super) fn volumes(
    books: &[(Book, u32)],
    count: usize,
) -> impl Iterator<Item = (Book, u32)> + '_ {
    let as_they_are = count == books.len();
    (1..=count)
        .zip(books.iter().cycle())
        .map(move |(number, (book, stock))| {
            if as_they_are {
                return (book.clone(), *stock);
            }
            let volume = number.div_ceil(books.len());
            let titulo = format!("{}, tomo {volume}", book.titulo);
            (
                Book {
                    libro_id: number as u64,
                    titulo,
                    isbn: String::new(),
                    ..book.clone()
                },
                *stock,
            )
        })
}
