//! The list of an owner's documents, changed by whoever saw its last state; and where a document's bytes go.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use aws_sdk_s3::presigning::PresigningConfig;
use bytes::Bytes;
use futures_util::future::try_join_all;
use mostrador_core::{
    clock::Clock,
    files::{FILES_MAX, File, FileStatus, FilesUnavailable, MediaType, Shelves},
    ids::Owner,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{FileError, unavailable};
use crate::store::{ArtifactStore, S3Store, StoreError};

/// So long an upload may be begun.
const UPLOAD_FOR: Duration = Duration::from_secs(15 * 60);
/// A document that nobody has uploaded for so long is not waited for.
const WAITING_FOR: time::Duration = time::Duration::HOUR;
/// How often a change is tried.
const ATTEMPTS: usize = 5;

/// A document that somebody wants to upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    pub name: String,
    pub media_type: MediaType,
    pub size_bytes: u64,
}

/// Where its bytes go: so many, of this type, and no others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub expires_at: OffsetDateTime,
}

/// An owner's documents, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shelf {
    pub(super) files: Vec<File>,
}

impl Shelf {
    /// Those that are there, or still waited for.
    pub(super) fn live(&self, now: OffsetDateTime) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| {
            file.status != FileStatus::Waiting || now - file.created_at < WAITING_FOR
        })
    }

    pub(super) fn add(&mut self, file: File, now: OffsetDateTime) -> Result<(), FileError> {
        if self.live(now).count() >= FILES_MAX {
            return Err(FileError::TooMany);
        }
        self.files = self.live(now).cloned().collect();
        self.files.push(file);
        Ok(())
    }

    pub(super) fn replace(&mut self, taken: &File) -> Result<(), FileError> {
        let mut files = self.files.iter_mut();
        let place = files.find(|file| file.file_id == taken.file_id);
        *place.ok_or(FileError::NotFound)? = taken.clone();
        Ok(())
    }

    pub(super) fn remove(&mut self, id: Uuid) -> Result<(), FileError> {
        let before = self.files.len();
        self.files.retain(|file| file.file_id != id);
        if self.files.len() == before {
            return Err(FileError::NotFound);
        }
        Ok(())
    }
}

/// The documents of all customers, in a bucket.
pub struct S3Shelves {
    pub(super) store: S3Store,
    clock: Arc<dyn Clock>,
}

/// Where an object of an owner's document lies.
pub(super) fn key(folder: &str, owner: &Owner, id: Uuid, end: &str) -> String {
    format!("{folder}/{}/{id}{end}", hashed(owner))
}

