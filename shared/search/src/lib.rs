//! The search index: built once, published to an object store, loaded and verified whole, asked in memory.
//!
//! [`build::build`] turns the catalogue's books into an [`artifact::Artifact`], [`publish::publish`] makes it the current
//! one, and a [`load::Loader`] keeps it in memory as a [`query::Generation`], which is the [`Index`] that the rest of the
//! product asks. The files are read in place: opening them parses nothing per book.
//!
//! A question is answered by the meaning of its text and by its words together. The [`embedder`] gives texts and books
//! vectors; a book's score is its cosine with the question, plus half the square of its *coverage*, the share of the
//! question's words (weighted by how rare they are) that the book has, plus what it gains where the question names it: where
//! those words are in its title and author. Without a vector, the words alone rank.
//!
//! # Format 1
//!
//! Numbers are little-endian; offsets count from the file's first byte; sections follow each other without gaps, to the end.
//!
//! `vectors`: magic `MOSTVECT`, `u32` version 1, `u32` dimensions *d*, `u32` rows *n*, `u32` blocks *b*, zeros up to byte 64. Then *b* blocks of
//! one-bit codes (none below 2,048 rows or above 2,048 dimensions, else one for each 32 rows): 32 `f32` factors, then for each eight of the
//! turned dimensions one byte a row. Then *n* `f32` scales, and *n* rows of *d* `i8`; a row times its scale has length one. How codes are
//! turned and what factors mean is told in `artifact/vectors/`.
//!
//! `items`: magic `MOSTITEM`, then `u32`s: version 1, items *n*, categories *c*, ISBNs *i*, bytes of text *t*, zero. Then *n* records of 52
//! bytes in ascending order of the book's number: `u64` number, `i64` price in minor units, `u32` copies, `i32` year (the smallest there is
//! for none), `u32` category, `u32` offset among the texts, `u32` lengths of title, author, ISBN, publisher and synopsis, which follow each
//! other there. Then *c* pairs of `u32` offset and length of the categories' names, *i* ISBNs in ascending order (`u64` of the 13 digits,
//! `u32` row), and *t* bytes of UTF-8.
//!
//! `keywords`: magic `MOSTKEYW`, `u32` version 1, `u32` files *f*, `u32` CRC-32 of the table, `u32` zero. Then a table of *f* entries of 72 bytes (48
//! of name, padded with zeros, `u64` offset, `u64` length, `u32` CRC-32, four zeros), and the files themselves: one segment of tantivy.
//!
//! `manifest.json` names format, build, embedder, and each file's key, size, BLAKE3 hash and sections with theirs.
//!
//! What is deliberately absent:
//! - Nothing is served that was not checked against the manifest's size and BLAKE3 hash, and a load is whole or not at all.
//! - No vector is compared with one of another embedder.
//! - No file of a build is ever changed; only the manifest is, and only by whoever saw its last state.
//!
//! [`Index`]: mostrador_core::index::Index

pub mod artifact;
pub mod build;
pub mod embedder;
pub mod load;
pub mod publish;
pub mod query;
pub mod store;
pub mod verify;

mod layout;
mod stem;
