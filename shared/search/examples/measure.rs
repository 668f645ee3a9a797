//! Times and retrieval quality over real titles: `cargo run -p mostrador-search --example measure -- goodbooks-10k.csv`.
//!
//! Quality is the MRR@10 of finding a book by its title, by its title with a typo, and by title and author.

#![expect(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a program for whoever works on the index"
)]

#[path = "../tests/search/library.rs"]
#[expect(clippy::unwrap_used, reason = "the tests' own bookshop")]
mod library;

use std::{error::Error, sync::Arc, time::Instant};

use mostrador_core::{catalogue::Book, index::Index, index::IndexQuery, price::Price};
use mostrador_search::{
    build::build,
    embedder::StaticEmbedder,
    load::Loader,
    query::{Files, Generation},
    store::{MemoryStore, publish},
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: measure goodbooks-10k.csv")?;
    let books = goodbooks(&path)?;
    let prepared = library::prepared();
    let times = timed(20, || StaticEmbedder::from_prepared(prepared.clone()));
    println!("embedder from its prepared file      {times}");
    let embedder = library::embedder();
    let times = timed(2000, || embedder.vector("novelas de misterio en Barcelona"));
    println!("embedding a short query              {times}");

    let start = Instant::now();
    let artifact = build(&books, &*embedder, "2026-01-01T00:00:00Z", &mut |_, _| {}).await?;
    println!(
        "build of {} books                 {:?}",
        books.len(),
        start.elapsed()
    );
    println!(
        "bytes: vectors {}, items {}, keywords {}",
        artifact.vectors.len(),
        artifact.items.len(),
        artifact.keywords.len()
    );
    let times = timed(20, || {
        let files = Files {
            vectors: artifact.vectors.clone(),
            items: artifact.items.clone(),
            keywords: artifact.keywords.clone(),
        };
        Generation::open(&artifact.manifest, files, embedder.clone()).map(drop)
    });
    println!("open from memory (with a copy of it) {times}");
    let store = Arc::new(MemoryStore::default());
    publish(&*store, &artifact, Some(&prepared)).await?;
    let start = Instant::now();
    let index = Loader::new(store).generation().await.ok_or("no index")?;
    println!("cold load, verification included     {:?}", start.elapsed());

    queries(&index, &books).await;
    quality(&index, &books).await;
    print_scores(&index, "10k titles").await;
    let books = library::books();
    let artifact = build(&books, &*embedder, "", &mut |_, _| {}).await?;
    let files = Files {
        vectors: artifact.vectors,
        items: artifact.items,
        keywords: artifact.keywords,
    };
    let small = Generation::open(&artifact.manifest, files, embedder)?;
    print_scores(&small, "15 books").await;
    Ok(())
}

fn goodbooks(path: &str) -> Result<Vec<(Book, u32)>, Box<dyn Error>> {
    let mut reader = csv::Reader::from_path(path)?;
    let mut books = Vec::new();
    for row in reader.records() {
        let row = row?;
        let libro_id: u64 = row[0].parse()?;
        let book = Book {
            libro_id,
            titulo: row[5].split(" (").next().unwrap_or_default().to_owned(),
            autor: row[2].to_owned(),
            isbn: mostrador_core::isbn::normalise(&row[1]).unwrap_or_default(),
            precio: Price::from_minor(1000 + i64::try_from(libro_id % 2000)?),
            categoria: row[6].to_owned(),
            editorial: String::new(),
            publicado: row[3].split('.').next().and_then(|year| year.parse().ok()),
            descripcion: String::new(),
        };
        books.push((book, 3));
    }
    Ok(books)
}

fn timed<T>(times: usize, mut work: impl FnMut() -> T) -> String {
    let mut took: Vec<_> = (0..times)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed()
        })
        .collect();
    took.sort_unstable();
    format!(
        "p50 {:?}, p99 {:?}",
        took[times / 2],
        took[times * 99 / 100]
    )
}

