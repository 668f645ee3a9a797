//! What the index answers, on a shelf of fifteen books.

use std::sync::Arc;

use async_trait::async_trait;
use mostrador_core::{
    index::{Facets, Filters, Found, Hit, Index, IndexQuery, Sort, Source},
    price::Price,
};
use mostrador_search::{
    build::build,
    embedder::{EmbedError, Embedder, EmbedderIdentity, Purpose},
    query::Generation,
};

use crate::library;

async fn open(embedder: Arc<dyn Embedder>) -> Generation {
    let built = build(&library::items(), &*library::embedder(), "").await;
    let artifact = built.unwrap();
    let files = library::files(&artifact);
    Generation::open(&artifact.manifest, files, embedder).unwrap()
}

pub(crate) async fn shelf() -> Generation {
    open(library::embedder()).await
}

fn ids(found: &Found) -> Vec<u64> {
    found.hits.iter().map(|hit| hit.item.libro_id).collect()
}

pub(crate) fn ask(text: &str) -> IndexQuery {
    IndexQuery {
        text: text.into(),
        top_k: 3,
        prefer_vector: true,
        ..IndexQuery::default()
    }
}

#[tokio::test]
async fn the_best_answer_comes_first() {
    let index = shelf().await;
    for (text, first) in [
        // Titles: exact, without accents, in a sentence, with typos.
        ("Rayuela", 1),
        ("cien anos de soledad", 2),
        ("¿Tenéis el libro El Señor de los Anillos?", 4),
        ("rayeula", 1),
        ("la sonbra del biento", 6),
        ("cronica de una muerte anunziada", 9),
        ("It", 15),
        ("el libro It de Stephen King", 15),
        // Authors, in either order.
        ("cortazar julio", 1),
        ("Tolkien hobbit", 5),
        ("algo de Asimov", 13),
        ("novelas de Orwel", 10),
        // Meaning.
        ("una historia de dragones y enanos", 5),
        ("quiero aprender a cocinar", 11),
        ("agujeros negros y el origen del universo", 12),
        ("distopía con vigilancia", 10),
        ("cooking for beginners", 11),
        ("algo de terror", 15),
        // Inflected words.
        ("matemáticos y fundaciones", 13),
    ] {
        let found = index.search(&ask(text)).await;
        assert_eq!(ids(&found).first(), Some(&first), "{text}");
    }
}

/// Who made it and what it is called are found in a sentence of anything else, with a slip at most.
#[tokio::test]
async fn what_is_named_comes_first_whatever_else_is_said() {
    let index = shelf().await;
    for (text, first) in [
        (
            "he adores dragons and is mad about julio cortázar, got any",
            1,
        ),
        (
            "my teacher of black holes says to read something by asimov",
            13,
        ),
        ("soy profesora de cocina y necesito seis de rayuella", 1),
        ("for my dragons and black holes club, the hobbit", 5),
        // Some words of a title, or a first name, name nothing.
        ("una biblioteca secreta de Barcelona, con amor y cólera", 6),
        ("para Gabriel, de una biblioteca secreta en Barcelona", 6),
    ] {
        let found = index.search(&ask(text)).await;
        assert_eq!(ids(&found).first(), Some(&first), "{text}");
    }
}

#[tokio::test]
async fn the_source_names_whether_meaning_took_part() {
    let index = shelf().await;
    for (text, source) in [
        ("una historia de amor", Source::Vector),
        ("Rayuela", Source::Vector),
        // Nothing here means anything to the embedder.
        ("xkcd", Source::Keyword),
        ("busco un libro", Source::Keyword),
    ] {
        assert_eq!(index.search(&ask(text)).await.source, source, "{text}");
    }
}

#[tokio::test]
async fn what_is_no_question_finds_nothing() {
    let index = shelf().await;
    for text in [
        "",
        "   ",
        "¿?",
        "hola",
        "Hola, buenas tardes",
        "asdfgh qwerty",
        "xkcd zzzz",
        "👋",
        "busco un libro",
        "neumáticos de invierno",
    ] {
        for prefer_vector in [true, false] {
            let query = IndexQuery {
                prefer_vector,
                ..ask(text)
            };
            assert_eq!(ids(&index.search(&query).await), [0u64; 0], "{text}");
        }
    }
    let none = IndexQuery {
        top_k: 0,
        ..ask("Rayuela")
    };
    assert_eq!(ids(&index.search(&none).await), [0u64; 0]);
}

