//! What a delivery says: its notices, one after another.
//!
//! A delivery bundles entries, changes, messages and statuses. Kinds and fields that are not known here are passed over or
//! named as such; a message that cannot be read costs itself alone.

mod content;
mod fields;
mod sender;
mod status;
mod system;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;

pub use content::{Contact, Content, Media, OrderItem};
pub use fields::{Fault, Problem};
pub use sender::Sender;
pub use status::{DeliveryState, Failure, Pricing, Status};
pub use system::{Change, Changed, Changes};

use crate::{
    ids::{AccountId, GroupId, MessageId, Phone, PhoneNumberId},
    signature::Signed,
};
use fields::Fields;

/// Largest delivery that the platform sends.
pub const BODY_BYTES_MAX: usize = 3 << 20;

/// A body that holds no notices at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDelivery {
    #[error("the delivery is no JSON")]
    NotJson,
    #[error("the delivery is not one of a WhatsApp Business Account")]
    NotWhatsApp,
}

/// One thing that a delivery says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// A customer has written.
    Message(Box<Message>),
    /// A customer has another number or user id from now on.
    Change(Box<Change>),
    /// What became of a message of ours.
    Status(Box<Status>),
    /// Something went wrong that belongs to no message.
    Failure {
        business: Business,
        failure: Failure,
    },
    /// A message, a status or a part of the delivery that is not of its documented form. What it says is nowhere.
    Unreadable(Unreadable),
    /// A change of something else than messages (`account_update`, …), or a system message of another type.
    Other { field: String },
}

/// Whose number was written to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Business {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountId>,
    pub phone_number_id: PhoneNumberId,
    /// As customers see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_phone: Option<Phone>,
}

/// A message from a customer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub business: Business,
    pub id: MessageId,
    /// In whole seconds.
    #[serde(with = "time::serde::timestamp")]
    pub sent_at: OffsetDateTime,
    pub sender: Sender,
    /// Where it was written in a group, which others read as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    pub content: Content,
}

impl Message {
    /// Whether the business may answer freely for 24 hours from it.
    #[must_use]
    pub fn opens_window(&self) -> bool {
        match self.content {
            // What changes a message is not documented as one.
            Content::Edit { .. } | Content::Revoke { .. } => false,
            Content::Text { .. }
            | Content::ButtonReply { .. }
            | Content::ListReply { .. }
            | Content::QuickReply { .. }
            | Content::Audio { .. }
            | Content::Image { .. }
            | Content::Video { .. }
            | Content::Document { .. }
            | Content::Sticker { .. }
            | Content::Location { .. }
            | Content::Contacts { .. }
            | Content::Reaction { .. }
            | Content::Order { .. }
            | Content::Unsupported { .. }
            | Content::Unknown { .. } => true,
        }
    }
}

/// What a message refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// The message that it replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replies_to: Option<MessageId>,
    pub is_forwarded: bool,
}

/// What cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreadable {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone_number_id: Option<PhoneNumberId>,
    /// The message or status, where at least its id can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<MessageId>,
    pub fault: Fault,
}

/// The notices of a delivery, in its order.
///
/// # Errors
/// [`InvalidDelivery`] where there is not even an envelope. Redelivering it would not help.
pub fn read(signed: Signed<'_>) -> Result<Vec<Notice>, InvalidDelivery> {
    let json: Value =
        serde_json::from_slice(signed.body()).map_err(|_| InvalidDelivery::NotJson)?;
    if json["object"] != "whatsapp_business_account" {
        return Err(InvalidDelivery::NotWhatsApp);
    }
    let mut notices = Vec::new();
    for entry in parts(&json, "entry", None, &mut notices) {
        let account = entry["id"].as_str().and_then(|id| AccountId::new(id).ok());
        for change in parts(entry, "changes", None, &mut notices) {
            read_change(change, account.as_ref(), &mut notices);
        }
    }
    Ok(notices)
}

/// The longest name of a field that is handed on.
const FIELD_CHARS_MAX: usize = 64;

/// A name of the platform's, as far as it is one.
fn name(text: &str) -> String {
    let is_name = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '.' | '-');
    text.chars().filter(is_name).take(FIELD_CHARS_MAX).collect()
}

/// The elements of an array; one that is there and no array is unreadable.
fn parts<'a>(
    json: &'a Value,
    key: &'static str,
    business: Option<&Business>,
    notices: &mut Vec<Notice>,
) -> &'a [Value] {
    match &json[key] {
        Value::Array(parts) => parts,
        Value::Null => &[],
        _ => {
            notices.push(unreadable(business, &Value::Null, Fault::not_readable(key)));
            &[]
        }
    }
}

