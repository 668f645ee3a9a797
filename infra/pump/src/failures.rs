//! Where records go that could not be consumed.

use std::{
    fmt,
    fs::{File, OpenOptions},
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;

use crate::consumer::BoxError;

/// Why a record was given up, in Lambda's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Condition {
    RetryAttemptsExhausted,
    MaximumRecordAgeExceeded,
}

/// A record that was given up, and how it came to that.
#[derive(Clone, Serialize)]
pub struct FailedRecord {
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The stream's ARN.
    pub stream: String,
    /// The mapping's name.
    pub consumer: String,
    pub condition: Condition,
    /// How often the consumer was called with it.
    pub attempts: u32,
    /// The record as the event had it.
    pub record: Value,
}

/// Tells everything but the record, which may hold what customers wrote.
impl fmt::Debug for FailedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FailedRecord")
            .field("at", &self.at)
            .field("stream", &self.stream)
            .field("consumer", &self.consumer)
            .field("condition", &self.condition)
            .field("attempts", &self.attempts)
            .finish_non_exhaustive()
    }
}

/// Keeps what was given up.
#[async_trait]
pub trait FailureQueue: Send + Sync {
    /// Keeps one record.
    ///
    /// # Errors
    /// Whatever kept it from that; the mapping asks again until it is kept, and meanwhile does not go on.
    async fn keep(&self, failed: FailedRecord) -> Result<(), BoxError>;
}

/// A file of what was given up: one JSON document a line. Clones write to the same file.
#[derive(Debug, Clone)]
pub struct FailureFile {
    path: PathBuf,
    writing: Arc<Mutex<()>>,
}

impl FailureFile {
    /// The file `failed-records.jsonl` in a folder, made with its first line.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            path: folder.join("failed-records.jsonl"),
            writing: Arc::default(),
        }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn append(&self, mut line: Vec<u8>) -> Result<(), BoxError> {
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(&self.path)?;
        if ends_amid_a_line(&mut file)? {
            line.insert(0, b'\n');
        }
        line.push(b'\n');
        file.write_all(&line)?;
        Ok(())
    }
}

/// Whether the last line was cut, by a full disk or the process's end.
fn ends_amid_a_line(file: &mut File) -> Result<bool, BoxError> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

#[async_trait]
impl FailureQueue for FailureFile {
    async fn keep(&self, failed: FailedRecord) -> Result<(), BoxError> {
        let line = serde_json::to_vec(&failed)?;
        let file = self.clone();
        tokio::task::spawn_blocking(move || file.append(line)).await?
    }
}
