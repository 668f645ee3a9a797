//! The books of a build in order of their numbers, read in place.
//!
//! Little-endian: magic (8 bytes), `u32` version, items, categories, ISBNs, heap length and zero; then the records, the
//! categories (`u32` offset and length), the ISBNs in ascending order (`u64` number, `u32` row), and the heap of texts.
//! A record is `u64` number, `i64` price, `u32` stock, `i32` year, `u32` category, `u32` offset of its texts and five
//! `u32` lengths: title, author, ISBN, publisher, synopsis.

use std::{collections::BTreeMap, ops::Range};

use bytes::Bytes;
use mostrador_core::{catalogue::Book, price::Price};

use super::InvalidFile;
use crate::layout::{i32_at, i64_at, index, section, slice, u32_at, u64_at};

const MAGIC: &[u8; 8] = b"MOSTITEM";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 32;
const RECORD_BYTES: usize = 52;
const CATEGORY_BYTES: usize = 8;
const ISBN_BYTES: usize = 12;
const NO_YEAR: i32 = i32::MIN;

/// An items file read in place. What damage leaves unreadable comes back empty: the checksum is the loader's business.
#[derive(Debug, Clone)]
pub(crate) struct Items {
    file: Bytes,
    records: Range<usize>,
    categories: Range<usize>,
    isbns: Range<usize>,
    heap: Range<usize>,
}

/// The texts of a record, in the order they are stored.
#[derive(Debug, Clone, Copy)]
enum Text {
    Title,
    Author,
    Isbn,
    Publisher,
    Synopsis,
}