fn unreadable(business: Option<&Business>, part: &Value, fault: Fault) -> Notice {
    Notice::Unreadable(Unreadable {
        phone_number_id: business.map(|business| business.phone_number_id.clone()),
        id: part["id"].as_str().and_then(|id| MessageId::new(id).ok()),
        fault,
    })
}

fn read_change(change: &Value, account: Option<&AccountId>, notices: &mut Vec<Notice>) {
    let value = &change["value"];
    match change["field"].as_str() {
        Some("messages") => {}
        Some(field) => {
            notices.push(Notice::Other { field: name(field) });
            return;
        }
        None => {
            notices.push(unreadable(None, value, Fault::missing("field")));
            return;
        }
    }
    let business = match read_business(value, account) {
        Ok(business) => business,
        Err(fault) => {
            // Each message is named, so that its redelivery can be told from its loss.
            let messages = parts(value, "messages", None, notices).iter();
            let statuses = parts(value, "statuses", None, notices).iter();
            let named: Vec<Notice> = messages
                .chain(statuses)
                .map(|part| unreadable(None, part, fault.clone()))
                .collect();
            if named.is_empty() {
                notices.push(unreadable(None, &Value::Null, fault));
            }
            notices.extend(named);
            return;
        }
    };
    let contacts = parts(value, "contacts", Some(&business), notices);
    for message in parts(value, "messages", Some(&business), notices) {
        let notice = read_message(message, contacts, &business);
        notices.push(notice.unwrap_or_else(|fault| unreadable(Some(&business), message, fault)));
    }
    for status in parts(value, "statuses", Some(&business), notices) {
        let notice = Status::read(status, contacts, &business)
            .map(|status| Notice::Status(Box::new(status)));
        notices.push(notice.unwrap_or_else(|fault| unreadable(Some(&business), status, fault)));
    }
    for error in parts(value, "errors", Some(&business), notices) {
        let notice = Failure::read(error).map(|failure| Notice::Failure {
            business: business.clone(),
            failure,
        });
        notices.push(notice.unwrap_or_else(|fault| unreadable(Some(&business), error, fault)));
    }
}

fn read_business(value: &Value, account: Option<&AccountId>) -> Result<Business, Fault> {
    let metadata = Fields::of(value, "metadata")?;
    let id = metadata.text("phone_number_id")?;
    Ok(Business {
        account: account.cloned(),
        phone_number_id: PhoneNumberId::new(id)
            .map_err(|_| Fault::not_readable("phone_number_id"))?,
        display_phone: metadata
            .optional_text("display_phone_number")?
            .and_then(|phone| Phone::new(phone).ok()),
    })
}

fn read_message(json: &Value, contacts: &[Value], business: &Business) -> Result<Notice, Fault> {
    let fields = Fields::whole(json)?;
    let type_name = fields.text("type")?;
    if type_name == "system" {
        return Ok(match Change::read(fields, business)? {
            Some(change) => Notice::Change(Box::new(change)),
            None => Notice::Other {
                field: name(&format!(
                    "system/{}",
                    json["system"]["type"].as_str().unwrap_or_default()
                )),
            },
        });
    }
    let group = fields.optional_text("group_id")?;
    Ok(Notice::Message(Box::new(Message {
        business: business.clone(),
        id: message_id(fields)?,
        sent_at: fields.time("timestamp")?,
        sender: Sender::read(fields, contacts)?,
        group: group
            .map(|id| GroupId::new(id).map_err(|_| Fault::not_readable("group_id")))
            .transpose()?,
        context: context(fields)?,
        content: Content::read(type_name, fields)?,
    })))
}

fn message_id(fields: Fields<'_>) -> Result<MessageId, Fault> {
    MessageId::new(fields.text("id")?).map_err(|_| Fault::not_readable("id"))
}

fn context(fields: Fields<'_>) -> Result<Option<Context>, Fault> {
    let Some(context) = fields.optional("context")? else {
        return Ok(None);
    };
    let replies_to = context.optional_text("id")?;
    let context = Context {
        replies_to: replies_to.and_then(|id| MessageId::new(id).ok()),
        is_forwarded: context.flag("forwarded")? || context.flag("frequently_forwarded")?,
    };
    let says_something = context.replies_to.is_some() || context.is_forwarded;
    Ok(says_something.then_some(context))
}
