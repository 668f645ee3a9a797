//! The search index from the outside: built, published, loaded, asked.

#![expect(clippy::unwrap_used, reason = "tests")]

mod best_sellers;
mod clusters;
mod damage;
mod embedder;
mod library;
mod load;
mod query;
mod service;
mod store;
mod titles;
