//! Writes the keywords file: one tantivy segment whose bytes depend on the items alone.

use std::{
    collections::{HashMap, HashSet},
    ffi::OsStr,
    path::Path,
};

use mostrador_core::{
    catalogue::{AttributeValue, Item},
    language::Language,
    text,
};
use tantivy::{
    Directory, Index, IndexSettings, SingleSegmentIndexWriter, TantivyDocument,
    directory::{OwnedBytes, RamDirectory},
    tokenizer::{PreTokenizedString, Token},
};

use super::{Field, bundle, schema};
use crate::{
    artifact::Sections,
    layout::{index, u32_at},
    query::words::light_in,
    stem::Stems,
};

/// What the writer's hash tables may take while building.
const MEMORY_BYTES: usize = 64 << 20;
const META: &str = "meta.json";
/// What is stored of documents: nothing, in four bytes for each, which are never read.
const STORE: &str = "store";

/// Takes items in the order of their rows.
pub(crate) struct KeywordsWriter {
    directory: RamDirectory,
    writer: SingleSegmentIndexWriter<TantivyDocument>,
    words: Words,
}

impl KeywordsWriter {
    pub(crate) fn new() -> tantivy::Result<Self> {
        let directory = RamDirectory::create();
        let settings = IndexSettings {
            docstore_compress_dedicated_thread: false,
            ..IndexSettings::default()
        };
        let writer = Index::builder()
            .schema(schema(Field::all()))
            .settings(settings)
            .single_segment_index_writer(directory.clone(), MEMORY_BYTES)?;
        Ok(Self {
            directory,
            writer,
            words: Words::new(),
        })
    }

    /// Adds the next row.
    pub(crate) fn add(&mut self, item: &Item) -> tantivy::Result<()> {
        self.writer.add_document(self.words.document(item))
    }

    /// Writes the file to `path`; gives what it consists of.
    pub(crate) fn finish(self, path: &Path) -> tantivy::Result<Sections> {
        let Self {
            directory, writer, ..
        } = self;
        let built = writer.finalize()?;
        let segments = built.searchable_segment_ids()?;
        let id = segments
            .first()
            .map(|id| id.uuid_string())
            .unwrap_or_default();
        let mut paths: Vec<_> = built.directory().list_managed_files().into_iter().collect();
        paths.sort();
        let mut files = Vec::new();
        for path in paths {
            if !directory.exists(&path)? {
                continue;
            }
            let bytes = directory.open_read(&path)?.read_bytes()?;
            let bytes = if path.as_os_str() == META {
                OwnedBytes::new(canonical(&String::from_utf8_lossy(&bytes), &id).into_bytes())
            } else if path.extension() == Some(OsStr::new(STORE)) {
                footer(&bytes)
            } else {
                bytes
            };
            files.push((canonical(&path.to_string_lossy(), &id), bytes));
        }
        Ok(bundle::write(path, &files)?)
    }
}

/// What tantivy wants at the end of any file: a note, its length in a `u32`, and four bytes of magic.
fn footer(file: &OwnedBytes) -> OwnedBytes {
    let noted = file.len().saturating_sub(8);
    let note = u32_at(file, noted).map_or(0, index);
    file.slice(noted.saturating_sub(note)..file.len())
}

/// `text` with the segment's random id replaced by zeros, in both spellings.
fn canonical(text: &str, id: &str) -> String {
    let hyphenated = [
        id.get(..8),
        id.get(8..12),
        id.get(12..16),
        id.get(16..20),
        id.get(20..),
    ]
    .map(Option::unwrap_or_default)
    .join("-");
    text.replace(id, &"0".repeat(id.len()))
        .replace(&hyphenated, "00000000-0000-0000-0000-000000000000")
}

/// Words with their stems, each stemmed once a build.
struct Words {
    stemmers: Vec<Stems>,
    /// By word, in the order of the languages.
    stems: HashMap<String, Vec<String>>,
}

impl Words {
    fn new() -> Self {
        Self {
            stemmers: Language::all().map(Stems::of).collect(),
            stems: HashMap::new(),
        }
    }

    fn document(&mut self, item: &Item) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        let mut literal = HashSet::new();
        let publisher = beside_names(item);
        let titles = item.titles().collect::<Vec<_>>().join(" ");
        let light = light_in(&item.descripcion);
        for (field, text) in [
            (Field::Title, &titles),
            (Field::Author, &item.autor),
            (Field::Publisher, &publisher),
            (Field::Category, &item.categoria),
            (Field::Synopsis, &item.descripcion),
        ] {
            let mut words = text::words(text);
            literal.extend(words.iter().cloned());
            if field == Field::Synopsis {
                // Nobody looks for them there.
                words.retain(|word| !light.has(word));
            }
            document.add_pre_tokenized_text(field.in_schema(), tokens(words));
        }
        let mut stems: Vec<Vec<String>> = Language::all().map(|_| Vec::new()).collect();
        for word in literal.iter().filter(|word| !light.has(word)) {
            for (stems, stem) in stems.iter_mut().zip(self.stems_of(word)) {
                // A stem that is a word of the item's is found as that.
                if !literal.contains(stem) {
                    stems.push(stem.clone());
                }
            }
        }
        for (language, mut stems) in Language::all().zip(stems) {
            let field = Field::Stems(language);
            stems.sort_unstable();
            stems.dedup();
            document.add_pre_tokenized_text(field.in_schema(), tokens(stems));
        }
        document
    }

    fn stems_of(&mut self, word: &str) -> &[String] {
        if !self.stems.contains_key(word) {
            let stemmers = self.stemmers.iter_mut();
            let stems = stemmers.map(|stems| stems.stem(word)).collect();
            self.stems.insert(word.to_owned(), stems);
        }
        &self.stems[word]
    }
}

/// The publisher; of other items the code and what their attributes hold.
fn beside_names(item: &Item) -> String {
    let attributes = item.details.atributos.values();
    let attributes = attributes.flat_map(AttributeValue::texts);
    let code = item.details.codigo.iter().cloned();
    let all = std::iter::once(item.editorial.clone()).chain(code);
    let all: Vec<String> = all.chain(attributes).collect();
    all.join(" ")
}

fn tokens(words: Vec<String>) -> PreTokenizedString {
    let tokens = words.into_iter().enumerate().map(|(position, text)| Token {
        position,
        text,
        ..Token::default()
    });
    PreTokenizedString {
        text: String::new(),
        tokens: tokens.collect(),
    }
}
