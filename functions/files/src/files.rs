//! What can be done with documents.

use std::collections::BTreeMap;

use http::StatusCode;
use mostrador_core::{
    files::{
        FILE_BYTES_MAX, FILE_CHARS_MAX, File, FileStatus, FilesUnavailable, MediaType, Shelves,
        file_name,
    },
    ids::Owner,
    language::Language,
};
use mostrador_search::files::{FileError, FileStore, NewFile};
use mostrador_web::{Call, Problem, Reply};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{
    describe::{Announced, Listed, OneFile, UploadTo},
    pdf, text,
};

/// An identifier that can be one; any other is nobody's.
pub(crate) fn id(text: &str) -> Result<Uuid, Problem> {
    Uuid::try_parse(text).map_err(|_| Problem::NotFound)
}

pub(crate) async fn list(files: &FileStore, owner: &Owner) -> Result<Reply, Problem> {
    let files = files.shelves.list(owner).await.map_err(unavailable)?;
    Ok(Reply::ok(&Listed { files }))
}

pub(crate) async fn get(files: &FileStore, owner: &Owner, id: Uuid) -> Result<Reply, Problem> {
    let file = files.shelves.file(owner, id).await.map_err(failed)?;
    Ok(Reply::ok(&OneFile {
        message: None,
        file,
    }))
}

pub(crate) async fn remove(files: &FileStore, owner: &Owner, id: Uuid) -> Result<Reply, Problem> {
    files.shelves.remove(owner, id).await.map_err(failed)?;
    Ok(Reply::no_content())
}

/// Makes a place for a document and returns where its bytes go.
pub(crate) async fn announce(
    files: &FileStore,
    owner: &Owner,
    call: &Call,
) -> Result<Reply, Problem> {
    let new = new_file(&call.json()?)?;
    let (file, upload) = files.shelves.begin(owner, new).await.map_err(failed)?;
    let upload = UploadTo {
        method: "PUT".to_owned(),
        url: upload.url,
        headers: upload.headers.into_iter().collect::<BTreeMap<_, _>>(),
        expires_at: upload.expires_at,
    };
    Ok(Reply::json(
        StatusCode::CREATED,
        &Announced { file, upload },
    ))
}

/// Reads what has been uploaded; what has been read before is only returned.
pub(crate) async fn read(
    files: &FileStore,
    owner: &Owner,
    id: Uuid,
    call: &Call,
) -> Result<Reply, Problem> {
    let mut file = files.shelves.file(owner, id).await.map_err(failed)?;
    if file.status == FileStatus::Waiting {
        let bytes = files.shelves.uploaded(&file).await;
        let bytes = bytes.map_err(failed)?;
        let pages = match file.media_type {
            MediaType::Pdf => pdf::pages(bytes).await,
            MediaType::Text | MediaType::Markdown => Ok(text::pages(&bytes)),
        };
        let taken = match pages {
            Ok(pages) => {
                let chars: usize = pages.iter().map(|page| page.text.chars().count()).sum();
                if chars > FILE_CHARS_MAX {
                    Err(Problem::FileTooLarge)
                } else {
                    files.take_in(owner, &file, &pages).await.map_err(failed)
                }
            }
            Err(problem) => Err(problem),
        };
        if let Err(Problem::FileTooLarge) = taken {
            // Nobody would come back for it.
            files.shelves.remove(owner, id).await.map_err(failed)?;
        }
        file = taken?;
    }
    Ok(Reply::ok(&OneFile {
        message: Some(confirmation(&file, call.language)),
        file,
    }))
}

fn confirmation(file: &File, language: Language) -> String {
    let name = &file.name;
    let key = match file.status {
        FileStatus::Ready => "file-read",
        _ => "file-without-text",
    };
    language.message(key, &[("name", name.into())])
}

fn new_file(body: &Map<String, Value>) -> Result<NewFile, Problem> {
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    let name = text("name")
        .and_then(file_name)
        .ok_or(Problem::InvalidFile {
            detail: "`name` is not a file's name of at most 80 characters",
        })?;
    let media_type = body.get("media_type").cloned().unwrap_or_default();
    let media_type = serde_json::from_value(media_type).map_err(|_| Problem::InvalidFile {
        detail: "`media_type` is not one of text/plain, text/markdown and application/pdf",
    })?;
    // To JSON 46 and 46.0 are one number, and it is written 46.
    let size_bytes = body.get("size_bytes").and_then(Value::as_f64);
    let size_bytes = size_bytes
        .and_then(|size| size.to_string().parse::<u64>().ok())
        .filter(|size| *size > 0)
        .ok_or(Problem::InvalidFile {
            detail: "`size_bytes` is not the size of a document",
        })?;
    if size_bytes > FILE_BYTES_MAX {
        return Err(Problem::FileTooLarge);
    }
    Ok(NewFile {
        name,
        media_type,
        size_bytes,
    })
}

fn failed(error: FileError) -> Problem {
    match error {
        FileError::NotFound => Problem::NotFound,
        FileError::TooMany => Problem::TooManyFiles,
        FileError::NotUploaded => Problem::NotUploaded,
        FileError::TooLong => Problem::FileTooLarge,
        FileError::Conflict => Problem::Conflict,
        FileError::Unavailable(source) => Problem::Unavailable(source),
    }
}

fn unavailable(FilesUnavailable(source): FilesUnavailable) -> Problem {
    Problem::Unavailable(source)
}