async fn queries(index: &Generation, books: &[(Book, u32)]) {
    for (name, make) in classes() {
        let mut took = Vec::new();
        for (book, _) in books.iter().step_by(20) {
            let query = ask(&make(book), true);
            let start = Instant::now();
            std::hint::black_box(index.search(&query).await);
            took.push(start.elapsed());
        }
        took.sort_unstable();
        let (p50, p99) = (took[took.len() / 2], took[took.len() * 99 / 100]);
        println!("query, {name:<20}          p50 {p50:?}, p99 {p99:?}");
    }
    let mut took = Vec::new();
    for (book, _) in books.iter().step_by(20) {
        let start = Instant::now();
        std::hint::black_box(index.find_title(&book.titulo));
        took.push(start.elapsed());
    }
    took.sort_unstable();
    println!(
        "find_title                           p50 {:?}, p99 {:?}",
        took[took.len() / 2],
        took[took.len() * 99 / 100]
    );
}

type Class = (&'static str, fn(&Book) -> String);

fn classes() -> [Class; 4] {
    [
        ("title", |book| book.titulo.clone()),
        ("title with a typo", |book| with_typo(&book.titulo)),
        ("title and author", |book| {
            format!("{} {}", book.titulo, first_author(book))
        }),
        ("asked in a sentence", |book| {
            format!(
                "Hola, ¿tienes el libro {} de {}?",
                book.titulo,
                first_author(book)
            )
        }),
    ]
}

fn first_author(book: &Book) -> &str {
    book.autor.split(',').next().unwrap_or_default()
}

/// The title with two letters swapped in the middle of its longest word.
fn with_typo(title: &str) -> String {
    let longest = title.split(' ').max_by_key(|word| word.chars().count());
    let longest = longest.unwrap_or_default();
    let mut letters: Vec<char> = longest.chars().collect();
    let middle = letters.len() / 2;
    if middle > 0 {
        letters.swap(middle, middle - 1);
        if letters.iter().collect::<String>() == longest {
            letters.remove(middle);
        }
    }
    title.replacen(longest, &letters.iter().collect::<String>(), 1)
}

async fn quality(index: &Generation, books: &[(Book, u32)]) {
    for (name, make) in classes() {
        for prefer_vector in [true, false] {
            let mut sum = 0.0;
            let mut count = 0;
            for (book, _) in books.iter().step_by(20) {
                let query = IndexQuery {
                    top_k: 10,
                    ..ask(&make(book), prefer_vector)
                };
                let found = index.search(&query).await;
                // Another edition under the same title answers as well.
                let place = found
                    .hits
                    .iter()
                    .position(|hit| hit.book.titulo == book.titulo);
                sum += place.map_or(0.0, |place| 1.0 / (place + 1) as f64);
                count += 1;
            }
            println!(
                "MRR@10 {name:<20} vector {prefer_vector:<5} {:.3}",
                sum / f64::from(count)
            );
        }
        let named = books.iter().step_by(20).filter(|(book, _)| {
            let found = index.find_title(&make(book));
            found
                .and_then(|(id, _)| index.book(id))
                .is_some_and(|hit| hit.book.titulo == book.titulo)
        });
        println!(
            "find_title right {name:<20} {:.3}",
            named.count() as f64 / books.iter().step_by(20).count() as f64
        );
    }
}

fn ask(text: &str, prefer_vector: bool) -> IndexQuery {
    IndexQuery {
        text: text.to_owned(),
        top_k: 5,
        prefer_vector,
        ..IndexQuery::default()
    }
}

/// What thresholds have to tell apart.
async fn print_scores(index: &Generation, name: &str) {
    println!("\n== {name}");
    for text in [
        "hola",
        "asdfgh qwerty",
        "xkcd zzzz",
        "qué tal estás hoy",
        "asdkjh",
        "¿cuánto es dos más dos?",
        "el tiempo mañana en Madrid",
        "mi pedido no ha llegado",
        "neumáticos de invierno para coche",
        "reparar una lavadora",
        "blah blah blah",
        "lorem ipsum dolor sit amet",
        "una historia de amor que dura toda la vida",
        "magia y dragones",
        "distopía con vigilancia",
        "recetas fáciles",
        "agujeros negros y universo",
        "familia con poderes sobrenaturales en Chile",
        "payaso asesino",
        "a story about surveillance and dictatorship",
        "cooking for beginners",
        "quiero algo de terror",
        "un caballero loco",
        "biblioteca y libros prohibidos",
        "viaje para destruir un objeto mágico",
        "space empire falling",
    ] {
        let found = index.search(&ask(text, true)).await;
        let hits: Vec<String> = found
            .hits
            .iter()
            .map(|hit| format!("{} {:.2}", hit.book.titulo, hit.score))
            .collect();
        println!("{text:<45} {:?} {}", found.source, hits.join(" | "));
    }
}
