//! The endpoint for programs.

use std::collections::BTreeMap;

use mostrador_core::files::{File, MediaType};
use mostrador_web::openapi::{Access, Document, Operation, idempotency_parameter, path_parameter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::OffsetDateTime;

/// A document that is to be uploaded.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct FileBody {
    /// A letter or a digit in it, and at most 80 characters after what no file's name should hold is taken out.
    name: String,
    media_type: MediaType,
    /// 1 byte to 5 MB.
    #[schemars(range(min = 1, max = 5_242_880))]
    size_bytes: u64,
}

/// Where a document's bytes go.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct UploadTo {
    pub(crate) method: String,
    pub(crate) url: String,
    /// To be sent as they are.
    pub(crate) headers: BTreeMap<String, String>,
    #[serde(with = "time::serde::rfc3339")]
    #[schemars(with = "String")]
    pub(crate) expires_at: OffsetDateTime,
}

/// A place for a document.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Announced {
    pub(crate) file: File,
    pub(crate) upload: UploadTo,
}

/// A document.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Shown")]
pub(crate) struct OneFile {
    /// For people, where it has just been read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    pub(crate) file: File,
}

/// The customer's documents, oldest first.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Listed {
    pub(crate) files: Vec<File>,
}

/// Adds this endpoint to the document.
pub fn describe(document: &mut Document) {
    let (body, announced) = (
        document.schema::<FileBody>(),
        document.schema::<Announced>(),
    );
    let (one, listed) = (document.schema::<OneFile>(), document.schema::<Listed>());
    let id = || {
        path_parameter(
            "id",
            "The document's `file_id`.",
            json!({"type": "string", "format": "uuid"}),
        )
    };
    let operation = |path, method, id, summary| Operation {
        problems: &[401, 404, 406, 413, 429, 503],
        ..Operation::new(path, method, id, summary, Access::SignedIn)
    };
    document.add(Operation {
        answers: vec![(200, Some(listed))],
        answer_example: json!({"files": [{
            "file_id": "0198f0c0-0000-7000-8000-000000000000", "name": "lista.txt", "media_type": "text/plain", "size_bytes": 46,
            "status": "ready", "passages": 1, "created_at": "2026-11-23T10:00:00Z",
        }]}),
        problems: &[401, 406, 413, 429, 503],
        ..operation(super::FILES, "GET", "list_files", "The customer's documents.")
    });
    document.add(Operation {
        parameters: vec![idempotency_parameter()],
        request: Some(body),
        request_example: json!({"name": "lista.txt", "media_type": "text/plain", "size_bytes": 46}),
        answers: vec![(201, Some(announced))],
        problems: &[400, 401, 406, 409, 413, 415, 422, 429, 503],
        ..operation(
            super::FILES,
            "POST",
            "announce_file",
            "Make a place for a document: its bytes then go to the address given.",
        )
    });
    document.add(Operation {
        parameters: vec![id()],
        answers: vec![(200, Some(one.clone()))],
        ..operation(
            super::FILE,
            "GET",
            "show_file",
            "One document, without what it says.",
        )
    });
    document.add(Operation {
        parameters: vec![id(), idempotency_parameter()],
        answers: vec![(200, Some(one))],
        problems: &[400, 401, 404, 406, 409, 413, 422, 429, 503],
        ..operation(
            super::FILE,
            "POST",
            "read_file",
            "Have a document read that has been uploaded; from then on it can be asked about.",
        )
    });
    document.add(Operation {
        parameters: vec![id()],
        answers: vec![(204, None)],
        problems: &[401, 404, 406, 409, 413, 429, 503],
        ..operation(
            super::FILE,
            "DELETE",
            "remove_file",
            "Take a document away, with all that was read of it.",
        )
    });
}
