//! Writes an items file.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{self, BufWriter, Read, Seek, Write},
    path::Path,
};

use fsst::{Compressor, Symbol};
use mostrador_core::catalogue::Item;

use super::{
    HEADER_BYTES, MAGIC, NO_YEAR, RECORD_BYTES, VERSION, isbn_number, symbols::SYMBOLS_BYTES,
};
use crate::{artifact::Sections, layout::number};

/// Symbols made for the texts of a catalogue.
pub(crate) struct TextCompressor(Compressor);

impl TextCompressor {
    /// Of some of the items.
    pub(crate) fn of(items: &[Item]) -> Self {
        let texts: Vec<&[u8]> = items
            .iter()
            .flat_map(|item| {
                [
                    &item.titulo,
                    &item.autor,
                    &item.isbn,
                    &item.editorial,
                    &item.descripcion,
                ]
            })
            .map(|text| text.as_bytes())
            .collect();
        Self(Compressor::train(&texts))
    }

    fn symbols(&self) -> Vec<u8> {
        let mut bytes = vec![0; SYMBOLS_BYTES];
        let (symbols, lens) = bytes.split_at_mut(SYMBOLS_BYTES - 255);
        let (symbols, _) = symbols.as_chunks_mut::<8>();
        let table = self
            .0
            .symbol_table()
            .iter()
            .map(|symbol| Symbol::to_u64(*symbol));
        for (place, symbol) in symbols.iter_mut().zip(table) {
            *place = symbol.to_le_bytes();
        }
        for (place, len) in lens.iter_mut().zip(self.0.symbol_lengths()) {
            *place = *len;
        }
        bytes
    }
}

/// A part of the file that is written beside the others, in a file of its own.
struct Part {
    file: BufWriter<File>,
    len: usize,
}

impl Part {
    fn new(folder: &Path) -> io::Result<Self> {
        let file = BufWriter::new(tempfile::tempfile_in(folder)?);
        Ok(Self { file, len: 0 })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.len += bytes.len();
        self.file.write_all(bytes)
    }

    /// What has been written, from its beginning.
    fn read(self) -> io::Result<impl Read> {
        let mut file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(file)
    }
}

/// Takes items in the order of their rows.
pub(crate) struct ItemsWriter {
    compressor: TextCompressor,
    records: Part,
    names: Part,
    texts: Part,
    categories: BTreeMap<String, u32>,
    category_table: Vec<u8>,
    numbers: Vec<(u64, u32)>,
    isbns: Vec<(u64, u64, u32)>,
}

impl ItemsWriter {
    /// Parts of the file lie in `folder` until it is finished.
    ///
    /// # Errors
    /// Whatever writing there fails with.
    pub(crate) fn new(
        folder: &Path,
        compressor: TextCompressor,
        categories: BTreeSet<String>,
    ) -> io::Result<Self> {
        let mut names = Part::new(folder)?;
        let mut category_table = Vec::new();
        for name in &categories {
            let name = compressor.0.compress(name.as_bytes());
            category_table.extend_from_slice(&number(names.len)?);
            category_table.extend_from_slice(&number(name.len())?);
            names.write(&name)?;
        }
        Ok(Self {
            compressor,
            records: Part::new(folder)?,
            names,
            texts: Part::new(folder)?,
            categories: categories.into_iter().zip(0..).collect(),
            category_table,
            numbers: Vec::new(),
            isbns: Vec::new(),
        })
    }

    /// Adds the next row.
    ///
    /// # Errors
    /// Whatever writing fails with; too many texts among it.
    pub(crate) fn add(&mut self, item: &Item, stock: u32) -> io::Result<()> {
        let row = u32::from_le_bytes(number(self.numbers.len())?);
        let category = self.categories.get(&item.categoria).copied();
        let mut record = Vec::with_capacity(RECORD_BYTES);
        record.extend_from_slice(&item.libro_id.to_le_bytes());
        record.extend_from_slice(&item.precio.minor().to_le_bytes());
        record.extend_from_slice(&stock.to_le_bytes());
        record.extend_from_slice(&item.publicado.unwrap_or(NO_YEAR).to_le_bytes());
        record.extend_from_slice(&category.unwrap_or(u32::MAX).to_le_bytes());
        record.extend_from_slice(&number(self.names.len)?);
        record.extend_from_slice(&number(self.texts.len)?);
        self.records.write(&record)?;
        let compress = |text: &str| self.compressor.0.compress(text.as_bytes());
        let title = compress(&item.titulo);
        self.names.write(&length(title.len()))?;
        self.names.write(&title)?;
        self.names.write(&compress(&item.autor))?;
        let details = match item.details.is_empty() {
            true => String::new(),
            false => serde_json::to_string(&item.details)?,
        };
        for text in [&item.isbn, &item.editorial, &details] {
            let text = compress(text);
            self.texts.write(&length(text.len()))?;
            self.texts.write(&text)?;
        }
        self.texts.write(&compress(&item.descripcion))?;
        self.numbers.push((item.libro_id, row));
        if let Some(isbn) = isbn_number(&item.isbn) {
            self.isbns.push((isbn, item.libro_id, row));
        }
        Ok(())
    }

    /// Puts the file together at `path`; gives what it consists of.
    ///
    /// # Errors
    /// Whatever writing fails with.
    pub(crate) fn finish(mut self, path: &Path) -> io::Result<Sections> {
        self.numbers.sort_unstable();
        // Of two items with one ISBN the lower number is found.
        self.isbns.sort_unstable();
        self.isbns.dedup_by_key(|(isbn, ..)| *isbn);
        let mut numbers = Vec::with_capacity(4 * self.numbers.len());
        for (_, row) in &self.numbers {
            numbers.extend_from_slice(&row.to_le_bytes());
        }
        let mut isbns = Vec::new();
        for (isbn, _, row) in &self.isbns {
            isbns.extend_from_slice(&isbn.to_le_bytes());
            isbns.extend_from_slice(&row.to_le_bytes());
        }
        let mut header = MAGIC.to_vec();
        header.extend_from_slice(&VERSION.to_le_bytes());
        for count in [
            self.numbers.len(),
            self.categories.len(),
            self.isbns.len(),
            self.names.len,
            self.texts.len,
        ] {
            header.extend_from_slice(&number(count)?);
        }
        let sections = Sections::of(&[
            ("header", HEADER_BYTES),
            ("symbols", SYMBOLS_BYTES),
            ("records", self.records.len),
            ("numbers", numbers.len()),
            ("categories", self.category_table.len()),
            ("isbns", isbns.len()),
            ("names", self.names.len),
            ("texts", self.texts.len),
        ]);
        let mut out = BufWriter::new(File::create(path)?);
        out.write_all(&header)?;
        out.write_all(&self.compressor.symbols())?;
        io::copy(&mut self.records.read()?, &mut out)?;
        for part in [numbers, self.category_table, isbns] {
            out.write_all(&part)?;
        }
        io::copy(&mut self.names.read()?, &mut out)?;
        io::copy(&mut self.texts.read()?, &mut out)?;
        out.flush()?;
        Ok(sections)
    }
}

/// A length in bytes of seven bits, lowest first.
fn length(mut len: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(len & 0x7f).unwrap_or_default();
        len >>= 7;
        if len == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}
