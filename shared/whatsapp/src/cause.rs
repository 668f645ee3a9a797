//! Why the platform does not send something, by its codes: the same in an answer and in a status that comes later.

use serde::{Deserialize, Serialize};

/// What an error asks of us. Codes by the platform's list of June 2026.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Too many messages to this customer: later, to them alone.
    PairLimited,
    /// Too many messages or calls of the business: later, to everybody.
    Throttled,
    /// 24 hours have passed since the customer's last message: a template, or nothing.
    OutsideWindow,
    /// This customer does not get it, now or ever; others do.
    Recipient(Recipient),
    /// The message is not of the documented form: a defect of ours.
    Invalid,
    /// The template is not there, paused, or takes other parameters: to be put right by the business.
    Template,
    /// The token or its rights: to be put right by the business.
    Credentials,
    /// The account or the number is locked, restricted or unpaid: to be put right by the business.
    Account,
    /// The platform is out of order and says that it has sent nothing.
    Unavailable,
    /// A file cannot be fetched or taken.
    Media,
    /// The platform does not say what happened.
    Unknown,
}

/// Why somebody does not get a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recipient {
    /// No WhatsApp, too old a version, terms not accepted, or the business is blocked; which of these is nobody's business.
    Undeliverable,
    /// They do not want marketing from this business any more.
    OptedOut,
    /// They have had enough marketing from everybody for now, or are in an experiment of the platform's.
    Spared,
    /// The business may not write to them: its own number, not on the list of a test number, a country, another identity.
    NotAllowed,
    /// This message cannot go to a user id, only to a number.
    NeedsPhone,
}

impl Cause {
    #[must_use]
    pub fn of(code: i64) -> Self {
        match code {
            131_056 => Self::PairLimited,
            4 | 17 | 32 | 613 | 80_007 | 130_429 | 131_048 | 131_064 | 133_016 => Self::Throttled,
            131_047 => Self::OutsideWindow,
            131_026 => Self::Recipient(Recipient::Undeliverable),
            131_050 => Self::Recipient(Recipient::OptedOut),
            131_049 | 130_472 => Self::Recipient(Recipient::Spared),
            131_021 | 131_030 | 130_497 | 137_000 => Self::Recipient(Recipient::NotAllowed),
            131_062 => Self::Recipient(Recipient::NeedsPhone),
            33 | 100 | 131_008 | 131_009 | 131_051 => Self::Invalid,
            131_063 | 132_000..=132_999 => Self::Template,
            0 | 3 | 10 | 190 | 200..=299 | 131_005 => Self::Credentials,
            368 | 131_031 | 131_037 | 131_042 | 131_044 | 131_045 | 133_000..=133_015 => {
                Self::Account
            }
            2 | 131_016 | 131_057 => Self::Unavailable,
            131_052 | 131_053 => Self::Media,
            _ => Self::Unknown,
        }
    }
}
