//! Who has written.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::{Fault, Fields};
use crate::{
    ids::{ParentUserId, Phone, UserId},
    private::Private,
};

/// A customer as a delivery names them. At least one of user id and number is there.
///
/// Since 2026 the user id always is, as documented, and the number only of those who do not hide it behind a name of their
/// choice. What was kept or redelivered from before has numbers alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sender {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_user_id: Option<ParentUserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone>,
    /// The name that they are found by, which they may change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<Private>,
    /// What they call themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile_name: Option<Private>,
}

/// Most characters of a name; the platform's own have at most 25.
const NAME_CHARS_MAX: usize = 256;

impl Sender {
    /// The sender of a message, from the message and from the contact beside it.
    pub(super) fn read(message: Fields<'_>, contacts: &[Value]) -> Result<Self, Fault> {
        Self {
            user_id: id(message, "from_user_id", UserId::new)?,
            parent_user_id: id(message, "from_parent_user_id", ParentUserId::new)?,
            ..Self::default()
        }
        .with_address(message.optional_text("from")?)
        .with_contact(contacts)
        .known("from")
    }

    /// Whom a message of ours was for.
    pub(super) fn recipient(status: Fields<'_>, contacts: &[Value]) -> Result<Option<Self>, Fault> {
        let recipient = Self {
            user_id: id(status, "recipient_user_id", UserId::new)?,
            parent_user_id: id(status, "recipient_parent_user_id", ParentUserId::new)?,
            ..Self::default()
        }
        .with_address(status.optional_text("recipient_id")?)
        .with_contact(contacts);
        Ok(recipient.known("recipient_id").ok())
    }

    /// `from` is documented as a number; where it holds a user id, that is what it is.
    fn with_address(mut self, address: Option<&str>) -> Self {
        match address.map(|address| (Phone::new(address), UserId::new(address))) {
            Some((Ok(phone), _)) => self.phone = Some(phone),
            Some((Err(_), Ok(user_id))) => self.user_id = self.user_id.or(Some(user_id)),
            Some((Err(_), Err(_))) | None => {}
        }
        self
    }

    /// What the contact beside it adds: the one with the same user id or number, or the only one where it contradicts nothing.
    fn with_contact(mut self, contacts: &[Value]) -> Self {
        let described = contacts.iter().map(|contact| {
            let read = |key: &str| contact[key].as_str();
            let profile = |key: &str| {
                let text = contact["profile"][key].as_str()?;
                let text: String = text.chars().take(NAME_CHARS_MAX).collect();
                (!text.is_empty()).then(|| Private::new(text))
            };
            Self {
                user_id: read("user_id").and_then(|id| UserId::new(id).ok()),
                parent_user_id: read("parent_user_id").and_then(|id| ParentUserId::new(id).ok()),
                phone: read("wa_id").and_then(|id| Phone::new(id).ok()),
                username: profile("username"),
                profile_name: profile("name"),
            }
        });
        let described: Vec<Self> = described.collect();
        let is_theirs = |contact: &&Self| match (&self.user_id, &contact.user_id) {
            (Some(own), Some(other)) => own == other,
            (None, _) | (_, None) => self.phone.is_some() && self.phone == contact.phone,
        };
        let is_the_only_one = |contact: &&Self| {
            // A number and the `wa_id` of the same customer may differ, as in Mexico and Argentina.
            let contradicts = self.user_id.is_some()
                && contact.user_id.is_some()
                && self.user_id != contact.user_id;
            described.len() == 1 && !contradicts
        };
        let theirs = described.iter().find(is_theirs);
        if let Some(contact) = theirs.or_else(|| described.iter().find(is_the_only_one)) {
            let contact = contact.clone();
            self.user_id = self.user_id.or(contact.user_id);
            self.parent_user_id = self.parent_user_id.or(contact.parent_user_id);
            self.phone = self.phone.or(contact.phone);
            self.username = contact.username;
            self.profile_name = contact.profile_name;
        }
        self
    }

    fn known(self, field: &'static str) -> Result<Self, Fault> {
        match (&self.user_id, &self.phone) {
            (None, None) => Err(Fault::missing(field)),
            (Some(_), _) | (_, Some(_)) => Ok(self),
        }
    }
}

/// An identifier that may be absent, and is one where it is there.
pub(super) fn id<T, E>(
    fields: Fields<'_>,
    key: &'static str,
    read: fn(&str) -> Result<T, E>,
) -> Result<Option<T>, Fault> {
    let text = fields.optional_text(key)?;
    text.map(|text| read(text).map_err(|_| Fault::not_readable(key)))
        .transpose()
}
