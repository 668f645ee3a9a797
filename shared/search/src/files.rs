//! A customer's own documents: taken in by way of the object store, cut into passages, and searched by a turn.
//!
//! An owner's objects lie under a hash of their name: `files/<owner>.json` lists the documents and is only changed by whoever saw its
//! last state, and `texts/<owner>/<file>.json` holds one's passages with their vectors and never changes. `uploads/<file>` is there from
//! the upload until it has been read, and takes nothing a second time: in its place lies an empty object for as long as its address is
//! good, so that what comes late stays nowhere. A document that is taken away is noted as leaving first, then its objects go, and then
//! the note: whoever is reading it meanwhile finds it gone and clears up after itself, and what is broken off is gone on with.

mod near;
mod passages;
mod shelf;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::{join, join_all};
use mostrador_core::{
    files::{Citation, File, FileStatus, Files, FilesUnavailable, FoundInFiles, Shelves, Wanted},
    ids::Owner,
};
use tokio::time::timeout;
use uuid::Uuid;

use self::{
    near::nearest,
    passages::{Passages, TextError},
    shelf::texts_key,
};
use crate::{
    embedder::Purpose,
    load::Loader,
    store::{ArtifactStore, StoreError},
    tuning::PASSAGES_CITED,
};

pub use self::{
    passages::Page,
    shelf::{NewFile, S3Shelves, Upload},
};

/// A document has more where its pages are many and nearly empty.
const PASSAGES_MAX: usize = 1_000;
/// For a turn, which is answered without them after that.
const FOUND_WITHIN: Duration = Duration::from_secs(3);
/// For a document's vectors; it is then searched by its words.
const EMBEDDED_WITHIN: Duration = Duration::from_secs(12);
/// Documents whose passages are kept in memory.
const KEPT: usize = 32;

/// Why a document is not taken in.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("there is no such document")]
    NotFound,
    #[error("there are as many documents as there may be")]
    TooMany,
    #[error("there is more text in it than is searched")]
    TooLong,
    #[error("nothing of the announced size has been uploaded")]
    NotUploaded,
    #[error("other changes came first")]
    Conflict,
    #[error("the document store cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<StoreError> for FileError {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

/// Customers' documents in a bucket, read and searched with the index's embedder.
pub struct FileStore {
    pub shelves: S3Shelves,
    index: Arc<Loader>,
    kept: Mutex<HashMap<Uuid, Arc<Passages>>>,
}

impl FileStore {
    #[must_use]
    pub fn new(shelves: S3Shelves, index: Arc<Loader>) -> Self {
        Self {
            shelves,
            index,
            kept: Mutex::default(),
        }
    }

