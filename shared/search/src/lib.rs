//! The search index: built once, published to an object store, loaded and verified whole, asked in memory.
//!
//! [`build::build`] turns the catalogue's books into an [`artifact::Artifact`], [`store::publish`] makes it the current
//! one, and a [`load::Loader`] keeps it in memory as a [`query::Generation`], which is the [`Index`] that the rest of the
//! product asks. The files are read in place: opening them parses nothing per book.
//!
//! A question is answered by the meaning of its text and by its words together. The [`embedder`] gives texts and books
//! vectors; a book's score is its cosine with the question, plus half the square of its *coverage*, the share of the
//! question's words (weighted by how rare they are) that the book has, plus what it gains where the question names it: where
//! those words are in its title and author. Without a vector, the words alone rank.
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
pub mod query;
pub mod store;
pub mod verify;

mod layout;
mod stem;
