//! Customers who are somebody else by name from now on.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::{
    Business,
    fields::{Fault, Fields},
    message_id,
    sender::id,
};
use crate::ids::{MessageId, ParentUserId, Phone, UserId};

/// A customer's number or user id has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub business: Business,
    pub id: MessageId,
    #[serde(with = "time::serde::timestamp")]
    pub at: OffsetDateTime,
    pub changed: Changed,
    pub before: Changes,
    pub after: Changes,
}

/// What has changed by the platform's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
    /// `user_changed_number`: with the number, the user id is another one as well.
    Number,
    /// `user_changed_user_id`: no number is handed on.
    UserId,
}

/// How a customer is known, before or after.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_user_id: Option<ParentUserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone>,
}

impl Change {
    /// Nothing where the system message is about something else.
    pub(super) fn read(message: Fields<'_>, business: &Business) -> Result<Option<Self>, Fault> {
        let system = message.object("system")?;
        let changed = match system.text("type")? {
            // The second name is that of the platform's older versions.
            "user_changed_number" | "customer_changed_number" => Changed::Number,
            "user_changed_user_id" => Changed::UserId,
            _ => return Ok(None),
        };
        let phone = |text: Option<&str>| text.and_then(|text| Phone::new(text).ok());
        let former = message.optional_text("from")?;
        let user_id = id(system, "user_id", UserId::new)?;
        let sender = id(message, "from_user_id", UserId::new)?;
        let before = Changes {
            // Until August 2026 there was no field for it.
            user_id: id(system, "previous_user_id", UserId::new)?
                .or(sender.filter(|sender| Some(sender) != user_id.as_ref())),
            parent_user_id: id(system, "previous_parent_user_id", ParentUserId::new)?,
            phone: phone(former).or(phone(system.optional_text("customer")?)),
        };
        let after = Changes {
            user_id,
            parent_user_id: id(system, "parent_user_id", ParentUserId::new)?,
            phone: phone(system.optional_text("wa_id")?)
                .or(phone(system.optional_text("new_wa_id")?)),
        };
        if after == Changes::default() {
            return Err(Fault::missing("user_id"));
        }
        Ok(Some(Self {
            business: business.clone(),
            id: message_id(message)?,
            at: message.time("timestamp")?,
            changed,
            before,
            after,
        }))
    }
}