#[tokio::test]
async fn keywords_alone_put_titles_and_authors_before_mentions() {
    let index = shelf().await;
    for (text, expected) in [
        ("hobbit", vec![5, 4]),
        ("García Márquez", vec![2, 3, 9]),
        ("Macondo", vec![2, 14]),
        ("novela romántica", vec![3]),
        ("planeta", vec![6, 11]),
        ("dragón", vec![5]),
        ("dragones", vec![5]),
        ("extraterrestres", vec![]),
    ] {
        let query = IndexQuery {
            prefer_vector: false,
            ..ask(text)
        };
        let found = index.search(&query).await;
        assert_eq!(
            (ids(&found), found.source),
            (expected, Source::Keyword),
            "{text}"
        );
    }
}

#[tokio::test]
async fn the_last_word_may_be_the_beginning_of_one() {
    let index = shelf().await;
    for (text, prefix, expected) in [
        ("ray", true, vec![1]),
        ("ray", false, vec![]),
        ("ray ", true, vec![]),
        ("RAY", true, vec![1]),
        ("cien años de so", true, vec![2]),
        ("garcía már", true, vec![2, 3, 9]),
        ("el señor de lo", true, vec![4]),
        ("x", true, vec![]),
    ] {
        let query = IndexQuery {
            prefix,
            top_k: 3,
            ..ask(text)
        };
        let found = index.search(&query).await;
        let wanted = expected.len().max(1);
        let first: Vec<u64> = ids(&found).into_iter().take(wanted).collect();
        assert_eq!(first, expected, "{text:?}");
        assert!(!prefix || found.source == Source::Keyword, "{text:?}");
    }
}

#[tokio::test]
async fn facets_count_everything_found() {
    let index = shelf().await;
    for (text, similar_to, categoria) in [
        ("una historia de amor", None, None),
        ("García Márquez", None, None),
        ("", None, Some("ficcion")),
        ("novela", None, None),
        ("", Some(2), None),
        ("nada de nada", None, Some("no existe")),
        ("", None, None),
    ] {
        let query = IndexQuery {
            similar_to,
            filters: Filters {
                categoria: categoria.map(str::to_owned),
                ..Filters::default()
            },
            top_k: 15,
            facets: true,
            ..ask(text)
        };
        let all = index.search(&query).await;
        let hits = all.hits.iter();
        let expected =
            Facets::of(hits.map(|hit| (hit.item.categoria.as_str(), hit.item.autor.as_str())));
        let one = index
            .search(&IndexQuery {
                top_k: 1,
                ..query.clone()
            })
            .await;
        assert_eq!(one.facets, Some(expected), "{text:?} {categoria:?}");
        let without = IndexQuery {
            facets: false,
            ..query
        };
        assert_eq!(index.search(&without).await.facets, None);
    }
}

/// All that answers the question is put in order, and not only the nearest of it; what is sold out comes last.
#[tokio::test]
async fn an_order_is_over_everything_that_answers() {
    let index = shelf().await;
    let everything = IndexQuery {
        top_k: 100,
        filters: Filters::default(),
        sort: Sort::PriceAsc,
        ..ask("")
    };
    let all = index.search(&everything).await.hits;
    assert_eq!(all.len(), library::items().len());
    for text in ["", "garcía márquez", "una novela"] {
        for (_, sort) in Sort::ALL
            .into_iter()
            .filter(|(_, sort)| !matches!(sort, Sort::Relevance | Sort::MostSold))
        {
            let query = IndexQuery {
                sort,
                top_k: 2,
                ..ask(text)
            };
            let found = index.search(&query).await.hits;
            let more = IndexQuery {
                top_k: 100,
                ..query
            };
            let more = index.search(&more).await.hits;
            let place = |hit: &Hit| sort.place(hit.item.precio, hit.stock, hit.item.publicado);
            assert!(more.is_sorted_by_key(place), "{text} {sort:?}");
            assert_eq!(found, more[..2], "{text} {sort:?}");
            let of_author = more.iter().filter(|hit| hit.item.autor.contains("Márquez"));
            assert!(text != "garcía márquez" || of_author.count() == more.len());
        }
    }
}

#[tokio::test]
async fn scores_descend_and_ties_go_by_number() {
    let index = shelf().await;
    let query = IndexQuery {
        prefer_vector: false,
        top_k: 9,
        ..ask("debolsillo")
    };
    let found = index.search(&query).await;
    assert_eq!(ids(&found), [9, 10, 13, 15]);
    let query = IndexQuery {
        top_k: 15,
        ..ask("la familia Buendía en Macondo")
    };
    let found = index.search(&query).await;
    assert!(
        found
            .hits
            .windows(2)
            .all(|pair| pair[0].score >= pair[1].score)
    );
    assert_eq!(ids(&found)[..2], [2, 14]);
    // The k best are the first k of more.
    let fewer = index.search(&IndexQuery { top_k: 2, ..query }).await;
    assert_eq!(fewer.hits, found.hits[..2]);
}

