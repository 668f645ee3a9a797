//! What became of a message of ours.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;

use super::{
    Business,
    fields::{Fault, Fields},
    name,
    sender::Sender,
};
use crate::{cause::Cause, ids::MessageId, private::Private};

/// A step of a message of ours. Steps come in any order and more than once: by their times, not by their arrival.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    pub business: Business,
    /// The message that was sent.
    pub id: MessageId,
    #[serde(with = "time::serde::timestamp")]
    pub at: OffsetDateTime,
    pub state: DeliveryState,
    /// None where the platform names nobody, as of messages to a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipient: Option<Sender>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pricing: Option<Pricing>,
    /// What we sent along with it (`biz_opaque_callback_data`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracker: Option<String>,
}

/// How far a message has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    Sent,
    Delivered,
    Read,
    /// A voice message was listened to.
    Played,
    Failed,
    Unknown(String),
}

/// What the platform says of an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub code: i64,
    pub cause: Cause,
    /// In the platform's words, which may name a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Private>,
}

/// What a message costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pricing {
    pub is_billable: bool,
    /// `PMP`, by message, since July 2025.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// `service`, `utility`, `marketing`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// `regular`, `free_customer_service`, `free_entry_point`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billed_as: Option<String>,
}

impl Status {
    pub(super) fn read(
        json: &Value,
        contacts: &[Value],
        business: &Business,
    ) -> Result<Self, Fault> {
        let fields = Fields::whole(json)?;
        let id = fields.text("id")?;
        let failures = fields.list("errors")?.iter().map(Failure::read);
        let pricing = fields.optional("pricing")?;
        Ok(Self {
            business: business.clone(),
            id: MessageId::new(id).map_err(|_| Fault::not_readable("id"))?,
            at: fields.time("timestamp")?,
            state: match fields.text("status")? {
                "sent" => DeliveryState::Sent,
                "delivered" => DeliveryState::Delivered,
                "read" => DeliveryState::Read,
                "played" => DeliveryState::Played,
                "failed" => DeliveryState::Failed,
                other => DeliveryState::Unknown(name(other)),
            },
            recipient: Sender::recipient(fields, contacts)?,
            failures: failures.collect::<Result<_, Fault>>()?,
            pricing: pricing.map(Pricing::read).transpose()?,
            tracker: fields
                .optional_short("biz_opaque_callback_data")?
                .map(str::to_owned),
        })
    }
}

impl Failure {
    pub(super) fn read(json: &Value) -> Result<Self, Fault> {
        let fields = Fields::whole(json).map_err(|_| Fault::not_readable("errors"))?;
        let code = fields.whole_number("code")?;
        let data = fields.optional("error_data")?;
        let details = data.map(|data| data.optional_private("details"));
        let details = match details.transpose()?.flatten() {
            Some(details) => Some(details),
            None => fields.optional_private("title")?,
        };
        Ok(Self {
            code,
            cause: Cause::of(code),
            details,
        })
    }
}

impl Pricing {
    fn read(fields: Fields<'_>) -> Result<Self, Fault> {
        let text = |key| Ok(fields.optional_text(key)?.map(name));
        Ok(Self {
            is_billable: fields.flag("billable")?,
            model: text("pricing_model")?,
            category: text("category")?,
            billed_as: text("type")?,
        })
    }
}
