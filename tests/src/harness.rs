//! What the tests stand on: servers, callers, answers, tokens and scripted peers.

mod answer;
mod caller;
mod catalogue;
mod crowd;
mod events;
mod peer;
mod server;
mod stack;
mod token;

use std::sync::LazyLock;

pub(crate) use answer::{Answer, keys, masked, shown};
pub(crate) use caller::{Call, Caller, call_engine, upload};
pub(crate) use catalogue::{cents, item};
pub(crate) use crowd::{all_at_once, until_admitted};
pub(crate) use events::{check_laws, events, names, of, stream_events};
pub(crate) use peer::{ModelPeer, called, reply, results_in, serve};
pub(crate) use server::{Setup, Shop, binary, shop};
pub(crate) use stack::{behind_a_gateway, local_only};
pub(crate) use token::{SECRET, forged, in_seconds, signed, token};

/// Where requests and peers run; the tests themselves are plain threads.
static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().expect("a runtime"));

/// Runs `future` to its end on the common runtime.
pub(crate) fn wait<F: Future>(future: F) -> F::Output {
    RUNTIME.block_on(future)
}