/// Names of people do not belong into keys, which logs and bills show.
fn hashed(owner: &Owner) -> String {
    let hash = Sha256::digest(owner.to_string());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl S3Shelves {
    #[must_use]
    pub fn new(store: S3Store, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Makes a place for a document, and tells where its bytes go.
    ///
    /// # Errors
    /// [`FileError::TooMany`], [`FileError::Conflict`], [`FileError::Unavailable`].
    pub async fn begin(&self, owner: &Owner, new: NewFile) -> Result<(File, Upload), FileError> {
        let now = self.clock.now();
        let file = File {
            file_id: self.clock.new_id(),
            name: new.name,
            media_type: new.media_type,
            size_bytes: new.size_bytes,
            status: FileStatus::Waiting,
            passages: 0,
            created_at: truncated(now),
        };
        self.change(owner, |shelf| shelf.add(file.clone(), now))
            .await?;
        let upload = self.upload(owner, &file).await?;
        Ok((file, upload))
    }

    /// The owner's document.
    ///
    /// # Errors
    /// [`FileError::NotFound`], [`FileError::Unavailable`].
    pub async fn file(&self, owner: &Owner, id: Uuid) -> Result<File, FileError> {
        let (shelf, _) = self.shelf(owner).await?;
        let file = shelf.live(self.clock.now()).find(|file| file.file_id == id);
        file.cloned().ok_or(FileError::NotFound)
    }

    /// The bytes of a document that has been uploaded.
    ///
    /// # Errors
    /// [`FileError::NotUploaded`], [`FileError::Unavailable`].
    pub async fn uploaded(&self, owner: &Owner, file: &File) -> Result<Vec<u8>, FileError> {
        let key = key("uploads", owner, file.file_id, "");
        match self.store.get(&key, file.size_bytes).await {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(StoreError::Missing { .. } | StoreError::WrongSize { .. }) => {
                Err(FileError::NotUploaded)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Takes a document away.
    ///
    /// # Errors
    /// [`FileError::NotFound`], [`FileError::Conflict`], [`FileError::Unavailable`].
    pub async fn remove(&self, owner: &Owner, id: Uuid) -> Result<(), FileError> {
        self.file(owner, id).await?;
        self.remove_objects(owner, id).await?;
        self.change(owner, |shelf| shelf.remove(id)).await
    }

    pub(super) async fn remove_objects(&self, owner: &Owner, id: Uuid) -> Result<(), FileError> {
        let uploaded = key("uploads", owner, id, "");
        let texts = key("texts", owner, id, ".json");
        try_join_all([uploaded, texts].iter().map(|key| self.store.delete(key))).await?;
        Ok(())
    }

    /// The owner's list, with the tag of its state.
    pub(super) async fn shelf(&self, owner: &Owner) -> Result<(Shelf, Option<String>), FileError> {
        let key = format!("files/{}.json", hashed(owner));
        match self.store.get_if_changed(&key, None).await {
            Ok(Some(object)) => {
                let shelf = serde_json::from_slice(&object.bytes).map_err(unavailable)?;
                Ok((shelf, Some(object.etag)))
            }
            Ok(None) | Err(StoreError::Missing { .. }) => Ok((Shelf::default(), None)),
            Err(error) => Err(error.into()),
        }
    }

    /// Changes the owner's list, once more where others came first.
    pub(super) async fn change(
        &self,
        owner: &Owner,
        change: impl Fn(&mut Shelf) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let key = format!("files/{}.json", hashed(owner));
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                self.clock.pause_up_to(Duration::from_millis(100)).await;
            }
            let (mut shelf, etag) = self.shelf(owner).await?;
            let before = shelf.clone();
            change(&mut shelf)?;
            if shelf == before {
                return Ok(());
            }
            let bytes = Bytes::from(serde_json::to_vec(&shelf).map_err(unavailable)?);
            match self.store.put_if(&key, bytes, etag.as_deref()).await {
                Ok(()) => return Ok(()),
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(FileError::Conflict)
    }

    /// An address that takes the document's bytes, without any other right.
    pub(super) async fn upload(&self, owner: &Owner, file: &File) -> Result<Upload, FileError> {
        let valid = PresigningConfig::expires_in(UPLOAD_FOR).map_err(unavailable)?;
        let media_type = file.media_type.name();
        let size = i64::try_from(file.size_bytes).map_err(unavailable)?;
        let request = self.store.client.put_object().bucket(&self.store.bucket);
        let request = request
            .key(key("uploads", owner, file.file_id, ""))
            .content_type(media_type)
            .content_length(size);
        let signed = request.presigned(valid).await.map_err(unavailable)?;
        // A client sets the length itself, by what it sends.
        let headers = signed.headers();
        let headers = headers.filter(|(name, _)| !name.eq_ignore_ascii_case("content-length"));
        Ok(Upload {
            url: signed.uri().to_owned(),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            expires_at: self.clock.now() + UPLOAD_FOR,
        })
    }
}

#[async_trait]
impl Shelves for S3Shelves {
    async fn list(&self, owner: &Owner) -> Result<Vec<File>, FilesUnavailable> {
        let shelf = self.shelf(owner).await;
        let (shelf, _) = shelf.map_err(|error| FilesUnavailable(Box::new(error)))?;
        Ok(shelf.live(self.clock.now()).cloned().collect())
    }

    async fn erase(&self, owner: &Owner) -> Result<usize, FilesUnavailable> {
        let erased = async {
            let (Shelf { files }, _) = self.shelf(owner).await?;
            for file in &files {
                self.remove_objects(owner, file.file_id).await?;
            }
            let ids: Vec<Uuid> = files.iter().map(|file| file.file_id).collect();
            if !ids.is_empty() {
                self.change(owner, |shelf| {
                    shelf.files.retain(|file| !ids.contains(&file.file_id));
                    Ok(())
                })
                .await?;
            }
            Ok::<_, FileError>(ids.len())
        };
        erased
            .await
            .map_err(|error| FilesUnavailable(Box::new(error)))
    }
}

/// To whole milliseconds, as it is written.
fn truncated(now: OffsetDateTime) -> OffsetDateTime {
    let millisecond = now.millisecond();
    now.replace_millisecond(millisecond).unwrap_or(now)
}
