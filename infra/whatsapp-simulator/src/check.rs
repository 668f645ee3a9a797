//! Whether a message is of the documented form.

mod interactive;
mod part;
mod template;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub(crate) use part::Refusal;
use part::{Part, invalid};

const TEXT_MOST: usize = 4096;
const TRACKER_MOST: usize = 512;

/// A request that is of the documented form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Checked {
    Message {
        /// A number or a user id.
        address: String,
        is_template: bool,
        tracker: Option<String>,
    },
    Receipt {
        message_id: String,
        is_typing: bool,
    },
}

/// # Errors
/// [`Refusal`] with the documented code, and the field that is to blame.
pub(crate) fn check(body: &[u8]) -> Result<Checked, Refusal> {
    let json: Value =
        serde_json::from_slice(body).map_err(|_| Refusal::new(100, "Invalid JSON"))?;
    let whole = Part::whole(&json)?;
    if whole.text("messaging_product", 20)? != "whatsapp" {
        return Err(invalid("messaging_product"));
    }
    if whole.has("status") {
        receipt(whole)
    } else {
        message(whole)
    }
}

fn receipt(whole: Part<'_>) -> Result<Checked, Refusal> {
    whole.only(&[
        "messaging_product",
        "status",
        "message_id",
        "typing_indicator",
    ])?;
    if whole.text("status", 10)? != "read" {
        return Err(invalid("status"));
    }
    let is_typing = whole.has("typing_indicator");
    if is_typing {
        let typing = whole.object("typing_indicator")?;
        typing.only(&["type"])?;
        if typing.text("type", 10)? != "text" {
            return Err(invalid("typing_indicator.type"));
        }
    }
    Ok(Checked::Receipt {
        message_id: whole.text("message_id", 512)?.to_owned(),
        is_typing,
    })
}

fn message(whole: Part<'_>) -> Result<Checked, Refusal> {
    let of_type = whole.optional_text("type", 20)?.unwrap_or("text");
    whole.only(&[
        "messaging_product",
        "recipient_type",
        "to",
        "recipient",
        "type",
        "context",
        "biz_opaque_callback_data",
        of_type,
    ])?;
    if whole
        .optional_text("recipient_type", 20)?
        .is_some_and(|it| it != "individual")
    {
        return Err(invalid("recipient_type"));
    }
    if whole.has("context") {
        let context = whole.object("context")?;
        context.only(&["message_id"])?;
        if !context.text("message_id", 512)?.starts_with("wamid.") {
            return Err(invalid("context.message_id"));
        }
    }
    match of_type {
        "text" => {
            let text = whole.object("text")?;
            text.only(&["body", "preview_url"])?;
            text.text("body", TEXT_MOST)?;
            text.flag("preview_url")?;
        }
        "interactive" => interactive::check(whole.object("interactive")?)?,
        "template" => template::check(whole.object("template")?)?,
        _ => return Err(Refusal::new(131_051, "type")),
    }
    Ok(Checked::Message {
        address: address(whole)?,
        is_template: of_type == "template",
        tracker: whole
            .optional_text("biz_opaque_callback_data", TRACKER_MOST)?
            .map(str::to_owned),
    })
}

/// The number takes precedence where both are given.
fn address(whole: Part<'_>) -> Result<String, Refusal> {
    if let Some(to) = whole.optional_text("to", 20)? {
        let digits: String = to.chars().filter(|c| !"+-() ".contains(*c)).collect();
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        return if is_number && (5..=15).contains(&digits.len()) {
            Ok(digits)
        } else {
            Err(invalid("to"))
        };
    }
    let recipient = whole
        .optional_text("recipient", 160)?
        .ok_or(Refusal::new(131_008, "to"))?;
    let (country, rest) = recipient.split_once('.').unwrap_or_default();
    let is_id = country.len() == 2 && !rest.is_empty();
    if is_id {
        Ok(recipient.to_owned())
    } else {
        Err(invalid("recipient"))
    }
}
