//! The list of an owner's documents, changed by whoever saw its last state; and where a document's bytes go.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use aws_sdk_s3::presigning::PresigningConfig;
use bytes::Bytes;
use futures_util::future::{try_join, try_join_all};
use mostrador_core::{
    chain::Chain,
    clock::Clock,
    files::{FILES_MAX, File, FileStatus, FilesUnavailable, MediaType, Shelves},
    ids::Owner,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{FileError, unavailable};
use crate::{
    embedder::hex,
    store::{ArtifactStore, S3Store, StoreError},
};

/// So long an upload may be begun.
const UPLOAD_FOR: time::Duration = time::Duration::minutes(15);
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
    files: Vec<File>,
    /// No documents any more, but something may still lie there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    leaving: Vec<Uuid>,
}

impl Shelf {
    /// Those that are there, or still waited for.
    pub(super) fn live(&self, now: OffsetDateTime) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| {
            file.status != FileStatus::Waiting || now - file.created_at < WAITING_FOR
        })
    }

    pub(super) fn add(&mut self, file: File, now: OffsetDateTime) -> Result<(), FileError> {
        // Written before, though the caller got no answer.
        if self.files.contains(&file) {
            return Ok(());
        }
        if self.live(now).count() >= FILES_MAX {
            return Err(FileError::TooMany);
        }
        let live: Vec<File> = self.live(now).cloned().collect();
        self.take_away(|file| !live.contains(file));
        self.files.push(file);
        Ok(())
    }

    pub(super) fn replace(&mut self, taken: &File) -> Result<(), FileError> {
        let mut files = self.files.iter_mut();
        let place = files.find(|file| file.file_id == taken.file_id);
        *place.ok_or(FileError::NotFound)? = taken.clone();
        Ok(())
    }

    /// From now on these are not there: who is about to take one in finds it gone, and clears away what was written.
    fn take_away(&mut self, which: impl Fn(&File) -> bool) {
        let gone = self.files.extract_if(.., |file| which(file));
        self.leaving.extend(gone.map(|file| file.file_id));
    }
}

/// The documents of all customers, in a bucket.
pub struct S3Shelves {
    pub(super) store: S3Store,
    clock: Arc<dyn Clock>,
}

/// Where the list of an owner's documents lies.
fn list_key(owner: &Owner) -> String {
    format!("files/{}.json", hashed(owner))
}

/// Where the passages of an owner's document lie.
pub(super) fn texts_key(owner: &Owner, id: Uuid) -> String {
    format!("{}{id}.json", texts_of(owner))
}

/// What the keys of all passages of an owner begin with.
fn texts_of(owner: &Owner) -> String {
    format!("texts/{}/", hashed(owner))
}

/// Where the bytes of a document go. The key names no owner: an empty object may lie there for a while after an erasure.
fn upload_key(id: Uuid) -> String {
    format!("uploads/{id}")
}

/// Names of people do not belong into keys, which appear in logs and bills.
fn hashed(owner: &Owner) -> String {
    hex(&Sha256::digest(owner.to_string()))
}

