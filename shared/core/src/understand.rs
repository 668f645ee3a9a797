//! From what a customer writes to what is meant by it.

mod route;

pub(crate) use route::is_id;
pub use route::{Route, amount, route};

/// Longest message, in characters.
pub(crate) const MESSAGE_CHARS: usize = 4_000;