async fn check_filters(filters: Filters, text: &str, expected: &[u64]) {
    let index = shelf().await;
    let query = IndexQuery {
        filters,
        top_k: 20,
        ..ask(text)
    };
    assert_eq!(
        ids(&index.search(&query).await),
        expected,
        "{:?} {text}",
        query.filters
    );
}

#[tokio::test]
async fn conditions_hold() {
    let none = Filters::default;
    let category = |text: &str| Filters {
        categoria: Some(text.into()),
        ..none()
    };
    let author = |text: &str| Filters {
        autor: Some(text.into()),
        ..none()
    };
    let price = |text: &str| Some(Price::parse(text).unwrap());
    check_filters(category("ciencia ficción"), "", &[10, 13]).await;
    check_filters(category("CIENCIA"), "", &[12, 10, 13]).await;
    check_filters(category("novela"), "", &[1, 9, 3]).await;
    check_filters(category("novelas"), "", &[1, 3, 9]).await;
    check_filters(category("fantasia"), "libros", &[4, 5]).await;
    check_filters(category("poesía"), "", &[]).await;
    check_filters(author("garcía márquez gabriel"), "", &[2, 3, 9, 14]).await;
    check_filters(author("Garcia Marqez"), "", &[2, 3, 9, 14]).await;
    check_filters(author("Stephen"), "", &[12, 15]).await;
    check_filters(
        Filters {
            editorial: Some("plaza janes".into()),
            ..none()
        },
        "",
        &[8],
    )
    .await;
    check_filters(
        Filters {
            precio_max: price("11.95"),
            ..none()
        },
        "",
        &[9, 10, 13],
    )
    .await;
    check_filters(
        Filters {
            precio_min: price("25"),
            precio_max: price("30"),
            ..none()
        },
        "",
        &[7, 14],
    )
    .await;
    check_filters(
        Filters {
            disponible: Some(false),
            ..none()
        },
        "",
        &[4, 8, 12],
    )
    .await;
    check_filters(
        Filters {
            disponible: Some(true),
            ..author("tolkien")
        },
        "",
        &[5],
    )
    .await;
    check_filters(author("tolkien"), "viaje con un anillo", &[4, 5]).await;
    check_filters(author("orwell"), "recetas de cocina", &[]).await;
    check_filters(none(), "", &[]).await;
}

#[tokio::test]
async fn neighbours_are_other_works() {
    let index = shelf().await;
    let similar = |libro_id, filters| IndexQuery {
        similar_to: Some(libro_id),
        filters,
        ..ask("parecidos")
    };
    let found = index.search(&similar(4, Filters::default())).await;
    assert_eq!(
        (ids(&found).first(), found.source),
        (Some(&5), Source::Vector)
    );
    // Number 14 is another edition of number 2, its author's name turned round.
    for libro_id in [2, 14] {
        let query = IndexQuery {
            top_k: 15,
            ..similar(libro_id, Filters::default())
        };
        let found = ids(&index.search(&query).await);
        assert!(!found.contains(&2) && !found.contains(&14), "{found:?}");
    }
    let found = index.search(&similar(2, Filters::default())).await;
    assert!(ids(&found)[..2].contains(&8), "another family saga");
    let cheap = Filters {
        precio_max: Some(Price::from_minor(1300)),
        ..Filters::default()
    };
    let found = index.search(&similar(2, cheap)).await;
    assert!(
        found
            .hits
            .iter()
            .all(|hit| hit.item.precio <= Price::from_minor(1300))
    );
    let unknown = index.search(&similar(99, Filters::default())).await;
    assert_eq!(
        unknown,
        Found {
            facets: None,
            hits: vec![],
            source: Source::Vector
        }
    );
}

#[tokio::test]
async fn isbns_are_found() {
    let index = shelf().await;
    for (isbn, expected) in [
        ("9788437604572", Some(1)),
        ("9788497593793", Some(15)),
        ("9780000000002", None),
        ("978843760457", None),
        ("", None),
        ("97884376０4572", None),
    ] {
        assert_eq!(index.find_isbn(isbn), expected, "{isbn}");
    }
}

/// An embedder of the right identity that fails.
struct Broken(EmbedderIdentity);

#[async_trait]
impl Embedder for Broken {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    async fn embed(&self, _: &[&str], _: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        Err(EmbedError::Unavailable("down".into()))
    }
}

#[tokio::test]
async fn without_a_vector_keywords_answer() {
    let identity = library::embedder().identity().clone();
    let index = open(Arc::new(Broken(identity))).await;
    let found = index.search(&ask("el dragón y el hobbit")).await;
    assert_eq!((ids(&found), found.source), (vec![5, 4], Source::Keyword));
}
