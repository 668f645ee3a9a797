//! Looks whether what a store holds is what was published, section by section.

use std::sync::Arc;

use bytes::Bytes;

use crate::{
    artifact::{FileName, FileRecord, MANIFEST_KEY, Manifest},
    embedder::StaticEmbedder,
    load::{LoadError, published},
    query::{Files, Generation},
    store::{ArtifactStore, StoreError},
};

/// One section, or a whole object that has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The object's key in the store.
    pub key: String,
    /// Empty for a whole object.
    pub section: String,
    pub damage: Option<Damage>,
}

/// What is wrong with a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    #[error("the object is not there")]
    Missing,
    #[error("the object ends before it, or within it")]
    CutOff,
    #[error("bytes follow that do not belong to it")]
    TooLong,
    #[error("its bytes are others than those published")]
    Altered,
}

/// What a store holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    pub manifest: Manifest,
    pub sections: Vec<Checked>,
}

impl Verified {
    /// The sections that are damaged.
    pub fn damaged(&self) -> impl Iterator<Item = &Checked> {
        self.sections
            .iter()
            .filter(|checked| checked.damage.is_some())
    }
}

/// Reads the published build whole, compares every section with the manifest, and opens it where all are right.
///
/// # Errors
/// [`LoadError`] where there is no manifest that can be read, the store does not answer, or undamaged files do not make an
/// index.
pub async fn verify(store: &dyn ArtifactStore) -> Result<Verified, LoadError> {
    let manifest = published(store).await?.ok_or(StoreError::Missing {
        key: MANIFEST_KEY.to_owned(),
    })?;
    let (sections, files, embedder) = check_all(store, &manifest).await?;
    let verified = Verified { manifest, sections };
    if verified.damaged().next().is_some() {
        return Ok(verified);
    }
    if let Some(embedder) = embedder {
        let embedder =
            StaticEmbedder::from_prepared(Bytes::from(embedder)).map_err(LoadError::Embedder)?;
        let [vectors, items, keywords] = &files;
        let files = Files::copied([vectors, items, keywords]);
        let files = files.map_err(|error| StoreError::Unavailable(error.into()))?;
        Generation::open(&verified.manifest, files, Arc::new(embedder))?;
    }
    Ok(verified)
}

/// What of a build is damaged.
pub(crate) async fn damaged_sections(
    store: &dyn ArtifactStore,
    manifest: &Manifest,
) -> Result<Vec<Checked>, StoreError> {
    let (mut sections, ..) = check_all(store, manifest).await?;
    sections.retain(|checked| checked.damage.is_some());
    Ok(sections)
}

/// Every section, the three files in their order, and the embedder's if it has one.
async fn check_all(
    store: &dyn ArtifactStore,
    manifest: &Manifest,
) -> Result<(Vec<Checked>, [Vec<u8>; 3], Option<Vec<u8>>), StoreError> {
    let mut sections = Vec::new();
    let mut files = [const { Vec::new() }; 3];
    for (name, file) in FileName::ALL.into_iter().zip(&mut files) {
        *file = check(store, manifest.file(name), &mut sections).await?;
    }
    let embedder = match &manifest.embedder_file {
        Some(record) => Some(check(store, record, &mut sections).await?),
        None => None,
    };
    Ok((sections, files, embedder))
}

async fn whole(store: &dyn ArtifactStore, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
    match store.get_if_changed(key, None).await {
        Ok(found) => Ok(found.map(|found| found.bytes)),
        Err(StoreError::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Checks one object, and gives its bytes as they are.
async fn check(
    store: &dyn ArtifactStore,
    record: &FileRecord,
    into: &mut Vec<Checked>,
) -> Result<Vec<u8>, StoreError> {
    let bytes = whole(store, &record.key).await?;
    let mut add = |section: &str, damage| {
        into.push(Checked {
            key: record.key.clone(),
            section: section.to_owned(),
            damage,
        });
    };
    let Some(bytes) = bytes else {
        add("", Some(Damage::Missing));
        return Ok(Vec::new());
    };
    if record.sections.is_empty() {
        add("", (!record.verifies(&bytes)).then_some(Damage::Altered));
        return Ok(bytes);
    }
    let mut rest = bytes.as_slice();
    for section in &record.sections {
        let len = usize::try_from(section.size_bytes).unwrap_or(usize::MAX);
        let damage = match rest.split_at_checked(len) {
            None => {
                rest = &[];
                Some(Damage::CutOff)
            }
            Some((part, after)) => {
                rest = after;
                (!section.verifies(part)).then_some(Damage::Altered)
            }
        };
        add(&section.name, damage);
    }
    if !rest.is_empty() {
        add("", Some(Damage::TooLong));
    }
    Ok(bytes)
}