    /// Takes a document in by what stands on its pages; one without a text is kept as unreadable.
    ///
    /// # Errors
    /// [`FileError::NotFound`] where it has been taken away meanwhile, [`FileError::TooLong`], [`FileError::Conflict`],
    /// [`FileError::Unavailable`].
    pub async fn take_in(
        &self,
        owner: &Owner,
        file: &File,
        pages: &[Page],
    ) -> Result<File, FileError> {
        let texts = passages::cut(pages);
        if texts.len() > PASSAGES_MAX {
            return Err(FileError::TooLong);
        }
        let mut taken = File {
            status: FileStatus::Unreadable,
            ..file.clone()
        };
        if !texts.is_empty() {
            let generation = self.index.generation().await;
            let embedder = generation.as_ref().map(|generation| generation.embedder());
            let passages = Passages::new(texts, embedder.map(|embedder| &**embedder)).await;
            taken.status = FileStatus::Ready;
            taken.passages = passages.len();
            let bytes = Bytes::from(passages.encode().map_err(unavailable)?);
            let key = texts_key(owner, file.file_id);
            self.shelves.store.put(&key, bytes).await?;
        }
        let changed = self
            .shelves
            .change(owner, |shelf| shelf.replace(&taken))
            .await;
        if let Err(FileError::NotFound) = changed {
            self.shelves.remove_objects(owner, file.file_id).await?;
        }
        changed?;
        // Nobody reads it any more; a rule of the bucket's takes away what is left behind here.
        let _ = self.shelves.close_upload(file.file_id).await;
        Ok(taken)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<Uuid, Arc<Passages>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A document's passages, from memory where they are.
    async fn passages(&self, owner: &Owner, id: Uuid) -> Result<Arc<Passages>, TextError> {
        if let Some(kept) = self.kept().get(&id) {
            return Ok(Arc::clone(kept));
        }
        let key = texts_key(owner, id);
        let object = self.shelves.store.get_if_changed(&key, None).await?;
        let bytes = object.map(|object| object.bytes).unwrap_or_default();
        let passages = Arc::new(Passages::decode(&bytes)?);
        let mut kept = self.kept();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(id, Arc::clone(&passages));
        Ok(passages)
    }
}

#[async_trait]
impl Files for FileStore {
    async fn find(
        &self,
        owner: &Owner,
        wanted: &Wanted,
        question: &str,
    ) -> Result<FoundInFiles, FilesUnavailable> {
        let found = timeout(FOUND_WITHIN, self.look(owner, wanted, question)).await;
        found.unwrap_or_else(|late| Err(FilesUnavailable(Box::new(late))))
    }
}

impl FileStore {
    async fn look(
        &self,
        owner: &Owner,
        wanted: &Wanted,
        question: &str,
    ) -> Result<FoundInFiles, FilesUnavailable> {
        let (listed, generation) = join(self.shelves.list(owner), self.index.generation()).await;
        let listed = listed?;
        let is_ready = |file: &&File| file.status == FileStatus::Ready;
        let ready: Vec<&File> = listed.iter().filter(is_ready).collect();
        let (chosen, missing) = match wanted {
            Wanted::All => (ready, Vec::new()),
            Wanted::Attached(ids) => {
                let is_there = |id: &&Uuid| ready.iter().any(|file| file.file_id == **id);
                let missing = ids.iter().filter(|id| !is_there(id)).copied().collect();
                let is_wanted = |file: &&File| ids.contains(&file.file_id);
                (ready.into_iter().filter(is_wanted).collect(), missing)
            }
        };
        if chosen.is_empty() {
            return Ok(FoundInFiles {
                citations: Vec::new(),
                missing,
            });
        }
        let embedder = generation.as_ref().map(|generation| generation.embedder());
        let vector = match embedder {
            Some(embedder) => embedder.embed(&[question], Purpose::Query).await.ok(),
            None => None,
        };
        let vector = vector.and_then(|mut vectors| vectors.pop());
        let query_vector = embedder.zip(vector.as_deref());
        let query_vector = query_vector.map(|(embedder, vector)| (embedder.identity(), vector));
        let read = chosen.iter().map(async |file| {
            let passages = self.passages(owner, file.file_id).await;
            (*file, passages)
        });
        let mut texts = Vec::new();
        for (file, passages) in join_all(read).await {
            match passages {
                Ok(passages) => texts.push((file, passages)),
                // Taken away meanwhile, or damaged: the others answer.
                Err(error) => {
                    let error = mostrador_core::chain::Chain(&error);
                    tracing::warn!(%error, "a document's passages cannot be read");
                }
            }
        }
        let is_attached = matches!(wanted, Wanted::Attached(_));
        let citations = nearest(&texts, question, query_vector, is_attached, PASSAGES_CITED);
        let citations = citations.into_iter().map(|(file, passage)| Citation {
            file_id: Some(file.file_id),
            name: file.name.clone(),
            page: passage.page,
            text: Some(passage.text.clone()),
        });
        Ok(FoundInFiles {
            citations: citations.collect(),
            missing,
        })
    }
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> FileError {
    FileError::Unavailable(Box::new(error))
}
