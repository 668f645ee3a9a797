//! Vectors of texts that were embedded before, in one file that only grows while a build runs.
//!
//! Little-endian: magic (8 bytes), `u32` dimensions, 32 bytes of the embedder's hash; then records of a 32-byte BLAKE3 hash of the
//! texts, and the vector: f32 scale and 16 bits a dimension. A record that was not written whole is cut off.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::{embedder::EmbedderIdentity, layout::f32_at};

const MAGIC: &[u8; 8] = b"MOSTVCAC";
const HASH_BYTES: usize = 32;
const HEADER_BYTES: usize = MAGIC.len() + 4 + HASH_BYTES;

/// The cache of vectors cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the cache of vectors {path} cannot be read or written", path = path.display())]
pub struct CacheError {
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// What a vector is found by: the texts it was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key([u8; HASH_BYTES]);

impl Key {
    pub(super) fn of(title: &str, synopsis: &str) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(&(title.len() as u64).to_le_bytes());
        hash.update(title.as_bytes());
        hash.update(synopsis.as_bytes());
        Self(*hash.finalize().as_bytes())
    }
}

pub(super) struct Cache {
    path: PathBuf,
    file: File,
    header: Vec<u8>,
    vector_bytes: usize,
    places: HashMap<Key, u64>,
    records: u64,
    used: HashMap<Key, u64>,
}

impl Cache {
    /// Opens the cache of one embedder; what there is of another is discarded.
    pub(super) fn open(path: &Path, embedder: &EmbedderIdentity) -> Result<Self, CacheError> {
        Self::open_file(path, embedder).map_err(|source| CacheError {
            path: path.to_owned(),
            source,
        })
    }

    fn open_file(path: &Path, embedder: &EmbedderIdentity) -> io::Result<Self> {
        let mut header = MAGIC.to_vec();
        header.extend_from_slice(&crate::layout::number(embedder.dimensions)?);
        header.extend_from_slice(blake3::hash(embedder.sha256.as_bytes()).as_bytes());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let mut cache = Self {
            path: path.to_owned(),
            file,
            header,
            vector_bytes: 4 + 2 * embedder.dimensions,
            places: HashMap::new(),
            records: 0,
            used: HashMap::new(),
        };
        cache.read_places()?;
        Ok(cache)
    }

    fn read_places(&mut self) -> io::Result<()> {
        let mut reader = BufReader::with_capacity(1 << 18, &self.file);
        let mut header = vec![0; HEADER_BYTES];
        let known = reader.read_exact(&mut header).is_ok() && header == self.header;
        if !known {
            self.file.set_len(0)?;
            self.file.rewind()?;
            return self.file.write_all(&self.header);
        }
        let mut record = vec![0; HASH_BYTES + self.vector_bytes];
        while reader.read_exact(&mut record).is_ok() {
            if let Some(hash) = record.first_chunk() {
                self.places.insert(Key(*hash), self.records);
                self.records += 1;
            }
        }
        self.file.set_len(self.start_of(self.records))
    }

    fn start_of(&self, record: u64) -> u64 {
        HEADER_BYTES as u64 + record * (HASH_BYTES + self.vector_bytes) as u64
    }

    pub(super) fn get(&mut self, key: &Key) -> Result<Option<Vec<u8>>, CacheError> {
        let Some(&place) = self.places.get(key) else {
            return Ok(None);
        };
        let vector = self.read(key, place).map_err(|error| self.error(error))?;
        if vector.is_some() {
            self.used.insert(*key, place);
        }
        Ok(vector)
    }

    /// `None` where another program has written there, or what it wrote is no vector.
    fn read(&mut self, key: &Key, place: u64) -> io::Result<Option<Vec<u8>>> {
        let start = self.start_of(place);
        self.file.seek(SeekFrom::Start(start))?;
        let mut record = vec![0; HASH_BYTES + self.vector_bytes];
        self.file.read_exact(&mut record)?;
        let (hash, vector) = record.split_at(HASH_BYTES);
        let step = f32_at(vector, 0).unwrap_or(f32::NAN);
        let sound = hash == key.0 && (0.0..=1.0 / f32::from(i16::MAX)).contains(&step);
        Ok(sound.then(|| vector.to_vec()))
    }

    /// Written at once, so that a build that is broken off loses nothing that was paid for.
    pub(super) fn put(&mut self, key: Key, vector: &[u8]) -> Result<(), CacheError> {
        let start = self.start_of(self.records);
        let record = [key.0.as_slice(), vector].concat();
        let written = self
            .file
            .seek(SeekFrom::Start(start))
            .and_then(|_| self.file.write_all(&record));
        written.map_err(|error| self.error(error))?;
        self.places.insert(key, self.records);
        self.used.insert(key, self.records);
        self.records += 1;
        Ok(())
    }

    /// Ends a build: where most of the vectors were not asked for, they are left out of the file from now on.
    pub(super) fn finish(mut self) -> Result<(), CacheError> {
        if self.records <= 2 * self.used.len() as u64 {
            return Ok(());
        }
        self.rewrite().map_err(|error| self.error(error))
    }

    fn rewrite(&mut self) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
        fresh.write_all(&self.header)?;
        let mut used: Vec<(Key, u64)> = self
            .used
            .iter()
            .map(|(key, place)| (*key, *place))
            .collect();
        used.sort_unstable_by_key(|(_, place)| *place);
        for (key, place) in used {
            if let Some(vector) = self.read(&key, place)? {
                fresh.write_all(&key.0)?;
                fresh.write_all(&vector)?;
            }
        }
        fresh.persist(&self.path)?;
        Ok(())
    }

    fn error(&self, source: io::Error) -> CacheError {
        CacheError {
            path: self.path.clone(),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(name: &str) -> EmbedderIdentity {
        EmbedderIdentity {
            name: name.to_owned(),
            dimensions: 2,
            sha256: name.to_owned(),
        }
    }

    #[test]
    fn keeps_what_was_written_and_nothing_of_another_embedder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below").join("vectors.cache");
        let keys: Vec<Key> = (0..9).map(|n| Key::of("a", &n.to_string())).collect();
        let vector = |n: u8| vec![0, 0, 0, 0x37, n, n, n, n];
        let mut cache = Cache::open(&path, &identity("one")).unwrap();
        for (key, n) in keys.iter().zip(0..) {
            cache.put(*key, &vector(n)).unwrap();
        }
        drop(cache);
        // A write that was cut off.
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(&[7; 20]).unwrap();
        drop(file);
        let mut cache = Cache::open(&path, &identity("one")).unwrap();
        assert_eq!(cache.get(&keys[4]).unwrap(), Some(vector(4)));
        assert_eq!(cache.get(&Key::of("ab", "")).unwrap(), None);
        cache.put(Key::of("ab", ""), &vector(11)).unwrap();
        cache.finish().unwrap();
        // Most were not asked for.
        let mut cache = Cache::open(&path, &identity("one")).unwrap();
        assert_eq!(cache.records, 2);
        assert_eq!(cache.get(&keys[4]).unwrap(), Some(vector(4)));
        assert_eq!(cache.get(&Key::of("ab", "")).unwrap(), Some(vector(11)));
        assert_eq!(cache.get(&keys[5]).unwrap(), None);
        drop(cache);
        let mut cache = Cache::open(&path, &identity("two")).unwrap();
        assert_eq!(cache.get(&keys[4]).unwrap(), None);
    }
}
