//! The WhatsApp Cloud API: deliveries in, messages out, and the rules between them.
//!
//! It knows nothing of shops, conversations or stores, and not of `mostrador-core` either: what comes in are typed notices,
//! what goes out is a text with choices, and whoever stands between the two decides. The rules (pace, window, bursts,
//! identity) are pure; the time comes in as a value. [`graph`] alone does I/O.
//!
//! Nothing here is in any language: words for people are passed in.

pub mod ids;
pub mod private;
pub mod signature;
pub mod webhook;

pub mod markup;
pub mod measure;
pub mod message;

pub mod cause;
pub mod graph;

pub mod debounce;
pub mod identity;
pub mod pace;
pub mod window;
