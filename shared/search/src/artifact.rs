//! What a build leaves in the store: immutable files under the build's id, and the manifest that names them.

#[cfg(test)]
mod fuzz;
pub(crate) mod items;
pub(crate) mod keywords;
pub(crate) mod vectors;

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use tempfile::TempDir;

use crate::embedder::EmbedderIdentity;

/// The format this version writes, and the only one it reads.
pub const FORMAT_VERSION: u32 = 2;
/// Where the manifest of the current build lies.
pub const MANIFEST_KEY: &str = "index/manifest.json";

/// The files of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileName {
    Vectors,
    Items,
    Keywords,
}

impl FileName {
    pub const ALL: [Self; 3] = [Self::Vectors, Self::Items, Self::Keywords];

    /// What it is called in a folder and in the store.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Vectors => "vectors",
            Self::Items => "items",
            Self::Keywords => "keywords",
        }
    }
}

/// One stored object as it must be found again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    pub key: String,
    pub size_bytes: u64,
    /// Of the whole object: a cold start verifies 20 MB, which takes BLAKE3 milliseconds on any CPU, and SHA-256 tens of them on
    /// one that has no instructions for it.
    pub blake3: String,
    /// What the object consists of from its beginning to its end, so that damage can be named.
    pub sections: Vec<Section>,
}

/// A part of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub name: String,
    pub size_bytes: u64,
    pub blake3: String,
}

impl Section {
    /// Whether `bytes` are the section that was recorded.
    #[must_use]
    pub fn verifies(&self, bytes: &[u8]) -> bool {
        size(bytes) == self.size_bytes && hex_hash(bytes) == self.blake3
    }
}

/// What a file consists of from its beginning to its end: names and lengths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sections(Vec<(String, usize)>);

impl Sections {
    pub(crate) fn of(sections: &[(&str, usize)]) -> Self {
        let sections = sections.iter();
        Self(
            sections
                .map(|&(name, len)| (name.to_owned(), len))
                .collect(),
        )
    }

    #[cfg(test)]
    pub(crate) fn total(&self) -> usize {
        self.0.iter().map(|(_, len)| len).sum()
    }
}

impl FileRecord {
    /// Of a file that has just been written.
    fn of_file(key: String, path: &Path, sections: &Sections) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut whole = blake3::Hasher::new();
        let mut records = Vec::with_capacity(sections.0.len());
        let mut chunk = vec![0; 1 << 16];
        for (name, len) in &sections.0 {
            let mut hash = blake3::Hasher::new();
            let mut left = *len;
            while left > 0 {
                let wanted = left.min(chunk.len());
                let part = &mut chunk[..wanted];
                file.read_exact(part)?;
                hash.update(part);
                whole.update(part);
                left -= wanted;
            }
            records.push(Section {
                name: name.clone(),
                size_bytes: *len as u64,
                blake3: hash.finalize().to_hex().to_string(),
            });
        }
        Ok(Self {
            key,
            size_bytes: records.iter().map(|section| section.size_bytes).sum(),
            blake3: whole.finalize().to_hex().to_string(),
            sections: records,
        })
    }

    /// Whether `bytes` are the object that was recorded.
    #[must_use]
    pub fn verifies(&self, bytes: &[u8]) -> bool {
        size(bytes) == self.size_bytes && hex_hash(bytes) == self.blake3
    }
}

/// The one mutable object: which build is current, and what it consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: u32,
    pub build_id: String,
    /// When the build was made, as RFC 3339.
    pub built_at: String,
    pub items: usize,
    pub embedder: EmbedderIdentity,
    /// The embedder's own file; none where texts are embedded by a service.
    pub embedder_file: Option<FileRecord>,
    pub vectors: FileRecord,
    pub items_file: FileRecord,
    pub keywords: FileRecord,
    /// Builds before this one that are still there, the latest first; they have none themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Manifest>,
}

