//! A customer's own documents: what of them is near a question, and what is known of each.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::ids::Owner;

/// Most documents of one customer.
pub const FILES_MAX: usize = 20;
/// Most that a message brings along.
pub const ATTACHMENTS_MAX: usize = 5;
/// Largest document, in bytes.
pub const FILE_BYTES_MAX: u64 = 5 << 20;
/// Longest text of a document, in characters: a book of a hundred pages.
pub const FILE_CHARS_MAX: usize = 200_000;
/// Longest name of a document, in characters.
pub const NAME_CHARS_MAX: usize = 80;

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum MediaType {
    #[serde(rename = "text/plain")]
    Text,
    #[serde(rename = "text/markdown")]
    Markdown,
    #[serde(rename = "application/pdf")]
    Pdf,
}

impl MediaType {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text/plain",
            Self::Markdown => "text/markdown",
            Self::Pdf => "application/pdf",
        }
    }
}

/// How far a document has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// Its bytes have not been read yet.
    Waiting,
    /// It is searched.
    Ready,
    /// There is no text in it that could be read.
    Unreadable,
}

/// A document, without what it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct File {
    pub file_id: Uuid,
    pub name: String,
    pub media_type: MediaType,
    pub size_bytes: u64,
    pub status: FileStatus,
    /// How many passages it is searched by.
    pub passages: usize,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String")]
    pub created_at: OffsetDateTime,
}

/// A place in one of the customer's documents, or in what the shop says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Citation {
    /// The customer's document; absent where it is the shop's own text, which the message has word for word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_id: Option<Uuid>,
    pub name: String,
    /// From 1 on; absent where the document has no pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// What stands there, in the document's own words; the history keeps the place alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Citation {
    /// The document's name without its ending, as people speak of it.
    #[must_use]
    pub fn title(&self) -> &str {
        match self.name.rsplit_once('.') {
            Some((title, ending)) if !title.is_empty() && ending.len() <= 8 => title,
            _ => &self.name,
        }
    }

    /// Without its words.
    #[must_use]
    pub fn place(&self) -> Self {
        Self {
            text: None,
            ..self.clone()
        }
    }
}

/// Which documents a question is put to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// These: something of them is always found.
    Attached(Vec<Uuid>),
    /// All there are: what is found is near the question.
    All,
}

/// What was found, and which documents were not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundInFiles {
    /// The nearest first.
    pub citations: Vec<Citation>,
    /// Attached, and not there or not ready.
    pub missing: Vec<Uuid>,
}

/// Why documents cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("the customer's documents cannot be reached")]
pub struct FilesUnavailable(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// Where customers' documents are searched.
#[async_trait]
pub trait Files: Send + Sync {
    /// What of the owner's documents is near `question`.
    async fn find(
        &self,
        owner: &Owner,
        wanted: &Wanted,
        question: &str,
    ) -> Result<FoundInFiles, FilesUnavailable>;
}

/// Where customers' documents lie.
#[async_trait]
pub trait Shelves: Send + Sync {
    /// All of the owner's documents, oldest first.
    async fn list(&self, owner: &Owner) -> Result<Vec<File>, FilesUnavailable>;

    /// Deletes all that the owner has, and returns how many documents there were. It may be done again.
    async fn erase(&self, owner: &Owner) -> Result<usize, FilesUnavailable>;
}

/// A shop that takes no documents.
pub struct NoFiles;

#[async_trait]
impl Files for NoFiles {
    async fn find(
        &self,
        _: &Owner,
        wanted: &Wanted,
        _: &str,
    ) -> Result<FoundInFiles, FilesUnavailable> {
        let missing = match wanted {
            Wanted::Attached(ids) => ids.clone(),
            Wanted::All => Vec::new(),
        };
        Ok(FoundInFiles {
            citations: Vec::new(),
            missing,
        })
    }
}

#[async_trait]
impl Shelves for NoFiles {
    async fn list(&self, _: &Owner) -> Result<Vec<File>, FilesUnavailable> {
        Ok(Vec::new())
    }

    async fn erase(&self, _: &Owner) -> Result<usize, FilesUnavailable> {
        Ok(0)
    }
}

/// A name as it is kept and rendered: one line of letters, digits and what file names hold; nothing where nothing is left.
#[must_use]
pub fn file_name(given: &str) -> Option<String> {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept = last.chars().map(|c| match c {
        c if c.is_alphanumeric() || " .-_()".contains(c) => c,
        _ => ' ',
    });
    let kept: String = kept.collect();
    let name = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = name.chars().count() <= NAME_CHARS_MAX;
    (fits && name.contains(char::is_alphanumeric)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_harmless_line() {
        for (given, name) in [
            ("mi lista.pdf", Some("mi lista.pdf")),
            ("../../etc/passwd", Some("passwd")),
            ("C:\\notas\\año 2026.md", Some("año 2026.md")),
            ("«Rayuela» a 1 €\n.txt", Some("Rayuela a 1 .txt")),
            ("<b>", Some("b")),
            ("…", None),
            ("", None),
        ] {
            assert_eq!(file_name(given).as_deref(), name, "{given}");
        }
        assert_eq!(file_name(&"a".repeat(NAME_CHARS_MAX + 1)), None);
    }
}
