//! Who asks.

use secrecy::SecretString;
use uuid::Uuid;

use crate::{
    ids::Owner,
    language::Language,
    limits::{BegunTurn, IdempotentRequest},
    shop::Profile,
};

/// Why no model is asked for a guest: all of them together have had what they may.
pub const GUESTS_HAD_THEIRS: &str = "guest_budget";

/// Who asks, and how they are answered.
#[derive(Debug, Clone)]
pub struct Caller {
    /// `None` for a guest.
    pub owner: Option<Owner>,
    pub language: Language,
    pub request_id: Uuid,
    /// A model key of the caller's own.
    pub byo_key: Option<SecretString>,
    /// The request where it carries an `Idempotency-Key`: its answer is kept together with the turn.
    pub keyed: Option<IdempotentRequest>,
    /// The turn that an earlier attempt at the same request had begun.
    pub begun: Option<BegunTurn>,
    pub kept_as: KeptAs,
}

impl Caller {
    /// The caller, answered in the language of what they write where that is clear, and the shop answers in it.
    #[must_use]
    pub fn writing(self, message: &str, shop: &Profile) -> Self {
        let language = shop.language_of(message, self.language);
        Self { language, ..self }
    }
}

/// What is kept of an answer for its request's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptAs {
    /// The answer's document.
    Answer,
    /// Which turn it was: its events are in the log.
    Turn,
}
