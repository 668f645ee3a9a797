//! What a message holds.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    fields::{Fault, Fields},
    name,
};
use crate::{
    ids::{MessageId, Phone},
    private::Private,
};

/// What a customer has sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Content {
    Text {
        body: Private,
    },
    /// A button of a message of ours.
    ButtonReply {
        id: String,
        title: Private,
    },
    /// A row of a list of ours.
    ListReply {
        id: String,
        title: Private,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<Private>,
    },
    /// A button of a template of ours.
    QuickReply {
        payload: String,
        text: Private,
    },
    Audio {
        media: Media,
        /// Spoken into the microphone for this chat.
        is_voice: bool,
    },
    Image {
        media: Media,
        #[serde(skip_serializing_if = "Option::is_none")]
        caption: Option<Private>,
    },
    Video {
        media: Media,
        #[serde(skip_serializing_if = "Option::is_none")]
        caption: Option<Private>,
    },
    Document {
        media: Media,
        #[serde(skip_serializing_if = "Option::is_none")]
        filename: Option<Private>,
        #[serde(skip_serializing_if = "Option::is_none")]
        caption: Option<Private>,
    },
    Sticker {
        media: Media,
        is_animated: bool,
    },
    Location {
        latitude: f64,
        longitude: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<Private>,
        #[serde(skip_serializing_if = "Option::is_none")]
        address: Option<Private>,
    },
    Contacts {
        contacts: Vec<Contact>,
        /// The customer's own number, given because a message of ours asked for it.
        is_own: bool,
    },
    Reaction {
        message: MessageId,
        /// None where it was taken away.
        #[serde(skip_serializing_if = "Option::is_none")]
        emoji: Option<String>,
    },
    /// A cart of the platform's own catalogue.
    Order {
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<Private>,
        items: Vec<OrderItem>,
    },
    /// An earlier message reads otherwise from now on; only where the business uses the app beside the API.
    Edit {
        original: MessageId,
        #[serde(skip_serializing_if = "Option::is_none")]
        body: Option<Private>,
    },
    /// An earlier message was taken back; likewise.
    Revoke {
        original: MessageId,
    },
    /// What the platform does not hand on, by its own word.
    Unsupported {
        #[serde(skip_serializing_if = "Option::is_none")]
        of_type: Option<String>,
    },
    /// What is not known here.
    Unknown {
        of_type: String,
    },
}

/// A file that can be fetched from the platform for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// In Base64, of the file's content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// A card of somebody's address book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Private>,
    pub phones: Vec<Phone>,
}

/// A line of an order, priced by the customer's telephone: for nobody to rely on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrderItem {
    pub product: String,
    pub quantity: i64,
    pub price: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}

const CONTACTS_MAX: usize = 1000;

impl Content {
    pub(super) fn read(type_name: &str, message: Fields<'_>) -> Result<Self, Fault> {
        Ok(match type_name {
            "text" => Self::Text {
                body: message.object("text")?.private("body")?,
            },
            "interactive" => interactive(message.object("interactive")?)?,
            "button" => {
                let button = message.object("button")?;
                Self::QuickReply {
                    payload: choice(button, "payload")?,
                    text: button.private("text")?,
                }
            }
            // `voice` was a type of its own before it became a flag.
            "audio" | "voice" => {
                let key = if type_name == "audio" {
                    "audio"
                } else {
                    "voice"
                };
                let audio = message.object(key)?;
                Self::Audio {
                    media: Media::read(audio)?,
                    is_voice: type_name == "voice" || audio.flag("voice")?,
                }
            }
            "image" => {
                let image = message.object("image")?;
                Self::Image {
                    media: Media::read(image)?,
                    caption: image.optional_private("caption")?,
                }
            }
            "video" => {
                let video = message.object("video")?;
                Self::Video {
                    media: Media::read(video)?,
                    caption: video.optional_private("caption")?,
                }
            }
            "document" => {
                let document = message.object("document")?;
                Self::Document {
                    media: Media::read(document)?,
                    filename: document.optional_private("filename")?,
                    caption: document.optional_private("caption")?,
                }
            }
            "sticker" => {
                let sticker = message.object("sticker")?;
                Self::Sticker {
                    media: Media::read(sticker)?,
                    is_animated: sticker.flag("animated")?,
                }
            }
            "location" => location(message.object("location")?)?,
            "contacts" => Self::Contacts {
                contacts: contacts(message.list("contacts")?)?,
                is_own: message.optional_text("origin")? == Some("contact_request"),
            },
            "reaction" => {
                let reaction = message.object("reaction")?;
                Self::Reaction {
                    message: id(reaction, "message_id")?,
                    emoji: reaction.optional_short("emoji")?.map(str::to_owned),
                }
            }
            "order" => order(message.object("order")?)?,
            "edit" => {
                let edit = message.object("edit")?;
                let now = edit.optional("message")?;
                let text = now.map(|now| now.optional("text")).transpose()?.flatten();
                let body = text.map(|text| text.optional_private("body")).transpose()?;
                Self::Edit {
                    original: id(edit, "original_message_id")?,
                    body: body.flatten(),
                }
            }
            "revoke" => Self::Revoke {
                original: id(message.object("revoke")?, "original_message_id")?,
            },
            "unsupported" => {
                let unsupported = message.optional("unsupported")?;
                let of_type = unsupported.map(|it| it.optional_text("type")).transpose()?;
                Self::Unsupported {
                    of_type: of_type.flatten().map(name),
                }
            }
            type_name => Self::Unknown {
                of_type: name(type_name),
            },
        })
    }
}

