//! One turn of a conversation: load, find, answer, save; nothing is kept in memory between turns.
//!
//! Its stages know what comes before them here, and none of the others; the engine has them follow one another.

mod types;

mod appointments;
mod change;
mod emit;
mod handoff;
mod model_loop;
mod persist;
mod prepare;
mod read;

mod engine;

mod replay;
mod resume;

#[cfg(test)]
mod tests;

pub use emit::Listener;
pub use engine::Begun;
pub use replay::{Replay, ReplayError, ReplayedAnswer, ReplayedTool, replay};
pub use resume::KeptTurn;
pub use types::{
    Caller, ChatBody, ChatRequest, CompleteReason, Ending, GUESTS_HAD_THEIRS, InvalidRequest,
    KeptAs, Message, Persistence, Prepared, ToolOutcome, TurnEngine, TurnEvent, TurnFailure,
    TurnSettings, VISIBLE, What, flag, is_blank, top_k,
};
