//! One turn of a conversation: load, find, answer, save; nothing is kept in memory between turns.

mod answer;
mod commits;
mod compose;
mod engine;
pub mod guard;
mod prompt;
mod replay;
mod request;
pub mod route;
mod speak;
mod window;

pub use answer::{Action, ActionResult, Answer, LlmTrace, Timings, ToolTrace, Trace};
pub use engine::{Caller, Prepared, TokenLimit, TurnEngine, TurnFailure, TurnSettings};
pub use replay::{Replay, ReplayError, Said, replay};
pub use request::{ChatRequest, InvalidRequest, flag, top_k};
