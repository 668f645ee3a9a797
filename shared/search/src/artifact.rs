//! What a build leaves in the store: immutable files under the build's id, and the manifest that names them.

pub(crate) mod items;
pub(crate) mod keywords;
pub(crate) mod vectors;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::embedder::EmbedderIdentity;

/// The format this version writes, and the only one it reads.
pub const FORMAT_VERSION: u32 = 1;
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

    fn as_str(self) -> &'static str {
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

impl FileRecord {
    fn of(key: String, bytes: &[u8], sections: &[(String, Range<usize>)]) -> Self {
        let sections = sections.iter().filter_map(|(name, range)| {
            let bytes = bytes.get(range.clone())?;
            Some(Section {
                name: name.clone(),
                size_bytes: size(bytes),
                blake3: hex_hash(bytes),
            })
        });
        Self {
            key,
            size_bytes: size(bytes),
            blake3: hex_hash(bytes),
            sections: sections.collect(),
        }
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

/// A finished build in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Without `embedder_file`, which publishing adds.
    pub manifest: Manifest,
    pub vectors: Vec<u8>,
    pub items: Vec<u8>,
    pub keywords: Vec<u8>,
}

impl Artifact {
    /// Puts a build together; its id follows from the content and the embedder, not from the time.
    pub(crate) fn new(
        [vectors, items, keywords]: [Vec<u8>; 3],
        count: usize,
        embedder: EmbedderIdentity,
        built_at: &str,
    ) -> Self {
        let mut content = blake3::Hasher::new();
        content.update(&FORMAT_VERSION.to_le_bytes());
        content.update(embedder.sha256.as_bytes());
        for bytes in [&vectors, &items, &keywords] {
            content.update(blake3::hash(bytes).as_bytes());
        }
        let mut build_id = content.finalize().to_hex().to_string();
        build_id.truncate(16);
        let record = |name: FileName, bytes: &[u8]| {
            let sections = match name {
                FileName::Vectors => vectors::sections(bytes),
                FileName::Items => items::sections(bytes),
                FileName::Keywords => keywords::sections(bytes),
            };
            let key = format!("index/{build_id}/{}", name.as_str());
            FileRecord::of(key, bytes, &sections.unwrap_or_default())
        };
        let manifest = Manifest {
            format: FORMAT_VERSION,
            built_at: built_at.to_owned(),
            items: count,
            embedder,
            embedder_file: None,
            vectors: record(FileName::Vectors, &vectors),
            items_file: record(FileName::Items, &items),
            keywords: record(FileName::Keywords, &keywords),
            earlier: Vec::new(),
            build_id,
        };
        Self {
            manifest,
            vectors,
            items,
            keywords,
        }
    }

    #[must_use]
    pub fn file(&self, name: FileName) -> &[u8] {
        match name {
            FileName::Vectors => &self.vectors,
            FileName::Items => &self.items,
            FileName::Keywords => &self.keywords,
        }
    }
}

/// The record of an embedder's prepared file, which is stored under its own hash and shared between builds.
#[must_use]
pub fn embedder_record(file: &[u8]) -> FileRecord {
    let mut record = FileRecord::of(String::new(), file, &[]);
    record.key = format!("index/embedder/{}", record.blake3);
    record
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
