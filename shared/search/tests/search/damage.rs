//! Damaged files opened directly, without the checksums that would have refused them.

use std::sync::{Arc, OnceLock};

use mostrador_core::index::{Filters, Index, IndexQuery, Sort};
use mostrador_search::{
    artifact::{Artifact, FileName},
    build::build,
    embedder::{Embedder, EmbedderIdentity, StaticEmbedder},
    publish::publish,
    query::{Files, Generation},
    store::{ArtifactStore, MemoryStore},
    verify::{Damage, verify},
};
use proptest::prelude::*;

use crate::library;

fn artifact() -> &'static Artifact {
    static ARTIFACT: OnceLock<Artifact> = OnceLock::new();
    ARTIFACT.get_or_init(|| {
        let embedder = library::embedder();
        library::run(build(&library::items(), &*embedder, "")).unwrap()
    })
}

fn embedder() -> Arc<StaticEmbedder> {
    static EMBEDDER: OnceLock<Arc<StaticEmbedder>> = OnceLock::new();
    EMBEDDER.get_or_init(library::embedder).clone()
}

/// An index large enough for one-bit codes.
fn large() -> &'static Artifact {
    static ARTIFACT: OnceLock<Artifact> = OnceLock::new();
    ARTIFACT.get_or_init(|| library::run(build(&many(), &*embedder(), "")).unwrap())
}

/// Opens files after `damage`, and asks everything of them if they open.
fn survives(damage: impl Fn([&mut Vec<u8>; 3])) {
    for artifact in [artifact(), large()] {
        opens_or_is_refused(artifact, &damage);
    }
}

fn opens_or_is_refused(artifact: &Artifact, damage: impl Fn([&mut Vec<u8>; 3])) {
    let mut bytes = library::bytes(artifact);
    damage(bytes.each_mut());
    let files = Files::copied(bytes.each_ref().map(Vec::as_slice)).unwrap();
    let Ok(index) = Generation::open(&artifact.manifest, files, embedder()) else {
        return;
    };
    library::run(async {
        for (text, similar_to, filters) in [
            ("soledad en Macondo", None, Filters::default()),
            ("", Some(2), Filters::default()),
            (
                "",
                None,
                Filters {
                    categoria: Some("ficcion".into()),
                    ..Filters::default()
                },
            ),
        ] {
            let query = IndexQuery {
                text: text.into(),
                similar_to,
                filters,
                top_k: 20,
                sort: Sort::PriceAsc,
                sold: Arc::default(),
                prefer_vector: true,
                prefix: true,
                facets: true,
                explain: true,
            };
            index.search(&query).await;
        }
    });
    index.find_title("el hobit");
    index.find_isbn("9788445000656");
    index.item(7);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn cut_anywhere(file in 0..3usize, at: prop::sample::Index) {
        survives(|files| {
            let bytes = files.into_iter().nth(file).unwrap();
            bytes.truncate(at.index(bytes.len()));
        });
    }

    #[test]
    fn flipped_anywhere(file in 0..3usize, at: prop::sample::Index, flip in 1u8..) {
        survives(|files| {
            let bytes = files.into_iter().nth(file).unwrap();
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
        });
    }

    #[test]
    fn flipped_in_a_header(file in 0..3usize, at in 0..200usize, value: u8) {
        survives(|files| files.into_iter().nth(file).unwrap()[at] = value);
    }

    #[test]
    fn anything_at_all(bytes: Vec<u8>, file in 0..3usize) {
        survives(|files| *files.into_iter().nth(file).unwrap() = bytes.clone());
    }
}

#[test]
fn every_flipped_byte_of_the_keywords_is_noticed() {
    let artifact = artifact();
    for at in (0..library::files(artifact).keywords.len()).step_by(7) {
        let mut files = library::files(artifact);
        files.keywords[at] ^= 0x10;
        let opened = Generation::open(&artifact.manifest, files, embedder());
        assert!(opened.is_err(), "byte {at}");
    }
}

#[test]
fn files_of_an_embedder_with_other_dimensions_do_not_fit() {
    let artifact = artifact();
    let mut manifest = artifact.manifest.clone();
    manifest.items = 14;
    let files = library::files(artifact);
    let opened = Generation::open(&manifest, library::files(artifact), embedder());
    let reason = opened.err().map(|error| error.to_string());
    assert_eq!(
        reason.as_deref(),
        Some("the files are of different builds: they differ in the number of books or dimensions")
    );
    manifest.embedder = EmbedderIdentity {
        name: "bedrock".into(),
        ..embedder().identity().clone()
    };
    let opened = Generation::open(&manifest, files, embedder());
    let reason = opened.err().map(|error| error.to_string()).unwrap();
    assert!(
        reason.starts_with("the index was built with the embedder bedrock"),
        "{reason}"
    );
}

/// The books of the sample over and over, enough of them for one-bit codes.
fn many() -> Vec<(mostrador_core::catalogue::Item, u32)> {
    let items = library::items();
    (1..=2_100)
        .zip(items.iter().cycle())
        .map(|(libro_id, (item, stock))| {
            let mut item = item.clone();
            item.libro_id = libro_id;
            item.isbn = String::new();
            (item, *stock)
        })
        .collect()
}

#[test]
fn verification_names_the_damaged_section() {
    library::run(async {
        let prepared = library::prepared();
        let store = MemoryStore::default();
        let manifest = publish(&store, large(), Some(&prepared)).await.unwrap();
        let mut tried = 0;
        let whole = verify(&store).await.unwrap();
        assert_eq!(whole.damaged().count(), 0);
        let records = FileName::ALL.map(|name| manifest.file(name));
        for record in records.into_iter().chain(&manifest.embedder_file) {
            let good = store
                .get(&record.key, record.size_bytes)
                .await
                .unwrap()
                .to_vec();
            let put = |bytes: Vec<u8>| store.put(&record.key, bytes.into());
            let damaged = || async {
                let verified = verify(&store).await.unwrap();
                let damaged = verified.damaged();
                damaged
                    .map(|checked| (checked.section.clone(), checked.damage.unwrap()))
                    .collect::<Vec<_>>()
            };
            let mut start = 0;
            for section in &record.sections {
                let len = usize::try_from(section.size_bytes).unwrap();
                if len == 0 {
                    continue;
                }
                for at in [start, start + len / 2, start + len - 1] {
                    let mut bytes = good.clone();
                    bytes[at] ^= 1;
                    put(bytes).await.unwrap();
                    assert_eq!(damaged().await, [(section.name.clone(), Damage::Altered)]);
                }
                put(good[..start + len - 1].to_vec()).await.unwrap();
                assert_eq!(damaged().await[0], (section.name.clone(), Damage::CutOff));
                start += len;
                tried += 4;
            }
            assert!(record.sections.is_empty() || start == good.len());
            let mut longer = good.clone();
            longer.push(0);
            put(longer).await.unwrap();
            let kind = if record.sections.is_empty() {
                Damage::Altered
            } else {
                Damage::TooLong
            };
            assert_eq!(damaged().await, [(String::new(), kind)]);
            store.delete(&record.key).await.unwrap();
            assert_eq!(damaged().await, [(String::new(), Damage::Missing)]);
            put(good).await.unwrap();
        }
        println!("verify: {tried} damaged sections, each named");
    });
}
