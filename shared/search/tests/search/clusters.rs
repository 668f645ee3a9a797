//! A catalogue large enough for its rows to lie in clusters.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use mostrador_core::{
    catalogue::{Details, Item},
    index::{Filters, Index, IndexQuery},
    price::Price,
};
use mostrador_search::{
    artifact::Artifact,
    build::{build, recall},
    embedder::{EmbedError, Embedder, EmbedderIdentity, Purpose},
    query::{Files, Generation},
};

use crate::library;

/// As many as begin to be clustered, and some.
const ITEMS: u64 = 65_536 + 500;
const DIMENSIONS: usize = 32;

/// A vector for each subject: a text's own number spreads the texts of one subject around it.
struct BySubject(EmbedderIdentity);

fn vector(text: &str) -> Vec<f32> {
    let number = text.rsplit(' ').next().and_then(|last| last.parse().ok());
    let number: u32 = number.unwrap_or_default();
    let mut vector: Vec<f32> = (1..)
        .take(DIMENSIONS)
        .map(|d| noise(number % 4_099 * 1_000 + d) + 0.3 * noise(number * 31 + d))
        .collect();
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}

/// From -1 to 1, by chance, and always the same.
fn noise(seed: u32) -> f32 {
    let mixed = (seed ^ (seed >> 15)).wrapping_mul(0x2c1b_3c6d);
    let mixed = (mixed ^ (mixed >> 12)).wrapping_mul(0x297a_2d39);
    let [.., high, highest] = mixed.to_le_bytes();
    f32::from(u16::from_le_bytes([high, highest])) / 32_768.0 - 1.0
}

#[async_trait]
impl Embedder for BySubject {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    async fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

fn embedder() -> Arc<BySubject> {
    Arc::new(BySubject(EmbedderIdentity {
        name: "by subject".into(),
        dimensions: DIMENSIONS,
        sha256: String::new(),
    }))
}

fn item(libro_id: u64) -> (Item, u32) {
    let named = if libro_id == 40_000 {
        "Xilófono"
    } else {
        "Tomo"
    };
    let item = Item {
        libro_id,
        titulo: format!("{named} {libro_id}"),
        autor: "Nadie".into(),
        isbn: String::new(),
        precio: Price::from_minor(500 + libro_id.cast_signed()),
        categoria: "Novela".into(),
        editorial: String::new(),
        publicado: None,
        descripcion: String::new(),
        details: Details::default(),
    };
    (item, 1)
}

fn artifact() -> &'static Artifact {
    static ARTIFACT: OnceLock<Artifact> = OnceLock::new();
    ARTIFACT.get_or_init(|| {
        // Not in the order of their numbers.
        let items: Vec<_> = (1..=ITEMS).rev().map(item).collect();
        library::run(build(&items, &*embedder(), "")).unwrap()
    })
}

fn opened(files: Files) -> Option<Generation> {
    Generation::open(&artifact().manifest, files, embedder()).ok()
}

fn ids(index: &Generation, query: &IndexQuery) -> Vec<u64> {
    let found = library::run(index.search(query));
    found.hits.iter().map(|hit| hit.item.libro_id).collect()
}

#[test]
fn near_rows_are_found_and_so_are_words_and_conditions_far_from_them() {
    let index = opened(library::files(artifact())).unwrap();
    let recalled = recall(artifact(), 50).unwrap();
    assert!(recalled > 0.97, "{recalled}");
    let query = IndexQuery {
        text: "asunto 5".into(),
        top_k: 10,
        prefer_vector: true,
        ..IndexQuery::default()
    };
    let near = ids(&index, &query);
    assert_eq!(near.len(), 10);
    assert!(near.iter().all(|id| id % 4_099 == 5), "{near:?}");
    // The question's vector is that of subject 0, with sixteen books; the word is in a title of subject 3,109.
    let worded = IndexQuery {
        text: "xilófono".into(),
        top_k: 20,
        ..query.clone()
    };
    assert!(ids(&index, &worded).contains(&40_000));
    // The dearest books are of any subject; of those admitted the nearest come first.
    let filters = Filters {
        precio_min: Some(Price::from_minor(500 + ITEMS.cast_signed() - 9)),
        ..Filters::default()
    };
    let dear = IndexQuery { filters, ..query };
    let mut dear = ids(&index, &dear);
    dear.sort_unstable();
    assert!(
        dear.iter().all(|id| *id >= ITEMS - 9) && !dear.is_empty(),
        "{dear:?}"
    );
    for libro_id in [1, 33_333, ITEMS] {
        assert_eq!(index.item(libro_id).unwrap().item, item(libro_id).0);
    }
    assert!(index.item(ITEMS + 1).is_none());
}

#[test]
fn damage_to_clusters_is_refused_or_survived() {
    let sections = &artifact().manifest.vectors.sections;
    let size = |name: &str| {
        let section = sections.iter().find(|section| section.name == name);
        usize::try_from(section.unwrap().size_bytes).unwrap()
    };
    let clusters = 64 + size("mean");
    assert!(size("clusters") > 12 * 1_000 && size("centres") > 0);
    let question = IndexQuery {
        text: "asunto 5".into(),
        top_k: 10,
        prefer_vector: true,
        ..IndexQuery::default()
    };
    // Header, then counts, scales and reaches of clusters, then centres.
    let places = (12..28).chain((clusters..clusters + 120).step_by(5));
    for at in places.chain([clusters + size("clusters") + 3]) {
        for flip in [0x01, 0x80, 0xff] {
            let mut files = library::files(artifact());
            files.vectors[at] ^= flip;
            if let Some(index) = opened(files) {
                ids(&index, &question);
            }
        }
    }
}
