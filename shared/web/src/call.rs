//! A request as endpoints see it.

use bytes::Bytes;
use http::{HeaderMap, HeaderName};
use mostrador_core::{
    ids::Owner,
    language::Language,
    limits::{BegunTurn, IdempotentRequest, Kept, Settlement},
    turn::{Caller, KeptAs},
};
use secrecy::SecretString;
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{Problem, Query, Reply, body::json_object};

/// A request whose caller is known.
pub struct Call {
    pub owner: Option<Owner>,
    /// Whether the caller may have the trace of an answer.
    pub may_trace: bool,
    pub language: Language,
    pub request_id: Uuid,
    pub now: OffsetDateTime,
    pub query: Query,
    /// The caller's own model key.
    pub byo_key: Option<SecretString>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) source: String,
    pub(crate) keyed: Option<(IdempotentRequest, Option<BegunTurn>)>,
    pub(crate) answered_by: Option<Uuid>,
}

impl Call {
    /// The caller, who must be signed in.
    ///
    /// # Errors
    /// [`Problem::AuthRequired`].
    pub fn signed_in(&self) -> Result<&Owner, Problem> {
        self.owner.as_ref().ok_or(Problem::AuthRequired)
    }

    /// The body's members.
    ///
    /// # Errors
    /// 400 or 415 where it is no JSON object.
    pub fn json(&self) -> Result<Map<String, Value>, Problem> {
        json_object(&self.headers, &self.body)
    }

    /// The request where it carries a key of a signed-in caller: what it does is to be settled with it.
    #[must_use]
    pub fn keyed(&self) -> Option<&IdempotentRequest> {
        self.keyed.as_ref().map(|(request, _)| request)
    }

    /// The turn that an earlier attempt at the request was, and is to be resumed.
    #[must_use]
    pub fn answered_by(&self) -> Option<Uuid> {
        self.answered_by
    }

    /// The caller as a turn knows them.
    #[must_use]
    pub fn caller(&self, kept_as: KeptAs) -> Caller {
        Caller {
            owner: self.owner.clone(),
            language: self.language,
            request_id: self.request_id,
            byo_key: self.byo_key.clone(),
            keyed: self.keyed().cloned(),
            begun: self.keyed.as_ref().and_then(|(_, begun)| *begun),
            kept_as,
        }
    }

    /// A header's text.
    #[must_use]
    pub fn header(&self, name: &HeaderName) -> Option<&str> {
        header(&self.headers, name)
    }

    /// What is to become of the request once it has had its effect and is answered by `reply`.
    #[must_use]
    pub fn settlement(&self, reply: &Reply) -> Option<Settlement> {
        Some(Settlement {
            request: self.keyed()?.clone(),
            kept: Kept::Answered(reply.stored()),
        })
    }

    #[must_use]
    pub fn has_body(&self) -> bool {
        !self.body.is_empty()
    }
}

pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
