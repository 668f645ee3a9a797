//! The items of a build in the order of their rows, read in place.
//!
//! Little-endian: magic (8 bytes), `u32` version, items, categories, ISBNs, bytes of names and of texts; then the symbols
//! ([`symbols`]); the records; a `u32` row for each item in ascending order of their numbers; the categories (`u32` offset and
//! length among the names); the ISBNs in ascending order (`u64` of the 13 digits, `u32` row); names; texts.
//! A record is `u64` number, `i64` price, `u32` stock, `i32` year, `u32` category, and `u32` offsets among names and texts, where
//! what is the record's ends where the next one's begins. Names are the length of the title and the title, then the author;
//! texts the length of the ISBN and the ISBN, the same for the publisher and for the details (JSON; nothing where there are none),
//! then the synopsis; each text for itself in symbols, the lengths in bytes of seven bits, lowest first, with the eighth set on all but the last.

#[cfg(test)]
mod fuzz;
mod symbols;
mod write;

use std::ops::Range;

use bytes::Bytes;
use mostrador_core::{
    catalogue::{Attributes, Item},
    price::Price,
};
use serde::{Deserialize, de::DeserializeOwned};

use self::symbols::{SYMBOLS_BYTES, Symbols};
pub(crate) use self::write::{ItemsWriter, TextCompressor};
use super::InvalidFile;
use crate::layout::{i32_at, i64_at, index, section, slice, u32_at, u64_at};

const MAGIC: &[u8; 8] = b"MOSTITEM";
const VERSION: u32 = 2;
const HEADER_BYTES: usize = 32;
const RECORD_BYTES: usize = 36;
const CATEGORY_BYTES: usize = 8;
const ISBN_BYTES: usize = 12;
const NO_YEAR: i32 = i32::MIN;

/// An items file read in place. What damage leaves unreadable comes back empty: the checksum is the loader's business.
#[derive(Debug, Clone)]
pub(crate) struct Items {
    file: Bytes,
    layout: Layout,
    symbols: Symbols,
    categories: Vec<String>,
}

#[derive(Debug, Clone)]
struct Layout {
    symbols: Range<usize>,
    records: Range<usize>,
    numbers: Range<usize>,
    categories: Range<usize>,
    isbns: Range<usize>,
    names: Range<usize>,
    texts: Range<usize>,
}

