//! The domain of a shop's counter: what a turn is, what the log holds, how stock moves, and what an answer may contain.
//!
//! No AWS, no HTTP, no clock, no environment: the outside comes in as values or behind the ports (`Log`, `View`, `Catalogue`,
//! `Index`, `Purchases`, `Files`, `Shelves`, `Model`, `Clock`), which the adapter crates implement.

pub mod chain;
pub mod clock;
pub mod effects;
pub mod ids;
pub mod isbn;
pub mod language;
pub mod linear;
pub mod price;
pub mod shop;
pub mod text;

pub mod actions;
pub mod answer;
pub mod booking;
pub mod catalogue;
pub mod desk;
mod dialogue;
pub mod erasure;
pub mod files;
pub mod history;
pub mod index;
pub mod limits;
pub mod log;
pub mod model;
pub mod projection;
pub mod purchases;
pub mod retrieval;
pub mod segment;
pub mod summary;
pub mod tools;
pub mod turn;
pub mod understand;
pub mod view;
