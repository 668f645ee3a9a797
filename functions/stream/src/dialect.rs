//! The dialects of a stream: our own events, or the parts of which the AI SDK assembles a message.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use mostrador_core::turn::TurnEvent;
use mostrador_web::{BODY_BYTES_MAX, Problem, Query};
use serde_json::{Map, Value};

use crate::ai_sdk;

/// A chat of the AI SDK sends all its messages each time, with what was answered; a turn takes five kilobytes of it.
const MESSAGES_BYTES_MAX: usize = 1024 * 1024;

/// The form of a stream's events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Own,
    AiSdk,
}

impl Dialect {
    /// The one that `?dialect=` names.
    pub(crate) fn requested(query: &Query) -> Result<Self, Problem> {
        match query.given("dialect") {
            None => Ok(Self::Own),
            Some("ai-sdk") => Ok(Self::AiSdk),
            Some(_) => Err(Problem::invalid("`dialect` is none that is spoken here")),
        }
    }

    /// Largest body taken.
    pub(crate) fn body_bytes_max(self) -> usize {
        match self {
            Self::Own => BODY_BYTES_MAX,
            Self::AiSdk => MESSAGES_BYTES_MAX,
        }
    }

    /// A request's body as a chat request has it.
    pub(crate) fn chat_request(
        self,
        body: Map<String, Value>,
    ) -> Result<Map<String, Value>, Problem> {
        match self {
            Self::Own => Ok(body),
            Self::AiSdk => ai_sdk::chat_request(body),
        }
    }

    /// Adds the headers of this dialect.
    pub(crate) fn announce(self, headers: &mut HeaderMap) {
        if self == Self::AiSdk {
            let name = HeaderName::from_static("x-vercel-ai-ui-message-stream");
            headers.insert(name, HeaderValue::from_static("v1"));
        }
    }

    /// Who writes one turn's events.
    pub(crate) fn writer(self) -> Writer {
        match self {
            Self::Own => Writer::Own,
            Self::AiSdk => Writer::AiSdk(ai_sdk::Writer::default()),
        }
    }
}

/// Writes the events of one turn, in order.
pub(crate) enum Writer {
    Own,
    AiSdk(ai_sdk::Writer),
}

impl Writer {
    /// As it goes over the wire; nothing, of an event that the dialect has no word for.
    pub(crate) fn write(&mut self, event: &TurnEvent) -> Bytes {
        match self {
            Self::Own => own(event).into(),
            Self::AiSdk(writer) => writer.write(event).into(),
        }
    }
}

fn own(event: &TurnEvent) -> String {
    // Our own types: strings, numbers, lists and objects with string keys, on one line.
    let data = serde_json::to_string(event).unwrap_or_default();
    let (index, name) = (event.event_index, event.name());
    format!("id: {index}\nevent: {name}\ndata: {data}\n\n")
}

#[cfg(test)]
mod fuzz;
