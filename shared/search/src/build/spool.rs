//! What waits on disk until it is needed.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::Path,
};

use mostrador_core::{catalogue::Item, price::Price};

const BUFFER_BYTES: usize = 1 << 18;

/// Records of one size, written one after the other and read anywhere.
pub(super) struct Records {
    file: BufWriter<File>,
    size: usize,
}

impl Records {
    pub(super) fn new(folder: &Path, size: usize) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        Ok(Self {
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            size,
        })
    }

    pub(super) fn push(&mut self, record: &[u8]) -> io::Result<()> {
        debug_assert_eq!(record.len(), self.size);
        self.file.write_all(record)
    }

    /// The record at `place`; from the first read on no more are written.
    pub(super) fn read(&mut self, place: u32) -> io::Result<Vec<u8>> {
        let at = u64::from(place) * self.size as u64;
        self.file.seek(SeekFrom::Start(at))?;
        let mut record = vec![0; self.size];
        self.file.get_ref().read_exact(&mut record)?;
        Ok(record)
    }
}

/// Items with their stock, written one after the other and read anywhere.
pub(super) struct ItemSpool {
    file: BufWriter<File>,
    /// Where each begins, and where the next one will.
    starts: Vec<u64>,
}

impl ItemSpool {
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        Ok(Self {
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            starts: vec![0],
        })
    }

    pub(super) fn push(&mut self, item: &Item, stock: u32) -> io::Result<()> {
        // A table may hold prices that nobody may name: they are none of the index's business.
        let priceless = Item {
            precio: Price::from_minor(0),
            ..item.clone()
        };
        let bytes = serde_json::to_vec(&(priceless, item.precio.minor(), stock))?;
        self.file.write_all(&bytes)?;
        let start = self.starts.last().copied().unwrap_or_default();
        self.starts.push(start + bytes.len() as u64);
        Ok(())
    }

    /// The item that came in at `place`; from the first read on no more are written.
    pub(super) fn read(&mut self, place: u32) -> io::Result<(Item, u32)> {
        let place = crate::layout::index(place);
        let [start, end] = self
            .starts
            .get(place..place.saturating_add(2))
            .and_then(|ends| ends.try_into().ok())
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        self.file.seek(SeekFrom::Start(start))?;
        let len = usize::try_from(end - start).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let mut bytes = vec![0; len];
        self.file.get_ref().read_exact(&mut bytes)?;
        let (item, minor, stock): (Item, i64, u32) = serde_json::from_slice(&bytes)?;
        let precio = Price::from_minor(minor);
        Ok((Item { precio, ..item }, stock))
    }
}
