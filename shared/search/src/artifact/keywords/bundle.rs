//! tantivy's files side by side in one buffer, as a directory that cannot be written.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufWriter, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use tantivy::{
    Directory,
    directory::{
        DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr,
        error::{DeleteError, LockError, OpenReadError, OpenWriteError},
    },
};

use crate::{
    artifact::Sections,
    layout::{index, number, section, slice, u32_at, u64_at},
};

const MAGIC: &[u8; 8] = b"MOSTKEYW";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 24;
const NAME_BYTES: usize = 48;
const ENTRY_BYTES: usize = NAME_BYTES + 24;

/// The files of a bundle.
#[derive(Debug, Clone)]
pub(super) struct BundleDirectory {
    files: Arc<HashMap<PathBuf, OwnedBytes>>,
}

impl BundleDirectory {
    /// `None` where the bytes are not a bundle, or any part of it fails its checksum.
    pub(super) fn open(bundle: OwnedBytes) -> Option<Self> {
        let mut files = HashMap::new();
        for Entry { name, range, crc } in entries(&bundle)? {
            if crc32fast::hash(&bundle[range.clone()]) != crc {
                return None;
            }
            files.insert(PathBuf::from(name), bundle.slice(range));
        }
        Some(Self {
            files: Arc::new(files),
        })
    }
}

/// A file of a bundle.
struct Entry {
    name: String,
    range: Range<usize>,
    crc: u32,
}

/// The files of a bundle, which follow each other to its end; `None` where that is not so.
fn entries(bundle: &[u8]) -> Option<Vec<Entry>> {
    if slice(bundle, 0, 8)? != MAGIC || u32_at(bundle, 8)? != VERSION {
        return None;
    }
    let count = index(u32_at(bundle, 12)?);
    let table = section(HEADER_BYTES, count, ENTRY_BYTES, bundle.len())?;
    let mut expected = table.end;
    let table = &bundle[table];
    if crc32fast::hash(table) != u32_at(bundle, 16)? || u32_at(bundle, 20)? != 0 {
        return None;
    }
    let mut entries = Vec::with_capacity(count);
    for entry in table.chunks_exact(ENTRY_BYTES) {
        let name = std::str::from_utf8(&entry[..NAME_BYTES]).ok()?;
        let offset = usize::try_from(u64_at(entry, NAME_BYTES)?).ok()?;
        let len = usize::try_from(u64_at(entry, NAME_BYTES + 8)?).ok()?;
        let range = section(offset, len, 1, bundle.len())?;
        if offset != expected {
            return None;
        }
        expected = range.end;
        entries.push(Entry {
            name: name.trim_end_matches('\0').to_owned(),
            range,
            crc: u32_at(entry, NAME_BYTES + 16)?,
        });
    }
    (expected == bundle.len()).then_some(entries)
}

/// Writes files into one bundle at `path`; gives what it consists of: the table of its files, and each of them by the end of
/// its name.
///
/// # Errors
/// Whatever writing fails with; a name too long among it.
pub(super) fn write(path: &Path, files: &[(String, OwnedBytes)]) -> io::Result<Sections> {
    let mut entries = Vec::with_capacity(files.len() * ENTRY_BYTES);
    let mut offset = HEADER_BYTES + files.len() * ENTRY_BYTES;
    let header_bytes = offset;
    for (name, bytes) in files {
        let mut padded = [0; NAME_BYTES];
        padded
            .get_mut(..name.len())
            .ok_or(io::ErrorKind::InvalidFilename)?
            .copy_from_slice(name.as_bytes());
        entries.extend_from_slice(&padded);
        for value in [offset, bytes.len()] {
            entries.extend_from_slice(&(value as u64).to_le_bytes());
        }
        entries.extend_from_slice(&crc32fast::hash(bytes).to_le_bytes());
        entries.extend_from_slice(&[0; 4]);
        offset += bytes.len();
    }
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&number(files.len())?)?;
    for value in [crc32fast::hash(&entries), 0] {
        out.write_all(&value.to_le_bytes())?;
    }
    out.write_all(&entries)?;
    let mut sections = vec![("header", header_bytes)];
    for (name, bytes) in files {
        out.write_all(bytes)?;
        let kind = name.rsplit('.').next().unwrap_or_default();
        let kind = if name.ends_with(".json") { name } else { kind };
        sections.push((kind, bytes.len()));
    }
    out.flush()?;
    Ok(Sections::of(&sections))
}

impl Directory for BundleDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.file(path)
            .map(|bytes| Arc::new(bytes.clone()) as Arc<dyn FileHandle>)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.files.contains_key(path))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.file(path).map(|bytes| bytes.to_vec())
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError {
            io_error: Arc::new(read_only()),
            filepath: path.to_owned(),
        })
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(read_only(), path.to_owned()))
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

impl BundleDirectory {
    fn file(&self, path: &Path) -> Result<&OwnedBytes, OpenReadError> {
        let missing = || OpenReadError::FileDoesNotExist(path.to_owned());
        self.files.get(path).ok_or_else(missing)
    }
}

fn read_only() -> io::Error {
    io::Error::from(io::ErrorKind::ReadOnlyFilesystem)
}
