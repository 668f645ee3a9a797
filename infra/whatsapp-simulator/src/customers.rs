//! Who has WhatsApp here.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Somebody with WhatsApp.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    pub user_id: String,
    #[serde(default)]
    pub parent_user_id: Option<String>,
    pub phone: String,
    pub name: String,
    /// Has a name by which they are found, and hides the number behind it.
    #[serde(default)]
    pub username: Option<String>,
}

impl Customer {
    /// Somebody who is known by their number.
    #[must_use]
    pub fn new(phone: &str, name: &str) -> Self {
        Self {
            user_id: format!("ES.{phone}0001"),
            parent_user_id: None,
            phone: phone.to_owned(),
            name: name.to_owned(),
            username: None,
        }
    }

    #[must_use]
    pub fn hidden_as(mut self, username: &str) -> Self {
        self.username = Some(username.to_owned());
        self
    }

    /// Whether a message to this address is for them.
    pub(crate) fn is_at(&self, address: &str) -> bool {
        let parent = self.parent_user_id.as_deref();
        self.user_id == address || parent == Some(address) || self.phone == address
    }

    pub(crate) fn contact(&self) -> Value {
        let mut profile = json!({ "name": self.name });
        if let Some(username) = &self.username {
            profile["username"] = json!(username);
        }
        let mut contact = json!({ "profile": profile, "user_id": self.user_id });
        if let Some(parent) = &self.parent_user_id {
            contact["parent_user_id"] = json!(parent);
        }
        if self.username.is_none() {
            contact["wa_id"] = json!(self.phone);
        }
        contact
    }

    /// The fields that name them, with the prefixes of messages (`from`) or of statuses (`recipient`).
    pub(crate) fn names(&self, phone: &str, user_id: &str, parent: &str) -> Map<String, Value> {
        let mut names = Map::new();
        if self.username.is_none() {
            names.insert(phone.to_owned(), json!(self.phone));
        }
        names.insert(user_id.to_owned(), json!(self.user_id));
        if let Some(id) = &self.parent_user_id {
            names.insert(parent.to_owned(), json!(id));
        }
        names
    }
}