impl S3Shelves {
    #[must_use]
    pub fn new(store: S3Store, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Makes a place for a document, and returns where its bytes go.
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
        let shelf = self
            .change(owner, |shelf| shelf.add(file.clone(), now))
            .await?;
        // It will be tried again; the new document does not depend on it.
        if let Err(error) = self.clear_away(owner, shelf.leaving).await {
            tracing::warn!(error = %Chain(&error), "documents that are gone still lie there");
        }
        let upload = self.upload(&file).await?;
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
    pub async fn uploaded(&self, file: &File) -> Result<Vec<u8>, FileError> {
        let key = upload_key(file.file_id);
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
        let (before, _) = self.shelf(owner).await?;
        let is_live = before.live(self.clock.now()).any(|file| file.file_id == id);
        // One that is leaving was not cleared away the last time.
        if !is_live && !before.leaving.contains(&id) {
            return Err(FileError::NotFound);
        }
        let is_meant = |file: &File| file.file_id == id;
        let shelf = self
            .change(owner, |shelf| {
                shelf.take_away(is_meant);
                Ok(())
            })
            .await?;
        self.clear_away(owner, shelf.leaving).await
    }

    /// Removes what lies there of documents that are none any more, and then forgets them.
    async fn clear_away(&self, owner: &Owner, leaving: Vec<Uuid>) -> Result<(), FileError> {
        if leaving.is_empty() {
            return Ok(());
        }
        try_join_all(leaving.iter().map(|id| self.remove_objects(owner, *id))).await?;
        let forget = |shelf: &mut Shelf| {
            shelf.leaving.retain(|id| !leaving.contains(id));
            Ok(())
        };
        self.change(owner, forget).await.map(drop)
    }

    pub(super) async fn remove_objects(&self, owner: &Owner, id: Uuid) -> Result<(), FileError> {
        let texts = texts_key(owner, id);
        try_join(self.close_upload(id), self.store.delete(&texts)).await?;
        Ok(())
    }

    /// Takes away what was uploaded of a document. An empty object keeps its place, since nothing is written where there is one and
    /// its address may still be good; a rule of the bucket's takes that away within a day or two.
    pub(super) async fn close_upload(&self, id: Uuid) -> Result<(), StoreError> {
        self.store.put(&upload_key(id), Bytes::new()).await
    }

    /// The owner's list, with the tag of its state.
    pub(super) async fn shelf(&self, owner: &Owner) -> Result<(Shelf, Option<String>), FileError> {
        match self.store.get_if_changed(&list_key(owner), None).await {
            Ok(Some(object)) => {
                // Damaged, it is a list of nothing: its owner goes on, and what it named is erased with the rest.
                let shelf = serde_json::from_slice(&object.bytes).unwrap_or_else(|_| {
                    tracing::error!(
                        "a customer's list of documents cannot be read, and counts as empty"
                    );
                    Shelf::default()
                });
                Ok((shelf, Some(object.etag)))
            }
            Ok(None) | Err(StoreError::Missing { .. }) => Ok((Shelf::default(), None)),
            Err(error) => Err(error.into()),
        }
    }

    /// Changes the owner's list, once more where others came first. Gives what it has become.
    pub(super) async fn change(
        &self,
        owner: &Owner,
        change: impl Fn(&mut Shelf) -> Result<(), FileError>,
    ) -> Result<Shelf, FileError> {
        let key = list_key(owner);
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                self.clock.pause_up_to(Duration::from_millis(100)).await;
            }
            let (mut shelf, etag) = self.shelf(owner).await?;
            let before = shelf.clone();
            change(&mut shelf)?;
            if shelf == before {
                return Ok(shelf);
            }
            let bytes = Bytes::from(serde_json::to_vec(&shelf).map_err(unavailable)?);
            match self.store.put_if(&key, bytes, etag.as_deref()).await {
                Ok(()) => return Ok(shelf),
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(FileError::Conflict)
    }

    /// An address that takes the document's bytes, without any other right.
    pub(super) async fn upload(&self, file: &File) -> Result<Upload, FileError> {
        let valid = UPLOAD_FOR.unsigned_abs();
        let valid = PresigningConfig::expires_in(valid).map_err(unavailable)?;
        let media_type = file.media_type.name();
        let size = i64::try_from(file.size_bytes).map_err(unavailable)?;
        let request = self.store.client.put_object().bucket(&self.store.bucket);
        let request = request
            .key(upload_key(file.file_id))
            // Once, and not after it was taken away.
            .if_none_match("*")
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
            let (Shelf { files, .. }, _) = self.shelf(owner).await?;
            let shelf = self
                .change(owner, |shelf| {
                    shelf.take_away(|_| true);
                    Ok(())
                })
                .await?;
            self.clear_away(owner, shelf.leaving).await?;
            // Also what no list names any more.
            let texts = self.store.keys(&texts_of(owner)).await?;
            try_join_all(texts.iter().map(|key| self.store.delete(key))).await?;
            // Its key names its owner. What is announced meanwhile is erased too.
            self.store.delete(&list_key(owner)).await?;
            Ok::<_, FileError>(files.len())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn file(number: u128, status: FileStatus, created_at: OffsetDateTime) -> File {
        File {
            file_id: Uuid::from_u128(number),
            name: format!("{number}.txt"),
            media_type: MediaType::Text,
            size_bytes: 1,
            status,
            passages: 0,
            created_at,
        }
    }

    fn ids(shelf: &Shelf, now: OffsetDateTime) -> Vec<u128> {
        shelf.live(now).map(|file| file.file_id.as_u128()).collect()
    }

    #[test]
    fn a_shelf_is_full_of_what_is_there() {
        let now = OffsetDateTime::UNIX_EPOCH + WAITING_FOR;
        let mut shelf = Shelf::default();
        // Nobody has uploaded the first one in all that time.
        shelf
            .add(file(0, FileStatus::Waiting, now - WAITING_FOR), now)
            .unwrap();
        for number in 1..=20 {
            shelf
                .add(file(number, FileStatus::Ready, now - WAITING_FOR), now)
                .unwrap();
        }
        let refused = shelf.add(file(21, FileStatus::Waiting, now), now);
        assert!(matches!(refused, Err(FileError::TooMany)));
        assert_eq!(ids(&shelf, now), (1..=20).collect::<Vec<_>>());
        assert_eq!(shelf.leaving, [Uuid::from_u128(0)]);
    }

    #[test]
    fn what_has_been_taken_away_is_not_taken_in() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let mut shelf = Shelf::default();
        let waiting = file(7, FileStatus::Waiting, now);
        shelf.add(waiting.clone(), now).unwrap();
        let ready = File {
            status: FileStatus::Ready,
            ..waiting
        };
        shelf.replace(&ready).unwrap();
        assert_eq!(shelf.files, std::slice::from_ref(&ready));
        shelf.take_away(|_| true);
        assert!(matches!(shelf.replace(&ready), Err(FileError::NotFound)));
        assert_eq!(shelf.leaving, [ready.file_id]);
        let written = serde_json::to_value(&shelf).unwrap();
        assert_eq!(serde_json::from_value::<Shelf>(written).unwrap(), shelf);
    }
}
