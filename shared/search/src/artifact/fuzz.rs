//! Damaged files, and manifests of any kind.

use std::sync::LazyLock;

use async_trait::async_trait;
use bolero::TypeGenerator;
use bytes::Bytes;
use mostrador_core::{
    catalogue::{Details, Item},
    price::Price,
};

use super::*;
use crate::{
    build::build,
    embedder::{EmbedError, Embedder, Purpose, normalise},
    load::read_manifest,
};

/// What becomes of a file.
#[derive(Debug, TypeGenerator)]
pub(super) enum Damage {
    Byte {
        at: u16,
        to: u8,
    },
    /// Four of the first bytes, by fours: counts and lengths.
    Count {
        at: u8,
        to: u32,
    },
    AnyCount {
        at: u16,
        to: u32,
    },
    Moved {
        by: i8,
        at: u8,
    },
    Cut(u16),
    Longer(Vec<u8>),
    Other(Vec<u8>),
}

impl Damage {
    pub(super) fn apply(&self, file: &mut Vec<u8>) {
        let len = file.len().max(1);
        let count_at = |at: usize| 4 * (at % (len / 4).max(1));
        let mut put = |at: usize, to: u32| {
            if let Some(place) = file.get_mut(at..at + 4) {
                place.copy_from_slice(&to.to_le_bytes());
            }
        };
        match self {
            Self::Byte { at, to } => {
                if let Some(byte) = file.get_mut(usize::from(*at) % len) {
                    *byte = *to;
                }
            }
            Self::Count { at, to } => put(count_at((*at % 16).into()), *to),
            Self::AnyCount { at, to } => put(count_at((*at).into()), *to),
            Self::Moved { by, at } => {
                let at = count_at((*at % 16).into());
                if let Some(place) = file.get_mut(at..at + 4) {
                    place[0] = place[0].wrapping_add_signed(*by);
                }
            }
            Self::Cut(at) => file.truncate(usize::from(*at) % len),
            Self::Longer(bytes) => file.extend_from_slice(bytes),
            Self::Other(bytes) => file.clone_from(bytes),
        }
    }
}

/// `file` after `damage`.
pub(super) fn damaged(file: &[u8], damage: &[Damage]) -> Bytes {
    let mut file = file.to_vec();
    for damage in damage {
        damage.apply(&mut file);
    }
    file.into()
}

/// Says of a text how often it has each of eight letters.
struct Letters(EmbedderIdentity);

#[async_trait]
impl Embedder for Letters {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    async fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let vector = |text: &&str| {
            let mut vector = vec![0.1; 8];
            text.bytes()
                .for_each(|byte| vector[usize::from(byte % 8)] += 1.0);
            normalise(&mut vector);
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}

fn item(libro_id: u64, titulo: &str, autor: &str, isbn: &str, descripcion: &str) -> (Item, u32) {
    let item = Item {
        libro_id,
        titulo: titulo.into(),
        autor: autor.into(),
        isbn: isbn.into(),
        precio: Price::from_minor(1_850),
        categoria: if libro_id.is_multiple_of(2) {
            "Novela"
        } else {
            "Terror"
        }
        .into(),
        editorial: "Cátedra".into(),
        publicado: (libro_id > 1).then_some(1963),
        descripcion: descripcion.into(),
        details: Details::default(),
    };
    (item, 3)
}

/// A whole build of four items.
pub(super) static BUILT: LazyLock<Artifact> = LazyLock::new(|| {
    let items = [
        item(
            1,
            "Rayuela",
            "Julio Cortázar",
            "9788437604572",
            "Un argentino vaga por París.",
        ),
        item(
            2,
            "El hobbit",
            "J. R. R. Tolkien",
            "9788445000656",
            "Un hobbit y trece enanos.",
        ),
        item(
            7,
            "It",
            "Stephen King",
            "",
            "Siete amigos vuelven al pueblo.",
        ),
        item(
            9,
            "Cien años de soledad",
            "Gabriel García Márquez",
            "9780307474728",
            "",
        ),
    ];
    let letters = Letters(EmbedderIdentity {
        name: "letters".into(),
        dimensions: 8,
        sha256: String::new(),
    });
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let built = runtime
        .expect("a runtime")
        .block_on(build(&items, &letters, ""));
    built.expect("a build")
});

pub(super) fn built(name: FileName) -> Vec<u8> {
    BUILT.read(name).expect("a file")
}

#[test]
fn a_manifest_is_read_or_refused() {
    let target = bolero::check!().with_iterations(500);
    target.for_each(|input: &[u8]| {
        let Ok(manifest) = read_manifest(input) else {
            return;
        };
        assert_eq!(manifest.format, FORMAT_VERSION);
        let written = serde_json::to_vec(&manifest).expect("JSON");
        assert_eq!(read_manifest(&written).ok().as_ref(), Some(&manifest));
        assert!(manifest.is_same_build(&manifest));
        let keys = if manifest.embedder_file.is_some() {
            4
        } else {
            3
        };
        assert_eq!(manifest.keys().count(), keys);
        let builds = manifest.clone().into_builds();
        assert_eq!(builds.len(), 1 + manifest.earlier.len());
        // What is recorded of other bytes is not what these are.
        let record = manifest.file(FileName::Items);
        assert_eq!(
            record.verifies(input),
            *record
                == FileRecord {
                    key: record.key.clone(),
                    sections: record.sections.clone(),
                    ..embedder_record(input)
                }
        );
    });
}
