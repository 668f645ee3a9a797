//! What an answer of the Graph API means for a message.

use std::time::Duration;

use serde_json::Value;

use crate::{
    cause::{Cause, Recipient},
    ids::MessageId,
    pace,
};

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The platform has taken it; what becomes of it comes as statuses.
    Sent(MessageId),
    /// Too many to this customer: not before so long. The platform advises 4 seconds to the power of the failures so far.
    PairLimited {
        wait: Duration,
    },
    /// Too many by the business.
    Throttled {
        wait: Option<Duration>,
    },
    /// Only a template may go now.
    OutsideWindow,
    /// Not to this customer.
    Recipient(Recipient),
    /// Our defect: it would be refused for ever.
    Invalid {
        code: Option<i64>,
    },
    Template {
        code: Option<i64>,
    },
    /// To be put right by the business.
    Credentials {
        code: Option<i64>,
    },
    Account {
        code: Option<i64>,
    },
    /// Certainly not sent, and not because of what it is: later.
    NotSent,
    /// It may have been sent, or not. To try once more could be to send it twice.
    Unknown {
        code: Option<i64>,
    },
}

impl Outcome {
    /// Whether it was certainly not sent, and could be in a moment.
    pub(super) fn may_be_tried_at_once(&self) -> bool {
        match self {
            Self::NotSent => true,
            Self::Sent(_)
            | Self::PairLimited { .. }
            | Self::Throttled { .. }
            | Self::OutsideWindow
            | Self::Recipient(_)
            | Self::Invalid { .. }
            | Self::Template { .. }
            | Self::Credentials { .. }
            | Self::Account { .. }
            | Self::Unknown { .. } => false,
        }
    }
}

/// What came back of a request.
pub(super) enum Answer {
    /// There was no connection, so nothing has left.
    NotSent,
    /// It has left, and no whole answer has come.
    Cut,
    Whole {
        status: u16,
        wait: Option<Duration>,
        json: Option<Value>,
    },
}

impl Answer {
    pub(super) fn whole(status: u16, wait: Option<Duration>, body: &[u8]) -> Self {
        Self::Whole {
            status,
            wait,
            json: serde_json::from_slice(body).ok(),
        }
    }

    /// The answer to a receipt.
    pub(super) fn is_success(&self) -> bool {
        match self {
            Self::Whole { json, .. } => json.as_ref().is_some_and(|json| json["success"] == true),
            Self::NotSent | Self::Cut => false,
        }
    }

    pub(super) fn outcome(self) -> Outcome {
        let (status, wait, json) = match self {
            Self::NotSent => return Outcome::NotSent,
            Self::Cut => return Outcome::Unknown { code: None },
            Self::Whole { status, wait, json } => (status, wait, json.unwrap_or_default()),
        };
        let code = json["error"]["code"].as_i64();
        match (status, code) {
            (_, Some(code)) => of_code(code, status, wait),
            (200..=299, None) => {
                let id = json["messages"][0]["id"].as_str();
                let id = id.and_then(|id| MessageId::new(id).ok());
                id.map_or(Outcome::Unknown { code: None }, Outcome::Sent)
            }
            (429, None) => Outcome::Throttled { wait },
            (401 | 403, None) => Outcome::Credentials { code: None },
            // What stands before the platform refuses what it does not let through.
            (400 | 404 | 405 | 411 | 413 | 415 | 431, None) => Outcome::Invalid { code: None },
            // A gateway that has no answer, a redirect: whether the request was worked on is not known.
            (_, None) => Outcome::Unknown { code: None },
        }
    }
}

fn of_code(code: i64, status: u16, wait: Option<Duration>) -> Outcome {
    match Cause::of(code) {
        Cause::PairLimited => Outcome::PairLimited {
            wait: wait.unwrap_or(pace::INTERVAL.unsigned_abs()),
        },
        Cause::Throttled => Outcome::Throttled { wait },
        Cause::OutsideWindow => Outcome::OutsideWindow,
        Cause::Recipient(reason) => Outcome::Recipient(reason),
        Cause::Invalid | Cause::Media => Outcome::Invalid { code: Some(code) },
        Cause::Template => Outcome::Template { code: Some(code) },
        Cause::Credentials => Outcome::Credentials { code: Some(code) },
        Cause::Account => Outcome::Account { code: Some(code) },
        Cause::Unavailable => Outcome::NotSent,
        Cause::Unknown => match status {
            429 => Outcome::Throttled { wait },
            400..=499 => Outcome::Invalid { code: Some(code) },
            _ => Outcome::Unknown { code: Some(code) },
        },
    }
}
