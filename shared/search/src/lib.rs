//! The search index: built once, published to an object store, loaded and verified whole, asked in memory.
//!
//! [`build::build`] turns the catalogue's items into an [`artifact::Artifact`], [`publish::publish`] makes it the current
//! one, and a [`load::Loader`] keeps it in memory as a [`query::Generation`], which is the [`Index`] that the rest of the
//! product asks. The files are read in place: opening them parses nothing per item.
//!
//! A question is answered by the meaning of its text and by its words together. The [`embedder`] gives texts and items
//! vectors; an item's score is its cosine with the question, plus half the square of its *coverage*, the share of the
//! question's words (weighted by how rare they are) that the item has, plus what it gains where the question names it: where
//! those words are in its title and author. Where none is named, the best are looked at again, and a word that an item lacks
//! counts as much as the item's nearest word means the same. Without a vector, the words alone rank.
//!
//! # Format 1
//!
//! Numbers are little-endian; sections follow each other without gaps, to the end.
//!
//! `vectors`: magic `MOSTVECT`, `u32` version 1, `u32` dimensions *d*, `u32` rows *n*, `u32` blocks *b*, `u32` clusters *k*, zeros up to
//! byte 64. With *D* for *d* in whole eights: *D* `f32` of the mean of all rows; *k* clusters of `u32` rows, `f32` scale and `f32` reach
//! (none below 65,536 rows); *k* centres of *D* `i8`, which times their scale are the means of the clusters' rows; *b* blocks of
//! one-bit codes (none below 2,048 rows or above 2,048 dimensions, else one for each 32 rows): 32 `f32` factors, then for each
//! eight dimensions one byte a row; *n* `f32` scales, and *n* rows of *D* `i8`. A row times its scale is an item's vector less the mean,
//! both turned. The rows of a cluster follow each other; rows of all files are in the same order. How vectors are turned and what
//! codes and factors mean is described in `artifact/vectors/`.
//!
//! `items`: magic `MOSTITEM`, then `u32`s: version 1, items *n*, categories *c*, ISBNs *i*, bytes of names *a*, bytes of texts *t*. Then 255
//! symbols of eight bytes and 255 bytes of their lengths; *n* records of 36 bytes: `u64` number, `i64` price in minor units, `u32`
//! copies, `i32` year (the smallest there is for none), `u32` category, `u32` offset among the names, `u32` offset among the texts; *n*
//! `u32` rows in ascending order of the items' numbers; *c* pairs of `u32` offset among the names and length, the categories; *i* ISBNs in
//! ascending order (`u64` of the 13 digits, `u32` row); *a* bytes of names: categories, then for each row its title, preceded by its
//! length, and its author; *t* bytes of texts: for each row ISBN and publisher, each preceded by its length, and the synopsis. Lengths
//! are in bytes of seven bits, lowest first, the eighth set on all but the last. Texts are UTF-8 in the codes of FSST: a code below 255
//! stands for its symbol, and 255 for the byte after it.
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
pub mod files;
pub mod load;
pub mod publish;
pub mod query;
pub mod shop;
pub mod store;
pub mod verify;

mod layout;
mod refresh;
mod stem;
mod tuning;
