//! One turn of a conversation: load, find, answer, save; nothing is kept in memory between turns.

mod again;
mod answer;
mod commits;
mod compose;
mod engine;
mod event;
pub mod guard;
mod hear;
mod prompt;
mod replay;
mod request;
pub mod route;
mod speak;
mod told;
mod tools;
mod uses;
mod window;

pub use again::KeptTurn;
pub(crate) use again::in_order;
pub use answer::{
    Action, ActionResult, Answer, Approval, GuardTrace, LlmTrace, Timings, ToolTrace, Trace,
};
pub use engine::{
    Begun, Caller, GUESTS_HAD_THEIRS, KeptAs, Prepared, TokenLimit, TurnEngine, TurnFailure,
    TurnSettings,
};
pub use event::{CompleteReason, Listener, Message, Persistence, ToolOutcome, TurnEvent, What};
pub use replay::{Replay, ReplayError, Said, replay};
pub use request::{ChatBody, ChatRequest, InvalidRequest, VISIBLE, flag, is_blank, top_k};
pub use told::Ending;
