//! The tantivy index in one file: a directory at the front, then tantivy's own files, read through it without a copy.
//!
//! Little-endian: magic (8 bytes), `u32` version, files, CRC-32 of the entries and zero; then entries of 72 bytes: name
//! (48 bytes, zero-padded), `u64` offset, `u64` length, `u32` CRC-32 and zero. tantivy asserts where its bytes are
//! damaged, hence the checksums of each part, which are checked before tantivy sees a byte.

use std::sync::Arc;

use mostrador_core::language::Language;
use tantivy::{
    Index, SegmentReader, Term,
    directory::OwnedBytes,
    index::InvertedIndexReader,
    postings::TermInfo,
    query::FuzzyTermQuery,
    schema::{IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
};

use self::bundle::BundleDirectory;
use super::InvalidFile;
use crate::store::Buffer;

mod bundle;
#[cfg(test)]
mod fuzz;
mod write;

pub(crate) use write::KeywordsWriter;

/// What a word can be looked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Title,
    Author,
    Publisher,
    Category,
    Synopsis,
    /// Stems of all the text in a language.
    Stems(Language),
}

impl Field {
    /// Those in which a word is found as it is.
    pub(crate) const LITERAL: [Self; 5] = [
        Self::Title,
        Self::Author,
        Self::Publisher,
        Self::Category,
        Self::Synopsis,
    ];

    /// Every field, in the order of their numbers.
    fn all() -> impl Iterator<Item = Self> {
        let stems = Language::all().map(Self::Stems);
        Self::LITERAL.into_iter().chain(stems)
    }

    /// Its number in a schema of all fields.
    fn in_schema(self) -> tantivy::schema::Field {
        let number = u32::try_from(self.number()).unwrap_or_default();
        tantivy::schema::Field::from_field_id(number)
    }

    fn number(self) -> usize {
        match self {
            Self::Title => 0,
            Self::Author => 1,
            Self::Publisher => 2,
            Self::Category => 3,
            Self::Synopsis => 4,
            Self::Stems(language) => 5 + language.index(),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Title => "titulo".to_owned(),
            Self::Author => "autor".to_owned(),
            Self::Publisher => "editorial".to_owned(),
            Self::Category => "categoria".to_owned(),
            Self::Synopsis => "descripcion".to_owned(),
            Self::Stems(language) => format!("stems_{}", language.tag()),
        }
    }
}

/// The schema of these fields: one inverted list a field, without positions or frequencies, nothing stored.
fn schema(fields: impl Iterator<Item = Field>) -> Schema {
    let indexing = TextFieldIndexing::default()
        .set_index_option(IndexRecordOption::Basic)
        .set_fieldnorms(false);
    let options = TextOptions::default().set_indexing_options(indexing);
    let mut schema = Schema::builder();
    for field in fields {
        schema.add_text_field(&field.name(), options.clone());
    }
    schema.build()
}

/// The inverted index of one build; a document's number is its row.
pub(crate) struct Keywords {
    documents: u32,
    /// By the fields' numbers. A build from before a language was added has none of its stems.
    fields: Vec<Option<Arc<InvertedIndexReader>>>,
}

impl Keywords {
    pub(crate) fn open(file: Buffer) -> Result<Self, InvalidFile> {
        let directory =
            BundleDirectory::open(OwnedBytes::new(file)).ok_or(InvalidFile::Keywords(None))?;
        let opened = Self::open_index(directory);
        opened.map_err(|error| InvalidFile::Keywords(Some(Box::new(error))))
    }

    fn open_index(directory: BundleDirectory) -> tantivy::Result<Self> {
        let index = Index::open(directory)?;
        let built = index.schema();
        let present = Field::all().filter(|field| {
            !matches!(field, Field::Stems(_)) || built.get_field(&field.name()).is_ok()
        });
        if built != schema(present) {
            let reason = "the schema is another version's".to_owned();
            return Err(tantivy::TantivyError::SchemaError(reason));
        }
        let segments = index.searchable_segments()?;
        let [segment] = segments.as_slice() else {
            let reason = "not exactly one segment".to_owned();
            return Err(tantivy::TantivyError::SchemaError(reason));
        };
        let reader = SegmentReader::open(segment)?;
        let fields = Field::all()
            .map(|field| match built.get_field(&field.name()) {
                Ok(field) => reader.inverted_index(field).map(Some),
                Err(_) => Ok(None),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            documents: reader.max_doc(),
            fields,
        })
    }

    pub(crate) fn len(&self) -> usize {
        crate::layout::index(self.documents)
    }

    /// The list of `word` in `field`, if any document has it there.
    pub(crate) fn list(&self, field: Field, word: &str) -> Option<TermInfo> {
        let reader = self.reader(field)?;
        reader.terms().get(word.as_bytes()).ok().flatten()
    }

    /// Calls `visit` with each of `fields` and the list of each of its words that is `edits` (1 or 2) edits or fewer from
    /// `word`; two swapped letters are one. At two edits only words with the same first letter are looked at, a tenth of
    /// them: slips of the finger hardly ever are in the first letter and somewhere else as well.
    pub(crate) fn similar(
        &self,
        fields: &[Field],
        word: &str,
        edits: u8,
        mut visit: impl FnMut(Field, &TermInfo),
    ) {
        // Building the automaton costs more than running it, so it is built once for all fields.
        let term = Term::from_field_text(Field::Title.in_schema(), word);
        let Ok(automaton) = FuzzyTermQuery::new(term, edits, true).automaton() else {
            return;
        };
        for &field in fields {
            let Some(reader) = self.reader(field) else {
                continue;
            };
            let mut terms = reader.terms().search(&automaton);
            if let (2.., Some(first)) = (edits, word.chars().next()) {
                terms = terms.ge(first.to_string());
                terms = terms.lt(char::from_u32(u32::from(first) + 1)
                    .unwrap_or(char::MAX)
                    .to_string());
            }
            if let Ok(mut stream) = terms.into_stream() {
                while stream.advance() {
                    visit(field, stream.value());
                }
            }
        }
    }

    /// Calls `visit` with the list of each word of `field` that begins with `start`.
    pub(crate) fn beginning_with(
        &self,
        field: Field,
        start: &str,
        mut visit: impl FnMut(&TermInfo),
    ) {
        let Some(reader) = self.reader(field) else {
            return;
        };
        let after = format!("{start}{}", char::MAX);
        let terms = reader.terms().range().ge(start).lt(after);
        if let Ok(mut stream) = terms.into_stream() {
            while stream.advance() {
                visit(stream.value());
            }
        }
    }

    /// Calls `visit` with the row of each document in a list of `field`.
    pub(crate) fn visit(&self, field: Field, list: &TermInfo, mut visit: impl FnMut(usize)) {
        let Some(reader) = self.reader(field) else {
            return;
        };
        let postings = reader.read_block_postings_from_terminfo(list, IndexRecordOption::Basic);
        let Ok(mut postings) = postings else { return };
        while !postings.docs().is_empty() {
            for &document in postings.docs() {
                if document < self.documents {
                    visit(crate::layout::index(document));
                }
            }
            postings.advance();
        }
    }

    fn reader(&self, field: Field) -> Option<&InvertedIndexReader> {
        self.fields.get(field.number())?.as_deref()
    }
}