impl Items {
    pub(crate) fn open(file: Bytes) -> Result<Self, InvalidFile> {
        let layout = Layout::of(&file).ok_or(InvalidFile::Items)?;
        let symbols = Symbols::read(&file[layout.symbols.clone()]).ok_or(InvalidFile::Items)?;
        let names = &file[layout.names.clone()];
        // They follow each other, so that all of them together are no longer than the names.
        let mut expected = 0;
        let categories = file[layout.categories.clone()]
            .chunks_exact(CATEGORY_BYTES)
            .map(|entry| {
                let (offset, len) = (index(u32_at(entry, 0)?), index(u32_at(entry, 4)?));
                let name = slice(names, offset, len).filter(|_| offset == expected)?;
                expected += len;
                Some(symbols.text(name))
            })
            .collect::<Option<_>>()
            .ok_or(InvalidFile::Items)?;
        Ok(Self {
            file,
            layout,
            symbols,
            categories,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.layout.records.len() / RECORD_BYTES
    }

    pub(crate) fn libro_id(&self, row: usize) -> u64 {
        u64_at(self.record(row), 0).unwrap_or_default()
    }

    pub(crate) fn price(&self, row: usize) -> Price {
        Price::from_minor(i64_at(self.record(row), 8).unwrap_or_default())
    }

    pub(crate) fn stock(&self, row: usize) -> u32 {
        u32_at(self.record(row), 16).unwrap_or_default()
    }

    pub(crate) fn year(&self, row: usize) -> Option<i32> {
        i32_at(self.record(row), 20).filter(|year| *year != NO_YEAR)
    }

    pub(crate) fn category_number(&self, row: usize) -> u32 {
        u32_at(self.record(row), 24).unwrap_or_default()
    }

    pub(crate) fn title(&self, row: usize) -> String {
        let (title, _) = counted(self.names(row));
        self.symbols.text(title)
    }

    pub(crate) fn author(&self, row: usize) -> String {
        let (_, author) = counted(self.names(row));
        self.symbols.text(author)
    }

    pub(crate) fn synopsis(&self, row: usize) -> String {
        let (_, texts) = counted(self.own(row, 32, &self.layout.texts));
        let (_, texts) = counted(texts);
        let (_, synopsis) = counted(texts);
        self.symbols.text(synopsis)
    }

    /// The distinct categories, in the order of the numbers by which records name them.
    pub(crate) fn categories(&self) -> &[String] {
        &self.categories
    }

    pub(crate) fn category(&self, row: usize) -> &str {
        let number = index(self.category_number(row));
        self.categories.get(number).map_or("", String::as_str)
    }

    pub(crate) fn item(&self, row: usize) -> Item {
        let texts = self.own(row, 32, &self.layout.texts);
        let (isbn, texts) = counted(texts);
        let (publisher, texts) = counted(texts);
        let (_, synopsis) = counted(texts);
        Item {
            libro_id: self.libro_id(row),
            titulo: self.title(row),
            autor: self.author(row),
            isbn: self.symbols.text(isbn),
            precio: self.price(row),
            categoria: self.category(row).to_owned(),
            editorial: self.symbols.text(publisher),
            publicado: self.year(row),
            descripcion: self.symbols.text(synopsis),
            details: self.read_details(row),
        }
    }

    /// What the item has of attributes; its picture, which may be in the details whole, is passed over.
    pub(crate) fn attributes(&self, row: usize) -> Attributes {
        #[derive(Default, Deserialize)]
        struct OfDetails {
            #[serde(default)]
            atributos: Attributes,
        }
        self.read_details::<OfDetails>(row).atributos
    }

    /// What else the item is called.
    pub(crate) fn other_titles(&self, row: usize) -> Vec<String> {
        #[derive(Default, Deserialize)]
        struct OfDetails {
            #[serde(default)]
            otros_titulos: Vec<String>,
        }
        self.read_details::<OfDetails>(row).otros_titulos
    }

    fn read_details<T: Default + DeserializeOwned>(&self, row: usize) -> T {
        let (_, texts) = counted(self.own(row, 32, &self.layout.texts));
        let (_, texts) = counted(texts);
        match counted(texts) {
            ([], _) => T::default(),
            (details, _) => serde_json::from_str(&self.symbols.text(details)).unwrap_or_default(),
        }
    }

    /// The row of the item with this number.
    pub(crate) fn row(&self, libro_id: u64) -> Option<usize> {
        let numbers = &self.file[self.layout.numbers.clone()];
        let row_at = |place: usize| Some(index(u32_at(numbers, place.checked_mul(4)?)?));
        let place = search(self.len(), libro_id, |place| {
            u64_at(self.record(row_at(place)?), 0)
        })?;
        row_at(place)
    }

    /// The row of the item with this 13-digit ISBN.
    pub(crate) fn row_of_isbn(&self, isbn: &str) -> Option<usize> {
        let isbns = &self.file[self.layout.isbns.clone()];
        let place = search(isbns.len() / ISBN_BYTES, isbn_number(isbn)?, |place| {
            u64_at(isbns, place.checked_mul(ISBN_BYTES)?)
        })?;
        let row = index(u32_at(isbns, place * ISBN_BYTES + 8)?);
        (row < self.len()).then_some(row)
    }

    fn record(&self, row: usize) -> &[u8] {
        row.checked_mul(RECORD_BYTES)
            .and_then(|at| slice(&self.file[self.layout.records.clone()], at, RECORD_BYTES))
            .unwrap_or_default()
    }

    fn names(&self, row: usize) -> &[u8] {
        self.own(row, 28, &self.layout.names)
    }

    /// What of a heap is the row's: from the offset at `at` in its record to that of the next.
    fn own(&self, row: usize, at: usize, heap: &Range<usize>) -> &[u8] {
        let offset = |row: usize| u32_at(self.record(row), at).map(index);
        let heap = &self.file[heap.clone()];
        let end = row.checked_add(1).and_then(offset).unwrap_or(heap.len());
        offset(row)
            .and_then(|start| heap.get(start..end))
            .unwrap_or_default()
    }
}

impl Layout {
    fn of(file: &[u8]) -> Option<Self> {
        if slice(file, 0, 8)? != MAGIC || u32_at(file, 8)? != VERSION {
            return None;
        }
        let count = |at: usize| u32_at(file, at).map(index);
        let total = file.len();
        let symbols = section(HEADER_BYTES, 1, SYMBOLS_BYTES, total)?;
        let records = section(symbols.end, count(12)?, RECORD_BYTES, total)?;
        let numbers = section(records.end, count(12)?, 4, total)?;
        let categories = section(numbers.end, count(16)?, CATEGORY_BYTES, total)?;
        let isbns = section(categories.end, count(20)?, ISBN_BYTES, total)?;
        let names = section(isbns.end, count(24)?, 1, total)?;
        let texts = section(names.end, count(28)?, 1, total)?;
        (texts.end == total).then_some(Self {
            symbols,
            records,
            numbers,
            categories,
            isbns,
            names,
            texts,
        })
    }
}

/// A text that its length comes before, and what comes after it; nothing where the length is too much.
fn counted(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut len = 0usize;
    for (place, byte) in bytes.iter().enumerate().take(4) {
        len |= usize::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            let split = bytes[place + 1..].split_at_checked(len);
            return split.unwrap_or_default();
        }
    }
    Default::default()
}

/// The place of `key` among `count` ascending keys.
fn search(count: usize, key: u64, at: impl Fn(usize) -> Option<u64>) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        match at(middle)?.cmp(&key) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Some(middle),
        }
    }
    None
}

fn isbn_number(isbn: &str) -> Option<u64> {
    let digits = isbn.len() == 13 && isbn.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| isbn.parse().ok()).flatten()
}
