//! Messages as the platform takes them.

use serde::Serialize;

use super::template::{Template, TemplateObject};
use crate::{
    ids::{MessageId, ParentUserId, Phone, UserId},
    webhook::Sender,
};

/// To whom a message goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    UserId(UserId),
    ParentUserId(ParentUserId),
    Phone(Phone),
}

impl Recipient {
    /// How to answer a sender: by the user id, which is theirs alone, rather than by a number, which may be somebody else's by
    /// now.
    #[must_use]
    pub fn of(sender: &Sender) -> Option<Self> {
        let user_id = sender.user_id.clone().map(Self::UserId);
        let parent = || sender.parent_user_id.clone().map(Self::ParentUserId);
        user_id
            .or_else(|| sender.phone.clone().map(Self::Phone))
            .or_else(parent)
    }
}

/// The body of a request that sends a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Request {
    messaging_product: &'static str,
    recipient_type: &'static str,
    /// A number.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    /// A user id. Where both are given the platform takes the number, so there is one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    recipient: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<ContextObject>,
    /// Comes back in each status of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    biz_opaque_callback_data: Option<String>,
    #[serde(flatten)]
    body: Body,
}

impl Request {
    #[must_use]
    pub fn new(recipient: &Recipient, body: Body) -> Self {
        let (to, recipient) = match recipient {
            Recipient::Phone(phone) => (Some(phone.as_str().to_owned()), None),
            Recipient::UserId(id) => (None, Some(id.as_str().to_owned())),
            Recipient::ParentUserId(id) => (None, Some(id.as_str().to_owned())),
        };
        Self {
            messaging_product: "whatsapp",
            recipient_type: "individual",
            to,
            recipient,
            context: None,
            biz_opaque_callback_data: None,
            body,
        }
    }

    /// As a reply to a message, which is shown above it.
    #[must_use]
    pub fn replying_to(mut self, message: &MessageId) -> Self {
        self.context = Some(ContextObject {
            message_id: message.as_str().to_owned(),
        });
        self
    }

    /// With something of ours that comes back in its statuses; at most 512 characters, as the platform takes it.
    #[must_use]
    pub fn with_tracker(mut self, tracker: &str) -> Self {
        self.biz_opaque_callback_data = Some(tracker.chars().take(512).collect());
        self
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ContextObject {
    message_id: String,
}

/// What a message holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "Typed")]
pub enum Body {
    Text(Text),
    Interactive(Interactive),
    Template(Template),
}

/// The wire has the type beside a field of the same name.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Typed {
    Text { text: Text },
    Interactive { interactive: Interactive },
    Template { template: TemplateObject },
}

impl From<Body> for Typed {
    fn from(body: Body) -> Self {
        match body {
            Body::Text(text) => Self::Text { text },
            Body::Interactive(interactive) => Self::Interactive { interactive },
            Body::Template(template) => Self::Template {
                template: template.object(),
            },
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Text {
    pub(super) body: String,
    pub(super) preview_url: bool,
}

/// Buttons, a list, or a button with a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Interactive {
    #[serde(rename = "type")]
    of_type: &'static str,
    body: BodyText,
    action: Action,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct BodyText {
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum Action {
    Buttons {
        buttons: Vec<Button>,
    },
    List {
        button: String,
        sections: Vec<Section>,
    },
    Link {
        name: &'static str,
        parameters: UrlParameters,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Button {
    #[serde(rename = "type")]
    of_type: &'static str,
    reply: Reply,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Reply {
    pub(super) id: String,
    pub(super) title: String,
}

/// One section needs no title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Section {
    pub(super) rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct UrlParameters {
    pub(super) display_text: String,
    pub(super) url: String,
}

impl Button {
    pub(super) fn reply(reply: Reply) -> Self {
        Self {
            of_type: "reply",
            reply,
        }
    }
}

impl Interactive {
    pub(super) fn buttons(text: String, buttons: Vec<Button>) -> Self {
        Self::of("button", text, Action::Buttons { buttons })
    }

    pub(super) fn list(text: String, action: Action) -> Self {
        Self::of("list", text, action)
    }

    pub(super) fn link(text: String, parameters: UrlParameters) -> Self {
        let action = Action::Link {
            name: "cta_url",
            parameters,
        };
        Self::of("cta_url", text, action)
    }

    fn of(of_type: &'static str, text: String, action: Action) -> Self {
        Self {
            of_type,
            body: BodyText { text },
            action,
        }
    }
}

/// The body of a request that marks a customer's message as read, and may show them that an answer is being written: for 25
/// seconds, or until it comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    messaging_product: &'static str,
    status: &'static str,
    message_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    typing_indicator: Option<Typing>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Typing {
    #[serde(rename = "type")]
    of_type: &'static str,
}

impl Receipt {
    #[must_use]
    pub fn read(message: &MessageId) -> Self {
        Self {
            messaging_product: "whatsapp",
            status: "read",
            message_id: message.as_str().to_owned(),
            typing_indicator: None,
        }
    }

    /// Read, and an answer is being written.
    #[must_use]
    pub fn typing(message: &MessageId) -> Self {
        Self {
            typing_indicator: Some(Typing { of_type: "text" }),
            ..Self::read(message)
        }
    }
}