impl Manifest {
    /// Whether both are of one build, whatever came before it.
    pub(crate) fn is_same_build(&self, other: &Self) -> bool {
        self.build_id == other.build_id
            && self.embedder_file == other.embedder_file
            && FileName::ALL
                .iter()
                .all(|&name| self.file(name) == other.file(name))
    }

    /// This build and those before it.
    pub(crate) fn into_builds(mut self) -> Vec<Self> {
        let earlier = std::mem::take(&mut self.earlier);
        std::iter::once(self).chain(earlier).collect()
    }

    /// The objects that this build consists of.
    pub(crate) fn keys(&self) -> impl Iterator<Item = String> {
        let files = FileName::ALL.map(|name| self.file(name));
        let all = files.into_iter().chain(&self.embedder_file);
        all.map(|record| record.key.clone())
    }

    #[must_use]
    pub fn file(&self, name: FileName) -> &FileRecord {
        match name {
            FileName::Vectors => &self.vectors,
            FileName::Items => &self.items_file,
            FileName::Keywords => &self.keywords,
        }
    }
}

/// A finished build: its files in a folder that is removed with it, and what the manifest says of them.
#[derive(Debug)]
pub struct Artifact {
    /// Without `embedder_file`, which publishing adds.
    pub manifest: Manifest,
    folder: TempDir,
}

impl Artifact {
    /// Puts a build together from the files in `folder`; its id follows from the content and the embedder, not from the time.
    pub(crate) fn new(
        folder: TempDir,
        sections: &[(FileName, Sections)],
        count: usize,
        embedder: EmbedderIdentity,
        built_at: &str,
    ) -> io::Result<Self> {
        let mut content = blake3::Hasher::new();
        content.update(&FORMAT_VERSION.to_le_bytes());
        content.update(embedder.sha256.as_bytes());
        let mut records = Vec::with_capacity(sections.len());
        for (name, sections) in sections {
            let path = folder.path().join(name.as_str());
            let record = FileRecord::of_file(String::new(), &path, sections)?;
            content.update(record.blake3.as_bytes());
            records.push((*name, record));
        }
        let mut build_id = content.finalize().to_hex().to_string();
        build_id.truncate(16);
        let mut record = |wanted: FileName| {
            let place = records.iter().position(|(name, _)| *name == wanted);
            let (_, mut record) = records.swap_remove(place.ok_or(io::ErrorKind::NotFound)?);
            record.key = format!("index/{build_id}/{}", wanted.as_str());
            io::Result::Ok(record)
        };
        let manifest = Manifest {
            format: FORMAT_VERSION,
            built_at: built_at.to_owned(),
            items: count,
            embedder,
            embedder_file: None,
            vectors: record(FileName::Vectors)?,
            items_file: record(FileName::Items)?,
            keywords: record(FileName::Keywords)?,
            earlier: Vec::new(),
            build_id,
        };
        Ok(Self { manifest, folder })
    }

    /// Where a file lies as long as this lives.
    #[must_use]
    pub fn path(&self, name: FileName) -> PathBuf {
        self.folder.path().join(name.as_str())
    }

    /// A file's bytes.
    ///
    /// # Errors
    /// Whatever reading it fails with.
    pub fn read(&self, name: FileName) -> io::Result<Vec<u8>> {
        std::fs::read(self.path(name))
    }
}

/// The record of an embedder's prepared file, which is stored under its own hash and shared between builds.
#[must_use]
pub fn embedder_record(file: &[u8]) -> FileRecord {
    let blake3 = hex_hash(file);
    FileRecord {
        key: format!("index/embedder/{blake3}"),
        size_bytes: size(file),
        blake3,
        sections: Vec::new(),
    }
}

/// Why a file of a build cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum InvalidFile {
    #[error("the vectors file is damaged or of another format")]
    Vectors,
    #[error("the items file is damaged or of another format")]
    Items,
    #[error("the keywords file is damaged or of another format")]
    Keywords(#[source] Option<Box<dyn std::error::Error + Send + Sync>>),
}

fn size(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

fn hex_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
