//! One turn of a conversation: load, find, answer, save; nothing is kept in memory between turns.

mod again;
mod commits;
mod engine;
mod event;
mod hear;
mod prompt;
mod replay;
mod request;
mod speak;
mod told;
mod uses;
mod window;

pub use again::KeptTurn;
pub use engine::{
    Begun, Caller, GUESTS_HAD_THEIRS, KeptAs, Prepared, TokenLimit, TurnEngine, TurnFailure,
    TurnSettings,
};
pub use event::{CompleteReason, Listener, Message, Persistence, ToolOutcome, TurnEvent, What};
pub use replay::{Replay, ReplayError, Said, replay};
pub use request::{ChatBody, ChatRequest, InvalidRequest, VISIBLE, flag, is_blank, top_k};
pub use told::Ending;