impl Items {
    pub(crate) fn open(file: Bytes) -> Result<Self, InvalidFile> {
        let [records, categories, isbns, heap] = layout(&file).ok_or(InvalidFile::Items)?;
        Ok(Self {
            file,
            records,
            categories,
            isbns,
            heap,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len() / RECORD_BYTES
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

    pub(crate) fn category_number(&self, row: usize) -> u32 {
        u32_at(self.record(row), 24).unwrap_or_default()
    }

    pub(crate) fn title(&self, row: usize) -> &str {
        self.text(row, Text::Title)
    }

    pub(crate) fn author(&self, row: usize) -> &str {
        self.text(row, Text::Author)
    }

    /// The distinct categories with the numbers by which records name them.
    pub(crate) fn categories(&self) -> impl Iterator<Item = (u32, &str)> {
        let entries = self.file[self.categories.clone()].chunks_exact(CATEGORY_BYTES);
        (0..).zip(entries.map(|entry| self.category_text(entry)))
    }

    pub(crate) fn category(&self, row: usize) -> &str {
        index(self.category_number(row))
            .checked_mul(CATEGORY_BYTES)
            .and_then(|at| slice(&self.file[self.categories.clone()], at, CATEGORY_BYTES))
            .map_or("", |entry| self.category_text(entry))
    }

    pub(crate) fn book(&self, row: usize) -> Book {
        let year = i32_at(self.record(row), 20).filter(|year| *year != NO_YEAR);
        let text = |text| self.text(row, text).to_owned();
        Book {
            libro_id: self.libro_id(row),
            titulo: text(Text::Title),
            autor: text(Text::Author),
            isbn: text(Text::Isbn),
            precio: self.price(row),
            categoria: self.category(row).to_owned(),
            editorial: text(Text::Publisher),
            publicado: year,
            descripcion: text(Text::Synopsis),
        }
    }

    /// The row of the book with this number.
    pub(crate) fn row(&self, libro_id: u64) -> Option<usize> {
        let records = &self.file[self.records.clone()];
        search(records, RECORD_BYTES, libro_id)
    }

    /// The row of the book with this 13-digit ISBN.
    pub(crate) fn row_of_isbn(&self, isbn: &str) -> Option<usize> {
        let isbns = &self.file[self.isbns.clone()];
        let place = search(isbns, ISBN_BYTES, isbn_number(isbn)?)?;
        let row = index(u32_at(isbns, place * ISBN_BYTES + 8)?);
        (row < self.len()).then_some(row)
    }

    fn record(&self, row: usize) -> &[u8] {
        row.checked_mul(RECORD_BYTES)
            .and_then(|at| slice(&self.file[self.records.clone()], at, RECORD_BYTES))
            .unwrap_or_default()
    }

    fn text(&self, row: usize, text: Text) -> &str {
        let record = self.record(row);
        let field = |n: usize| u32_at(record, 28 + 4 * n).map_or(0, index);
        let before: usize = (0..text as usize).map(|n| field(1 + n)).sum();
        self.heap_text(field(0).saturating_add(before), field(1 + text as usize))
    }

    fn category_text(&self, entry: &[u8]) -> &str {
        let part = u32_at(entry, 0).zip(u32_at(entry, 4));
        part.map_or("", |(offset, len)| {
            self.heap_text(index(offset), index(len))
        })
    }

    fn heap_text(&self, offset: usize, len: usize) -> &str {
        slice(&self.file[self.heap.clone()], offset, len)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }
}

/// Where records, categories, ISBNs and texts lie.
fn layout(file: &[u8]) -> Option<[Range<usize>; 4]> {
    if slice(file, 0, 8)? != MAGIC || u32_at(file, 8)? != VERSION {
        return None;
    }
    let count = |at: usize| u32_at(file, at).map(index);
    let total = file.len();
    let records = section(HEADER_BYTES, count(12)?, RECORD_BYTES, total)?;
    let categories = section(records.end, count(16)?, CATEGORY_BYTES, total)?;
    let isbns = section(categories.end, count(20)?, ISBN_BYTES, total)?;
    let heap = section(isbns.end, count(24)?, 1, total)?;
    (heap.end == total).then_some([records, categories, isbns, heap])
}

/// What an items file consists of.
pub(super) fn sections(file: &[u8]) -> Option<Vec<(String, Range<usize>)>> {
    let names = ["records", "categories", "isbns", "texts"].map(str::to_owned);
    let header = ("header".to_owned(), 0..HEADER_BYTES);
    let parts = names.into_iter().zip(layout(file)?);
    Some(std::iter::once(header).chain(parts).collect())
}

/// The place of the record that begins with `key`, among records sorted by their first eight bytes.
fn search(records: &[u8], size: usize, key: u64) -> Option<usize> {
    let (mut low, mut high) = (0, records.len() / size);
    while low < high {
        let middle = low.midpoint(high);
        match u64_at(records, middle * size)?.cmp(&key) {
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

/// Writes an items file of books in ascending order of their numbers; `None` where the texts exceed 4 GiB.
pub(crate) fn write(books: &[&(Book, u32)]) -> Option<Vec<u8>> {
    let mut categories = BTreeMap::new();
    for (book, _) in books {
        categories.insert(book.categoria.as_str(), 0);
    }
    let mut heap = Vec::new();
    let mut category_table = Vec::new();
    for ((name, number), place) in categories.iter_mut().zip(0u32..) {
        *number = place;
        category_table.extend_from_slice(&len_u32(heap.len())?);
        category_table.extend_from_slice(&len_u32(name.len())?);
        heap.extend_from_slice(name.as_bytes());
    }
    let mut records = Vec::with_capacity(books.len() * RECORD_BYTES);
    let mut isbns = BTreeMap::new();
    for ((book, stock), row) in books.iter().zip(0u32..) {
        let category = categories.get(book.categoria.as_str()).copied()?;
        records.extend_from_slice(&book.libro_id.to_le_bytes());
        records.extend_from_slice(&book.precio.minor().to_le_bytes());
        records.extend_from_slice(&stock.to_le_bytes());
        records.extend_from_slice(&book.publicado.unwrap_or(NO_YEAR).to_le_bytes());
        records.extend_from_slice(&category.to_le_bytes());
        records.extend_from_slice(&len_u32(heap.len())?);
        for text in [
            &book.titulo,
            &book.autor,
            &book.isbn,
            &book.editorial,
            &book.descripcion,
        ] {
            records.extend_from_slice(&len_u32(text.len())?);
            heap.extend_from_slice(text.as_bytes());
        }
        // Of two books with one ISBN the lower number is found.
        if let Some(number) = isbn_number(&book.isbn) {
            isbns.entry(number).or_insert(row);
        }
    }
    let mut out = Vec::with_capacity(HEADER_BYTES + records.len() + heap.len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    for count in [books.len(), categories.len(), isbns.len(), heap.len(), 0] {
        out.extend_from_slice(&len_u32(count)?);
    }
    out.extend_from_slice(&records);
    out.extend_from_slice(&category_table);
    for (number, row) in isbns {
        out.extend_from_slice(&number.to_le_bytes());
        out.extend_from_slice(&row.to_le_bytes());
    }
    out.extend_from_slice(&heap);
    Some(out)
}

fn len_u32(len: usize) -> Option<[u8; 4]> {
    u32::try_from(len).ok().map(u32::to_le_bytes)
}