fn id(fields: Fields<'_>, key: &'static str) -> Result<MessageId, Fault> {
    MessageId::new(fields.text(key)?).map_err(|_| Fault::not_readable(key))
}

/// An id of ours, or of the platform's, that is there.
fn choice(fields: Fields<'_>, key: &'static str) -> Result<String, Fault> {
    // An empty one is no choice of ours, and still one that was made.
    let id = fields.optional_short(key)?;
    Ok(id.unwrap_or(fields.text(key)?).to_owned())
}

fn interactive(fields: Fields<'_>) -> Result<Content, Fault> {
    let type_name = fields.text("type")?;
    Ok(match type_name {
        "button_reply" => {
            let reply = fields.object("button_reply")?;
            Content::ButtonReply {
                id: choice(reply, "id")?,
                title: reply.private("title")?,
            }
        }
        "list_reply" => {
            let reply = fields.object("list_reply")?;
            Content::ListReply {
                id: choice(reply, "id")?,
                title: reply.private("title")?,
                description: reply.optional_private("description")?,
            }
        }
        type_name => Content::Unknown {
            of_type: name(&format!("interactive/{type_name}")),
        },
    })
}

fn location(fields: Fields<'_>) -> Result<Content, Fault> {
    Ok(Content::Location {
        latitude: fields.number("latitude")?,
        longitude: fields.number("longitude")?,
        name: fields.optional_private("name")?,
        address: fields.optional_private("address")?,
    })
}

fn contacts(cards: &[Value]) -> Result<Vec<Contact>, Fault> {
    if cards.len() > CONTACTS_MAX {
        return Err(Fault::not_readable("contacts"));
    }
    let read = |card: &Value| {
        let card = Fields::whole(card).map_err(|_| Fault::not_readable("contacts"))?;
        let name = card.optional("name")?;
        let name = name
            .map(|name| name.optional_private("formatted_name"))
            .transpose()?;
        let numbers = card.list("phones")?.iter().filter_map(|phone| {
            // What the customer typed into their address book may be no number; the platform's own reading comes first.
            let texts = [phone["wa_id"].as_str(), phone["phone"].as_str()];
            texts
                .into_iter()
                .flatten()
                .find_map(|text| Phone::new(text).ok())
        });
        Ok(Contact {
            name: name.flatten(),
            phones: numbers.collect(),
        })
    };
    cards.iter().map(read).collect()
}

fn order(fields: Fields<'_>) -> Result<Content, Fault> {
    let items = fields.list("product_items")?.iter().map(|item| {
        let item = Fields::whole(item).map_err(|_| Fault::not_readable("product_items"))?;
        Ok(OrderItem {
            product: choice(item, "product_retailer_id")?,
            quantity: item.whole_number("quantity")?,
            price: item.number("item_price")?,
            currency: item.optional_text("currency")?.map(name),
        })
    });
    Ok(Content::Order {
        text: fields.optional_private("text")?,
        items: items.collect::<Result<_, Fault>>()?,
    })
}

impl Media {
    fn read(fields: Fields<'_>) -> Result<Self, Fault> {
        Ok(Self {
            id: choice(fields, "id")?,
            mime_type: fields.optional_short("mime_type")?.map(str::to_owned),
            sha256: fields.optional_short("sha256")?.map(str::to_owned),
        })
    }
}
