//! What of a shop's documents makes no sense.

use super::{Check, LINE_CHARS};
use crate::shop::{Document, Passage};

/// Most passages of all documents together: each question about the shop is compared with all of them.
const PASSAGES_MOST: usize = 200;

impl Check<'_> {
    pub(super) fn documents(&mut self) {
        let documents = &self.shop.documents;
        let all: usize = documents
            .iter()
            .map(|document| document.passages.len())
            .sum();
        if all > PASSAGES_MOST {
            self.faults.add(
                "documents",
                format!("have {all} passages — write {PASSAGES_MOST} at most"),
            );
        }
        for (index, document) in documents.iter().enumerate() {
            self.document(&format!("documents[{index}]"), document);
        }
    }

    fn document(&mut self, path: &str, document: &Document) {
        let Document {
            title,
            language,
            passages,
        } = document;
        self.faults
            .text(&format!("{path}.title"), title, LINE_CHARS);
        if let Some(tag) = language {
            self.tag(&format!("{path}.language"), tag);
        }
        for (index, passage) in passages.iter().enumerate() {
            let Passage { heading, text } = passage;
            let path = format!("{path}.passages[{index}]");
            if !heading.is_empty() {
                self.faults
                    .text(&format!("{path}.heading"), heading, LINE_CHARS);
            }
            self.faults
                .text(&format!("{path}.text"), text, Passage::CHARS_MAX);
        }
    }
}
