//! Messages as customers see them.

use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;

/// A message that was taken.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SentMessage {
    pub id: String,
    /// As it was addressed: a number or a user id.
    pub address: String,
    #[serde(with = "time::serde::timestamp::milliseconds")]
    pub at: OffsetDateTime,
    /// The request.
    pub payload: Value,
}

/// A button, or a row of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offered<'a> {
    pub id: &'a str,
    pub title: &'a str,
    pub description: Option<&'a str>,
}

impl SentMessage {
    /// Its text with the markers of its formats; a template's name, of which the text lies with the platform.
    #[must_use]
    pub fn text(&self) -> &str {
        let texts = [
            &self.payload["text"]["body"],
            &self.payload["interactive"]["body"]["text"],
            &self.payload["template"]["name"],
        ];
        let mut texts = texts.into_iter().filter_map(Value::as_str);
        texts.next().unwrap_or_default()
    }

    /// What can be tapped, in its order.
    #[must_use]
    pub fn offered(&self) -> Vec<Offered<'_>> {
        self.replies().filter_map(Offered::of).collect()
    }

    /// The page that its button opens.
    #[must_use]
    pub fn link(&self) -> Option<&str> {
        self.payload["interactive"]["action"]["parameters"]["url"].as_str()
    }

    /// What comes back of a tap, and under which name.
    pub(crate) fn reply(&self, choice: &str) -> Option<(&'static str, &Value)> {
        let is_list = self.payload["interactive"]["type"] == "list";
        let name = if is_list {
            "list_reply"
        } else {
            "button_reply"
        };
        let reply = self.replies().find(|reply| reply["id"] == choice)?;
        Some((name, reply))
    }

    fn replies(&self) -> impl Iterator<Item = &Value> {
        let action = &self.payload["interactive"]["action"];
        let buttons = action["buttons"].as_array().into_iter().flatten();
        let sections = action["sections"].as_array().into_iter().flatten();
        let rows = sections.flat_map(|section| section["rows"].as_array().into_iter().flatten());
        buttons.map(|button| &button["reply"]).chain(rows)
    }
}

impl<'a> Offered<'a> {
    fn of(reply: &'a Value) -> Option<Self> {
        Some(Self {
            id: reply["id"].as_str()?,
            title: reply["title"].as_str()?,
            description: reply["description"].as_str(),
        })
    }
}
